#pragma once
// Masses body by body, and their inverses: M is block diagonal, and so is M^-1.

#include <vector>

#include "core/kkt/inverse_mass.hpp"
#include "core/types.hpp"

namespace daewave {

/// M = diag(M_0, M_1, ...) with one block of B x B for each body: what a problem returns as its
/// mass where coordinates of a body are coupled, by a centre of mass off the point they describe.
template <int B>
struct BodyMass {
  std::vector<Mat<B, B>> blocks;  ///< Symmetric, positive definite.

  int bodies() const { return static_cast<int>(blocks.size()); }
  int rows() const { return B * bodies(); }
  int cols() const { return rows(); }
  /// M times a vector or a matrix.
  template <class X>
  auto operator*(const Eigen::MatrixBase<X>& x) const {
    Eigen::Matrix<double, Dynamic, X::ColsAtCompileTime> product(rows(), x.cols());
    for (int i = 0; i < bodies(); ++i) {
      product.template middleRows<B>(B * i) =
          blocks[static_cast<std::size_t>(i)] * x.template middleRows<B>(B * i);
    }
    return product;
  }
};

template <int B>
class InverseMass<BodyMass<B>> {
 public:
  /// False where M is not positive definite.
  bool factorize(const BodyMass<B>& M) {
    inverse_.resize(M.blocks.size());
    for (std::size_t i = 0; i < inverse_.size(); ++i) {
      InverseMass<Mat<B, B>> factor;
      if (!factor.factorize(M.blocks[i])) return false;
      inverse_[i].setIdentity();
      for (int j = 0; j < B; ++j) {
        auto column = inverse_[i].col(j);
        factor.apply(column);
      }
    }
    return true;
  }
  /// b <- M^-1 b.
  template <class Vector>
  void apply(Vector& b) const {
    for (int i = 0; i < static_cast<int>(inverse_.size()); ++i) {
      const Vec<B> part = b.template segment<B>(B * i);
      b.template segment<B>(B * i) = block(i) * part;
    }
  }
  int bodies() const { return static_cast<int>(inverse_.size()); }
  const Mat<B, B>& block(int body) const { return inverse_[static_cast<std::size_t>(body)]; }

 private:
  std::vector<Mat<B, B>> inverse_;
};

/// W = M^-1, for products with the blocks of G.
template <int B, class Mass>
class BodyWeights;

template <int B>
class BodyWeights<B, Eigen::DiagonalMatrix<double, Dynamic>> {
 public:
  bool invert(const Eigen::DiagonalMatrix<double, Dynamic>& M) {
    inverse_ = M.diagonal().cwiseInverse();
    return (M.diagonal().array() > 0).all();
  }
  /// out = J W.
  template <class Block>
  void times(const Block& J, int body, Block& out) const {
    out = J * inverse_.template segment<B>(B * body).asDiagonal();
  }
  /// b <- W b.
  template <class Vector>
  void apply(Vector& b) const {
    b.array() *= inverse_.array();
  }

 private:
  VecX inverse_;
};

template <int B>
class BodyWeights<B, BodyMass<B>> {
 public:
  bool invert(const BodyMass<B>& M) { return inverse_.factorize(M); }
  template <class Block>
  void times(const Block& J, int body, Block& out) const {
    out = J.lazyProduct(inverse_.block(body));
  }
  template <class Vector>
  void apply(Vector& b) const {
    inverse_.apply(b);
  }

 private:
  InverseMass<BodyMass<B>> inverse_;
};

/// W = I.
struct UnitWeights {
  template <class Block>
  void times(const Block& J, int, Block& out) const {
    out = J;
  }
};

}  // namespace daewave
