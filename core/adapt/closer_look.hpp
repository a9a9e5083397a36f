#pragma once
// What equal steps along a line may pass over: waves that are a part of such a step long look like
// none, at one speed in thirty. What lines say of a derivative is held against two steps that are
// short, and no part of theirs.

#include "core/adapt/line_points.hpp"
#include "core/adapt/problem_from_functions.hpp"

namespace daewave {

/// Of G or g_t, first derivatives along coordinates or t; or of the curvature.
class CloserLook {
 public:
  explicit CloserLook(Ask what) : what_(what) {}

  /// As many for each line: the middle, then each of two steps to both sides.
  static constexpr int values = 5;

  /// @param count  of lines: from each of the points one, or for G one along each coordinate. Value
  /// k of line
  ///               l is at begin + k * count + l.
  void place(const ProblemFunctions& of, const Points& at, int count, LinePoints& to,
             int begin) const;
  /// As far as the order of these steps and rounding go.
  /// @param size  of g, row by row: what rounds.
  /// @param out   derivatives: entry (i, j) at point p is at [(i + j ny) * at.count + p].
  bool holds(const ProblemFunctions& of, const Points& at, int count, const LinePoints& from,
             int begin, const double* size, const double* out) const;

  /// By how much of v, of t, or of a coordinate, a line of scale 1 moves in a unit of its steps.
  double unit(const ProblemFunctions& of, const Points& at, int p) const;

 private:
  bool is_second() const { return what_ == Ask::curvature; }

  Ask what_;
};

}  // namespace daewave
