#pragma once
// Which of several steps a difference is best taken at: entry by entry, that whose result agrees
// best with the one of the step before it. Large steps do not see narrow features, small ones are
// rounding; smaller ones are tried as long as rounding does not forbid a better agreement, longer
// ones where all of these are rounding.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <vector>

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

/// What the terms of f make of a difference, of which its rounding is a part: as much as the
/// longest step found, or far less where one that is shorter does not reach what that met.
template <class Values>
class SizeOfTerms {
 public:
  explicit SizeOfTerms(const Values& first) : size_(first.cwiseAbs()) {
    for (Eigen::Index i = 0; i < size_.size(); ++i) {
      if (!std::isfinite(size_.data()[i])) size_.data()[i] = 0;
    }
  }
  void see(const Values& result) {
    constexpr double far_less = 1e-3;
    for (Eigen::Index i = 0; i < size_.size(); ++i) {
      const double size = std::abs(result.data()[i]);
      if (size < far_less * size_.data()[i]) size_.data()[i] = size;
    }
  }
  const Values& size() const { return size_; }

 private:
  Values size_;
};

/// One entry, at one step after the other.
///
/// Two steps may agree by chance, as where both pass over a fast wave, or where both are rounding:
/// how well a step agrees with the one before it counts no more than an eighth of how the next one
/// agrees with it allows. Rounding lets that grow by four, and a step that sees the function makes
/// it smaller. And where one step after the other agrees better by as much as they do that see a
/// smooth function, or several in turn agree far better than the worst before them, what agreed
/// before had passed over it: noise becomes larger with every step.
class AgreeingEntry {
 public:
  AgreeingEntry() = default;
  explicit AgreeingEntry(double first) : best_(first), last_(first) {}

  /// @param is_seen  whether the step sees the function. @return whether it agrees better than all
  ///                 before, or none has agreed yet.
  bool see(double result, bool is_seen) {
    const double gap = std::abs(result - last_);
    if (seen_ == 0) first_gap_ = gap;
    if (seen_ > 0 && seen_ <= next_ones) next_gap_ = std::max(next_gap_, gap);
    const double agreed = std::max(open_, gap / 8);
    settle(agreed);
    leave_for_plateau(agreed, gap);
    // No step of these orders makes it so much smaller than the one before.
    constexpr double most_gained = 5000;
    is_chance_ = most_gained * gap < last_gap_;
    open_ = is_seen && !is_flat(result) ? std::max(gap, last_gap_ / most_gained) : infinite;
    leave_what_was_passed(gap);
    most_gap_ = std::max(most_gap_, gap);
    last_gap_ = gap;
    last_ = result;
    ++seen_;
    return open_ < gap_ || gap_ == infinite;
  }

  double best() const { return is_last() ? last_ : best_; }
  /// What the best one agrees to.
  double gap() const { return std::min(gap_, open_); }
  /// Of the largest step, where that is rounding: it grows as steps become smaller, and chance may
  /// have made little of the first gap.
  double noise() const {
    constexpr double most_growth = 64;  // Of the next ones.
    return std::max(first_gap_, next_gap_ / most_growth);
  }

  /// Whether it is off by more than `enough`, and by more where steps are next smaller; and no step
  /// yet smaller sees what these are too long for.
  bool is_rounding(double enough) const {
    constexpr double resolved = 1e-3;
    const double before = is_last() ? most_gap_ : most_before_;
    // In noise that grows, one step or two may agree by chance.
    constexpr int by_chance = 1;
    constexpr double far_less = 1e-2;
    const bool is_converging = longest_run_ > by_chance ||
                               (longest_run_ > 0 && gap() < far_less * noise()) || was_plateau_;
    const bool is_resolved = gap() < resolved * before && is_converging;
    return noise() > enough && next_gap_ > first_gap_ && !is_resolved;
  }
  /// Whether a step at which it is off by that much, by rounding alone, may be better; or the last
  /// one says something else altogether than the best, which rounding does not explain.
  bool may_improve(double rounding) const {
    return !(gap() <= rounding) || (is_chance_ && is_last()) || is_contradicted(rounding);
  }
  void take(double result) {
    best_ = result;
    open_ = infinite;
  }

  static constexpr double better = 0.25;  ///< By less two steps may agree by chance.

