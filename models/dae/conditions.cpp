#include "models/dae/conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "core/nearest_names.hpp"
#include "models/expression/substitution.hpp"

namespace daewave::models {
namespace {

/// x(0): an entry of the state at a time. Variables are entries at the begin, the end, and then at
/// each time inside in the order in which conditions name them.
class ConditionNames final : public NumberNames {
 public:
  ConditionNames(Graph& graph, const Parameters& parameters, const DaeStatement& statement,
                 const Interval& interval)
      : NumberNames(graph, parameters),
        parameters_(parameters),
        states_(statement.state_names()),
        interval_(interval) {
    for (const Said& one : statement.unknown) constant_.push_back(one.name);
  }

  /// Unknown parameters are the same everywhere.
  std::optional<Ref> of(const std::string& name) override {
    if (std::find(constant_.begin(), constant_.end(), name) != constant_.end()) {
      return graph().variable(entry(name));
    }
    if (entry(name) >= 0) {
      throw ExpressionError(
          fmt::format("'{}': at which t? write {}({:g})", name, name, interval_.begin), 0);
    }
    return NumberNames::of(name);
  }

  std::optional<Ref> call(const Syntax& call) override {
    const int which = entry(call.name);
    if (which < 0 || call.of.size() != 1) return {};
    Graph graph_of_t;
    NumberNames names(graph_of_t, parameters_);
    const Ref at = meaning(call.of[0], graph_of_t, names);
    if (!graph_of_t.is_number(at)) {
      throw ExpressionError(fmt::format("{}: t must be a number", call.name), call.place);
    }
    const double t = graph_of_t[at].value;
    const int n = static_cast<int>(states_.size());
    return graph().variable(place_of(t, call) * n + which);
  }

  std::vector<std::string> known() const override {
    std::vector<std::string> all = NumberNames::known();
    for (const std::string& name : states_) all.push_back(name);
    return all;
  }

  const std::vector<double>& inside() const { return inside_; }

 private:
  int entry(const std::string& name) const {
    const auto found = std::find(states_.begin(), states_.end(), name);
    return found == states_.end() ? -1 : static_cast<int>(found - states_.begin());
  }

  int place_of(double t, const Syntax& call) {
    if (t == interval_.begin) return 0;
    if (t == interval_.end) return 1;
    const double low = std::min(interval_.begin, interval_.end);
    const double high = std::max(interval_.begin, interval_.end);
    if (!(t > low && t < high)) {
      throw ExpressionError(fmt::format("{}({:g}): t is outside of [{:g}, {:g}], which [solve] t "
                                        "says",
                                        call.name, t, interval_.begin, interval_.end),
                            call.place);
    }
    for (std::size_t k = 0; k < inside_.size(); ++k) {
      if (inside_[k] == t) return 2 + static_cast<int>(k);
    }
    inside_.push_back(t);
    return 1 + static_cast<int>(inside_.size());
  }

