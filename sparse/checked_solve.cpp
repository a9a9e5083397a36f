#include "sparse/checked_solve.hpp"

#include <algorithm>
#include <utility>

#include "core/not_finite.hpp"
#include "core/report/stopwatch.hpp"

namespace daewave::sparse {

std::string CheckedSolve::factorize(SparseMatrix matrix) {
  const Stopwatch watch;
  matrix_ = std::move(matrix);
  norm_ = 0;
  for (int j = 0; j < matrix_.outerSize(); ++j) {
    double sum = 0;
    for (SparseMatrix::InnerIterator entry(matrix_, j); entry; ++entry) {
      sum += std::abs(entry.value());
    }
    norm_ = larger(norm_, sum);
  }
  ++factorizations_;
  std::string failure = factors_->factorize(matrix_);
  factorize_seconds_ += watch.seconds();
  return failure;
}

double CheckedSolve::backward_error(const VecX& b, const VecX& x) {
  residual_ = b;
  residual_.noalias() -= matrix_ * x;
  const double scale = norm_ * largest_size(x) + largest_size(b);
  return scale > 0 ? largest_size(residual_) / scale : 0;
}

double CheckedSolve::solve(const VecX& b, VecX& x) {
  constexpr double wanted = 1e-12;
  const Stopwatch watch;
  factors_->solve(b, x);
  ++solves_;
  double error = backward_error(b, x);
  if (error > wanted) {
    factors_->solve(residual_, correction_);
    x += correction_;
    ++refinements_;
    error = backward_error(b, x);
  }
  worst_ = larger(worst_, error);
  solve_seconds_ += watch.seconds();
  return error;
}

void CheckedSolve::tell(LinearSolveReport& report) const {
  report.asked = "auto";
  report.used = factors_->name();
  report.analyses = factors_->analyses();
  report.factorizations = factorizations_;
  report.solves = solves_;
  report.refinements = refinements_;
  report.worst_residual = worst_;
}

}  // namespace daewave::sparse
