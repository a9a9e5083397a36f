#pragma once
// The numbers of a collocation solution.

#include "core/types.hpp"

namespace daewave::bvp {

/// How far from its nodes an interval is looked at, in units of its step: coefficients may jump on
/// the nodes themselves.
inline constexpr double beside_nodes = 1e-8;

/// A collocation solution, or a guess at one.
struct CollocationValues {
  MatX x;        ///< At nodes; nx x (N + 1).
  MatX slopes;   ///< x' at stages, by interval; nx x (k N).
  MatX carried;  ///< What is carried, at stages, by interval; entries carried x (k N).
  /// Both close to the begin and close to the end of each interval, at beside_nodes, where a solver
  /// knows them better than the polynomials through the stages do; else empty. 2 N columns.
  MatX end_slopes, end_carried;
};

}  // namespace daewave::bvp
