#pragma once
// Repairing the initial layer: integrate back from the far end, where the solution is accurate.
//                                                                     [AL1] section 4.1, (4.5)
//
// With y_0 wrong at the begin of the interval, no number of iterates makes B y accurate within a
// few epsilon of it. Behind the layer everything is accurate; the terminal value problem of the
// same DAE, regularized with the sign of B E C turned, has its layer at the other end, where B y is
// known.

#include <optional>

#include "bvp/linear/solve.hpp"
#include "bvp/options/options.hpp"
#include "bvp/result/solution.hpp"
#include "core/problem/linear_dae.hpp"

namespace daewave::bvp {

struct ShootingBackOptions {
  /// Direction, nx x ny, along which x(end) is made consistent: x - D (C D)^-1 (C x + r). Open: the
  /// shortest correction, D = C^T.
  std::optional<MatX> correct_along{};
  /// B y_0 of the last solve: false: of the backward pass, as in the paper; true: of the backward
  /// pass in each component as far from the begin as it is found to be the better one, then of the
  /// forward solve.
  bool blend = true;
  /// Of the backward pass, >= 1; open: as many as Options::iterates, or, where that is open, until
  /// B y no longer changes where the forward solve has its layer.
  std::optional<int> iterates{};
};

/// The backward pass alone, with the scheme, mesh and regularization of `forward`.
///
/// @return  x and B y on the mesh of `forward`, in its direction of time; a report with termination
///          `refused` and no values when the terminal value problem amplifies errors by more than
///          options.max_amplification, and the reason. A pass that differs from the forward solve
///          by more than both may be off ends as `tolerance_not_met`, whatever the limit.
/// @throws  InvalidOption when `forward` has no values or alpha1 != 0: such a solve has no layer.
Solution shoot_back(const Solution& forward, const Options& options = {},
                    const ShootingBackOptions& shooting = {});

/// Forward solve, backward pass, forward solve with the improved B y_0.
struct ShootingBack {
  Solution forward;
  Solution backward;
  Solution redone;  ///< Without values where the backward pass was refused, or nowhere better.
  /// How far off B y may be by what iterates have left of a wrong B y_0, relative to 1 + its
  /// largest value, of each component: told by the changes of the last iterate; of the redone
  /// solve also by what it differs from the forward one where that is settled.
  double forward_open = 0, redone_open = 0;

  /// The redone solve where that is found to be the better one.
  const Solution& best() const {
    return redone.has_values() && redone_open <= forward_open ? redone : forward;
  }
};

/// alpha1 = 0 unless given. On the mesh that the forward solve ends on; bvp::solve() with
/// Options::shooting_back does so on every mesh.
/// @throws InvalidOption for Options::shooting_back = false.
ShootingBack solve_with_shooting_back(std::shared_ptr<const LinearDae> problem, Options options,
                                      const ShootingBackOptions& shooting = {});

template <LinearBvDae P>
ShootingBack solve_with_shooting_back(const P& problem, const Options& options = {},
                                      const ShootingBackOptions& shooting = {}) {
  return solve_with_shooting_back(erase(problem), options, shooting);
}

}  // namespace daewave::bvp
