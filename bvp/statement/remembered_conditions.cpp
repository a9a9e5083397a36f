#include "bvp/statement/remembered_conditions.hpp"

#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "bvp/statement/difference_moves.hpp"
#include "bvp/statement/forward_differences.hpp"

namespace daewave::bvp {
namespace {

/// What a linear one may be off by, of its terms: slopes are known to half of the digits.
constexpr double foreseen_to = 1e-6;
/// An entry that was moved so many times, each further, without any change of a condition, does not
/// occur in it.
constexpr int enough_moves = 2;

class Remembered {
 public:
  explicit Remembered(Conditions conditions) : conditions_(std::move(conditions)) {}

  VecX operator()(const VecX& left, const VecX& right) {
    VecX x(left.size() + right.size());
    x << left, right;
    const DifferenceMoves::Move move = moves_.look(x);
    if (move.entry == DifferenceMoves::none) return value_;
    if (move.entry >= 0) {
      const int moved = move.entry;
      if (linear_ || does_not_occur(moved) || (move.goes_on && is_known(moved))) {
        return value_ + move.by * slope_.col(moved);
      }
      const VecX value = conditions_(left, right);
      take_column(moved, move.by, value);
      return value;
    }
    const VecX value = conditions_(left, right);
    if (x.size() == moves_.from().size() && value.size() == value_.size())
      look_whether_linear(x, value);
    start(x, value);
    return value;
  }

 private:
  void start(const VecX& x, const VecX& value) {
    moves_.start(x);
    value_ = value;
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
    const VecX& at = moves_.from();
    const VecX foreseen = value_ + slope_ * (x - at);
    const VecX size = value_.cwiseAbs() + slope_.cwiseAbs() * (x.cwiseAbs() + at.cwiseAbs());
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
  DifferenceMoves moves_;
  VecX value_;         ///< At the state from which they go.
  MatX slope_, seen_;  ///< By row and entry; seen_ is 1 where a slope is more than rounding.
  std::vector<bool> has_column_;
  Eigen::MatrixXi moves_without_change_;  ///< By row and entry.
};

}  // namespace

Conditions remembered(Conditions conditions) {
  auto all = std::make_shared<Remembered>(std::move(conditions));
  return [all](const VecX& left, const VecX& right) { return (*all)(left, right); };
}

}  // namespace daewave::bvp
