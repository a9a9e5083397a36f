#include "bvp/newton/determinant_sign.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "bvp/newton/collocation_equations.hpp"
#include "bvp/slopes/stage_chunks.hpp"

namespace daewave::bvp {
namespace {

int sign_of(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

int sign_of_diagonal(const MatX& upper) {
  int sign = 1;
  for (Eigen::Index i = 0; i < upper.cols(); ++i) sign *= sign_of(upper(i, i));
  return sign;
}

int sign_of(const Eigen::PartialPivLU<MatX>& lu) {
  return sign_of_diagonal(lu.matrixLU()) * static_cast<int>(lu.permutationP().determinant());
}

/// By which components are moved, and in units of which they are eliminated.
VecX sizes_on(const MatX& x) {
  const VecX largest = x.cwiseAbs().rowwise().maxCoeff();
  return (largest.array() > 0).select(largest, 1);
}

/// Conditions C u_i + D u_N = 0, to which those at the begin come interval by interval: reflections
/// bear growing and decaying modes alike, and conditions of both ends.
class Elimination {
 public:
  Elimination(MatX B0, MatX B1) : C_(std::move(B0)), D_(std::move(B1)) {}

  /// u_{i+1} = S u_i.
  void take(const MatX& S) {
    const Eigen::Index n = S.rows();
    MatX rows = MatX::Zero(2 * n, 3 * n);
    rows.block(0, 0, n, n) = C_;
    rows.block(0, 2 * n, n, n) = D_;
    rows.block(n, 0, n, n) = -S;
    rows.block(n, n, n, n).setIdentity();
    const Eigen::HouseholderQR<MatX> qr(rows.leftCols(n));
    sign_ *= sign_of_diagonal(qr.matrixQR().topRows(n));
    for (Eigen::Index i = 0; i < n; ++i) {
      if (qr.hCoeffs()[i] != 0) sign_ = -sign_;  // Each reflection has the determinant -1.
    }
    const MatX others = rows.rightCols(2 * n);
    const MatX left = qr.householderQ().adjoint() * others;
    C_ = left.block(n, 0, n, n);
    D_ = left.block(n, n, n, n);
  }

  int sign() const {
    const MatX last = C_ + D_;
    if (!last.allFinite()) return 0;
    return sign_ * sign_of(Eigen::PartialPivLU<MatX>(last));
  }

 private:
  MatX C_, D_;
  int sign_ = 1;
};

/// Derivatives at the stages of a solution, chunk by chunk.
class Linearized {
 public:
  Linearized(IterateSystem& system, TwoPointConditions& conditions, const CollocationCurve& curve)
      : system_(system),
        conditions_(conditions),
        curve_(curve),
        n_(system.nx()),
        k_(curve.scheme().stages),
        sizes_(sizes_on(curve.values().x)),
        chunks_(k_, {IntervalRange{0, curve.mesh().intervals()}}, points_of_chunk(system_)) {}

  int sign() {
    const Collocation& scheme = curve_.scheme();
    const CollocationValues& values = curve_.values();
    MatX X(n_, values.slopes.cols());
    for (int i = 0; i < chunks_.intervals(); ++i) {
      X.middleCols(i * k_, k_) =
          curve_.mesh().step(i) * values.slopes.middleCols(i * k_, k_) * scheme.a.transpose();
      X.middleCols(i * k_, k_).colwise() += values.x.col(i);
    }
    x_ = chunks_.stage_memory(n_);
    carried_ = chunks_.stage_memory(system_.carried());
    slopes_ = chunks_.stage_memory(n_);
    chunks_.spread(X, x_);
    chunks_.spread(values.carried, carried_);
    before_ = carried_;
    if (!evaluate()) return 0;
    Elimination elimination = conditions();
    int sign = 1;
    for (int c = 0; c < chunks_.count(); ++c) {
      if (!linearize(c)) return 0;
      for (int i = 0; i < chunks_.width(c); ++i) sign *= take(c, i, elimination);
    }
    return sign * elimination.sign();
  }

 private:
  IteratePoints points(int chunk) {
    const int m = chunks_.width(chunk);
    times_.resize(static_cast<std::size_t>(m) * static_cast<std::size_t>(k_));
    for (int j = 0; j < k_; ++j) {
      for (int i = 0; i < m; ++i) {
        times_[static_cast<std::size_t>(j * m + i)] =
            curve_.stage_time(chunks_.begin(chunk) + i, j);
      }
    }
    IteratePoints at;
    at.count = at.stride = m * k_;
    at.t = times_.data();
    at.x = chunks_.of(x_, n_, chunk);
    at.before = chunks_.of(before_, system_.carried(), chunk);
    return at;
  }

  bool evaluate() {
    std::string failure;
    for (int c = 0; c < chunks_.count(); ++c) {
      if (!system_.evaluate_batch(points(c), chunks_.of(slopes_, n_, c),
                                  chunks_.of(carried_, system_.carried(), c), nullptr, failure)) {
        return false;
      }
    }
    return true;
  }

  bool linearize(int chunk) {
    const int m = chunks_.width(chunk);
    J_.resize(static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_ * k_ * m));
    std::string failure;
    return system_.jacobian_batch(points(chunk), chunks_.of(slopes_, n_, chunk),
                                  chunks_.of(carried_, system_.carried(), chunk), sizes_, J_.data(),
                                  failure);
  }

  Elimination conditions() {
    const CollocationValues& values = curve_.values();
    const VecX left = values.x.col(0);
    VecX right = values.x.rightCols(1);
    // Integrals are not kept with a solution.
    MatX F(n_, values.slopes.cols());
    chunks_.gather(slopes_, F);
    for (int r = 0; r < n_; ++r) {
      if (!values.x.row(r).isZero(0) || !values.slopes.row(r).isZero(0)) continue;
      for (int i = 0; i < chunks_.intervals(); ++i) {
        right[r] += curve_.mesh().step(i) * F.row(r).segment(i * k_, k_).dot(curve_.scheme().b);
      }
    }
    MatX B0, B1;
    conditions_.jacobians(left, right, sizes_, B0, B1);
    B0 = B0 * sizes_.asDiagonal();
    B1 = B1 * sizes_.asDiagonal();
    for (int r = 0; r < n_; ++r) {
      const double size =
          std::max(B0.row(r).cwiseAbs().maxCoeff(), B1.row(r).cwiseAbs().maxCoeff());
      if (!(size > 0)) continue;
      B0.row(r) /= size;
      B1.row(r) /= size;
    }
    return {std::move(B0), std::move(B1)};
  }

  /// Interval i of a chunk. @return the sign of the determinant of its slopes.
  int take(int chunk, int i, Elimination& elimination) {
    const Collocation& scheme = curve_.scheme();
    const int m = chunks_.width(chunk), points = k_ * m;
    const double h = curve_.mesh().step(chunks_.begin(chunk) + i);
    MatX J(n_ * k_, n_), matrix = MatX::Identity(n_ * k_, n_ * k_);
    for (int j = 0; j < k_; ++j) {
      for (int c = 0; c < n_; ++c) {
        for (int r = 0; r < n_; ++r) {
          J(j * n_ + r, c) = sizes_[c] / sizes_[r] *
                             J_[static_cast<std::size_t>((r + c * n_) * points + j * m + i)];
        }
      }
      for (int l = 0; l < k_; ++l) {
        matrix.block(j * n_, l * n_, n_, n_) -= h * scheme.a(j, l) * J.middleRows(j * n_, n_);
      }
    }
    const Eigen::PartialPivLU<MatX> lu(matrix);
    const MatX K = lu.solve(J);
    MatX S = MatX::Identity(n_, n_);
    for (int l = 0; l < k_; ++l) S += h * scheme.b[l] * K.middleRows(l * n_, n_);
    elimination.take(S);
    return sign_of(lu);
  }

  IterateSystem& system_;
  TwoPointConditions& conditions_;
  const CollocationCurve& curve_;
  int n_, k_;
  VecX sizes_;
  StageChunks chunks_;
  AlignedVector x_, carried_, before_, slopes_;
  std::vector<double> times_, J_;
};

}  // namespace

int determinant_sign(IterateSystem& system, TwoPointConditions& conditions,
                     const CollocationCurve& curve) {
  return Linearized(system, conditions, curve).sign();
}

}  // namespace daewave::bvp
