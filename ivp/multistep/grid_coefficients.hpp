#pragma once
// A blocked multistep formula on the grid at hand, equal steps or not. With
//
//   d_n y = prod_{i=1..k} (t_n - t_{n-i}) y[t_n, ..., t_{n-k}],
//
// which is nabla^k y_n for equal steps and O(h^k) for any, it reads
//
//   rho x_n = h p'(t_n), p through x_n .. x_{n-k}          for BDF and DCBDF; x_n - x_{n-1} for
//   Adams sigma   = 1 - d / (k+1)                                for DCBDF,
//             integrals of Lagrange's polynomials          for Adams,
//   tau     = c_n d.
//
// For DCBDF c_n = -1 / (k+1) leaves sigma - tau = 1 on all grids. For Adams c_n is taken such that
// sigma - tau keeps the last coefficient gamma_k - c of equal steps: k = 2 is then contractive in
// max norm for all ratios of steps up to (1/2) / (gamma_k - c) - 1, which is 7 by default.
//
// Sums over x are over its increments D_n = x_n - x_{n-1}, which carry no rounding of x.

#include <array>

#include "ivp/multistep/blocked_formula.hpp"

namespace daewave::ivp {

inline constexpr int most_multistep_k = 7;
/// The node of the step and those before it, as many as an estimate of order k + 1 takes.
inline constexpr int most_multistep_nodes = most_multistep_k + 3;

/// Times of the nodes n, n-1, ... as (t - t_n) / h: 0, -1, ...
struct GridNodes {
  std::array<double, most_multistep_nodes> at{};
  int count = 0;
};

/// Index j is of node n - j throughout.
struct GridCoefficients {
  using Row = std::array<double, most_multistep_nodes>;
  Row increment{};  ///< rho x_n = sum_{j<k} increment_j D_{n-j}.
  Row slope{};      ///< Of f: sigma.
  Row term{};       ///< Of B lambda, j >= 1: sigma, or sigma - tau where tau acts on B lambda.
  Row tau{};        ///< Of lambda, j >= 1, where tau acts on it: otherwise 0.
  double multiplier = 1;  ///< Of lambda_n: that of sigma - tau.
  Row predict{};          ///< D_n of extrapolated x = sum_{j>=1} predict_j D_{n-j}.
  int predicts_from = 0;  ///< Nodes before n that are used: at most order_of_pair() + 1.
  Row extrapolate{};      ///< lambda_n = sum_{j>=1} extrapolate_j lambda_{n-j}.
  int extrapolates_from = 0;
  /// The local error of x_n is this times (D_n - what was predicted from that many nodes), as far
  /// as it is that of (rho, sigma).
  double error = 0;
  /// In the middle of the step, the polynomial through its end and as many nodes is off by this
  /// times the same.
  double between = 0;
};

/// @param nodes  at least k + 1; with order_of_pair() + 2 the error is known.
void find_coefficients(const BlockedFormula& formula, const GridNodes& nodes,
                       GridCoefficients& out);

/// l_j(theta) of the first `count` nodes.
double lagrange(const GridNodes& nodes, int count, int j, double theta);

}  // namespace daewave::ivp