  const Parameters& parameters_;
  std::vector<std::string> states_, constant_;
  Interval interval_;
  std::vector<double> inside_;
};

class TimeNames final : public NumberNames {
 public:
  using NumberNames::NumberNames;
  std::optional<Ref> of(const std::string& name) override {
    return name == "t" ? graph().variable(0) : NumberNames::of(name);
  }
  std::vector<std::string> known() const override {
    std::vector<std::string> all = NumberNames::known();
    all.emplace_back("t");
    return all;
  }
};

/// Expressions of t, one for each name; 0 where nothing is said.
std::shared_ptr<const OverTime> over_time(const std::vector<std::string>& names,
                                          const std::vector<Said>& said, const TextSource& source,
                                          const Parameters& parameters) {
  auto of = std::make_shared<OverTime>();
  TimeNames time(of->graph, parameters);
  for (const std::string& name : names) {
    Ref value = of->graph.number(0);
    for (const Said& one : said) {
      if (one.name == name) value = meaning(source, one.of, of->graph, time);
    }
    of->values.push_back(value);
  }
  return of;
}

/// One number for each of the state, `open` where nothing is said; empty where nothing is at all.
VecX bounds(const char* what, const std::vector<std::string>& states, const std::vector<Said>& said,
            double open, const TextSource& source, const Parameters& parameters) {
  if (said.empty()) return {};
  VecX all = VecX::Constant(static_cast<int>(states.size()), open);
  Graph graph;
  NumberNames names(graph, parameters);
  for (const Said& one : said) {
    const auto at = std::find(states.begin(), states.end(), one.name) - states.begin();
    all[at] = number(source, one.of, graph, names, fmt::format("{} of {}", what, one.name));
  }
  return all;
}

void check_bounds(const DaeStatement& statement, const BoundaryConditions& of,
                  const TextSource& source) {
  if (of.lower.size() == 0 || of.upper.size() == 0) return;
  const std::vector<std::string> states = statement.state_names();
  for (const Said& one : statement.upper) {
    const auto at = std::find(states.begin(), states.end(), one.name) - states.begin();
    if (of.lower[at] < of.upper[at]) continue;
    source.fail(one.of.place, fmt::format("upper of {} = {:g}: must be above its lower bound, {:g}",
                                          one.name, of.upper[at], of.lower[at]));
  }
}

}  // namespace

VecX OverTime::at(double t) const {
  VecX all(static_cast<int>(values.size()));
  for (int i = 0; i < all.size(); ++i) {
    all[i] = value_at(graph, values[static_cast<std::size_t>(i)], [t](int) { return t; });
  }
  return all;
}

std::function<VecX(double t)> function_of(const std::shared_ptr<const OverTime>& of) {
  if (!of) return {};
  return [of](double t) { return of->at(t); };
}

BoundaryConditions boundary_conditions(const DaeStatement& statement, const TextSource& source,
                                       const Parameters& parameters, const Interval& interval) {
  auto of = std::make_shared<ConditionExpressions>();
  ConditionNames names(of->graph, parameters, statement, interval);
  for (const Written& one : statement.boundary) {
    const Ref row = meaning(source, one, of->graph, names);
    if (of->graph.variables_of(row).empty()) {
      source.fail(one.place, "no state is in this condition; write one as \"x(0) - 1\"");
    }
    of->rows.push_back(row);
  }
  // p'' = 0 of an unknown parameter p of order 2, which is the same everywhere.
  for (std::size_t i = 0; statement.order == 2 && i < statement.unknown.size(); ++i) {
    const std::size_t states = statement.state_names().size() / 2;
    of->rows.push_back(
        of->graph.variable(static_cast<int>(states + statement.differential.size() + i)));
  }
  BoundaryConditions out;
  out.inside = names.inside();
  std::sort(out.inside.begin(), out.inside.end());
  for (const double t : names.inside()) {
    of->order.push_back(static_cast<std::size_t>(
        std::find(out.inside.begin(), out.inside.end(), t) - out.inside.begin()));
  }
  out.count = static_cast<int>(of->rows.size());
  const int n = static_cast<int>(statement.state_names().size());
  out.residual = [of, n](const VecX& left, const VecX& right, const std::vector<VecX>& inside) {
    const auto variable = [&](int k) {
      const int place = k / n, entry = k % n;
      if (place == 0) return left[entry];
      if (place == 1) return right[entry];
      return inside[of->order[static_cast<std::size_t>(place - 2)]][entry];
    };
    VecX values(static_cast<int>(of->rows.size()));
    for (int i = 0; i < values.size(); ++i) {
      values[i] = value_at(of->graph, of->rows[static_cast<std::size_t>(i)], variable);
    }
    return values;
  };
  std::vector<Said> guess = statement.guess;
  guess.insert(guess.end(), statement.unknown.begin(), statement.unknown.end());
  if (!guess.empty()) {
    out.guess_said = over_time(statement.state_names(), guess, source, parameters);
    std::vector<std::string> algebraic;
    for (const Said& one : statement.algebraic) algebraic.push_back(one.name);
    out.guess_algebraic_said = over_time(algebraic, guess, source, parameters);
  }
  out.guess = function_of(out.guess_said);
  out.guess_algebraic = function_of(out.guess_algebraic_said);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<std::string> states = statement.state_names();
  out.lower = bounds("lower", states, statement.lower, -infinity, source, parameters);
  out.upper = bounds("upper", states, statement.upper, infinity, source, parameters);
  check_bounds(statement, out, source);
  out.exact_said = exact_solution(statement, source, parameters);
  out.exact = function_of(out.exact_said);
  out.expressions = of;
  return out;
}

std::shared_ptr<const OverTime> exact_solution(const DaeStatement& statement,
                                               const TextSource& source,
                                               const Parameters& parameters) {
  if (statement.exact.empty()) return {};
  const std::vector<std::string> names = statement.state_names();
  for (const std::string& name : names) {
    const bool said = std::any_of(statement.exact.begin(), statement.exact.end(),
                                  [&](const Said& one) { return one.name == name; });
    if (!said && !statement.is_rate_of_unknown(name)) {
      source.fail(statement.exact.front().of.place,
                  fmt::format("exact: {} is missing; say all of the state, or nothing", name));
    }
  }
  return over_time(names, statement.exact, source, parameters);
}

}  // namespace daewave::models
