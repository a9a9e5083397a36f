#include "models/file/value.hpp"

#include <fmt/format.h>

namespace daewave::models {

const Value* Value::find(const std::string& key) const {
  for (const auto& [name, value] : table) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::string words_for(const Value& value) {
  switch (value.kind) {
    case Value::Kind::text:
      return fmt::format("the text \"{}\"", value.text);
    case Value::Kind::number:
      return fmt::format("the number {:g}", value.number);
    case Value::Kind::truth:
      return value.truth ? "true" : "false";
    case Value::Kind::array:
      return fmt::format("an array of {}", value.array.size());
    case Value::Kind::table:
      return "a table";
  }
  return {};
}

std::string canonical_text(const Value& value) {
  std::string text;
  switch (value.kind) {
    case Value::Kind::text:
      return fmt::format("{}:{} ", value.text.size(), value.text);
    case Value::Kind::number:
      return fmt::format("{:a} ", value.number);
    case Value::Kind::truth:
      return value.truth ? "true " : "false ";
    case Value::Kind::array:
      for (const Value& one : value.array) text += canonical_text(one);
      return "[" + text + "]";
    case Value::Kind::table:
      for (const auto& [key, one] : value.table) {
        text += fmt::format("{}:{} ", key.size(), key) + canonical_text(one);
      }
      return "{" + text + "}";
  }
  return text;
}

}  // namespace daewave::models
