#pragma once
// What tests of beta-blocked multistep steps share: every formula, and its errors on the pendulum
// of index 2.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "ivp/multistep/blocked_multistep_step.hpp"
#include "problems/velocity_pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/struct_doors.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {

using problems::VelocityPendulum;

struct Errors {
  double x = 0, lambda = 0;
  Errors with(const Errors& other) const {
    return {std::max(x, other.x), std::max(lambda, other.lambda)};
  }
};

inline BlockedFormula stable(MultistepFamily family, int k,
                             Blocking blocking = Blocking::multiplier) {
  return blocked_formula(family, k, {}, blocking);
}

/// Every formula, of every number of steps.
inline std::vector<BlockedFormula> all_formulas() {
  std::vector<BlockedFormula> all;
  for (int k = 1; k <= 6; ++k) {
    all.push_back(stable(MultistepFamily::bdf, k));
    all.push_back(stable(MultistepFamily::dcbdf, k));
    all.push_back(stable(MultistepFamily::dcbdf, k, Blocking::term));
    if (k > 3) continue;
    all.push_back(stable(MultistepFamily::adams_moulton, k));
    all.push_back(stable(MultistepFamily::adams_moulton, k, Blocking::term));
  }
  return all;
}

inline std::string text_of(const BlockedFormula& formula) {
  return std::to_string(static_cast<int>(formula.family)) + ", k = " + std::to_string(formula.k) +
         (formula.blocking == Blocking::term ? ", on B lambda" : "");
}

inline Errors error_of(const VelocityPendulum& pendulum, double t, const VecX& x,
                       const VecX& lambda) {
  return {(x - VecX(pendulum.z_exact(t))).cwiseAbs().maxCoeff(),
          (lambda - VecX(pendulum.y_exact(t))).cwiseAbs().maxCoeff()};
}

/// Largest errors over the nodes, node(0) being the start; infinite where a step fails.
inline Errors run(const VelocityPendulum& pendulum, const BlockedFormula& formula, int steps,
                  const std::function<double(int)>& node, KnownSolution known = {}) {
  const Errors failed{INFINITY, INFINITY};
  const auto system = index_two_of(pendulum, node(0));
  BlockedMultistepStep step(*system, formula, Tolerance(Options{}, 4), false, std::move(known));
  REQUIRE(step.start(node(0), VecX(pendulum.start())));
  Errors errors;
  VecX lambda;
  for (int i = 1; i <= steps; ++i) {
    if (std::isnan(step.attempt(node(i) - step.t())) || !step.accept()) return failed;
    REQUIRE(step.multiplier(lambda));
    errors = errors.with(error_of(pendulum, step.t(), step.state(), lambda));
  }
  return errors;
}

inline Errors run(const BlockedFormula& formula, int steps, double length = 2) {
  const VelocityPendulum pendulum{.begin = 1, .length = length};
  return run(pendulum, formula, steps, [&](int i) { return pendulum.begin + length * i / steps; });
}

inline double order(double coarse, double fine) { return std::log2(coarse / fine); }

/// So many steps that the order shows, so few that rounding does not.
inline int steps_for(const BlockedFormula& formula) {
  if (formula.k <= 3) return 256;
  return formula.k == 4 ? 128 : 64;
}

}  // namespace daewave::ivp
