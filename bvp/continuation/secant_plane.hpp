#pragma once
// Solutions and the value of their parameter as points, and planes across the secant of two:
//
//   mean over t and j of (x_j - x_pred,j) s_j / S_j^2 + (p - p_pred) s_p / P^2 = 0.
//                                                                        [Keller] section 4

#include "bvp/result/solution.hpp"
#include "bvp/statement/problem_family.hpp"

namespace daewave::bvp {

/// Lengths and angles between solutions of a family.
class BranchMetric {
 public:
  /// @param entry  of p: the parameter. @param range  P.
  BranchMetric(int entry, double range) : entry_(entry), range_(range) {}

  double value_of(const Solution& solution) const { return solution.parameters[entry_]; }
  /// (a - b) (c - d). @param sizes  S.
  double product_of(const Solution& a, const Solution& b, const Solution& c, const Solution& d,
                    const VecX& sizes) const;
  double distance(const Solution& a, const Solution& b, const VecX& sizes) const;

  int entry() const { return entry_; }
  double range() const { return range_; }

 private:
  int entry_;
  double range_;
};

/// The family with its parameter unknown, on the plane through `guess` across the secant from a to
/// b: one more integral, and one more condition on it.
ProblemFamily on_plane(const ProblemFamily& family, const BranchMetric& metric,
                       const Solution& guess, const Solution& a, const Solution& b,
                       const VecX& sizes);

}  // namespace daewave::bvp
