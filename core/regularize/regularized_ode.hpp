#pragma once
// The seam between regularization and discretization: iterate s of a sequential regularization is
// an ordinary problem
//
//   x_s' = F(x_s, t; y_{s-1}(t)),   y_s(t) = Y(x_s, t; y_{s-1}(t)),
//
// whatever E, epsilon, alpha, the index and the type of the problem are. Schedules and steppers see
// nothing else, and are compiled once.

#include <memory>
#include <string>

#include "core/regularize/regularization.hpp"
#include "core/types.hpp"

namespace daewave {

/// What one iterate leaves for the next is carried: y, ny; or B y, nx, where y may be unbounded; or
/// zeta, 2 ny. An object holds the memory of an evaluation: one for each thread.
class RegularizedOde {
 public:
  virtual ~RegularizedOde();

  virtual int size() const = 0;     ///< Entries of x.
  virtual int carried() const = 0;  ///< Entries of what is carried.
  virtual const Regularization& form() const = 0;
  bool carries_By() const { return daewave::carries_By(form().variant); }

  /// x_s' and y_s at one point, which share their work; sized here, where they are not.
  /// @param before  y_{s-1}(t); may be `carried`.
  /// @return false where it cannot be evaluated; failure() tells why, and they have no meaning.
  virtual bool evaluate(const VecX& x, double t, const VecX& before, VecX& slope,
                        VecX& carried) = 0;
  /// Largest |g|, and |G v + g_t| of index 3, at the state last evaluated.
  virtual void residuals(double& position, double& velocity) = 0;
  /// Evaluations in which the rank guard dropped a row of G.
  virtual long guarded() const = 0;
  virtual std::string failure() const = 0;

  /// The same problem and form, with a memory of its own, in which nothing is counted yet.
  virtual std::unique_ptr<RegularizedOde> clone() const = 0;
};

}  // namespace daewave
