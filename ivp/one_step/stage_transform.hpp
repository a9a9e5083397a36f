#pragma once
// What an implicit step needs of a collocation scheme beside a, b, c. With Z_j = X_j - x:
//
//   A = T diag(mu) T^-1:  (I - h A (x) J) D = R  falls apart into (I - h mu_i J) W_i = (T^-1 R)_i
//   x_new = x + sum d_j Z_j,         d^T = b^T A^-1, the collocation polynomial at 1
//   error = (I - h mu_0 J)^-1 (mu_0 h f(x) + sum e_j Z_j)                [HW2] IV (8.19)
//
// The eigenvalues of A are simple: one real where the stages are odd in number, pairs else.

#include <array>
#include <complex>

#include "core/time/collocation_scheme.hpp"
#include "core/types.hpp"

namespace daewave::ivp {

/// As many as collocation families have.
inline constexpr int most_implicit_stages = 8;
inline constexpr int most_stage_pairs = most_implicit_stages / 2;

template <class T>
using StageRow = std::array<T, static_cast<std::size_t>(most_implicit_stages)>;

/// Where the entries of each stage are, for the sums of stage_sum.hpp.
inline StageRow<const double*> entries_of(const StageRow<VecX>& row, int stages) {
  StageRow<const double*> entries{};
  for (int j = 0; j < stages; ++j) entries[j] = row[j].data();
  return entries;
}

struct StageTransform {
  using Complex = std::complex<double>;

  struct Pair {  ///< One of each pair of conjugate eigenvalues.
    Complex mu;
    StageRow<Complex> to;    ///< Row of T^-1.
    StageRow<Complex> from;  ///< Column of T, doubled: the conjugate adds the same real part.
  };

  int stages = 0;
  int order = 0;  ///< Of the nodes.
  bool ends_at_node = false;
  StageRow<double> c{}, d{};
  StageRow<StageRow<double>> a{};  ///< a[j][l], l the column.

  bool has_real = false;
  double mu_real = 0;
  StageRow<double> to_real{}, from_real{};
  int pairs = 0;
  std::array<Pair, most_stage_pairs> pair{};

  /// e of the error estimate, of order k: its formula has the weight mu_0 at x, and integrates
  /// polynomials of degree k - 1. Only with a real eigenvalue.
  StageRow<double> e{};

  /// l_0..l_k(theta) of the polynomial through 0, c_1..c_k; theta may lie outside of [0, 1].
  std::array<double, static_cast<std::size_t>(most_implicit_stages + 1)> weights_at(
      double theta) const;

  /// l_0'..l_k'(theta).
  std::array<double, static_cast<std::size_t>(most_implicit_stages + 1)> slopes_at(
      double theta) const;

  /// What that polynomial misses at theta, in (0, 1) or behind 0, is a divided difference of one
  /// order more than it has times the product of distances to its nodes. The largest of these
  /// products in [0, 1] by that at theta.
  double between_by_that_at(double theta) const;
  /// That product at the end, in the same way; 0 where a stage is there.
  double end_by_that_at(double theta) const;
  /// Where it is largest.
  double farthest_between() const;
};

/// @throws InvalidOption for a scheme whose A is singular, lobatto, and for more stages than there
///         is room for.
StageTransform stage_transform(const Collocation& scheme);

}  // namespace daewave::ivp
