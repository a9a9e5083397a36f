#pragma once
// x and lambda of the underlying ordinary equation of an IndexTwoSystem, or of a problem of reduced
// index, close to rounding: starting values of multistep formulas, and references to compare with.
//
// By Dormand and Prince's formula of order 8 with steps that change their length, each at most as
// long as asked for. Starting values of order k + 1 <= 7 take an error O(h^8) without loss; with a
// tolerance of 1e-13, and steps of half a step of the formula, they are exact to a few units of
// rounding. Consistent values stay consistent as far: c' = 0 is what is integrated.

#include <memory>
#include <string>

#include "ivp/equations/index_two_system.hpp"
#include "ivp/run/ode_system.hpp"

namespace daewave::ivp {

class UnderlyingSolution {
 public:
  /// Of one step, relative and absolute: where rounding does not let estimates fall further.
  static constexpr double tightest = 1e-13;

  /// `system` is kept by reference.
  explicit UnderlyingSolution(IndexTwoSystem& system, double tolerance = tightest);
  /// The same for an equation that does nothing to its state after a step. @param size  of the
  /// state.
  UnderlyingSolution(OdeSystem& ode, int size, double tolerance = tightest);
  ~UnderlyingSolution();
  UnderlyingSolution(const UnderlyingSolution&) = delete;
  UnderlyingSolution& operator=(const UnderlyingSolution&) = delete;

  /// Begins at a consistent x. False where x' cannot be evaluated; failure() tells why.
  bool start(double t, const VecX& x);
  /// Goes on to t, either way. @param longest  step, > 0. @param most_steps  tried.
  /// False as for start(), and after so many steps.
  bool go_to(double t, double longest, int most_steps = 100000);

  double t() const;
  const VecX& x() const;
  const VecX& slope() const;
  /// At t(). False as for start().
  bool multiplier(VecX& lambda);

  std::string failure() const;
  long evaluations() const;

 private:
  class Steps;
  std::unique_ptr<Steps> steps_;
};

}  // namespace daewave::ivp
