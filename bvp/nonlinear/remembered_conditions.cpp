#include "bvp/nonlinear/remembered_conditions.hpp"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "bvp/nonlinear/forward_differences.hpp"

namespace daewave::bvp {
namespace {

/// What a linear one may be off by, of its terms: slopes are known to half of the digits.
constexpr double foreseen_to = 1e-6;
/// An entry that was moved so many times, each further, without any change of a condition, does not
/// occur in it.
constexpr int enough_moves = 2;
/// By how much further who takes differences moves an entry again, where one was lost in rounding
/// (bvp/nonlinear/forward_differences.hpp).
constexpr double least_further = 0.99e4, most_further = 1.01e4;
/// At first differences move an entry by no more than that, of 1 + its size.
constexpr double little = 1e-6;

class Remembered {
 public:
  explicit Remembered(Conditions conditions) : conditions_(std::move(conditions)) {}

  VecX operator()(const VecX& left, const VecX& right) {
    VecX x(left.size() + right.size());
    x << left, right;
    const int moved = entry_moved(x);
    if (moved == none) {
      last_moved_ = none;
      return value_;
    }
    if (moved >= 0) {
      const double by = x[moved] - at_[moved];
      const bool goes_on = goes_on_with_difference(moved, by);
      if (linear_ || does_not_occur(moved) || (goes_on && is_known(moved))) {
        return value_ + by * slope_.col(moved);
      }
      const VecX value = conditions_(left, right);
      take_column(moved, by, value);
      return value;
    }
    const VecX value = conditions_(left, right);
    if (x.size() == at_.size() && value.size() == value_.size()) look_whether_linear(x, value);
    start(x, value);
    return value;
  }

 private:
  static constexpr int several = -1, none = -2;

  /// The entry in which x is not where the last value is of.
  int entry_moved(const VecX& x) const {
    if (x.size() != at_.size()) return several;
    int moved = none;
    for (int i = 0; i < x.size(); ++i) {
      if (x[i] == at_[i]) continue;
      if (moved >= 0) return several;
      moved = i;
    }
    return moved;
  }

  /// Whether a difference of that entry was taken just now, and it is moved further for it. Any
  /// other move may be to a state that is wanted.
  bool goes_on_with_difference(int moved, double by) {
    const double further = moved == last_moved_ ? by / last_by_ : 0;
    const bool goes_on = further > least_further && further < most_further;
    const bool is_difference = goes_on || std::abs(by) <= little * (1 + std::abs(at_[moved]));
    last_moved_ = is_difference ? moved : none;
    last_by_ = by;
    return goes_on;
  }

  void start(const VecX& x, const VecX& value) {
    at_ = x;
    value_ = value;
    last_moved_ = none;
    if (linear_) return;
    slope_.setZero(value.size(), x.size());
    seen_.setZero(value.size(), x.size());
    moves_without_change_.setZero(value.size(), x.size());
    has_column_.assign(static_cast<std::size_t>(x.size()), false);
  }

  void take_column(int moved, double by, const VecX& value) {
    if (value.size() != value_.size()) return;  // Who asked will refuse it.
    has_column_[moved] = true;
    // Of the shortest move that is seen: where they are curved, long ones tell nothing.
    for (int i = 0; i < value.size(); ++i) {
      if (seen_(i, moved) != 0) continue;
      slope_(i, moved) = (value[i] - value_[i]) / by;
      if (exceeds_rounding(value[i] - value_[i], value_[i])) seen_(i, moved) = 1;
    }
    for (int i = 0; i < value.size(); ++i) {
      if (value[i] == value_[i]) ++moves_without_change_(i, moved);
    }
  }

  bool does_not_occur(int moved) const {
    return (moves_without_change_.col(moved).array() >= enough_moves).all();
  }

  /// Of each condition the slope, or that the entry does not occur in it: who moves it further
  /// wants those that are neither.
  bool is_known(int moved) const {
    for (int i = 0; i < value_.size(); ++i) {
      if (seen_(i, moved) == 0 && moves_without_change_(i, moved) < enough_moves) return false;
    }
    return true;
  }

  /// A state of its own: are conditions what they would be, were they linear?
  void look_whether_linear(const VecX& x, const VecX& value) {
    for (const bool has : has_column_) {
      if (!has) return;
    }
    const VecX foreseen = value_ + slope_ * (x - at_);
    const VecX size = value_.cwiseAbs() + slope_.cwiseAbs() * (x.cwiseAbs() + at_.cwiseAbs());
    linear_ = !never_again_;
    for (int i = 0; i < value.size(); ++i) {
      const bool is_foreseen = std::abs(value[i] - foreseen[i]) <= foreseen_to * size[i];
      if (is_foreseen && std::isfinite(size[i])) continue;
      linear_ = false;
      never_again_ = true;
    }
  }

  Conditions conditions_;
  bool linear_ = false, never_again_ = false;
  VecX at_, value_;
  MatX slope_, seen_;  ///< By row and entry; seen_ is 1 where a slope is more than rounding.
  std::vector<bool> has_column_;
  Eigen::MatrixXi moves_without_change_;  ///< By row and entry.
  int last_moved_ = none;
  double last_by_ = 0;
};

}  // namespace

Conditions remembered(Conditions conditions) {
  auto all = std::make_shared<Remembered>(std::move(conditions));
  return [all](const VecX& left, const VecX& right) { return (*all)(left, right); };
}

}  // namespace daewave::bvp
