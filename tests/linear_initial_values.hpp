#pragma once
// Initial value problems for the tests: those of the catalogue with their conditions at the begin.

#include <cmath>
#include <string>

#include "problems/al1.hpp"
#include "problems/lin.hpp"

/// [AL1] Example 2: Example 1 from x(0) = (1, 0).
struct Al1Example2 : daewave::problems::Al1Example1 {
  std::string name() const { return "al1-example2"; }
  daewave::Boundary boundary() const {
    return daewave::initial_conditions(daewave::MatX{{0, 1}}, daewave::VecX::Zero(1));
  }
};

/// Lin with x1, x2, x3 given at 0. One mode grows like e^t.
struct LinFromLeft : daewave::problems::Lin {
  daewave::Boundary boundary() const {
    return daewave::initial_conditions(daewave::MatX::Identity(3, 4), x_exact(0).head(3));
  }
};

/// LinBlocks in the same way.
struct LinBlocksFromLeft : daewave::problems::LinBlocks {
  daewave::Boundary boundary() const {
    daewave::MatX B0 = daewave::MatX::Zero(3 * blocks, 4 * blocks);
    daewave::VecX beta(3 * blocks);
    for (int j = 0; j < blocks; ++j) {
      // The direction beside C = (0, 0, -s, c), so that they are independent at any phase.
      B0(3 * j, 4 * j) = B0(3 * j + 1, 4 * j + 1) = 1;
      B0(3 * j + 2, 4 * j + 2) = std::cos(0.2 * j);
      B0(3 * j + 2, 4 * j + 3) = std::sin(0.2 * j);
    }
    beta = B0 * x_exact(0);
    return daewave::initial_conditions(B0, beta);
  }
};

/// x' = -x - B y + q held on the turning line c x1 + s x2 = 1, c = cos t, s = sin t, for any length
/// of time: x = (c, s), y = sin 3t, B = C^T.
struct Turning {
  double t_end = 10;

  daewave::Interval interval() const { return {0, t_end}; }
  daewave::Mat<2, 2> A(double) const { return -daewave::Mat<2, 2>::Identity(); }
  daewave::Vec<2> B(double t) const { return {std::cos(t), std::sin(t)}; }
  daewave::Vec<2> q(double t) const {
    return daewave::Vec<2>{-std::sin(t), std::cos(t)} + x_exact(t) + B(t) * std::sin(3 * t);
  }
  daewave::Mat<1, 2> C(double t) const { return {std::cos(t), std::sin(t)}; }
  daewave::Vec<1> r(double) const { return daewave::Vec<1>{-1}; }
  daewave::Mat<1, 2> C_t(double t) const { return {-std::sin(t), std::cos(t)}; }
  daewave::Vec<1> r_t(double) const { return daewave::Vec<1>{0}; }
  daewave::Boundary boundary() const {
    return daewave::initial_conditions(daewave::MatX{{0, 1}}, daewave::VecX::Zero(1));
  }
  daewave::Vec<2> x_exact(double t) const { return {std::cos(t), std::sin(t)}; }
  daewave::Vec<2> By_exact(double t) const { return B(t) * std::sin(3 * t); }
};
