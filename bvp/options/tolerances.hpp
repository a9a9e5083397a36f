#pragma once
// How large errors of single components may be, where one tolerance for all does not say it:
//
//   |error of x_j| <= absolute_j + relative_j max |x_j|,   max over the interval,
//
// and the same for what is carried. A plain tolerance is both for every component.
//
//   bvp::solve(reactor, {.tolerance = 1e-6, .tolerances = {.absolute = VecX{{1e-6, 1e-13}}}});

#include <string>

#include "bvp/curve/component_sizes.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

/// One number for all components, or one for each.
class OfComponents {
 public:
  OfComponents() = default;
  OfComponents(double all) : values_(VecX::Constant(1, all)) {}
  template <class Derived>
  OfComponents(const Eigen::MatrixBase<Derived>& each) : values_(each), is_each_(true) {}

  bool is_open() const { return !is_each_ && values_.size() == 0; }
  /// Whether there is one for each, and how many.
  bool is_each() const { return is_each_; }
  const VecX& values() const { return values_; }

 private:
  VecX values_{};
  bool is_each_ = false;
};

/// What is left open is Options::tolerance, or 1e-6.
struct Tolerances {
  OfComponents relative{};  ///< Of x, >= 0 and < 1; those above 0 >= 1e-14.
  /// Of x, > 0. Infinite: errors of the component do not matter but for what they do to others.
  OfComponents absolute{};
  /// The same of what is carried: y, B y, or w of index 1.
  OfComponents carried_relative{}, carried_absolute{};

  bool is_open() const {
    return relative.is_open() && absolute.is_open() && carried_relative.is_open() &&
           carried_absolute.is_open();
  }
};

/// All that are given times a factor >= 1, relative ones to 0.1 at the most.
Tolerances loosened(const Tolerances& tolerances, double factor);

/// @throws InvalidOption naming what is out of range.
void check(const Tolerances& tolerances);

/// The number that errors in units of the sizes are compared with: the strictest relative one.
/// @param open  in place of what is left open.
double unit_of(const Tolerances& tolerances, double open);

/// The sizes of errors to go with that unit. @param carried  entries of what is carried.
/// @throws InvalidOption for another number of components, and of what is carried where nothing is.
SolutionSizes sizes_of(const Tolerances& tolerances, double open, int nx, int carried);

/// "relative 1e-06, absolute (1e-06, 1e-13)", for reports.
std::string text_of(const Tolerances& tolerances, double open);

}  // namespace daewave::bvp
