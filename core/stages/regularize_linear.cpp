#include "core/stages/regularize_linear.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/orthogonal.hpp"

namespace daewave {
namespace {

/// Memory on the stack as long as the problem is small.
class Scratch {
 public:
  explicit Scratch(int size) : heap_(size > on_stack ? size : 0) {}
  double* data() { return heap_.empty() ? stack_ : heap_.data(); }

 private:
  static constexpr int on_stack = 512;
  double stack_[on_stack];
  std::vector<double> heap_;
};

double dot(const double* a, const double* b, int size) {
  double even = 0, odd = 0;
  int k = 0;
  for (; k + 1 < size; k += 2) {
    even += a[k] * b[k];
    odd += a[k + 1] * b[k + 1];
  }
  return k < size ? even + odd + a[k] * b[k] : even + odd;
}

void subtract(double* __restrict target, double factor, const double* __restrict x, int size) {
  for (int k = 0; k < size; ++k) target[k] -= factor * x[k];
}

/// Orthonormalizes the first `entries` entries of `count` vectors of `length`; the rest of each
/// takes part in every operation.
/// @return the smallest length met before normalization.
double orthonormalize(double* vectors, int count, int entries, int length) {
  const auto at = [&](int j) { return vectors + j * length; };
  double smallest = INFINITY;
  // Modified Gram-Schmidt with pivoting, twice per vector: near a singular point the second pass
  // is what keeps the basis orthonormal.
  for (int j = 0; j < count; ++j) {
    int pivot = j;
    double largest = -1;
    for (int i = j; i < count && j + 1 < count; ++i) {
      const double squared = dot(at(i), at(i), entries);
      if (squared > largest) {
        largest = squared;
        pivot = i;
      }
    }
    if (pivot != j) std::swap_ranges(at(j), at(j) + length, at(pivot));
    for (int i = 0; i < j; ++i) subtract(at(j), dot(at(i), at(j), entries), at(i), length);
    const double norm = std::sqrt(dot(at(j), at(j), entries));
    smallest = std::min(smallest, norm);
    for (int k = 0; k < length && norm > 0; ++k) at(j)[k] /= norm;
    for (int i = j + 1; i < count; ++i) subtract(at(i), dot(at(j), at(i), entries), at(j), length);
  }
  return smallest;
}

/// result = scale x / its length, 0 for 0. @return the length of scale x.
double normalized(const double* x, double scale, int size, double* result) {
  for (int k = 0; k < size; ++k) result[k] = scale * x[k];
  const double length = std::sqrt(dot(result, result, size));
  for (int k = 0; k < size && length > 0; ++k) result[k] /= length;
  return length;
}

/// The last pivot of elimination with full pivoting, absolute. Overwrites M, n x n.
double smallest_pivot(double* M, int n) {
  double largest = 0;
  for (int j = 0; j < n; ++j) {
    int row = j, column = j;
    largest = -1;
    for (int c = j; c < n; ++c) {
      for (int r = j; r < n; ++r) {
        if (std::abs(M[c * n + r]) > largest) {
          largest = std::abs(M[c * n + r]);
          row = r;
          column = c;
        }
      }
    }
    if (!(largest > 0)) return 0;
    if (column != j) std::swap_ranges(M + j * n, M + j * n + n, M + column * n);
    for (int c = j; c < n && row != j; ++c) std::swap(M[c * n + j], M[c * n + row]);
    for (int r = j + 1; r < n; ++r) M[j * n + r] /= M[j * n + j];
    for (int c = j + 1; c < n; ++c) {
      for (int r = j + 1; r < n; ++r) M[c * n + r] -= M[j * n + r] * M[c * n + j];
    }
  }
  return largest;
}

}  // namespace

StageBatch::StageBatch(int nx, int ny) : nx_(nx), ny_(ny) {
  L_ = nx * ny;
  Lo_ = L_ + ny * ny;
  K_ = Lo_ + ny * ny;
  w_ = K_ + ny * nx;
  stride_ = w_ + ny;
}

void StageBatch::resize(int stages) { values_.resize(static_cast<std::size_t>(stages) * stride_); }

ConstraintBases::ConstraintBases(int nx, int ny, const ConstraintUnits& units)
    : inverse_B_(units.B.size() == 0 ? VecX::Ones(ny) : VecX(units.B.cwiseInverse())),
      inverse_C_(units.C.size() == 0 ? VecX::Ones(ny) : VecX(units.C.cwiseInverse())),
      V_(nx, ny),
      W_(ny, nx),
      WV_(ny, ny) {}

ConstraintPivots ConstraintBases::find(Eigen::Ref<const MatX> B, Eigen::Ref<const MatX> C,
                                       Eigen::Ref<MatX> companions) {
  const int nx = static_cast<int>(V_.rows()), ny = static_cast<int>(V_.cols());
  const int beside = static_cast<int>(companions.cols()), length = nx + beside;
  ConstraintPivots pivots;
  if (ny == 1) {
    pivots.B = normalized(B.data(), inverse_B_[0], nx, V_.data());
    double* const W = W_.data();
    for (int k = 0; k < nx; ++k) W[k] = C(0, k);
    pivots.C = normalized(W, inverse_C_[0], nx, W);
    if (pivots.C > 0) {
      const double factor = inverse_C_[0] / pivots.C;
      for (int k = 0; k < beside; ++k) companions(0, k) *= factor;
    }
    WV_(0, 0) = dot(W, V_.data(), nx);
    pivots.transversality = std::abs(WV_(0, 0));
    return pivots;
  }
  for (int j = 0; j < ny; ++j) V_.col(j) = inverse_B_[j] * B.col(j);
  pivots.B = orthonormalize(V_.data(), ny, nx, nx);

  // The rows of C lie apart in memory: they are worked on side by side with their companions.
  Scratch scratch(std::max(ny * length, ny * ny));
  Eigen::Map<MatX> rows(scratch.data(), length, ny);
  for (int j = 0; j < ny; ++j) {
    const double inverse = inverse_C_[j];
    for (int k = 0; k < nx; ++k) rows(k, j) = inverse * C(j, k);
    for (int k = 0; k < beside; ++k) rows(nx + k, j) = inverse * companions(j, k);
  }
  pivots.C = orthonormalize(scratch.data(), ny, nx, length);
  for (int j = 0; j < ny; ++j) {
    for (int k = 0; k < nx; ++k) W_(j, k) = rows(k, j);
    for (int k = 0; k < beside; ++k) companions(j, k) = rows(nx + k, j);
  }
  for (int i = 0; i < ny; ++i) {
    for (int j = 0; j < ny; ++j) {
      double sum = 0;
      for (int k = 0; k < nx; ++k) sum += rows(k, i) * V_(k, j);
      WV_(i, j) = sum;
    }
  }
  std::copy_n(WV_.data(), ny * ny, scratch.data());
  pivots.transversality = smallest_pivot(scratch.data(), ny);
  return pivots;
}

std::array<double, 3> ConstraintBases::products(const double* B, const double* C) const {
  double BB = 0, CC = 0, CB = 0;
  const Eigen::Index nx = V_.rows();
  for (Eigen::Index k = 0; k < nx; ++k) {
    const double b = inverse_B_[0] * B[k], c = inverse_C_[0] * C[k];
    BB += b * b;
    CC += c * c;
    CB += c * b;
  }
  return {BB, CC, CB};
}

ConstraintPivots ConstraintBases::pivots(const double* B, const double* C) const {
  const auto [BB, CC, CB] = products(B, C);
  ConstraintPivots pivots{std::sqrt(BB), std::sqrt(CC), 0};
  if (BB > 0 && CC > 0) pivots.transversality = std::abs(CB) / (pivots.B * pivots.C);
  return pivots;
}

double ConstraintBases::squared_pivot(const double* B, const double* C,
                                      const ConstraintPivots& units) const {
  const auto [BB, CC, CB] = products(B, C);
  const auto squared = [](double value, double unit) {
    return unit > 0 ? value / (unit * unit) : 0;
  };
  const double angle = BB > 0 && CC > 0 ? CB * CB / (BB * CC) : 0;
  return std::min(
      {squared(BB, units.B), squared(CC, units.C), squared(angle, units.transversality)});
}

LinearRegularizer::LinearRegularizer(int nx, int ny, const Regularization& regularization,
                                     const ConstraintUnits& units)
    : regularization_(regularization),
      bases_(nx, ny, units),
      companions_(ny, nx + 1),
      CB_(ny, ny) {}

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
  const MatX V = leading_directions(P, ny);
  out.V(i) = V;
  out.Lo(i).setIdentity();
  out.L(i) = regularization_.epsilon * MatX::Identity(ny, ny);
  out.K(i) = regularization_.alpha2 * V.transpose() * P;
  out.w(i) = regularization_.alpha2 * V.transpose() * BEr;
}

}  // namespace daewave
