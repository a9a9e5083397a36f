#pragma once
// A nonlinear boundary value problem: equations, conditions at both ends and perhaps inside, a
// first guess.
//
//   bvp::BoundaryProblem swing{.equations = problem_of(with_autodiff(Pendulum{})),
//                              .interval = {0, 0.4},
//                              .conditions = [](const VecX& left, const VecX& right) { ... }};

#include <functional>
#include <string>
#include <vector>

#include "core/problem/dae_problem.hpp"

namespace daewave::bvp {

/// What conditions may speak of beyond the ends. States are x, or (q, v).
struct Observed {
  VecX left, right;
  std::vector<VecX> inside{};  ///< States at BoundaryProblem::inside.
  VecX integrals{};            ///< Of BoundaryProblem::integrand, over the interval.
};

/// Conditions are as many as entries of x, less those that constraints give at one end: ny of index
/// 2, 2 ny of index 3; one more for each unknown parameter of a family. States are x, or (q, v).
/// Functions here are called by one thread, but those of the equations and the integrand, which all
/// threads of an executor call.
struct BoundaryProblem {
  DaeProblemPtr equations{};  ///< Of any kind, without constraints on velocities and invariants.
  /// Either end may be infinite: conditions there say what x tends to
  /// (bvp/nonlinear/infinite_interval.hpp).
  Interval interval{};
  /// They vanish where two states satisfy them.
  std::function<VecX(const VecX& left, const VecX& right)> conditions{};
  /// S of x' = S x / (t - begin) + f(x, t), nx x nx, of ordinary equations and index 1; none where
  /// it is empty. Solutions have S x(begin) = 0, which may be among the conditions, or is posed
  /// besides them where they are fewer by the rank of S.
  MatX singular_term{};
  /// Times inside the interval, increasing, at which further_conditions() sees the state: nodes of
  /// every mesh. Each costs as if x had nx entries more.
  std::vector<double> inside{};
  /// What further_conditions() sees the integral of, over the interval; each entry costs as one
  /// of x.
  std::function<VecX(const VecX& x, double t)> integrand{};
  /// Conditions on states inside and on integrals, after those of both ends, which may be none.
  std::function<VecX(const Observed& of)> further_conditions{};
  /// Bounds of x, within which equations and integrand are evaluated whatever the iterates of
  /// Newton's method do: where they take roots or logarithms of x. Infinite entries, or none at
  /// all: no bound. Conditions see x as it is. A solution that leaves a bound is none.
  VecX lower{}, upper{};
  std::function<VecX(double t)> guess{};  ///< x at t, where Newton's method starts; open: zero.
  std::function<VecX(double t)> guess_algebraic{};  ///< w of index 1; open: zero.
  /// Equations and conditions are linear in x, with the derivatives that they give: what fails is
  /// told as that, not as Newton's method failing from a guess.
  bool is_linear = false;
  std::string name{};                     ///< For reports.
  std::function<VecX(double t)> exact{};  ///< x at t, where it is known; for comparisons.
};

/// "ordinary", "index 1", "index 2" or "index 3".
const char* index_of(Kind kind);

}  // namespace daewave::bvp
