#include "core/adapt/line_stencils.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/adapt/line_formulas.hpp"
#include "core/not_finite.hpp"

namespace daewave {
namespace {

using namespace lines;  // This file is compiled alone.

/// Batches that are left to others, after one was not accurate.
constexpr int left_to_batches = 20;
/// Lines become longer by this, or shorter, as often as they may.
constexpr double longer = 8;
constexpr int most_longer = 10, most_shorter = 20;
/// So often in turn 2 sides must have been enough, at most: twice as often after they were not.
constexpr int most_enough = 64;

/// Coordinates from which on terms of g may be so large that their rounding hides all else.
constexpr double far_out = 1e2;

/// A scale that is too long at last is chosen again, for so many times.
constexpr int most_choices = 4;

/// max |q| of the first point.
double largest_of(const ProblemFunctions& of, const Points& at) {
  double largest = 0;
  for (int i = 0; i < of.sizes.nq; ++i) {
    largest = std::max(largest, std::abs(at.q[static_cast<long>(i) * at.stride]));
  }
  return largest;
}

/// The same of all points, of q or v.
double largest_of_all(const ProblemFunctions& of, const Points& at, const double* values) {
  double largest = 0;
  for (int i = 0; i < of.sizes.nq; ++i) {
    const double* const one = values + static_cast<long>(i) * at.stride;
    for (int p = 0; p < at.count; ++p) largest = std::max(largest, std::abs(one[p]));
  }
  return largest;
}

}  // namespace

bool LineStencils::evaluate(const ProblemFunctions& of, const Points& at, double* out) {
  if (unused_ > 0) {
    --unused_;
    return false;
  }
  for (bool last = false; !last;) {
    last = sides_ == most_sides;
    points_.reset(points(of, at.count), of.sizes);
    place(of, at, points_, 0);
    points_.call(of);
    if (take(of, at, points_, 0, out)) return true;
    if (left_to_others()) return false;
  }
  return false;
}

/// A step that grew beyond all bounds, and was rejected, tells nothing of what rounds here.
void LineStencils::leave_far_out(const ProblemFunctions& of, const Points& at) {
  constexpr double far = 8;
  if (scale_ < 1 && largest_of_all(of, at, at.q) > far * small_) {
    scale_ = 1;
    scale_is_chosen_ = false;
  }
  const double here = std::max(1.0, largest_of_all(of, at, at.q));
  if (!(far * here < reached_)) {
    reached_ = std::max(reached_, here);
    return;
  }
  reached_ = here;
  std::fill(size_.begin(), size_.end(), 0.0);
  looked_around_ = scale_is_chosen_ = false;
  scale_ = 1;
}

bool LineStencils::take(const ProblemFunctions& of, const Points& at, const LinePoints& from,
                        int begin, double* out) {
  if (size_.empty()) {
    size_.resize(static_cast<std::size_t>(of.sizes.ny));
    rounding_ = size_;
  }
  // Where what is known of scales has changed, the next lines are looked at closer.
  const int closer = begin + values() * lines(of, at.count);
  bool is_same = true;
  least_part_ = part_that_counts(of, at);
  bool accurate_enough = derive(of, at.count, from, begin, out);
  const bool is_far_out = largest_of(of, at) > far_out;
  if (!looked_around_ && (!accurate_enough || is_far_out)) {
    look_around(of, at);
    accurate_enough = derive(of, at.count, from, begin, out);
  }
  const bool is_rounding =
      accurate_enough ? part_off_ > accurate : sides_ == most_sides && may_be_rounding_;
  const bool may_be_slow = what_ == Ask::g_t || least_part_ < 1;
  const bool is_small = is_smaller_than_lines(of, at);
  if (is_rounding && (is_far_out || may_be_slow || is_small) && !scale_is_chosen_) {
    is_same = false;
    choose_scale(of, at, accurate_enough ? part_off_ : INFINITY, out,
                 is_small ? 1 / longer : longer);
    if (scale_ != 1) accurate_enough = derive_anew(of, at, out);
  }
  if (accurate_enough && !looked_closer_ && is_same) {
    looked_closer_ = closer_.holds(of, at, lines(of, at.count), from, closer, size_.data(), out);
    if (!looked_closer_) {
      unused_ = left_to_batches;
      return false;
    }
  }
  if (accurate_enough) {
    if (sides_ == most_sides) look_at_fewer();
    return true;
  }
  if (sides_ < most_sides) {
    sides_ = most_sides;
    enough_ = std::min(2 * enough_, most_enough);
    return false;
  }
  looked_closer_ = false;
  if (scale_ != 1) {
    scale_ = 1;  // What is smooth along long lines is so no longer.
    scale_is_chosen_ = ++times_chosen_ >= most_choices;
    size_ = size_beside_;
  } else if (at.count > 1) {
    unused_ = left_to_batches;  // A point where little moves tells nothing of others.
  }
  return false;
}

/// Where the steps of 2 sides, which are among those of 4, would have done several times.
void LineStencils::look_at_fewer() {
  in_turn_ = quadratic_ ? in_turn_ + 1 : 0;
  if (in_turn_ < enough_) return;
  in_turn_ = 0;
  sides_ = 2;
}

bool LineStencils::derive_anew(const ProblemFunctions& of, const Points& at, double* out) {
  points_.reset(points(of, at.count), of.sizes);
  place(of, at, points_, 0);
  points_.call(of);
  return derive(of, at.count, points_, 0, out);
}

/// Where q takes long to move by as much as it is (times in seconds of what takes days), curvatures
/// are small numbers.
double LineStencils::part_that_counts(const ProblemFunctions& of, const Points& at) const {
  if (what_ != Ask::curvature) return 1;
  constexpr double slow = 1e-2;
  const double v = largest_of_all(of, at, at.v), q = largest_of_all(of, at, at.q);
  const double moved = v / std::max(1.0, v) / q;
  return moved > 0 && moved < slow ? moved * moved : 1;
}

/// Where g is large (lengths in mm) its rounding hides what it changes by along short lines. Longer
/// ones are as good as it is smooth, and agree with shorter ones as far as these are known: over
/// lines that are longer than its waves they say something else.
///
/// Where q is small (micrometres in m) terms along lines of one are far larger than at q, and what
/// they round by hides G there: shorter ones are better as far as these agree, down to q.
/// @param least  what those of scale 1 are off by. @param of_one  those.
/// @param factor  from one scale to the next that is tried.
void LineStencils::choose_scale(const ProblemFunctions& of, const Points& at, double least,
                                const double* of_one, double factor) {
  scale_is_chosen_ = true;
  const int sides = std::exchange(sides_, most_sides);
  double chosen = scale_;
  size_beside_ = size_;
  std::vector<double> out(static_cast<std::size_t>(of.sizes.ny * lines(of, at.count)));
  std::vector<double> off_best = off_, best(of_one, of_one + out.size());
  const auto agree = [&] {
    constexpr double explained = 100;  // Noise may agree by chance.
    for (std::size_t k = 0; k < out.size(); ++k) {
      const std::size_t row = k / static_cast<std::size_t>(at.count) % off_.size();
      if (!(std::abs(out[k] - best[k]) <= explained * (off_best[row] + off_[row]))) return false;
    }
    return true;
  };
  const std::vector<double> none(size_.size(), 0.0);
  // What rounds along shorter lines is what g is there.
  const std::vector<double>& known = factor < 1 ? none : size_beside_;
  const double q = small_ = largest_of_all(of, at, at.q);
  const int most = factor < 1 ? most_shorter : most_longer;
  const auto may_improve = [&] { return factor < 1 ? wide_step * scale_ > q : least > accurate; };
  for (int i = 0; i < most && may_improve(); ++i) {
    scale_ *= factor;
    size_ = known;
    if (!derive_anew(of, at, out.data()) || !(part_off_ < least) || !agree()) continue;
    least = part_off_;
    chosen = scale_;
    best = out;
    off_best = off_;
  }
  if (chosen == 1) sides_ = sides;
  scale_ = chosen;
  size_ = chosen < 1 ? none : size_beside_;
}

/// Of G alone: other lines are as long as q and t move.
bool LineStencils::is_smaller_than_lines(const ProblemFunctions& of, const Points& at) const {
  const double q = largest_of_all(of, at, at.q);
  return what_ == Ask::G && q > 0 && q < wide_step;
}

/// Along the constraints g is small and says little of its rounding: off them it does.
void LineStencils::look_around(const ProblemFunctions& of, const Points& at) {
  const int nq = of.sizes.nq;
  constexpr double part = 0.05;  // Farther, g may be of another size.
  const double move = std::max(wide_step, part * largest_of(of, at));
  LinePoints around;
  around.reset(nq, of.sizes);
  for (int p = 0; p < nq; ++p) {
    around.t()[p] = at.t[0];
    for (int i = 0; i < nq; ++i) {
      around.q(i)[p] = at.q[static_cast<long>(i) * at.stride] + (i == p ? move : 0);
    }
  }
  around.call(of);
  looked_around_ = true;
  for (int i = 0; i < of.sizes.ny; ++i) {
    for (int p = 0; p < nq; ++p) {
      // What is not defined there is no size.
      const double size = std::abs(around.g(i)[p]);
      if (size < INFINITY)
        size_[static_cast<std::size_t>(i)] = std::max(size_[static_cast<std::size_t>(i)], size);
    }
  }
}

// Value k of line l is at begin + k * lines + l; 0 is the middle, then 1, -1, 2, -2, ...

void LineStencils::place(const ProblemFunctions& of, const Points& at, LinePoints& to, int begin) {
  leave_far_out(of, at);
  const int nq = of.sizes.nq, columns = what_ == Ask::G ? nq : 1, lines = this->lines(of, at.count);
  const bool second = what_ == Ask::curvature;
  const int first = second ? 0 : 1;
  units_.resize(static_cast<std::size_t>(at.count));
  for (int p = 0; p < at.count; ++p) {
    units_[static_cast<std::size_t>(p)] = scale_ * closer_.unit(of, at, p);
  }
  const double d = sides_ == 2 ? wide_step : fine_step;
  for (int k = 0; k < values(); ++k) {
    const int step = (k + first + 1) / 2;
    const double s = (k + first) % 2 == 1 ? step * d : -step * d;
    for (int j = 0; j < columns; ++j) {
      const int here = begin + k * lines + j * at.count;
      for (int p = 0; p < at.count; ++p) {
        const double move = s * units_[static_cast<std::size_t>(p)];
        to.t()[here + p] = at.t[p] + (what_ == Ask::G ? 0 : move);
      }
      for (int i = 0; i < nq; ++i) {
        double* const q = to.q(i) + here;
        const double* const from = at.q + static_cast<long>(i) * at.stride;
        if (second) {
          const double* const v = at.v + static_cast<long>(i) * at.stride;
          for (int p = 0; p < at.count; ++p) {
            q[p] = from[p] + s * units_[static_cast<std::size_t>(p)] * v[p];
          }
        } else {
          const double move = what_ == Ask::G && i == j ? s * scale_ : 0;
          for (int p = 0; p < at.count; ++p) q[p] = from[p] + move;
        }
      }
    }
  }
  if (!looked_closer_) closer_.place(of, at, lines, to, begin + values() * lines);
}

bool LineStencils::derive(const ProblemFunctions& of, int count, const LinePoints& from, int begin,
                          double* out) {
  quadratic_ = may_be_rounding_ = true;
  part_off_ = 0;
  const auto lines = static_cast<std::size_t>(this->lines(of, count));
  derived_.resize(lines);
  off_.resize(static_cast<std::size_t>(of.sizes.ny));
  const double least_unit = *std::min_element(units_.begin(), units_.end());
  bool accurate_enough = true;
  for (int i = 0; i < of.sizes.ny; ++i) {
    accurate_enough = derive_row(i, from.g(i) + begin, lines) && accurate_enough;
    off_[static_cast<std::size_t>(i)] /= power_of(least_unit);
    for (std::size_t l = 0; l < lines; ++l) {
      const int p = static_cast<int>(l) % count, column = static_cast<int>(l) / count;
      out[(i + column * of.sizes.ny) * count + p] =
          derived_[l] / power_of(units_[static_cast<std::size_t>(p)]);
    }
  }
  return accurate_enough;
}

/// Of row i on all lines, in their units. What they may be off by is a part of the largest of them.
bool LineStencils::derive_row(int i, const double* g, std::size_t lines) {
  const bool second = what_ == Ask::curvature;
  const double d = sides_ == 2 ? wide_step : fine_step;
  double& size = size_[static_cast<std::size_t>(i)];
  for (std::size_t l = 0; l < static_cast<std::size_t>(values()) * lines; ++l) {
    size = std::max(size, std::abs(g[l]));
  }
  double largest = 0, most_off = 0, off_by_two = 0;
  for (std::size_t l = 0; l < lines; ++l) {
    Along along;
    for (int k = 0; k < sides_; ++k) {
      const std::size_t right = static_cast<std::size_t>(2 * k) + (second ? 1 : 0);
      const double above = g[right * lines + l], below = g[(right + 1) * lines + l];
      along.of[static_cast<std::size_t>(k)] = second ? above + below : above - below;
    }
    if (second) along.middle = g[l];
    const auto [value, off] = sides_ == 2 ? of_two(along, second, d) : of_four(along, second, d);
    derived_[l] = value;
    largest = std::max(largest, std::abs(value));
    most_off = larger(most_off, off);
    if (sides_ == 2) continue;
    const Along wide{{along.of[1], along.of[3]}, along.middle};
    off_by_two = std::max(off_by_two, of_two(wide, second, wide_step).off);
  }
  const double rounding = rounding_of(size, second, d);
  rounding_[static_cast<std::size_t>(i)] = rounding / power_of(scale_);
  part_off_ = std::max(part_off_, largest > rounding ? larger(rounding, most_off) / largest
                                                     : rounding / (power_of(scale_) * least_part_));
  quadratic_ = quadratic_ &&
               off_by_two <= std::max(rounding_of(size, second, wide_step), accurate * largest);
  off_[static_cast<std::size_t>(i)] = larger(most_off, rounding);
  // Terms may be larger than g has been seen, but waves are no rounding of any.
  constexpr double most_rounding = 1e-6;
  may_be_rounding_ = may_be_rounding_ && most_off * (second ? d * d : d) <= most_rounding * size;
  return most_off <= std::max(rounding, accurate * largest);
}

}  // namespace daewave
