#pragma once
// |G| |v| of a Jacobian of any structure, entry by entry: what G v is summed from, and so how exact
// it can be; with ones for v the sizes of rows.

#include <cmath>

#include "core/eigen_memory.hpp"
#include "core/kkt/any_jacobian.hpp"

namespace daewave {

template <class Jacobian, class V>
VecX row_sizes(const Eigen::MatrixBase<Jacobian>& G, const V& v) {
  return G.cwiseAbs() * v.cwiseAbs();
}

template <int N, class V>
VecX row_sizes(const ChainJacobianOf<N>& G, const V& v) {
  VecX sizes(G.rows());
  const auto bodies = static_cast<std::size_t>(G.bodies());
  for (std::size_t i = 0; i < bodies; ++i) {
    const double* const at = v.data() + 3 * i;
    for (int k = 0; k < 2; ++k) {
      double size = std::abs(at[k]) + std::abs(G.own[i][k] * at[2]);
      if (i > 0) size += std::abs(at[k - 3]) + std::abs(G.before[i][k] * at[-1]);
      sizes[2 * static_cast<int>(i) + k] = size;
    }
  }
  return sizes;
}

template <int B, int R, class V>
VecX row_sizes(const JointJacobian<B, R>& G, const V& v) {
  JointJacobian<B, R> sizes = G;
  for (int e = 0; e < 2 * G.joints(); ++e) sizes.end(e) = G.end(e).cwiseAbs();
  VecX out;
  apply(sizes, VecX(v.cwiseAbs()), out);
  return out;
}

template <class V>
VecX row_sizes(const SparseJacobian& G, const V& v) {
  VecX sizes = VecX::Zero(G.rows());
  for (int e = 0; e < G.entries(); ++e) {
    sizes[G.place(e).row] += std::abs(G[e] * v[G.place(e).column]);
  }
  return sizes;
}

template <class V>
VecX row_sizes(const AnyJacobian& G, const V& v) {
  VecX sizes;
  G.visit([&](const auto& of_structure) { sizes = row_sizes(of_structure, v); });
  return sizes;
}

}  // namespace daewave