 private:
  bool is_last() const { return open_ < better * gap_; }
  /// Steps so small that all values are one see nothing where longer ones see a slope.
  bool is_flat(double result) const {
    constexpr double agreed = 0.1;
    return result == 0 && gap_ <= agreed * std::abs(best_);
  }
  /// By a run of steps that converge.
  void leave_what_was_passed(double gap) {
    constexpr int enough = 3;
    constexpr double falls_by = 16;
    run_ = falls_by * gap < last_gap_ && std::isfinite(open_) ? run_ + 1 : 0;
    // Not where rounding has left the same of two steps.
    if (gap > 0) longest_run_ = std::max(longest_run_, run_);
    if (run_ >= enough && best_at_ < seen_ - run_) gap_ = infinite;
  }
  /// Of steps that see what others have passed over, which may have agreed better by chance or as
  /// the waves that they passed over are small.
  void leave_for_plateau(double agreed, double gap) {
    constexpr double far_less = 1e-2;
    // Not where rounding has left the same of two steps.
    if (!(gap > 0 && gap < far_less * most_gap_)) {
      plateau_ = Plateau();
      return;
    }
    ++plateau_.steps;
    if (agreed < better * plateau_.gap) {
      plateau_.gap = agreed;
      plateau_.best = last_;
    }
    constexpr int enough = 3;  // Of noise one or two may agree so by chance.
    if (plateau_.steps < enough) return;
    was_plateau_ = true;
    if (best_at_ >= seen_ - plateau_.steps || plateau_.gap == infinite) return;
    gap_ = plateau_.gap;
    best_ = plateau_.best;
    best_at_ = seen_ - 1;
    most_before_ = most_gap_;
  }
  /// The last step is known by the one that follows it.
  void settle(double gap) {
    if (!(gap < better * gap_)) return;
    gap_ = gap;
    best_ = last_;
    best_at_ = seen_ - 1;
    most_before_ = most_gap_;
  }
  bool is_contradicted(double rounding) const {
    constexpr double explained = 16, alike = 0.01;
    const double apart = std::abs(last_ - best_);
    return !is_last() && apart > explained * std::max(rounding, gap_) &&
           apart > alike * std::max(std::abs(last_), std::abs(best_));
  }

  static constexpr double infinite = std::numeric_limits<double>::infinity();
  /// Steps in turn whose gaps are far smaller than the largest before them, and the best of them.
  struct Plateau {
    int steps = 0;
    double gap = infinite, best = 0;
  };
  static constexpr int next_ones = 3;  ///< Of one alone, chance may make little.
  int seen_ = 0, run_ = 0;             ///< Steps; those in turn that converge by now.
  bool is_chance_ = false;             ///< That the last two agree.
  int longest_run_ = 0;
  int best_at_ = 0;  ///< The number of the best.
  double best_ = 0, last_ = 0;
  /// What the best one agrees to; and the last one, which nothing has followed yet.
  double gap_ = infinite, open_ = infinite;
  double first_gap_ = 0, next_gap_ = 0, last_gap_ = 0;
  double most_gap_ = 0, most_before_ = 0;  ///< So far; before the best.
  Plateau plateau_;
  bool was_plateau_ = false;
};

template <class Values>
class AgreeingSteps {
 public:
  /// @param first  the result of the largest step.
  explicit AgreeingSteps(const Values& first) : best_(first) {
    if constexpr (!is_bounded) entries_.resize(static_cast<std::size_t>(first.size()));
    for (Eigen::Index i = 0; i < first.size(); ++i) entry(i) = AgreeingEntry(first.data()[i]);
  }

  /// @param is_seen  tells of an entry whether the step sees the function.
  /// @return whether an entry agrees better than before.
  template <class IsSeen>
  bool see(const Values& result, IsSeen is_seen) {
    bool is_better = false;
    for (Eigen::Index i = 0; i < result.size(); ++i) {
      is_better = entry(i).see(result.data()[i], is_seen(i)) || is_better;
    }
    return is_better;
  }

  /// Whether any is rounding: see AgreeingEntry.
  bool is_rounding(const Values& enough) const {
    for (Eigen::Index i = 0; i < enough.size(); ++i) {
      if (entry(i).is_rounding(enough.data()[i])) return true;
    }
    return false;
  }

  /// Of the entries that are rounding those which agree better at longer steps.
  void take_of_rounding(const AgreeingSteps& longer, const Values& enough) {
    for (Eigen::Index i = 0; i < enough.size(); ++i) {
      const AgreeingEntry& other = longer.entry(i);
      if (!entry(i).is_rounding(enough.data()[i])) continue;
      if (!(other.gap() < AgreeingEntry::better * entry(i).noise())) continue;
      entry(i).take(other.best());
    }
  }

  /// All entries to the last bit, as where f does not depend on what is moved.
  bool are_the_same() const {
    for (Eigen::Index i = 0; i < best_.size(); ++i) {
      if (entry(i).gap() != 0) return false;
    }
    return true;
  }

  bool may_improve(const Values& rounding) const {
    for (Eigen::Index i = 0; i < rounding.size(); ++i) {
      if (entry(i).may_improve(rounding.data()[i])) return true;
    }
    return false;
  }

  const Values& best() {
    for (Eigen::Index i = 0; i < best_.size(); ++i) best_.data()[i] = entry(i).best();
    return best_;
  }

 private:
  static constexpr int most = Values::MaxSizeAtCompileTime;
  static constexpr bool is_bounded = most != Eigen::Dynamic;
  using Entries = std::conditional_t<is_bounded, std::array<AgreeingEntry, is_bounded ? most : 1>,
                                     std::vector<AgreeingEntry>>;

  AgreeingEntry& entry(Eigen::Index i) { return entries_[static_cast<std::size_t>(i)]; }
  const AgreeingEntry& entry(Eigen::Index i) const { return entries_[static_cast<std::size_t>(i)]; }

  Values best_;
  Entries entries_;
};

}  // namespace daewave::detail
