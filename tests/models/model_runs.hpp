#pragma once
// Runs of models that tests compare.

#include "core/eigen_memory.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <string>

#include "ivp/solve.hpp"
#include "models/model.hpp"
#include "tests/catch.hpp"
#include "tests/source_folder.hpp"

namespace daewave::models {

inline const std::string example_folder = testing::in_source("examples/models/");

inline VecX end_of(const DaeProblem& problem, const VecX& start, const Interval& span,
                   const ivp::Method& method, double rtol) {
  ivp::Options options{.method = method, .rtol = rtol, .atol = rtol};
  options.every = 0;
  const ivp::Solution solution = ivp::solve(problem, start, span, options);
  INFO(solution.report.full());
  REQUIRE(solution.report.usable());
  return solution.end();
}

/// From the model's own start.
inline VecX end_of(const Model& model, double t_end, double rtol = 1e-12) {
  return end_of(*model.problem, model.start, {model.interval.begin, t_end}, {}, rtol);
}

/// An entry of a state by its name.
inline double entry(const Model& model, const VecX& state, const std::string& name) {
  const auto found = std::find(model.state_names.begin(), model.state_names.end(), name);
  REQUIRE(found != model.state_names.end());
  return state[static_cast<int>(found - model.state_names.begin())];
}

inline double energy(const Model& model, const VecX& state) {
  REQUIRE(model.problem->structure().has_energy);
  return model.problem->energy(state.data(), state.data() + model.problem->sizes().nq);
}

/// The classical formula of order 4 with one extrapolation: a reference of another kind.
/// @param f  z' = f(z, t).
template <class F>
VecX runge_kutta(F f, const VecX& start, double t_end, int steps) {
  const auto run = [&](int n) {
    const double h = t_end / n;
    VecX z = start;
    for (int i = 0; i < n; ++i) {
      const double t = i * h;
      const VecX a = f(z, t), b = f(VecX(z + h / 2 * a), t + h / 2);
      const VecX c = f(VecX(z + h / 2 * b), t + h / 2), d = f(VecX(z + h * c), t + h);
      z += h / 6 * (a + 2 * b + 2 * c + d);
    }
    return z;
  };
  return (16 * run(2 * steps) - run(steps)) / 15;
}

}  // namespace daewave::models
