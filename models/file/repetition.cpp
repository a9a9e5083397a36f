#include "models/file/repetition.hpp"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace daewave::models {

namespace {

class Numbering {
 public:
  Numbering(const TextSource& source, const Parameters& parameters, int i)
      : source_(source), names_(graph_, parameters) {
    names_.set_index(i);
  }

  Value of(const Value& value) {
    Value out = value;
    out.text = text(value.text, value.place);
    for (Value& one : out.array) one = of(one);
    for (auto& [key, one] : out.table) {
      key = text(key, one.place);
      one = of(one);
    }
    check_keys(out);
    return out;
  }

 private:
  std::string text(const std::string& of, const Place& place) {
    std::string out = of;
    std::size_t begin = 0;
    while ((begin = out.find('{', begin)) != std::string::npos) {
      const std::size_t end = out.find('}', begin);
      if (end == std::string::npos) source_.fail(place, of, begin, "a { without its }");
      const std::string digits = whole(out.substr(begin + 1, end - begin - 1), place);
      out.replace(begin, end - begin + 1, digits);
      begin += digits.size();
    }
    return out;
  }

  std::string whole(const std::string& what, const Place& place) {
    Value inner;
    inner.kind = Value::Kind::text;
    inner.place = place;
    inner.text = what;
    const double index = number(source_, written(source_, inner), graph_, names_, "{" + what + "}");
    if (index != std::round(index) || std::abs(index) > 1e9) {
      source_.fail(place, fmt::format("{{{}}} is {:g}: must be whole", what, index));
    }
    return fmt::format("{:.0f}", index);
  }

  /// Those that differ in the file may be one with this i.
  void check_keys(const Value& table) const {
    std::set<std::string> known;
    for (const auto& [key, one] : table.table) {
      if (known.insert(key).second) continue;
      source_.fail(one.place, fmt::format("'{}' is said twice where i = {}: say it once", key,
                                          names_.index()));
    }
  }

  const TextSource& source_;
  Graph graph_;
  NumberNames names_;
};

}  // namespace

Value with_index(const TextSource& source, const Value& value, const Parameters& parameters,
                 int i) {
  return Numbering(source, parameters, i).of(value);
}

int repeats_of(TableReader& table, Parameters& parameters) {
  const std::optional<Written> repeat = table.expression("repeat");
  if (!repeat) return 1;
  parameters.mark_discrete(repeat->syntax);
  Graph graph;
  NumberNames names(graph, parameters);
  const double count =
      number(table.source(), *repeat, graph, names, fmt::format("{}: repeat", table.what()));
  if (count != std::round(count) || count < 1 || count > most_repeats) {
    table.fail("repeat",
               fmt::format("= {:g}: must be a whole number from 1 to {}", count, most_repeats));
  }
  return static_cast<int>(count);
}

}  // namespace daewave::models
