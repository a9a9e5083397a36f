#pragma once
// The result of a nonlinear boundary value solve.

#include "bvp/nonlinear/collocation_curve.hpp"
#include "core/report/report.hpp"
#include "core/report/table.hpp"

namespace daewave::bvp {

class NonlinearSolution {
 public:
  Report report;

  NonlinearSolution() = default;
  /// @param second_order  x is (q, v). @param carries_By  what is carried is B y.
  NonlinearSolution(CollocationCurve curve, bool second_order, bool carries_By, Report report_)
      : report(std::move(report_)),
        curve_(std::move(curve)),
        has_values_(true),
        second_order_(second_order),
        carries_By_(carries_By) {}

  /// False when the solve ended before there was a solution.
  bool has_values() const { return has_values_; }
  const Mesh& mesh() const { return curve_.mesh(); }

  /// x, or (q, v), at t: the collocation polynomial. @throws InvalidOption outside of the interval,
  /// or without values.
  VecX x(double t) const { return curve().x(t); }
  /// The multiplier y, or B y of the singular variants; empty for ordinary equations.
  VecX multiplier(double t) const { return curve().carried(t); }
  bool carries_By() const { return carries_By_; }

  /// The same as a guess for another solve.
  const CollocationCurve& curve() const;

  /// Columns t, x1.. or q1.., v1.., then y1.., lambda1.. or By1.., at `points` equidistant points,
  /// or at the nodes for 0.
  Table table(int points = 0) const;

 private:
  CollocationCurve curve_;
  bool has_values_ = false, second_order_ = false, carries_By_ = false;
};

}  // namespace daewave::bvp
