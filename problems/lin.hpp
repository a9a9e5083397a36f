#pragma once
// A long-horizon linear boundary value DAE with growing and decaying modes.

#include <cmath>
#include <string>

#include "core/problem/boundary.hpp"
#include "core/types.hpp"

namespace daewave::problems {

/// One block of 4 components and 1 multiplier; with M = (-1 2 0 .1; -2 -1 0 .2; 0 0 1 .3;
/// .5 .2 -.3 0) and Q(t) = I (+) a rotation of (x3, x4) by 0.2 t,
///
///   A = Q' Q^T + Q M Q^T,   B = (0.3, 0, -s, c)^T,   C = (0, 0, -s, c),   C B = 1,
///   x = (sin t, cos t, sin(2t + .3), cos(t/2)),   y = sin 1.5 t  with s = sin .2t, c = cos .2t.
///
/// Given x1, x2 at 0 (and the constraint there), c x3 + s x4 at the end. Two modes oscillate and
/// decay, one grows like e^t: single shooting is hopeless beyond an interval of about 30.
struct Lin {
  double t_end = 100;

  std::string name() const { return "lin"; }
  Interval interval() const { return {0, t_end}; }

  struct Coefficients {
    Mat<4, 4> A;
    Vec<4> B, q;
    Mat<1, 4> C, C_t;
    Vec<1> r, r_t;
  };

  Coefficients coefficients(double t) const {
    const double s = std::sin(0.2 * t), c = std::cos(0.2 * t);
    Coefficients all;
    all.A = rotated_matrix(s, c);
    all.B = Vec<4>{-0.3, 0, s, -c};  // Enters as - B y.
    all.C = Mat<1, 4>{0, 0, -s, c};
    all.C_t = Mat<1, 4>{0, 0, -0.2 * c, -0.2 * s};
    const Vec<4> x = x_exact(t), x_t = x_derivative(t);
    all.q = x_t - all.A * x + all.B * std::sin(1.5 * t);
    all.r = -all.C * x;
    all.r_t = -all.C_t * x - all.C * x_t;
    return all;
  }

  Mat<4, 4> A(double t) const { return rotated_matrix(std::sin(0.2 * t), std::cos(0.2 * t)); }
  Vec<4> B(double t) const { return {-0.3, 0, std::sin(0.2 * t), -std::cos(0.2 * t)}; }
  Vec<4> q(double t) const { return coefficients(t).q; }
  Mat<1, 4> C(double t) const { return {0, 0, -std::sin(0.2 * t), std::cos(0.2 * t)}; }
  Vec<1> r(double t) const { return -C(t) * x_exact(t); }
  Mat<1, 4> C_t(double t) const {
    return {0, 0, -0.2 * std::cos(0.2 * t), -0.2 * std::sin(0.2 * t)};
  }
  Vec<1> r_t(double t) const { return -C_t(t) * x_exact(t) - C(t) * x_derivative(t); }

  Boundary boundary() const {
    Boundary boundary{MatX::Zero(3, 4), MatX::Zero(3, 4), VecX(3)};
    boundary.B0(0, 0) = 1;
    boundary.B0(1, 1) = 1;
    const double s = std::sin(0.2 * t_end), c = std::cos(0.2 * t_end);
    boundary.B1.row(2) << 0, 0, c, s;
    const Vec<4> start = x_exact(0), end = x_exact(t_end);
    boundary.beta << start[0], start[1], c * end[2] + s * end[3];
    return boundary;
  }

  Vec<4> x_exact(double t) const {
    return {std::sin(t), std::cos(t), std::sin(2 * t + 0.3), std::cos(0.5 * t)};
  }
  Vec<4> By_exact(double t) const { return B(t) * std::sin(1.5 * t); }

 private:
  static Vec<4> x_derivative(double t) {
    return {std::cos(t), -std::sin(t), 2 * std::cos(2 * t + 0.3), -0.5 * std::sin(0.5 * t)};
  }

