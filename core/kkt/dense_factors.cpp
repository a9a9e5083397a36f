#include "core/kkt/dense_factors.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace daewave {

struct DenseLu::Factors {
  Eigen::PartialPivLU<MatX> lu;
};

DenseLu::DenseLu() : factors_(std::make_unique<Factors>()) {}
DenseLu::DenseLu(const DenseLu& other) : factors_(std::make_unique<Factors>(*other.factors_)) {}
DenseLu& DenseLu::operator=(const DenseLu& other) { return *this = DenseLu(other); }
DenseLu::DenseLu(DenseLu&&) noexcept = default;
DenseLu& DenseLu::operator=(DenseLu&&) noexcept = default;
DenseLu::~DenseLu() = default;

void DenseLu::compute(const MatX& A) { factors_->lu.compute(A); }
const MatX& DenseLu::matrixLU() const { return factors_->lu.matrixLU(); }
void DenseLu::solve(const VecX& c, VecX& x) const { x = factors_->lu.solve(c); }

struct DenseCholesky::Factors {
  Eigen::LLT<MatX> llt;
};

DenseCholesky::DenseCholesky() : factors_(std::make_unique<Factors>()) {}
DenseCholesky::DenseCholesky(const DenseCholesky& other)
    : factors_(std::make_unique<Factors>(*other.factors_)) {}
DenseCholesky& DenseCholesky::operator=(const DenseCholesky& other) {
  return *this = DenseCholesky(other);
}
DenseCholesky::DenseCholesky(DenseCholesky&&) noexcept = default;
DenseCholesky& DenseCholesky::operator=(DenseCholesky&&) noexcept = default;
DenseCholesky::~DenseCholesky() = default;

bool DenseCholesky::compute(const MatX& A) {
  factors_->llt.compute(A);
  return factors_->llt.info() == Eigen::Success;
}
void DenseCholesky::solve(Eigen::Ref<VecX> b) const { factors_->llt.solveInPlace(b); }

}  // namespace daewave
