#pragma once
// Which of several steps a difference is best taken at: entry by entry, that whose result agrees
// best with the one of the step before it. Large steps do not see narrow features, small ones are
// rounding; smaller ones are tried as long as rounding does not forbid a better agreement, longer
// ones where all of these are rounding.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/eigen_memory.hpp"

namespace daewave::detail {

/// Values of a function at a point and around it, at distances d and 2 d.
template <class Values>
struct FivePoints {
  Values far_left, left, middle, right, far_right;

  Values first(double d) const { return (far_left - far_right + 8 * (right - left)) / (12 * d); }
  Values second(double d) const {
    return (16 * (right + left) - (far_right + far_left) - 30 * middle) / (12 * d * d);
  }
  /// Whether the others foresee the middle, as they do where the function is smooth: two steps that
  /// pass over a narrow feature agree on what is not there.
  bool foresees_middle(Eigen::Index i) const {
    const double at = middle.data()[i];
    const double foreseen =
        (4 * (left.data()[i] + right.data()[i]) - (far_left.data()[i] + far_right.data()[i])) / 6;
    const double most =
        std::max({std::abs(far_left.data()[i] - at), std::abs(left.data()[i] - at),
                  std::abs(right.data()[i] - at), std::abs(far_right.data()[i] - at)});
    constexpr double part = 0.02, rounding = 16 * std::numeric_limits<double>::epsilon();
    return std::abs(foreseen - at) <= part * most + rounding * std::abs(at);
  }
};

/// Two steps may agree by chance, as where both pass over a fast wave, or where both are rounding:
/// how well a step agrees with the one before it counts no more than an eighth of how the next one
/// agrees with it allows. Rounding lets that grow by four, and a step that sees the function makes
/// it smaller. And where one step after the other agrees better by as much as they do that see a
/// smooth function, what agreed before had passed over it.
template <class Values>
class AgreeingSteps {
 public:
  /// @param first  the result of the largest step.
  explicit AgreeingSteps(const Values& first)
      : best_(first),
        before_(first),
        first_gap_(Values::Zero(first.rows(), first.cols())),
        next_gap_(first_gap_),
        last_gap_(first_gap_),
        run_(first_gap_),
        best_at_(first_gap_),
        most_gap_(first_gap_),
        most_before_(first_gap_),
        gap_(Values::Constant(first.rows(), first.cols(), infinite)),
        open_(gap_) {}

  /// @param is_seen  tells of an entry whether the step sees the function.
  /// @return whether an entry agrees better than before.
  template <class IsSeen>
  bool see(const Values& result, IsSeen is_seen) {
    bool is_better = false;
    for (Eigen::Index i = 0; i < result.size(); ++i) {
      const double gap = std::abs(result.data()[i] - before_.data()[i]);
      if (seen_ == 0) first_gap_.data()[i] = gap;
      if (seen_ > 0 && seen_ <= next_ones) {
        next_gap_.data()[i] = std::max(next_gap_.data()[i], gap);
      }
      settle(i, std::max(open_.data()[i], gap / 8));
      // No step of these orders makes it so much smaller than the one before.
      constexpr double most_gained = 5000;
      open_.data()[i] = is_seen(i) && !is_flat(i, result.data()[i])
                            ? std::max(gap, last_gap_.data()[i] / most_gained)
                            : infinite;
      follow(i, gap);
      is_better = is_better || open_.data()[i] < gap_.data()[i];
      most_gap_.data()[i] = std::max(most_gap_.data()[i], gap);
      last_gap_.data()[i] = gap;
    }
    before_ = result;
    ++seen_;
    return is_better;
  }

  /// Whether an entry is off by more than `enough`, and by more where steps are next smaller; and
  /// no step yet smaller sees what these are too long for.
  bool is_rounding(const Values& enough) const {
    for (Eigen::Index i = 0; i < enough.size(); ++i) {
      if (is_rounding(i, enough)) return true;
    }
    return false;
  }

  /// Of the entries that are rounding those which agree better at longer steps.
  void take_of_rounding(const AgreeingSteps& longer, const Values& enough) {
    const Values best = longer.best();
    for (Eigen::Index i = 0; i < enough.size(); ++i) {
      if (!is_rounding(i, enough)) continue;
      if (!(longer.least_gap(i) < better * first_gap_.data()[i])) continue;
      best_.data()[i] = best.data()[i];
      open_.data()[i] = infinite;
    }
  }

  /// Whether a step at which entries are off by that much, by rounding alone, may be better; or the
  /// last one says something else altogether than the best, which rounding does not explain.
  bool may_improve(const Values& rounding) const {
    for (Eigen::Index i = 0; i < rounding.size(); ++i) {
      if (!(least_gap(i) <= rounding.data()[i]) || is_contradicted(i, rounding.data()[i])) {
        return true;
      }
    }
    return false;
  }

  Values best() const {
    Values best = best_;
    for (Eigen::Index i = 0; i < best.size(); ++i) {
      if (open_.data()[i] < better * gap_.data()[i]) best.data()[i] = before_.data()[i];
    }
    return best;
  }

 private:
  /// Steps so small that all values are one see nothing where longer ones see a slope.
  bool is_flat(Eigen::Index i, double result) const {
    constexpr double agreed = 0.1;
    return result == 0 && gap_.data()[i] <= agreed * std::abs(best_.data()[i]);
  }
  /// Leaves what agreed before a run of steps that converge.
  void follow(Eigen::Index i, double gap) {
    constexpr int enough = 3;
    constexpr double falls_by = 16;
    double& run = run_.data()[i];
    run = falls_by * gap < last_gap_.data()[i] && std::isfinite(open_.data()[i]) ? run + 1 : 0;
    if (run >= enough && best_at_.data()[i] < seen_ - run) gap_.data()[i] = infinite;
  }
  /// The step before is known by the one that follows it.
  void settle(Eigen::Index i, double gap) {
    if (!(gap < better * gap_.data()[i])) return;
    gap_.data()[i] = gap;
    best_.data()[i] = before_.data()[i];
    best_at_.data()[i] = seen_ - 1;
    most_before_.data()[i] = most_gap_.data()[i];
  }
  bool is_contradicted(Eigen::Index i, double rounding) const {
    constexpr double explained = 16, alike = 0.01;
    const double last = before_.data()[i], best = best_.data()[i];
    const double apart = std::abs(last - best);
    return !(open_.data()[i] < better * gap_.data()[i]) &&
           apart > explained * std::max(rounding, gap_.data()[i]) &&
           apart > alike * std::max(std::abs(last), std::abs(best));
  }
  double least_gap(Eigen::Index i) const { return std::min(gap_.data()[i], open_.data()[i]); }
  bool is_rounding(Eigen::Index i, const Values& enough) const {
    const double first = first_gap_.data()[i];
    constexpr double resolved = 1e-3;
    return first > enough.data()[i] && next_gap_.data()[i] > first &&
           !(least_gap(i) < resolved * most_before_.data()[i]);
  }

  static constexpr double better = 0.25;  ///< By less two steps may agree by chance.
  static constexpr double infinite = std::numeric_limits<double>::infinity();
  static constexpr int next_ones = 2;  ///< Of one alone, chance may make little.
  int seen_ = 0;
  /// gap_ is that of best_; open_ that of the last step, before_, which nothing has followed yet.
  Values best_, before_, first_gap_, next_gap_, last_gap_;
  Values run_, best_at_;           ///< Steps that converge by now; the number of that of best_.
  Values most_gap_, most_before_;  ///< So far; before the step of best_.
  Values gap_, open_;
};

}  // namespace daewave::detail
