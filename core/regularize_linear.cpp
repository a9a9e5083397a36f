#include "core/regularize_linear.hpp"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace daewave {

StageBatch::StageBatch(int nx, int ny) : nx_(nx), ny_(ny) {
  L_ = nx * ny;
  Lo_ = L_ + ny * ny;
  K_ = Lo_ + ny * ny;
  w_ = K_ + ny * nx;
  stride_ = w_ + ny;
}

void StageBatch::resize(int stages) { values_.resize(static_cast<std::size_t>(stages) * stride_); }

ConstraintBases::ConstraintBases(int nx, int ny) : V_(nx, ny), W_(ny, nx), WV_(ny, ny) {}

ConstraintPivots ConstraintBases::find(Eigen::Ref<const MatX> B, Eigen::Ref<const MatX> C,
                                       Eigen::Ref<MatX> companions) {
  const int nx = static_cast<int>(V_.rows()), ny = static_cast<int>(V_.cols());
  ConstraintPivots pivots;
  V_ = B;
  W_ = C;
  // Modified Gram-Schmidt with pivoting, twice per vector: near a singular point the second pass
  // is what keeps the basis orthonormal.
  pivots.B = pivots.C = INFINITY;
  for (int j = 0; j < ny; ++j) {
    int pivot = j;
    double largest = -1;
    for (int c = j; c < ny; ++c) {
      const double length = V_.col(c).squaredNorm();
      if (length > largest) {
        largest = length;
        pivot = c;
      }
    }
    if (pivot != j) V_.col(j).swap(V_.col(pivot));
    for (int c = 0; c < j; ++c) V_.col(j) -= V_.col(c).dot(V_.col(j)) * V_.col(c);
    const double length = V_.col(j).norm();
    pivots.B = std::min(pivots.B, length);
    if (length > 0) V_.col(j) /= length;
    for (int c = j + 1; c < ny; ++c) V_.col(c) -= V_.col(j).dot(V_.col(c)) * V_.col(j);
  }
  for (int j = 0; j < ny; ++j) {
    int pivot = j;
    double largest = -1;
    for (int i = j; i < ny; ++i) {
      const double length = W_.row(i).squaredNorm();
      if (length > largest) {
        largest = length;
        pivot = i;
      }
    }
    if (pivot != j) {
      W_.row(j).swap(W_.row(pivot));
      companions.row(j).swap(companions.row(pivot));
    }
    for (int i = 0; i < j; ++i) {
      const double overlap = W_.row(i).dot(W_.row(j));
      W_.row(j) -= overlap * W_.row(i);
      companions.row(j) -= overlap * companions.row(i);
    }
    const double length = W_.row(j).norm();
    pivots.C = std::min(pivots.C, length);
    if (length > 0) {
      W_.row(j) /= length;
      companions.row(j) /= length;
    }
    for (int i = j + 1; i < ny; ++i) {
      const double overlap = W_.row(j).dot(W_.row(i));
      W_.row(i) -= overlap * W_.row(j);
      companions.row(i) -= overlap * companions.row(j);
    }
  }
  for (int i = 0; i < ny; ++i) {
    for (int j = 0; j < ny; ++j) {
      double sum = 0;
      for (int k = 0; k < nx; ++k) sum += W_(i, k) * V_(k, j);
      WV_(i, j) = sum;
    }
  }
  if (ny == 1) {
    pivots.transversality = std::abs(WV_(0, 0));
  } else {
    const Eigen::FullPivLU<MatX> lu(WV_);
    pivots.transversality = std::abs(lu.matrixLU()(ny - 1, ny - 1));
  }
  return pivots;
}

LinearRegularizer::LinearRegularizer(int nx, int ny, const Regularization& regularization)
    : regularization_(regularization), bases_(nx, ny), companions_(ny, nx + 1), CB_(ny, ny) {}

ConstraintPivots LinearRegularizer::regularize(const CoefficientBatch& in, int i, StageBatch& out) {
  const double alpha1 = regularization_.alpha1, alpha2 = regularization_.alpha2;
  const int nx = static_cast<int>(companions_.cols()) - 1;
  auto K = companions_.leftCols(nx);
  auto w = companions_.col(nx);
  K = alpha2 * in.C(i);
  w = alpha2 * in.r(i);
  if (alpha1 != 0) {
    K.noalias() += alpha1 * (in.C(i).lazyProduct(in.A(i)));
    K += alpha1 * in.C_t(i);
    w.noalias() += alpha1 * (in.C(i).lazyProduct(in.q(i)));
    w += alpha1 * in.r_t(i);
  }
  ConstraintPivots pivots;
  if (regularization_.weight == Weight::inverse) {
    inverse_weight(in, i, out, pivots);
  } else {
    multiplier_weight(in, i, out);
  }
  return pivots;
}

void LinearRegularizer::inverse_weight(const CoefficientBatch& in, int i, StageBatch& out,
                                       ConstraintPivots& pivots) {
  // V (W V)^-1 W is the projector whatever bases are taken, so B and C are scaled away.
  pivots = bases_.find(in.B(i), in.C(i), companions_);
  out.V(i) = bases_.V();
  out.Lo(i) = bases_.WV();
  out.L(i) = (regularization_.epsilon + regularization_.alpha1) * bases_.WV();
  out.K(i) = companions_.leftCols(companions_.cols() - 1);
  out.w(i) = companions_.rightCols(1);
}

void LinearRegularizer::multiplier_weight(const CoefficientBatch& in, int i, StageBatch& out) {
  const double alpha1 = regularization_.alpha1;
  const auto K = companions_.leftCols(companions_.cols() - 1);
  const auto w = companions_.rightCols(1);
  CB_.noalias() = in.C(i).lazyProduct(in.B(i));
  out.V(i) = in.B(i);
  if (regularization_.weight == Weight::transpose) {
    out.Lo(i).setIdentity();
    out.L(i).noalias() = alpha1 * CB_.transpose().lazyProduct(CB_);
    out.K(i).noalias() = CB_.transpose().lazyProduct(K);
    out.w(i).noalias() = CB_.transpose().lazyProduct(w);
  } else {
    out.Lo(i).setIdentity();
    if (regularization_.weight == Weight::shifted) {
      out.Lo(i) = CB_;
      out.Lo(i).diagonal().array() += regularization_.delta;
    }
    out.L(i) = alpha1 * CB_;
    out.K(i) = K;
    out.w(i) = w;
  }
  out.L(i) += regularization_.epsilon * out.Lo(i);
}

void LinearRegularizer::regularize_from_projector(const MatX& P, const VecX& BEr, int i,
                                                  StageBatch& out) const {
  const int ny = static_cast<int>(out.L(i).rows());
  const Eigen::ColPivHouseholderQR<MatX> qr(P);
  const MatX V = qr.householderQ() * MatX::Identity(P.rows(), ny);
  out.V(i) = V;
  out.Lo(i).setIdentity();
  out.L(i) = regularization_.epsilon * MatX::Identity(ny, ny);
  out.K(i) = regularization_.alpha2 * V.transpose() * P;
  out.w(i) = regularization_.alpha2 * V.transpose() * BEr;
}

}  // namespace daewave
