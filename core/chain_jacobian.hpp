#pragma once
// The Jacobian of a planar open chain: body i has three coordinates, and joint i, two constraints,
// holds it to body i - 1; joint 0 holds body 0 to the ground. G is block bidiagonal,
//
//   (G v)_i = own_i v_i + before_i v_{i-1}.

#include <array>
#include <vector>

#include "core/types.hpp"

namespace daewave {

/// 2 n x 3 n in blocks of 2 x 3; memory and products O(n).
struct ChainJacobian {
  std::vector<Mat<2, 3>> own;     ///< own_i, joint i by body i.
  std::vector<Mat<2, 3>> before;  ///< before_i, joint i by body i - 1; before_0 is zero.

  void resize(int bodies) {
    own.resize(static_cast<std::size_t>(bodies), Mat<2, 3>::Zero());
    before.resize(static_cast<std::size_t>(bodies), Mat<2, 3>::Zero());
  }
  int bodies() const { return static_cast<int>(own.size()); }
  int rows() const { return 2 * bodies(); }
  int cols() const { return 3 * bodies(); }

  /// Entries 2 i, 2 i + 1 of G v. Entry by entry here and below: what was just written in another
  /// width would have to be waited for.
  [[gnu::always_inline]] inline std::array<double, 2> row(int i, const double* v) const {
    const double* const at = v + 3 * i;
    const Mat<2, 3>& J = own[i];
    double first = J(0, 0) * at[0] + J(0, 1) * at[1] + J(0, 2) * at[2];
    double second = J(1, 0) * at[0] + J(1, 1) * at[1] + J(1, 2) * at[2];
    if (i > 0) {
      const Mat<2, 3>& B = before[i];
      first += B(0, 0) * at[-3] + B(0, 1) * at[-2] + B(0, 2) * at[-1];
      second += B(1, 0) * at[-3] + B(1, 1) * at[-2] + B(1, 2) * at[-1];
    }
    return {first, second};
  }
  /// Entries 3 i, ..., 3 i + 2 of G^T lambda.
  [[gnu::always_inline]] inline std::array<double, 3> column(int i, const double* lambda) const {
    const double* const at = lambda + 2 * i;
    const Mat<2, 3>& J = own[i];
    double x = J(0, 0) * at[0] + J(1, 0) * at[1], y = J(0, 1) * at[0] + J(1, 1) * at[1],
           turn = J(0, 2) * at[0] + J(1, 2) * at[1];
    if (i + 1 < bodies()) {
      const Mat<2, 3>& B = before[i + 1];
      x += B(0, 0) * at[2] + B(1, 0) * at[3];
      y += B(0, 1) * at[2] + B(1, 1) * at[3];
      turn += B(0, 2) * at[2] + B(1, 2) * at[3];
    }
    return {x, y, turn};
  }
};

/// out = G v.
template <class V, class Out>
void apply(const ChainJacobian& G, const V& v, Out& out) {
  out.resize(G.rows());
  for (int i = 0; i < G.bodies(); ++i) {
    const auto [first, second] = G.row(i, v.data());
    out[2 * i] = first;
    out[2 * i + 1] = second;
  }
}

/// out = G^T lambda.
template <class L, class Out>
void apply_transposed(const ChainJacobian& G, const L& lambda, Out& out) {
  out.resize(G.cols());
  for (int i = 0; i < G.bodies(); ++i) {
    const auto [x, y, turn] = G.column(i, lambda.data());
    out[3 * i] = x;
    out[3 * i + 1] = y;
    out[3 * i + 2] = turn;
  }
}

}  // namespace daewave
