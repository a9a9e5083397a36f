#pragma once
// Random linear DAEs of any size, to time what the library does to coefficients rather than their
// evaluation: constant ones cost a copy, moving ones n^2 multiplications and one sine.

#include <cmath>

#include "core/problem/boundary.hpp"
#include "core/types.hpp"

namespace daewave::bench {

/// x' = (A + a(t) I) x - (B0 + a(t) B1) y + q,  0 = (C0 + a(t) C1) x + r,  a = sin(t)/10 or zero.
template <int nx, int ny, bool moving>
struct RandomDae {
  Mat<nx, nx> A0 = entries<nx, nx>(1), A1 = entries<nx, nx>(2);
  Mat<nx, ny> B0 = Mat<nx, ny>::Identity() + entries<nx, ny>(3), B1 = entries<nx, ny>(4);
  Mat<ny, nx> C0 = Mat<ny, nx>::Identity() + entries<ny, nx>(5), C1 = entries<ny, nx>(6);

  Interval interval() const { return {0, 10}; }

  struct Coefficients {
    Mat<nx, nx> A;
    Mat<nx, ny> B;
    Vec<nx> q;
    Mat<ny, nx> C;
    Vec<ny> r;
  };

  Coefficients coefficients(double t) const {
    if constexpr (!moving) return {A0, B0, Vec<nx>::Ones(), C0, Vec<ny>::Ones()};
    const double a = 0.1 * std::sin(t);
    return {A0 + a * A1, B0 + a * B1, Vec<nx>::Constant(a), C0 + a * C1, Vec<ny>::Constant(a)};
  }

  Mat<nx, nx> A(double t) const { return coefficients(t).A; }
  Mat<nx, ny> B(double t) const { return coefficients(t).B; }
  Vec<nx> q(double t) const { return coefficients(t).q; }
  Mat<ny, nx> C(double t) const { return moving ? C0 + 0.1 * std::sin(t) * C1 : C0; }
  Vec<ny> r(double t) const { return Vec<ny>::Constant(moving ? 0.1 * std::sin(t) : 1.0); }

  Boundary boundary() const {
    Boundary boundary{MatX::Zero(nx - ny, nx), MatX::Zero(nx - ny, nx), VecX::Zero(nx - ny)};
    boundary.B0.rightCols(nx - ny).setIdentity();
    return boundary;
  }

 private:
  /// Numbers without pattern in [-0.2, 0.2], the same on every machine.
  template <int rows, int columns>
  static Mat<rows, columns> entries(int seed) {
    Mat<rows, columns> all;
    double value = 0.1 * seed;
    for (int i = 0; i < rows * columns; ++i) {
      value = std::fmod(97.0 * value + 0.31, 1.0);
      all(i % rows, i / rows) = 0.4 * value - 0.2;
    }
    return all;
  }
};

}  // namespace daewave::bench
