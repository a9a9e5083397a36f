#include "models/event/event_statement.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/mechanism/mechanism_tables.hpp"

namespace daewave::models {
namespace {

bool is_yes_or_no(const Syntax& syntax) {
  constexpr const char* signs[] = {"<", "<=", ">", ">=", "==", "!=", "&&", "||", "!"};
  return syntax.kind == Syntax::Kind::operation &&
         std::any_of(std::begin(signs), std::end(signs),
                     [&](const char* sign) { return syntax.name == sign; });
}

bool has_index(const Syntax& syntax) {
  if (syntax.kind == Syntax::Kind::name) return syntax.name == "i";
  return std::any_of(syntax.of.begin(), syntax.of.end(), has_index);
}

/// Of an event without a name: what passes through 0, and which of those that differ by i alone.
std::string name_by(const Written& when, int index) {
  if (index == 0 || !has_index(when.syntax)) return when.text;
  return fmt::format("{}, i = {}", when.text, index);
}

StateEvent::Direction direction_of(TableReader& table) {
  const std::string direction = table.text("direction").value_or("any");
  if (direction == "any") return StateEvent::Direction::any;
  if (direction == "rising") return StateEvent::Direction::rising;
  if (direction == "falling") return StateEvent::Direction::falling;
  table.fail("direction", fmt::format("= '{}': must be rising, falling or any", direction));
}

std::vector<std::pair<std::string, Written>> read_set(TableReader& table) {
  std::vector<std::pair<std::string, Written>> all;
  const Value* const value = table.value("set");
  if (value == nullptr) return all;
  if (value->kind != Value::Kind::table || value->table.empty()) {
    table.fail("set", "must be a table of what changes, such as { \"ball.y'\" = \"-ball.y'\" }");
  }
  for (const auto& [name, of] : value->table) all.emplace_back(name, written(table.source(), of));
  return all;
}

EventStatement read_event(MechanismTables& tables, TableReader& table) {
  EventStatement event;
  event.place = table.place();
  event.index = tables.index();
  event.when = table.needed_expression("when");
  if (is_yes_or_no(event.when.syntax)) {
    table.fail("when",
               "is a comparison: write what passes through 0, x - 1 for x > 1, and the "
               "direction, rising or falling");
  }
  event.name = table.text("name").value_or(name_by(event.when, event.index));
  event.direction = direction_of(table);
  event.terminal = table.truth("terminal").value_or(false);
  event.set = read_set(table);
  event.restitution = tables.number(table, "restitution");
  if (event.restitution && !(*event.restitution >= 0 && *event.restitution <= 1)) {
    table.fail("restitution", fmt::format("= {:g}: must be from 0, no rebound, to 1, no loss",
                                          *event.restitution));
  }
  if (event.restitution && !event.set.empty()) {
    table.fail("set", "and restitution are given: one of them says the state after the event");
  }
  if (event.terminal && (event.restitution || !event.set.empty())) {
    table.fail("terminal", "ends the run there: what comes after, set or restitution, is left out");
  }
  return event;
}

}  // namespace

std::vector<EventStatement> read_events(TableReader& file, Parameters& parameters) {
  constexpr std::size_t most = 1000;
  std::vector<EventStatement> all;
  MechanismTables tables(file, parameters);
  tables.each("event", [&](TableReader& table) {
    if (all.size() == most) table.fail(fmt::format("more than {} events, which is the most", most));
    all.push_back(read_event(tables, table));
    const std::string& name = all.back().name;
    const bool taken = std::any_of(all.begin(), all.end() - 1,
                                   [&](const EventStatement& one) { return one.name == name; });
    if (!taken) return;
    if (table.has("name")) {
      table.fail("name", fmt::format("= '{}': there is an event of this name", name));
    }
    table.fail("when",
               fmt::format("= '{}': there is an event of this already; where both are meant, "
                           "give one a name, which has the number of a repeated one at its "
                           "end",
                           name));
  });
  return all;
}

}  // namespace daewave::models
