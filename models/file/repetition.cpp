#include "models/file/repetition.hpp"

#include <fmt/format.h>

#include <cmath>

namespace daewave::models {

Value with_index(const TextSource& source, const Value& value, const Parameters& parameters,
                 int i) {
  Value out = value;
  for (Value& one : out.array) one = with_index(source, one, parameters, i);
  for (auto& [key, one] : out.table) one = with_index(source, one, parameters, i);
  std::size_t begin = 0;
  while ((begin = out.text.find('{', begin)) != std::string::npos) {
    const std::size_t end = out.text.find('}', begin);
    if (end == std::string::npos) {
      source.fail(value.place, value.text, begin, "a { without its }");
    }
    Graph graph;
    NumberNames names(graph, parameters);
    names.set_index(i);
    Value inner;
    inner.kind = Value::Kind::text;
    inner.place = value.place;
    inner.text = out.text.substr(begin + 1, end - begin - 1);
    const double index =
        number(source, written(source, inner), graph, names, "{" + inner.text + "}");
    if (index != std::round(index) || std::abs(index) > 1e9) {
      source.fail(value.place, fmt::format("{{{}}} is {:g}: must be whole", inner.text, index));
    }
    const std::string digits = fmt::format("{:.0f}", index);
    out.text.replace(begin, end - begin + 1, digits);
    begin += digits.size();
  }
  return out;
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
