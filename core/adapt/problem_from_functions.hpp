#pragma once
// A DaeProblem built at run time, from functions of batches of points and sizes known only then:
//
//   auto pendulum = problem_from_functions({
//       .kind = Kind::multibody, .sizes = {.nq = 2, .ny = 1},
//       .f = [](const Points& at, double* out) { ... },  .M = ..., .g = ...,
//       .differences = true});
//
// Functions are called from several threads at once.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/kkt/sparse_pattern.hpp"
#include "core/problem/dae_problem.hpp"

namespace daewave {

/// Fills `out`, entry (i, j) of a matrix with n rows at point p being out[(i + j n) * at.count +
/// p]. Points are given as in core/problem/dae_problem.hpp.
using BatchFunction = std::function<void(const Points& at, double* out)>;

/// Which functions a kind needs:
///
///   ordinary      f                      second_order  f, B, g, G, g_t; curvature
///   index_2       f, B, g, G, g_t        multibody     f, M, g, G, g_t; curvature
///   invariants    f, r, h, r_w, H
///
/// and may have f_q, with velocities f_v, with invariants f_w and r_q: all of them or none.
///
/// Without a curvature, methods that reduce the index are not possible. With `differences`, G, g_t
/// and curvature, or r_w and H, that are not given follow from g, or from r and h.
struct ProblemFunctions {
  Kind kind = Kind::multibody;
  Sizes sizes{};

  BatchFunction f{};          ///< nq.
  BatchFunction M{};          ///< nq x nq, or nq where mass is diagonal; of q alone.
  BatchFunction B{};          ///< nq x ny.
  BatchFunction g{};          ///< ny.
  BatchFunction G{};          ///< nl x nq: dg/dq, and K below; the entries of `pattern` alone.
  BatchFunction g_t{};        ///< nl: dg/dt, and k below. Not given and no differences: zero.
  BatchFunction curvature{};  ///< nl, see Ask::curvature.
  BatchFunction r{};          ///< nw.
  BatchFunction h{};          ///< nh, those of positions first.
  BatchFunction r_w{};        ///< nw x nw.
  BatchFunction H{};          ///< nh x nq.
  BatchFunction f_q{};        ///< nq x nq.
  BatchFunction f_v{};        ///< nq x nq.
  BatchFunction f_w{};        ///< nq x nw.
  BatchFunction r_q{};        ///< nw x nq.

  Structure::Mass mass = Structure::Mass::dense;  ///< dense or diagonal.
  bool mass_constant = false;                     ///< M is the same at all q.
  /// Entries that G fills, in that order, all others being zero; with a diagonal mass. Empty: G is
  /// dense.
  std::vector<SparseEntry> pattern{};
  std::optional<int> position_invariants{};  ///< Of nh; all where it is not said.
  std::optional<int> positions{};            ///< Of nq; all where it is not said.
  bool differences = false;
  bool dear_calls = false;  ///< See core/problem/dear_calls.hpp.

  std::string name{};
  std::function<double(const double* q, const double* v)> energy{};
  std::optional<VecX> start{};            ///< The state, (q, v) or z.
  std::optional<VecX> start_algebraic{};  ///< w, nw.
  std::optional<Interval> interval{};
};

/// @throws InvalidProblem where a function is missing, sizes do not fit the kind, or entries of the
///                        pattern are out of range or there twice.
DaeProblemPtr problem_from_functions(ProblemFunctions functions);

}  // namespace daewave
