#pragma once
// An initial value problem whose type has been forgotten, with the solvers compiled for it: the
// type is erased once per solve, never per step.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/derivatives/check_derivatives.hpp"
#include "core/start/consistent_start.hpp"
#include "core/types.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::catalogue {

class InitialValueProblem {
 public:
  virtual ~InitialValueProblem() = default;

  virtual std::string name() const = 0;
  virtual Interval interval() const = 0;
  /// x, or (q, v).
  virtual VecX start() const = 0;
  virtual bool second_order() const = 0;

  /// @throws InvalidOption, InvalidProblem as ivp::solve().
  virtual ivp::Solution solve(const Interval& span, const ivp::Options& options) const = 0;

  /// The problem is compiled for SIMD lanes: order = lanes.
  virtual bool has_lanes() const { return false; }
  /// How many solves with these options go side by side, one in each lane; 0 where they cannot.
  virtual int members_in_lanes(const ivp::Options&) const { return 0; }
  /// Solves those, which are problems of this type, of which the start and the end are kept; empty
  /// where they differ in more than their numbers.
  /// @throws InvalidOption, InvalidProblem as solve(), where one of them is wrong.
  virtual std::vector<ivp::Solution> solve_members(
      const std::vector<std::shared_ptr<const InitialValueProblem>>&, const Interval&,
      const ivp::Options&) const {
    return {};
  }

  /// At the start of the interval.
  virtual Consistency check() const = 0;
  virtual DerivativeReport check_derivatives() const = 0;

  /// The state at t, exact or from a reference solution; none where nothing is known.
  virtual std::optional<VecX> reference(double t) const = 0;
};

using InitialValueProblemPtr = std::shared_ptr<const InitialValueProblem>;

}  // namespace daewave::catalogue
