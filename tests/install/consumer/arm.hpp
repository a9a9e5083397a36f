#pragma once
// The arm of lanes.cpp, and its lanes of each instruction set.

#include <cmath>
#include <daewave/problem.hpp>

struct Arm {
  using Position = daewave::Vec<2>;
  using Multiplier = daewave::Vec<1>;

  template <class T>
  daewave::MatOf<T, 2, 2> M(const daewave::VecOf<T, 2>& q) const {
    using std::cos;
    const T c = 0.5 * cos(q[0] - q[1]);
    daewave::MatOf<T, 2, 2> mass;
    mass << T(4.0 / 3), c, c, T(1.0 / 3);
    return mass;
  }
  template <class T>
  daewave::VecOf<T, 2> f(const daewave::VecOf<T, 2>& q, const daewave::VecOf<T, 2>& v, T) const {
    using std::cos, std::sin;
    const T s = 0.5 * sin(q[0] - q[1]);
    return {-s * v[1] * v[1] - 14.715 * cos(q[0]), s * v[0] * v[0] - 4.905 * cos(q[1])};
  }
  /// The height of the hand.
  template <class T>
  daewave::VecOf<T, 1> g(const daewave::VecOf<T, 2>& q, T) const {
    using std::sin;
    return daewave::VecOf<T, 1>(sin(q[0]) + sin(q[1]));
  }
};

using ArmWithDerivatives = daewave::WithAutodiff<Arm>;

daewave::StructLanes<ArmWithDerivatives> arm_lanes(daewave::Sse2);
daewave::StructLanes<ArmWithDerivatives> arm_lanes(daewave::Avx2);
daewave::StructLanes<ArmWithDerivatives> arm_lanes(daewave::Avx512);
