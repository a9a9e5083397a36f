#pragma once
// Derivatives of g along straight lines, by stencils of fixed steps on all lines in one call. What
// they are off by is known from those of lower order: where that is too much, who asks takes steps
// that are chosen (core/derivatives/differences.hpp).
//
// Along (dq, dt) from each point: the first derivative for G and g_t, the second for the curvature.

#include <cstddef>
#include <vector>

#include "core/adapt/problem_from_functions.hpp"

namespace daewave {

/// Of one of G, g_t and curvature; owns its memory: one for each thread.
class LineStencils {
 public:
  explicit LineStencils(Ask what) : what_(what) {}

  /// @param out  entry (i, j) at point p is at [(i + j ny) * at.count + p].
  /// @return     false where any of them is not accurate.
  bool evaluate(const ProblemFunctions& of, const Points& at, double* out);

 private:
  void fetch(const ProblemFunctions& of, const Points& at);
  bool derive(const ProblemFunctions& of, int count, double* out);
  bool derive_row(const double* g, std::size_t values);

  Ask what_;
  int sides_ = 2;  ///< Steps to either side: 2 where g is quadratic, 4 else.
  int lines_ = 0;
  std::vector<double> units_;  ///< Of each point.
  std::vector<double> t_, q_, g_, derived_;
  int unused_ = 0;  ///< Batches that are left to others, after one was not accurate.
};

}  // namespace daewave
