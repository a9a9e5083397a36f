#pragma once
// What errors of a solution are measured by.

#include <utility>

#include "core/types.hpp"

namespace daewave::bvp {

/// 1 + the largest absolute value of each row.
inline VecX component_sizes(const MatX& values) {
  VecX sizes = VecX::Ones(values.rows());
  if (values.cols() > 0) sizes += values.cwiseAbs().rowwise().maxCoeff();
  return sizes;
}

/// Whether some are small beside 1 and beside others: errors that are small in units of 1 + their
/// largest may make large ones of others, and such units tell nothing of how rows compare.
inline bool has_small_components(const MatX& values) {
  constexpr double small = 1e-2, negligible = 1e-20;
  if (values.size() == 0) return false;
  const VecX largest = values.cwiseAbs().rowwise().maxCoeff();
  const double most = largest.maxCoeff();
  for (const double size : largest) {
    if (size < small * (most < 1 ? most : 1) && size > negligible * most) return true;
  }
  return false;
}

/// Sizes S_j in units of which errors of components are compared with one tolerance:
///
///   S_j = 1 + max |x_j|,   or   absolute_j + relative_j max |x_j|
///
/// where there are tolerances of components, over the one that they are compared with. Infinite
/// where errors of a component do not matter.
class ComponentSizes {
 public:
  ComponentSizes() = default;  ///< The former.
  ComponentSizes(VecX absolute, VecX relative)
      : absolute_(std::move(absolute)), relative_(std::move(relative)) {}

  bool are_given() const { return absolute_.size() > 0; }
  const VecX& absolute() const { return absolute_; }
  const VecX& relative() const { return relative_; }

  /// Of the rows of `values`.
  VecX of(const MatX& values) const {
    if (!are_given()) return component_sizes(values);
    return absolute_ + relative_.cwiseProduct(largest(values));
  }
  /// The same, 1 + the largest where it would be infinite: of what must be a number.
  VecX finite(const MatX& values) const {
    if (!are_given()) return component_sizes(values);
    const VecX sizes = of(values);
    return sizes.array().isFinite().select(sizes, component_sizes(values));
  }
  /// What counts as a small part of a component where its derivatives are asked for: its own size,
  /// whatever errors are allowed.
  VecX moved(const MatX& values) const {
    if (!are_given()) return component_sizes(values);
    const VecX most = largest(values);
    return (most.array() > 0).select(most, finite(values));
  }

 private:
  static VecX largest(const MatX& values) {
    return values.cols() > 0 ? VecX(values.cwiseAbs().rowwise().maxCoeff())
                             : VecX(VecX::Zero(values.rows()));
  }

  VecX absolute_{}, relative_{};
};

/// Whether it has to be found what residuals of one row do to other components: where sizes are
/// alike and what solves the problem is too, the size of its own component is measure enough.
inline bool are_uneven(const ComponentSizes& sizes, const MatX& largest) {
  return sizes.are_given() || has_small_components(largest);
}

/// Of x, and of what is carried.
struct SolutionSizes {
  ComponentSizes x{}, carried{};
  bool are_given() const { return x.are_given(); }
};

}  // namespace daewave::bvp
