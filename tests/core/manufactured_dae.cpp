#include "tests/core/manufactured_dae.hpp"

#include <cmath>
#include <utility>

#include "core/orthogonal.hpp"

namespace daewave::testing {

Waves::Waves(int count, unsigned seed) : frequency_(count), phase_(count) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> frequency(0.7, 1.6), phase(0, 6);
  for (int i = 0; i < count; ++i) {
    frequency_[i] = frequency(random);
    phase_[i] = phase(random);
  }
}

VecX Waves::operator()(double t) const {
  return (frequency_.array() * t + phase_.array()).sin().matrix();
}

VecX Waves::derivative(double t) const {
  return ((frequency_.array() * t + phase_.array()).cos() * frequency_.array()).matrix();
}

ManufacturedDae::ManufacturedDae() = default;
ManufacturedDae::ManufacturedDae(const ManufacturedDae&) = default;
ManufacturedDae& ManufacturedDae::operator=(const ManufacturedDae&) = default;
ManufacturedDae::~ManufacturedDae() = default;

ManufacturedDae::ManufacturedDae(Interval interval, Matrices A_, Matrices B_, Matrices C_, MatX B0_,
                                 MatX B1_, unsigned seed)
    : span(interval),
      A_of(std::move(A_)),
      B_of(std::move(B_)),
      C_of(std::move(C_)),
      B0(std::move(B0_)),
      B1(std::move(B1_)) {
  const MatX shape = B_of(span.begin);
  nx = static_cast<int>(shape.rows());
  ny = static_cast<int>(shape.cols());
  x_wave = Waves(nx, seed);
  y_wave = Waves(ny, seed + 1);
}

MatX ManufacturedDae::A(double t) const { return A_of(t); }
MatX ManufacturedDae::B(double t) const { return B_of(t); }
MatX ManufacturedDae::C(double t) const { return C_of(t); }
VecX ManufacturedDae::q(double t) const {
  return x_wave.derivative(t) - A(t) * x_wave(t) + B(t) * y_wave(t);
}
VecX ManufacturedDae::r(double t) const { return -C(t) * x_wave(t); }
Boundary ManufacturedDae::boundary() const {
  return {B0, B1, B0 * x_exact(span.begin) + B1 * x_exact(span.end)};
}

VecX ManufacturedDae::x_exact(double t) const { return x_wave(t); }
VecX ManufacturedDae::y_exact(double t) const { return y_wave(t); }
VecX ManufacturedDae::By_exact(double t) const { return B(t) * y_wave(t); }

std::shared_ptr<const LinearDae> erase(const ManufacturedDae& problem) {
  return daewave::erase<ManufacturedDae>(problem);
}

ManufacturedDae::Matrices random_matrices(int rows, int columns, double size,
                                          std::mt19937_64& random) {
  std::uniform_real_distribution<double> entry(-size, size);
  MatX M0(rows, columns), M1(rows, columns);
  for (double& value : M0.reshaped()) value = entry(random);
  for (double& value : M1.reshaped()) value = entry(random);
  return [M0, M1](double t) { return MatX(M0 + M1 * std::sin(t)); };
}

MatX free_directions(const MatX& C) {
  const MatX Q = orthogonal_factor(C.transpose());
  return Q.rightCols(C.cols() - C.rows()).transpose();
}

ManufacturedDae random_symmetric_dae(int nx, int ny, unsigned seed, Interval span) {
  std::mt19937_64 random(seed);
  const auto A = random_matrices(nx, nx, 0.5, random);
  const auto small = random_matrices(ny, nx, 0.2, random);
  const auto C = [nx, ny, small](double t) { return MatX(MatX::Identity(ny, nx) + small(t)); };
  const auto B = [C](double t) { return MatX(C(t).transpose()); };
  const MatX B0 = free_directions(C(span.begin));
  return {span, A, B, C, B0, MatX::Zero(B0.rows(), B0.cols()), seed + 100};
}

}  // namespace daewave::testing
