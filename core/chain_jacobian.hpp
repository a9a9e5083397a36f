#pragma once
// The Jacobian of a planar open chain: body i has three coordinates, and joint i, two constraints,
// holds it to body i - 1; joint 0 holds body 0 to the ground. G is block bidiagonal,
//
//   (G v)_i = own_i v_i + before_i v_{i-1}.

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
};

/// out = G v.
template <class V, class Out>
void apply(const ChainJacobian& G, const V& v, Out& out) {
  out.resize(G.rows());
  const int n = G.bodies();
  if (n > 0) out.template segment<2>(0).noalias() = G.own[0] * v.template segment<3>(0);
  for (int i = 1; i < n; ++i) {
    out.template segment<2>(2 * i).noalias() =
        G.own[i] * v.template segment<3>(3 * i) + G.before[i] * v.template segment<3>(3 * i - 3);
  }
}

/// out = G^T lambda.
template <class L, class Out>
void apply_transposed(const ChainJacobian& G, const L& lambda, Out& out) {
  out.resize(G.cols());
  const int n = G.bodies();
  for (int i = 0; i + 1 < n; ++i) {
    out.template segment<3>(3 * i).noalias() =
        G.own[i].transpose() * lambda.template segment<2>(2 * i) +
        G.before[i + 1].transpose() * lambda.template segment<2>(2 * i + 2);
  }
  if (n > 0) {
    out.template segment<3>(3 * n - 3).noalias() =
        G.own[n - 1].transpose() * lambda.template segment<2>(2 * n - 2);
  }
}

}  // namespace daewave