  static Mat<4, 4> rotated_matrix(double s, double c) {
    const Mat<4, 4> M{{-1, 2, 0, 0.1}, {-2, -1, 0, 0.2}, {0, 0, 1, 0.3}, {0.5, 0.2, -0.3, 0}};
    Mat<4, 4> A = M;
    // Q M Q^T with Q = (c -s; s c) in the last two components.
    for (int r = 0; r < 2; ++r) {
      A(r, 2) = M(r, 2) * c - M(r, 3) * s;
      A(r, 3) = M(r, 2) * s + M(r, 3) * c;
      A(2, r) = c * M(2, r) - s * M(3, r);
      A(3, r) = s * M(2, r) + c * M(3, r);
    }
    const Mat<2, 2> Q{{c, -s}, {s, c}};
    A.block<2, 2>(2, 2) = Q * M.block<2, 2>(2, 2) * Q.transpose();
    A(2, 3) -= 0.2;  // Q' Q^T
    A(3, 2) += 0.2;
    return A;
  }
};

/// p blocks of Lin side by side, nx = 4 p, ny = p, of sizes known at run time only: block j runs at
/// phase t + j, and 0.05 I couples block j to block j + 1, cyclically.
struct LinBlocks {
  double t_end = 100;
  int blocks = 2;

  std::string name() const { return "lin"; }
  Interval interval() const { return {0, t_end}; }

  struct Coefficients {
    MatX A, B;
    VecX q;
    MatX C;
    VecX r;
  };

  Coefficients coefficients(double t) const {
    const int n = 4 * blocks;
    Coefficients all{MatX::Zero(n, n), MatX::Zero(n, blocks), VecX::Zero(n), MatX::Zero(blocks, n),
                     VecX::Zero(blocks)};
    for (int j = 0; j < blocks; ++j) {
      const int next = (j + 1) % blocks;
      const Lin::Coefficients one = Lin{t_end}.coefficients(t + j);
      all.A.block<4, 4>(4 * j, 4 * j) += one.A;
      all.A.block<4, 4>(4 * j, 4 * next).diagonal().array() += 0.05;
      all.B.block<4, 1>(4 * j, j) = one.B;
      all.C.block<1, 4>(j, 4 * j) = one.C;
      all.r[j] = one.r[0];
      all.q.segment<4>(4 * j) += one.q;
      all.q.segment<4>(4 * j) -= 0.05 * Lin{t_end}.x_exact(t + next);
    }
    return all;
  }

  MatX A(double t) const { return coefficients(t).A; }
  MatX B(double t) const { return coefficients(t).B; }
  VecX q(double t) const { return coefficients(t).q; }
  MatX C(double t) const { return coefficients(t).C; }
  VecX r(double t) const { return coefficients(t).r; }

  MatX C_t(double t) const {
    MatX derivative = MatX::Zero(blocks, 4 * blocks);
    for (int j = 0; j < blocks; ++j) derivative.block<1, 4>(j, 4 * j) = Lin{t_end}.C_t(t + j);
    return derivative;
  }
  VecX r_t(double t) const {
    VecX derivative(blocks);
    for (int j = 0; j < blocks; ++j) derivative[j] = Lin{t_end}.r_t(t + j)[0];
    return derivative;
  }

  Boundary boundary() const {
    const int n = 4 * blocks;
    Boundary boundary{MatX::Zero(3 * blocks, n), MatX::Zero(3 * blocks, n), VecX(3 * blocks)};
    for (int j = 0; j < blocks; ++j) {
      const Vec<4> start = Lin{t_end}.x_exact(j), end = Lin{t_end}.x_exact(t_end + j);
      const double s = std::sin(0.2 * (t_end + j)), c = std::cos(0.2 * (t_end + j));
      boundary.B0(3 * j, 4 * j) = 1;
      boundary.B0(3 * j + 1, 4 * j + 1) = 1;
      boundary.B1.block<1, 4>(3 * j + 2, 4 * j) << 0, 0, c, s;
      boundary.beta.segment<3>(3 * j) << start[0], start[1], c * end[2] + s * end[3];
    }
    return boundary;
  }

  VecX x_exact(double t) const {
    VecX x(4 * blocks);
    for (int j = 0; j < blocks; ++j) x.segment<4>(4 * j) = Lin{t_end}.x_exact(t + j);
    return x;
  }
  VecX By_exact(double t) const {
    VecX By(4 * blocks);
    for (int j = 0; j < blocks; ++j) By.segment<4>(4 * j) = Lin{t_end}.By_exact(t + j);
    return By;
  }
};

}  // namespace daewave::problems
