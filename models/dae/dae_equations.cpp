#include "models/dae/dae_equations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/dae/dae_names.hpp"
#include "models/expression/derivative.hpp"
#include "models/expression/substitution.hpp"

namespace daewave::models {
namespace {

class Building {
 public:
  Building(const DaeStatement& statement, const TextSource& source, const Parameters& parameters)
      : of_(statement),
        source_(source),
        graph_(out_.graph),
        names_(graph_, parameters, statement, source),
        as_first_order_(of_.order == 2 && of_.algebraic.empty()),
        states_(static_cast<int>(of_.state_names().size())),
        multipliers_(static_cast<int>(of_.algebraic.size())) {}

  Equations all() {
    std::vector<Ref> right = right_sides(), algebraic;
    for (const Said& one : of_.algebraic) algebraic.push_back(meaning_of(one.of));
    const bool index_1 = std::any_of(algebraic.begin(), algebraic.end(),
                                     [this](Ref row) { return has_multiplier(row); });
    out_.state_names = of_.state_names();
    if (as_first_order_) {
      add_first_order(right);
    } else if (index_1) {
      add_index_1(right, algebraic);
    } else {
      add_constrained(right, algebraic);
    }
    return std::move(out_);
  }

 private:
  int multiplier(int j) const { return 1 + states_ + j; }
  bool is_multiplier(int variable) const { return variable >= multiplier(0); }
  bool has_multiplier(Ref of) const {
    const std::vector<int> all = graph_.variables_of(of);
    return std::any_of(all.begin(), all.end(), [this](int one) { return is_multiplier(one); });
  }

  Ref meaning_of(const Written& of) { return models::meaning(source_, of, graph_, names_); }

  std::vector<Ref> right_sides() {
    std::vector<Ref> right;
    for (const Said& one : of_.differential) {
      Ref value = meaning_of(one.of);
      for (const Said& mass : of_.mass) {
        if (mass.name == one.name) value = divided(value, mass);
      }
      right.push_back(value);
    }
    for (std::size_t i = 0; i < of_.unknown.size(); ++i) right.push_back(graph_.number(0));
    return right;
  }

  Ref divided(Ref value, const Said& by) {
    const Ref mass = meaning_of(by.of);
    if (graph_.is_number(mass, 0)) {
      source_.fail(by.of.place, fmt::format("mass of {} is 0: state the equation without {} as an "
                                            "algebraic one, in [dae.algebraic]",
                                            by.name, by.name));
    }
    if (has_multiplier(mass)) {
      source_.fail(by.of.place, fmt::format("mass of {}: has algebraic unknowns in it", by.name));
    }
    return graph_.divide(value, mass);
  }

  void add_first_order(const std::vector<Ref>& right) {
    out_.kind = Kind::ordinary;
    out_.nq = states_;
    const int n = states_ / 2;
    for (int i = 0; i < n; ++i) out_.f.push_back(graph_.variable(1 + n + i));
    out_.f.insert(out_.f.end(), right.begin(), right.end());
  }

  void add_index_1(const std::vector<Ref>& right, const std::vector<Ref>& algebraic) {
    if (of_.order == 2) {
      source_.fail(of_.algebraic.front().of.place,
                   "algebraic unknowns of order 2 stand in no algebraic equation (index 3); write "
                   "first order: x' = v, v' = ...");
    }
    out_.kind = Kind::invariants;
    out_.nq = states_;
    out_.f = right;
    out_.r = algebraic;
  }

