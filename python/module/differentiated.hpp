#pragma once
// Conditions whose derivatives are known. Newton's method takes differences of conditions; where a
// state is moved for one, conditions are what the derivatives say.

#include <functional>
#include <utility>

#include "bvp/statement/difference_moves.hpp"

namespace daewave::python {

class Differentiated {
 public:
  using Conditions = std::function<VecX(const VecX& left, const VecX& right)>;
  using Slopes = std::function<MatX(const VecX& left, const VecX& right)>;

  /// @param slopes  by the states of both ends, side by side.
  Differentiated(Conditions conditions, Slopes slopes)
      : conditions_(std::move(conditions)), slopes_(std::move(slopes)) {}

  VecX operator()(const VecX& left, const VecX& right) {
    VecX x(left.size() + right.size());
    x << left, right;
    const auto move = moves_.look(x);
    if (move.entry == bvp::DifferenceMoves::none) return value_;
    if (move.entry >= 0 && move.is_difference) {
      if (slope_.size() == 0) {
        const VecX& from = moves_.from();
        slope_ = slopes_(from.head(left.size()), from.tail(right.size()));
      }
      return value_ + move.by * slope_.col(move.entry);
    }
    value_ = conditions_(left, right);
    moves_.start(x);
    slope_.resize(0, 0);
    return value_;
  }

 private:
  Conditions conditions_;
  Slopes slopes_;
  bvp::DifferenceMoves moves_;
  VecX value_;  ///< At the state from which they go.
  MatX slope_;
};

}  // namespace daewave::python
