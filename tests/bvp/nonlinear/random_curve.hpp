#pragma once
// Known functions of time that solutions are made of: a sine and what is added to it, a peak, a
// front, layers, or what is not smooth at one time.

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/types.hpp"

namespace daewave::testing {

/// Templates on the scalar of t, for derivatives with respect to it.
struct RandomCurve {
  /// kink: its slope jumps; bend, twist: its second, its third derivative does.
  enum class Feature { none, peak, front, layer, end_layer, jump, kink, bend, twist };
  double amplitude = 0, frequency = 0, phase = 0;
  Feature feature = Feature::none;
  double at = 0, width = 1, height = 0;

  bool is_steep() const { return feature >= Feature::peak && feature <= Feature::end_layer; }
  bool is_rough() const { return feature >= Feature::jump; }

  template <class T>
  T value(const T& t) const {
    using std::exp, std::sin, std::tanh;
    const T smooth = amplitude * sin(frequency * t + phase), s = (t - at) / width;
    switch (feature) {
      case Feature::none:
        return smooth;
      case Feature::peak:
        return smooth + height * exp(-s * s);
      case Feature::front:
        return smooth + height * tanh(s);
      case Feature::layer:
        return smooth + height * exp(-s);
      case Feature::end_layer:
        return smooth + height * exp(s);
      default:
        return s < T(0) ? smooth : smooth + height * power(s, order());
    }
  }
  double slope(double t) const {
    const double smooth = amplitude * frequency * std::cos(frequency * t + phase);
    const double s = (t - at) / width, steep = height / width;
    switch (feature) {
      case Feature::none:
        return smooth;
      case Feature::peak:
        return smooth - 2 * s * steep * std::exp(-s * s);
      case Feature::front:
        return smooth + steep * (1 - std::tanh(s) * std::tanh(s));
      case Feature::layer:
        return smooth - steep * std::exp(-s);
      case Feature::end_layer:
        return smooth + steep * std::exp(s);
      default:
        return s < 0 || order() == 0 ? smooth : smooth + order() * steep * power(s, order() - 1);
    }
  }
  double second(double t) const {
    const double smooth = -amplitude * frequency * frequency * std::sin(frequency * t + phase);
    const double s = (t - at) / width, steep = height / (width * width);
    switch (feature) {
      case Feature::none:
        return smooth;
      case Feature::peak:
        return smooth + (4 * s * s - 2) * steep * std::exp(-s * s);
      case Feature::front:
        return smooth - 2 * std::tanh(s) * steep * (1 - std::tanh(s) * std::tanh(s));
      case Feature::layer:
        return smooth + steep * std::exp(-s);
      case Feature::end_layer:
        return smooth + steep * std::exp(s);
      default:
        return s < 0 || order() < 2
                   ? smooth
                   : smooth + order() * (order() - 1) * steep * power(s, order() - 2);
    }
  }

 private:
  /// Of the first derivative that jumps.
  int order() const { return static_cast<int>(feature) - static_cast<int>(Feature::jump); }
  template <class T>
  static T power(const T& s, int exponent) {
    T result(1);
    for (int i = 0; i < exponent; ++i) result = result * s;
    return result;
  }
};

template <class T>
VecOf<T, Dynamic> values_of(const std::vector<RandomCurve>& curves, const T& t) {
  VecOf<T, Dynamic> all(static_cast<Eigen::Index>(curves.size()));
  for (Eigen::Index i = 0; i < all.size(); ++i) {
    all[i] = curves[static_cast<std::size_t>(i)].value(t);
  }
  return all;
}
inline VecX slopes_of(const std::vector<RandomCurve>& curves, double t) {
  VecX all(static_cast<Eigen::Index>(curves.size()));
  for (Eigen::Index i = 0; i < all.size(); ++i) {
    all[i] = curves[static_cast<std::size_t>(i)].slope(t);
  }
  return all;
}
inline VecX seconds_of(const std::vector<RandomCurve>& curves, double t) {
  VecX all(static_cast<Eigen::Index>(curves.size()));
  for (Eigen::Index i = 0; i < all.size(); ++i) {
    all[i] = curves[static_cast<std::size_t>(i)].second(t);
  }
  return all;
}

}  // namespace daewave::testing
