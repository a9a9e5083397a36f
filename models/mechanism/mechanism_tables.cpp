#include "models/mechanism/mechanism_tables.hpp"

#include <fmt/format.h>

#include "core/nearest_names.hpp"
#include "models/file/repetition.hpp"

namespace daewave::models {
namespace {

bool is_plain_name(const std::string& name) {
  try {
    return parse(name).kind == Syntax::Kind::name && name.find('.') == std::string::npos &&
           name.back() != '\'';
  } catch (const ExpressionError&) {
    return false;
  }
}

/// "x, y" or "x, y, z".
const char* letters_of(std::size_t n) { return n == 2 ? "x, y" : "x, y, z"; }

}  // namespace

std::optional<double> MechanismTables::number(TableReader& table, const std::string& key) {
  const auto found = table.expression(key);
  if (!found) return {};
  return number(*found, fmt::format("{}: {}", table.what(), key));
}

double MechanismTables::positive(TableReader& table, const std::string& key) {
  const std::optional<double> value = number(table, key);
  if (!value) table.fail_missing(key);
  if (!(*value > 0)) table.fail(key, fmt::format("= {:g}: must be above 0", *value));
  return *value;
}

double MechanismTables::not_negative(TableReader& table, const std::string& key) {
  const double value = number(table, key).value_or(0);
  if (value < 0) table.fail(key, fmt::format("= {:g}: must be 0 or above", value));
  return value;
}

void MechanismTables::each(const std::string& key, const std::function<void(TableReader&)>& read) {
  for (const Value* table : file_.tables(key)) {
    TableReader once(source_, *table, key);
    if (!once.has("repeat")) {
      read_one(key, *table, read);
      continue;
    }
    const int count = repeats_of(once, parameters_);
    for (int i = 1; i <= count; ++i) {
      names_.set_index(i);
      read_one(key, numbered(*table, i), read);
    }
    names_.set_index(0);
  }
}

void MechanismTables::read_one(const std::string& key, const Value& table,
                               const std::function<void(TableReader&)>& read) {
  TableReader one(source_, table, key);
  one.value("repeat");
  read(one);
  one.finish();
}

/// Names that do not say where the number goes have it at their end: link1, link2, ...
Value MechanismTables::numbered(const Value& table, int i) {
  Value copy = with_index(source_, table, parameters_, i);
  const Value* const name = table.find("name");
  const bool says = name == nullptr || name->text.find('{') != std::string::npos;
  for (auto& [key, value] : copy.table) {
    if (key != "name" || says) continue;
    repeated_.insert(value.text);
    value.text += std::to_string(i);
  }
  return copy;
}

std::string MechanismTables::new_body(TableReader& table, int most) {
  const std::string name = table.needed_text("name");
  const bool taken = name == "t" || name == "ground" || parameters_.find(name) != nullptr;
  if (taken || !is_plain_name(name)) {
    table.fail("name", fmt::format("= '{}': letters, digits and _, and not ground, t or the name "
                                   "of a parameter",
                                   name));
  }
  if (body_of_name_.contains(name)) {
    table.fail("name", fmt::format("= '{}': there is a body of this name already", name));
  }
  if (bodies() >= most) table.fail(fmt::format("more than {} bodies, which is the most", most));
  body_of_name_[name] = bodies();
  body_names_.push_back(name);
  return name;
}

int MechanismTables::body_named(const TableReader& table, const std::string& key,
                                const std::string& name) const {
  if (name == "ground") return ground;
  const auto found = body_of_name_.find(name);
  if (found != body_of_name_.end()) return found->second;
  // The one before the first of a row is what the row hangs from.
  if (name.size() > 1 && name.back() == '0' &&
      repeated_.contains(name.substr(0, name.size() - 1))) {
    return ground;
  }
  std::vector<std::string> known{"ground"};
  known.insert(known.end(), body_names_.begin(), body_names_.end());
  std::string near = did_you_mean(name, known);
  if (near.empty()) {
    constexpr std::size_t most = 8;
    const bool all = known.size() <= most;
    if (!all) known.resize(most);
    near = fmt::format("; there are {}{}", fmt::join(known, ", "), all ? "" : ", ...");
  }
  table.fail(key, fmt::format("names '{}', and there is no such body{}", name, near));
}

std::string MechanismTables::name_of(int body) const {
  return body == ground ? "ground" : body_names_[static_cast<std::size_t>(body)];
}

std::string MechanismTables::type_of(TableReader& table,
                                     const std::vector<std::string>& types) const {
  const std::string type = table.needed_text("type");
  for (const std::string& one : types) {
    if (one == type) return type;
  }
  std::string near = did_you_mean(type, types);
  if (near.empty()) near = fmt::format("; there are {}", fmt::join(types, ", "));
  table.fail("type", fmt::format("= '{}' is not known{}", type, near));
}

std::string MechanismTables::element_name(TableReader& table, const std::string& type, int first,
                                          int second) const {
  const auto name = table.text("name");
  return name ? *name : fmt::format("{} {}-{}", type, name_of(first), name_of(second));
}

std::pair<int, int> MechanismTables::ends(TableReader& table) const {
  const auto between = table.texts("between", 2);
  if (!between) table.fail("between is missing: the two bodies, or ground and a body");
  const int first = body_named(table, "between", (*between)[0]);
  const int second = body_named(table, "between", (*between)[1]);
  if (first == second) table.fail("between", fmt::format("names {} twice", (*between)[0]));
  return {first, second};
}

std::vector<Written> MechanismTables::expressions(TableReader& table,
                                                  const std::string& key) const {
  const Value* const value = table.value(key);
  if (value == nullptr) table.fail_missing(key);
  if (value->kind == Value::Kind::array) return *table.expressions(key, 0);
  return {*table.expression(key)};
}

std::vector<Written> MechanismTables::entries(const TableReader& table, const std::string& key,
                                              const Value& value, std::size_t n) const {
  if (value.kind != Value::Kind::array || value.array.size() != n) {
    source_.fail(value.place,
                 fmt::format("{}: {} is [{}], not {}", table.what(), key == "at" ? "a point" : key,
                             letters_of(n), words_for(value)));
  }
  std::vector<Written> all;
  for (const Value& one : value.array) all.push_back(written(source_, one));
  return all;
}

void MechanismTables::check_two(const TableReader& table, const std::string& key,
                                const Value& value, std::size_t n) const {
  if (value.kind == Value::Kind::array && value.array.size() == 2) return;
  table.fail(key, fmt::format("must be two {}, [[{}], [{}]], each in the frame of its body",
                              key == "at" ? "points" : "directions", letters_of(n), letters_of(n)));
}

}  // namespace daewave::models
