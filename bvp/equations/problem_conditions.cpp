#include "bvp/equations/problem_conditions.hpp"

#include <fmt/format.h>

#include "bvp/statement/forward_differences.hpp"
#include "core/error.hpp"

namespace daewave::bvp {

ProblemConditions::ProblemConditions(const BoundaryProblem& problem, const VecX& state, bool at_end)
    : problem_(problem), constraints_(*problem.equations), at_end_(at_end) {
  if (problem.conditions) own_ = static_cast<int>(problem.conditions(state, state).size());
}

void ProblemConditions::evaluate(const VecX& left, const VecX& right, VecX& r) {
  VecX conditions = problem_.conditions ? problem_.conditions(left, right) : VecX(0);
  if (conditions.size() != own_) {
    throw InvalidProblem(fmt::format("conditions: {} at one pair of states, {} at another", own_,
                                     conditions.size()));
  }
  if (constraints_.count() == 0) {
    r.swap(conditions);
    return;
  }
  r.resize(count());
  r.head(own_) = conditions;
  r.tail(constraints_.count()) = at_end_ ? constraints_.residual(right, problem_.interval.end)
                                         : constraints_.residual(left, problem_.interval.begin);
}

void ProblemConditions::jacobians(const VecX& left, const VecX& right, const VecX& weight, MatX& B0,
                                  MatX& B1) {
  constexpr int further = 4;  // They are few, and one that is lost is one that does not count.
  VecX at(count());
  evaluate(left, right, at);
  B0.resize(count(), left.size());
  B1.resize(count(), left.size());
  const auto of = [&](const VecX& l, const VecX& r, VecX& out) {
    evaluate(l, r, out);
    return true;
  };
  forward_differences([&](const VecX& x, VecX& out) { return of(x, right, out); }, left, at, weight,
                      B0, further);
  forward_differences([&](const VecX& x, VecX& out) { return of(left, x, out); }, right, at, weight,
                      B1, further);
}

void ReversedConditions::evaluate(const VecX& left, const VecX& right, VecX& r) {
  conditions_.evaluate(turned_(right), turned_(left), r);
}

void ReversedConditions::jacobians(const VecX& left, const VecX& right, const VecX& weight,
                                   MatX& B0, MatX& B1) {
  conditions_.jacobians(turned_(right), turned_(left), weight, B1, B0);
  for (MatX* const B : {&B0, &B1}) {
    for (int i = 0; i < B->rows(); ++i) {
      B->row(i) = turned_(B->row(i).transpose()).transpose();
    }
  }
}

}  // namespace daewave::bvp
