#pragma once
// A term that is singular at the begin a of the interval, as equations in polar coordinates have
// it:
//
//   x' = S x / (t - a) + f(x, t),   S constant,
//
// whose regular solutions have S x(a) = 0 and x'(a) = (I - S)^-1 f(x(a), a).   [deHoogWeiss]
//
// Stages away from a see the term as it is, and its Jacobian exactly; one at a sees the limit.

#include <memory>
#include <string>

#include "bvp/equations/iterate_system.hpp"
#include "core/report/report.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

class SingularTerm {
 public:
  /// @param S  nx x nx. @throws InvalidProblem for another size, and where solutions that are
  /// bounded need not have a derivative at a, or are no more told by S x(a) = 0: eigenvalues with a
  /// positive real part, or imaginary ones.
  SingularTerm(const MatX& S, double begin, int nx);

  const MatX& S() const { return S_; }
  double begin() const { return begin_; }
  /// Conditions that S x(a) = 0 makes; their rows, orthonormal, times x(a) vanish.
  int rank() const { return static_cast<int>(rows_.rows()); }
  const MatX& rows() const { return rows_; }
  /// (I - S)^-1.
  const MatX& limit() const { return limit_; }

 private:
  MatX S_;
  double begin_;
  MatX rows_, limit_;
};

/// Whether x at the begin, or more, is off S x = 0 by more than `most`, in units of the largest
/// size of x; the report then tells that conditions contradict it.
bool is_missed(const SingularTerm& term, const VecX& x, const VecX& sizes, double most,
               Report& report);

/// The system with the term, which may be null.
std::unique_ptr<IterateSystem> with_singular_term(std::unique_ptr<IterateSystem> system,
                                                  std::shared_ptr<const SingularTerm> term);

}  // namespace daewave::bvp
