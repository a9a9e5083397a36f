#pragma once
// Solves whose residual is looked at, and refined where it is too large.

#include "core/report/report.hpp"
#include "sparse/factors.hpp"

namespace daewave::sparse {

class CheckedSolve {
 public:
  explicit CheckedSolve(std::unique_ptr<Factors> factors) : factors_(std::move(factors)) {}

  /// @return empty, or why there are no factors.
  std::string factorize(SparseMatrix matrix);
  /// x = A^-1 b to a backward error max |b - A x| / (|A| |x| + |b|) of 1e-12 where one step of
  /// refinement reaches it. @return that error.
  double solve(const VecX& b, VecX& x);

  const SparseMatrix& matrix() const { return matrix_; }
  const Factors& factors() const { return *factors_; }
  /// Counts of what was done so far.
  void tell(LinearSolveReport& report) const;
  double factorize_seconds() const { return factorize_seconds_; }
  double solve_seconds() const { return solve_seconds_; }

 private:
  double backward_error(const VecX& b, const VecX& x);

  std::unique_ptr<Factors> factors_;
  SparseMatrix matrix_;
  double norm_ = 0;  ///< Largest sum of sizes in a column.
  VecX residual_, correction_;
  int factorizations_ = 0, solves_ = 0, refinements_ = 0;
  double worst_ = 0, factorize_seconds_ = 0, solve_seconds_ = 0;
};

}  // namespace daewave::sparse
