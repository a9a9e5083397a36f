#pragma once
// The sum of |G_ij| of each row of a Jacobian of any structure.

#include <cmath>

#include "core/eigen_memory.hpp"
#include "core/kkt/any_jacobian.hpp"

namespace daewave {

template <class Jacobian>
VecX row_sizes(const Eigen::MatrixBase<Jacobian>& G) {
  return G.cwiseAbs().rowwise().sum();
}

template <int N>
VecX row_sizes(const ChainJacobianOf<N>& G) {
  VecX sizes(G.rows());
  const auto bodies = static_cast<std::size_t>(G.bodies());
  for (std::size_t i = 0; i < bodies; ++i) {
    for (int k = 0; k < 2; ++k) {
      double size = 1 + std::abs(G.own[i][k]);
      if (i > 0) size += 1 + std::abs(G.before[i][k]);
      sizes[2 * static_cast<int>(i) + k] = size;
    }
  }
  return sizes;
}

template <int B, int R>
VecX row_sizes(const JointJacobian<B, R>& G) {
  JointJacobian<B, R> sizes = G;
  for (int e = 0; e < 2 * G.joints(); ++e) sizes.end(e) = G.end(e).cwiseAbs();
  VecX out;
  apply(sizes, VecX(VecX::Ones(G.cols())), out);
  return out;
}

inline VecX row_sizes(const SparseJacobian& G) {
  VecX sizes = VecX::Zero(G.rows());
  for (int e = 0; e < G.entries(); ++e) sizes[G.place(e).row] += std::abs(G[e]);
  return sizes;
}

inline VecX row_sizes(const AnyJacobian& G) {
  VecX sizes;
  G.visit([&](const auto& of_structure) { sizes = row_sizes(of_structure); });
  return sizes;
}

}  // namespace daewave
