#pragma once
// A mass matrix whose structure is known at run time: dense, diagonal, or in blocks of bodies. What
// is compiled for it serves every structure, and what M is multiplied or divided by costs what it
// costs for that structure.

#include <string>

#include "core/kkt/body_mass.hpp"
#include "core/kkt/inverse_mass.hpp"
#include "core/kkt/one_of.hpp"
#include "core/types.hpp"

namespace daewave {

using DiagonalMass = Eigen::DiagonalMatrix<double, Dynamic>;

/// nq x nq, symmetric.
class AnyMass : public OneOf<MatX, DiagonalMass, BodyMass<3>> {
 public:
  int rows() const;
  int cols() const { return rows(); }
  MatX dense() const;

  /// M times a vector or a matrix.
  template <class X>
  auto operator*(const Eigen::MatrixBase<X>& x) const {
    if constexpr (bool(X::IsVectorAtCompileTime)) {
      return times(VecX(x));
    } else {
      return times(MatX(x));
    }
  }

 private:
  VecX times(const VecX& x) const;
  MatX times(const MatX& x) const;
};

/// As for matrices with entries; those of bodies are not looked at.
bool all_finite(const char* equation, const AnyMass& M, double t, std::string& failure);

template <>
class InverseMass<AnyMass> {
 public:
  /// False where M is not positive definite.
  bool factorize(const AnyMass& M);
  /// b <- M^-1 b.
  void apply(VecX& b) const;
  /// M^-1 block by block, each column by column: nq numbers of a diagonal one, 3 nq of bodies. Not
  /// of a dense M.
  void blocks(double* out) const;

 private:
  OneOf<InverseMass<MatX>, InverseMass<DiagonalMass>, InverseMass<BodyMass<3>>> inverse_;
};

/// Of the two structures that go by bodies.
template <>
class BodyWeights<3, AnyMass> {
 public:
  /// False where M is not positive definite, or dense.
  bool invert(const AnyMass& M);
  /// out = J W.
  template <class Block>
  void times(const Block& J, int body, Block& out) const {
    weights_.visit([&](const auto& W) { W.times(J, body, out); });
  }
  /// b <- W b.
  template <class Vector>
  void apply(Vector& b) const {
    weights_.visit([&b](const auto& W) { W.apply(b); });
  }

 private:
  OneOf<BodyWeights<3, DiagonalMass>, BodyWeights<3, BodyMass<3>>> weights_;
};

}  // namespace daewave