  void add_constrained(const std::vector<Ref>& right, const std::vector<Ref>& algebraic) {
    out_.kind = of_.algebraic.empty() ? Kind::ordinary
                : of_.order == 2      ? Kind::second_order
                                      : Kind::index_2;
    out_.nq = of_.order == 2 ? states_ / 2 : states_;
    out_.g = algebraic;
    for (std::size_t j = 0; j < algebraic.size(); ++j) check_constraint(j, algebraic[j]);
    std::vector<std::vector<Ref>> rows;
    for (std::size_t i = 0; i < right.size(); ++i) rows.push_back(coefficients(i, right[i]));
    for (std::size_t j = 0; j < algebraic.size(); ++j) {
      bool anywhere = false;
      for (const std::vector<Ref>& row : rows) {
        out_.B.push_back(graph_.negate(row[j]));
        anywhere = anywhere || !graph_.is_number(row[j], 0);
      }
      if (anywhere) continue;
      const Said& one = of_.algebraic[j];
      source_.fail(one.of.place,
                   fmt::format("'{}' is in no differential equation and in no algebraic one: what "
                               "is it to do?",
                               one.name));
    }
    Substitution without(
        graph_, [this](int variable) { return is_multiplier(variable) ? graph_.number(0) : -1; });
    for (const Ref one : right) out_.f.push_back(without.in(one));
  }

  void check_constraint(std::size_t j, Ref row) const {
    const std::vector<int> variables = graph_.variables_of(row);
    const int n = of_.order == 2 ? states_ / 2 : states_;
    const auto has = [&](int begin, int end) {
      return std::any_of(variables.begin(), variables.end(),
                         [&](int one) { return one >= begin && one < end; });
    };
    const Said& said = of_.algebraic[j];
    if (of_.order == 2 && has(1 + n, 1 + states_)) {
      source_.fail(said.of.place, fmt::format("'{}': a constraint of order 2 is on positions; one "
                                              "on velocities is for first order",
                                              said.name));
    }
    if (!has(1, 1 + n)) {
      source_.fail(said.of.place,
                   fmt::format("'{}': no unknown is in it: nothing can satisfy it", said.name));
    }
  }

  /// Of the multipliers in a right side. @throws ModelError where that is not linear in them.
  std::vector<Ref> coefficients(std::size_t i, Ref right) {
    std::vector<Ref> all;
    for (int j = 0; j < multipliers_; ++j) {
      const Ref one = partial_derivative(graph_, right, multiplier(j));
      if (has_multiplier(one)) {
        source_.fail(of_.differential[i].of.place,
                     fmt::format("{}: is not linear in the multiplier {}; where an algebraic "
                                 "equation has unknowns in it (index 1) it need not be",
                                 of_.differential[i].name, of_.algebraic[j].name));
      }
      all.push_back(one);
    }
    return all;
  }

  const DaeStatement& of_;
  const TextSource& source_;
  Equations out_;
  Graph& graph_;
  DaeNames names_;
  bool as_first_order_;
  int states_, multipliers_;
};

}  // namespace

Equations dae_equations(const DaeStatement& statement, const TextSource& source,
                        const Parameters& parameters) {
  return Building(statement, source, parameters).all();
}

std::pair<VecX, VecX> dae_start(const DaeStatement& statement, const TextSource& source,
                                const Parameters& parameters, bool needed) {
  Graph graph;
  NumberNames names(graph, parameters);
  const auto said = [&](const std::string& name) -> std::optional<double> {
    for (const auto* group : {&statement.start, &statement.unknown}) {
      for (const Said& one : *group) {
        if (one.name == name) return number(source, one.of, graph, names, "start of " + name);
      }
    }
    return {};
  };
  const std::vector<std::string> states = statement.state_names();
  VecX x(static_cast<int>(states.size())), w(static_cast<int>(statement.algebraic.size()));
  for (std::size_t i = 0; i < states.size(); ++i) {
    const std::optional<double> value = said(states[i]);
    if (!value && needed) {
      source.fail(statement.place, fmt::format("no start of {}: write {} = ... in [dae.start], or "
                                               "conditions at both ends, boundary = [...]",
                                               states[i], states[i]));
    }
    x[static_cast<int>(i)] = value.value_or(0);
  }
  for (std::size_t j = 0; j < statement.algebraic.size(); ++j) {
    w[static_cast<int>(j)] = said(statement.algebraic[j].name).value_or(0);
  }
  return {x, w};
}

}  // namespace daewave::models
