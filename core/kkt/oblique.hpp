#pragma once
// The projector P = B (GB)^-1 G and the correction B (GB)^-1 c of a general B, through orthonormal
// bases of the ranges of B and G^T:
//
//   B = U R,  G^T = W S,   B (GB)^-1 c = U (W^T U)^-1 S^-T c,   P u = U (W^T U)^-1 W^T u.
//
// W^T U tells the angle between the ranges alone. However small G and B become, their smallness is
// never squared, which is what GB would do.                                    [AL2] section 3

#include <cmath>
#include <limits>

#include "core/kkt/square_lu.hpp"
#include "core/types.hpp"

namespace daewave {

/// @tparam X  column vector of nx.  @tparam Y  column vector of ny <= nx.
template <class X, class Y>
class ObliqueSplit {
  static constexpr int nx_ = X::RowsAtCompileTime;
  static constexpr int mx_ = X::MaxRowsAtCompileTime;
  static constexpr int ny_ = Y::RowsAtCompileTime;
  static constexpr int my_ = Y::MaxRowsAtCompileTime;

 public:
  /// @param rank_tolerance  a row of G, or a column of B, of which no more than this times the
  ///                        largest is left takes no part, nor does its partner of the other.
  /// @return false where W^T U is singular, as the ranges of B and the null space of G meet, and
  ///         where B or G is not finite.
  template <class Columns, class Rows>
  bool split(const Columns& B, const Rows& G, double rank_tolerance) {
    const int nx = static_cast<int>(G.cols()), ny = static_cast<int>(G.rows());
    U_.resize(nx, ny);
    W_.resize(nx, ny);
    S_.setZero(ny, ny);
    R_.setZero(ny, ny);
    const double least_B = rank_tolerance * (ny > 0 ? B.cwiseAbs().maxCoeff() : 0);
    const double least_G = rank_tolerance * (ny > 0 ? G.cwiseAbs().maxCoeff() : 0);
    rank_ = ny;
    bool finite = true;
    for (int j = 0; j < ny; ++j) {
      W_.col(j) = G.row(j).transpose();
      U_.col(j) = B.col(j);
      // Both, whatever the first of them says: what is dropped is dropped of both.
      const bool row = orthonormalize(W_, S_, j, least_G);
      const bool column = orthonormalize(U_, R_, j, least_B);
      finite = finite && std::isfinite(S_(j, j)) && std::isfinite(R_(j, j));
      if (row && column) continue;
      W_.col(j).setZero();
      U_.col(j).setZero();
      S_.row(j).setZero();
      S_(j, j) = 0;
      --rank_;
    }
    angle_.noalias() = W_.transpose() * U_;
    for (int j = 0; j < ny; ++j) {
      if (S_(j, j) == 0) angle_(j, j) = 1;
    }
    factor_.compute(angle_);
    return ny == 0 || (finite && std::abs(factor_.matrixLU().diagonal().prod()) > 0);
  }

  int rank() const { return rank_; }
  /// Least that is left of a row of G beside those before it; 0 for one that takes no part.
  double smallest_pivot() const {
    double smallest = std::numeric_limits<double>::infinity();
    for (int j = 0; j < S_.cols(); ++j) smallest = S_(j, j) < smallest ? S_(j, j) : smallest;
    return smallest;
  }

  /// a = B (GB)^-1 c.
  void correct(const Y& c, X& a) {
    from_transposed(c);
    along(a);
  }

  /// The smallest a with G a = c: a = G^T mu = W S^-T c, mu = (G G^T)^-1 c.
  void correct_orthogonal(const Y& c, X& a, Y& mu) {
    from_transposed(c);
    a.noalias() = W_ * y_;
    back_substitute(S_, mu);
  }

  /// y with B y = By, for a By of the range of B; zero for what takes no part.
  void multiplier(const X& By, Y& y) {
    y_.noalias() = U_.transpose() * By;
    back_substitute(R_, y);
  }

  /// Pu = B (GB)^-1 G u.
  void forbidden(const X& u, X& Pu) {
    y_.noalias() = W_.transpose() * u;
    along(Pu);
  }

 private:
  using Basis = Eigen::Matrix<double, nx_, ny_, Eigen::ColMajor, mx_, my_>;
  using Square = Eigen::Matrix<double, ny_, ny_, Eigen::ColMajor, my_, my_>;

  /// Column j against those before it, twice; false where no more than `least` is left.
  static bool orthonormalize(Basis& Q, Square& R, int j, double least) {
    for (int pass = 0; pass < 2; ++pass) {
      for (int i = 0; i < j; ++i) {
        const double part = Q.col(i).dot(Q.col(j));
        R(i, j) += part;
        Q.col(j) -= part * Q.col(i);
      }
    }
    const double norm = Q.col(j).stableNorm();
    R(j, j) = norm;
    if (!(norm > least)) return false;
    Q.col(j) /= norm;
    return true;
  }

  /// S^T y = c; S is upper triangular.
  void from_transposed(const Y& c) {
    y_ = c;
    for (int j = 0; j < y_.size(); ++j) {
      if (S_(j, j) == 0) {
        y_[j] = 0;
        continue;
      }
      for (int i = 0; i < j; ++i) y_[j] -= S_(i, j) * y_[i];
      y_[j] /= S_(j, j);
    }
  }

  /// R y = y_, R upper triangular.
  void back_substitute(const Square& R, Y& y) const {
    y = y_;
    for (int j = static_cast<int>(y.size()); j-- > 0;) {
      if (S_(j, j) == 0) {
        y[j] = 0;
        continue;
      }
      y[j] /= R(j, j);
      for (int i = 0; i < j; ++i) y[i] -= R(i, j) * y[j];
    }
  }

  /// a = U (W^T U)^-1 y.
  void along(X& a) {
    factor_.solve(y_, solved_);
    a.noalias() = U_ * solved_;
  }

  Basis U_, W_;
  Square S_, R_, angle_;
  SquareLu<Square> factor_;
  Y y_, solved_;
  int rank_ = 0;
};

}  // namespace daewave
