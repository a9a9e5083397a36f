#include "models/mechanism/written_rows.hpp"

#include <fmt/format.h>

#include "models/expression/derivative.hpp"
#include "models/expression/substitution.hpp"

namespace daewave::models {

void WrittenRows::add_position_row(const std::string& joint, const Written& of, Ref row) {
  bool has_position = false;
  for (const int variable : out_.equations.graph.variables_of(row)) {
    has_position = has_position || variables_.is_q(variable);
    if (variables_.is_v(variable)) {
      source_.fail(of.place, fmt::format("joint {}: depends on velocities: a constraint on them "
                                         "is of type velocity, with w = ...",
                                         joint));
    }
  }
  if (!has_position) {
    source_.fail(of.place,
                 fmt::format("joint {}: no coordinate is in it: nothing can satisfy it", joint));
  }
  out_.equations.g.push_back(row);
}

void WrittenRows::add_velocity_rows(const std::string& joint, const Place& place,
                                    const std::vector<Written>& of, const std::vector<Ref>& rows) {
  Equations& e = out_.equations;
  const auto first = static_cast<int>(e.g.size() + e.w.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    bool has_velocity = false;
    for (const int variable : e.graph.variables_of(rows[i])) {
      has_velocity = has_velocity || variables_.is_v(variable);
    }
    if (!has_velocity) {
      source_.fail(of[i].place,
                   fmt::format("joint {}: no velocity is in it; a constraint on positions is of "
                               "type constraint, with g = ...",
                               joint));
    }
    const std::vector<Partial> gradient = gradients_of(e.graph, {rows[i]}).front();
    for (const auto& [variable, slope] : gradient) {
      if (!variables_.is_v(variable)) continue;
      for (const int left : e.graph.variables_of(slope)) {
        if (!variables_.is_v(left)) continue;
        source_.fail(of[i].place, fmt::format("joint {}: must be linear in velocities, as "
                                              "K(q, t) v + k(q, t)",
                                              joint));
      }
    }
    e.w.push_back(rows[i]);
  }
  out_.joints.push_back({joint, first, static_cast<int>(rows.size()), 0, place});
}

bool WrittenRows::do_no_work() const {
  Equations& e = out_.equations;
  Substitution at_rest(
      e.graph, [&](int variable) { return variables_.is_v(variable) ? e.graph.number(0) : -1; });
  for (const Ref row : e.w) {
    if (!e.graph.is_number(at_rest.in(row), 0)) return false;
  }
  for (const Ref row : e.g) {
    const std::vector<int> variables = e.graph.variables_of(row);
    if (!variables.empty() && variables.front() == Variables::t) return false;
  }
  return true;
}

}  // namespace daewave::models
