#pragma once
// A linear boundary value DAE made from its solution: q, r and beta follow from x, y and the
// coefficients, so that any coefficients give a problem whose answer is known. Compiled once.
//
//   q = x' - A x + B y,   r = -C x,   beta = B0 x(begin) + B1 x(end)

#include <functional>
#include <memory>
#include <random>
#include <string>

#include "core/problem/boundary.hpp"
#include "core/problem/linear_dae.hpp"
#include "core/types.hpp"

namespace daewave::testing {

/// x_i = sin(w_i t + p_i) and y_j = cos(...): smooth, of size one, with derivatives at hand.
class Waves {
 public:
  Waves() = default;
  Waves(int count, unsigned seed);
  VecX operator()(double t) const;
  VecX derivative(double t) const;

 private:
  VecX frequency_, phase_;
};

struct ManufacturedDae {
  using Matrices = std::function<MatX(double)>;

  int nx = 0, ny = 0;
  Interval span;
  Matrices A_of, B_of, C_of;
  MatX B0, B1;
  Waves x_wave, y_wave;

  ManufacturedDae();
  ManufacturedDae(Interval interval, Matrices A_, Matrices B_, Matrices C_, MatX B0_, MatX B1_,
                  unsigned seed);
  ManufacturedDae(const ManufacturedDae&);
  ManufacturedDae& operator=(const ManufacturedDae&);
  ~ManufacturedDae();

  std::string name() const { return "manufactured"; }
  Interval interval() const { return span; }
  MatX A(double t) const;
  MatX B(double t) const;
  MatX C(double t) const;
  VecX q(double t) const;
  VecX r(double t) const;
  Boundary boundary() const;

  VecX x_exact(double t) const;
  VecX y_exact(double t) const;
  VecX By_exact(double t) const;
};

/// What the template of that name does.
std::shared_ptr<const LinearDae> erase(const ManufacturedDae& problem);

/// M0 + M1 sin t with uniform random entries.
ManufacturedDae::Matrices random_matrices(int rows, int columns, double size,
                                          std::mt19937_64& random);

/// Conditions at the left end that see exactly what the constraint there leaves open.
MatX free_directions(const MatX& C);

/// An initial value problem with C = (I 0) + small and B = C^T: C B is symmetric positive definite,
/// as every weight allows.
ManufacturedDae random_symmetric_dae(int nx, int ny, unsigned seed, Interval span = {0, 2});

}  // namespace daewave::testing
