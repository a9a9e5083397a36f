#pragma once
// Linear initial value problems as steps and the front door see them.

#include <cmath>
#include <memory>
#include <vector>

#include "core/adapt/problem_of.hpp"
#include "core/problem/linear_as_semi_explicit.hpp"
#include "core/regularize/regularize_problem.hpp"
#include "core/start/linear_start.hpp"
#include "core/time/mesh.hpp"
#include "ivp/srm/srm_step.hpp"
#include "tests/linear_initial_values.hpp"

namespace daewave {

/// Compiled once.
extern template DaeProblemPtr problem_of(LinearAsSemiExplicit, const VecX&, double);

}  // namespace daewave

/// x' = f - B y, 0 = g of a struct of coefficients, with its start.
template <class P>
struct LinearRun {
  explicit LinearRun(const P& coefficients)
      : start(daewave::initial_state(*daewave::erase(coefficients))),
        span(coefficients.interval()),
        problem(daewave::problem_of(daewave::LinearAsSemiExplicit(daewave::erase(coefficients)),
                                    start, span.begin)) {}

  daewave::VecX start;
  daewave::Interval span;
  daewave::DaeProblemPtr problem;

  daewave::ivp::SrmStep step(const daewave::Regularization& form,
                             const daewave::ivp::SrmFormula& formula, int iterates,
                             daewave::ivp::InitialIterate y_0 = {}) const {
    return {daewave::regularize(*problem, form), formula, iterates, std::move(y_0)};
  }
};

/// Steps from node to node; see(i) after step i. False where a step failed.
template <class See>
bool step_along(daewave::ivp::SrmStep& step, const daewave::Mesh& mesh, const daewave::VecX& start,
                See see) {
  if (!step.start(mesh.begin(), start)) return false;
  for (int i = 0; i < mesh.intervals(); ++i) {
    if (std::isnan(step.attempt(mesh.node(i + 1) - step.t())) || !step.accept()) return false;
    see(i);
  }
  return true;
}
