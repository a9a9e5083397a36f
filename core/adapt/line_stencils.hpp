#pragma once
// Derivatives of g along straight lines, by stencils of fixed steps on all lines in one call. What
// they are off by is known from those of lower order: where that is too much, who asks takes steps
// that are chosen (core/derivatives/differences.hpp).
//
// Along (dq, dt) from each point: the first derivative for G and g_t, the second for the curvature.

#include <cstddef>
#include <vector>

#include "core/adapt/closer_look.hpp"
#include "core/adapt/line_points.hpp"
#include "core/adapt/problem_from_functions.hpp"

namespace daewave {

/// Of one of G, g_t and curvature; owns its memory: one for each thread.
class LineStencils {
 public:
  explicit LineStencils(Ask what) : what_(what), closer_(what) {}

  /// @param out  entry (i, j) at point p is at [(i + j ny) * at.count + p].
  /// @return     false where any of them is not accurate.
  bool evaluate(const ProblemFunctions& of, const Points& at, double* out);

  /// The same in parts, g being called once for several: how many points there are for `count`;
  /// these, from `begin` on; and what follows from g there. Where that is not accurate, `evaluate`
  /// has more.
  int points(const ProblemFunctions& of, int count) const {
    return lines(of, count) * (values() + (looked_closer_ ? 0 : CloserLook::values));
  }
  void place(const ProblemFunctions& of, const Points& at, LinePoints& to, int begin);
  bool take(const ProblemFunctions& of, const Points& at, const LinePoints& from, int begin,
            double* out);
  bool left_to_others() const { return unused_ > 0; }
  /// Of lines: how many times longer they are than where coordinates are of size 1.
  double scale() const { return scale_; }
  /// What rounding may have done to each row when they were last derived, in units of lines of
  /// scale 1.
  const std::vector<double>& rounding() const { return rounding_; }

 private:
  static constexpr int most_sides = 4;

  int lines(const ProblemFunctions& of, int count) const {
    return count * (what_ == Ask::G ? of.sizes.nq : 1);
  }

  int values() const { return 2 * sides_ + (what_ == Ask::curvature ? 1 : 0); }
  bool derive(const ProblemFunctions& of, int count, const LinePoints& from, int begin,
              double* out);
  bool derive_row(int i, const double* g, std::size_t lines);
  void look_at_fewer();
  bool derive_anew(const ProblemFunctions& of, const Points& at, double* out);
  void leave_far_out(const ProblemFunctions& of, const Points& at);
  void choose_scale(const ProblemFunctions& of, const Points& at, double least,
                    const double* of_one, double factor);
  bool is_smaller_than_lines(const ProblemFunctions& of, const Points& at) const;
  double power_of(double unit) const { return what_ == Ask::curvature ? unit * unit : unit; }
  double part_that_counts(const ProblemFunctions& of, const Points& at) const;
  void look_around(const ProblemFunctions& of, const Points& at);

  Ask what_;
  int sides_ = 2;              ///< Steps to either side: 2 where g is quadratic, 4 else.
  std::vector<double> units_;  ///< Of each point.
  double scale_ = 1;
  bool scale_is_chosen_ = false;
  int times_chosen_ = 0;
  double small_ = 0;       ///< |q| where the scale was chosen.
  double least_part_ = 1;  ///< Of 1: what counts of a derivative, in units of lines of scale 1.
  /// What the last derivatives may be off by, relative to the largest of their row, or to 1 where
  /// that is rounding.
  double part_off_ = 0;
  bool may_be_rounding_ = true;  ///< What the last derivatives are off by.
  std::vector<double> derived_, rounding_;
  std::vector<double> off_;  ///< What derivatives of each row may be off by.
  /// The largest |g| seen, of each row: what rounds is no less. And max(1, |q|) where it was.
  std::vector<double> size_;
  double reached_ = 1;
  std::vector<double> size_beside_;  ///< The same, of lines of scale 1.
  bool quadratic_ = true;            ///< Of the last look by 4 sides, that 2 were enough.
  int in_turn_ = 0, enough_ = 1;
  bool looked_around_ = false;
  CloserLook closer_;
  bool looked_closer_ = false;  ///< Since lines were last not accurate.
  LinePoints points_;
  int unused_ = 0;
};

}  // namespace daewave
