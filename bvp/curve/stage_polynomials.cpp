#include "bvp/curve/stage_polynomials.hpp"

#include "bvp/curve/point_kernel.hpp"

namespace daewave::bvp {

StagePolynomials::StagePolynomials(const VecX& points) : points_(points) {
  using Real = long double;  // The coefficients cancel.
  constexpr int most_points = 10;
  const int k = count();
  scales_.resize(k);
  integrated_.setZero(k, k + 1);
  for (int l = 0; l < k; ++l) {
    // prod (s - s_j) / (s_l - s_j)
    Real p[most_points] = {1};
    int degree = 0;
    Real scale = 1;
    for (int j = 0; j < k; ++j) {
      if (j == l) continue;
      const Real apart = static_cast<Real>(points[l]) - points[j];
      const Real root = 2 * static_cast<Real>(points[j]) - 1;
      scale /= apart;
      const Real part = 1 / (2 * apart);
      ++degree;
      for (int i = degree; i > 0; --i) p[i] = part * (p[i - 1] - root * p[i]);
      p[0] *= -root * part;
    }
    scales_[l] = static_cast<double>(scale);
    // d theta = ds / 2, from s = -1.
    Real at_begin = 0;
    for (int i = k; i >= 1; --i) {
      const Real coefficient = p[i - 1] / (2 * i);
      integrated_(l, i) = static_cast<double>(coefficient);
      at_begin += i % 2 == 0 ? coefficient : -coefficient;
    }
    integrated_(l, 0) = static_cast<double>(-at_begin);
  }
}

StagePolynomials::Weights StagePolynomials::values(double theta) const {
  const int k = count();
  Weights result = scales_;
  double before = 1, behind = 1;  // Products of theta - c_j.
  for (int l = 0; l < k; ++l) {
    result[l] *= before;
    before *= theta - points_[l];
  }
  for (int l = k; l-- > 0;) {
    result[l] *= behind;
    behind *= theta - points_[l];
  }
  return result;
}

StagePolynomials::Weights StagePolynomials::integrals(double theta) const {
  const double s = 2 * theta - 1;
  Weights sum = integrated_.col(integrated_.cols() - 1);  // Horner.
  for (Eigen::Index j = integrated_.cols() - 1; j-- > 0;) sum = s * sum + integrated_.col(j);
  return sum;
}

void StagePolynomials::values(const Eigen::Ref<const VecX>& theta, MatX& found) const {
  found.resize(theta.size(), count());
  lagrange_values({theta.data(), static_cast<int>(theta.size()), count(), found.data()},
                  points_.data(), scales_.data());
}

void StagePolynomials::integrals(const Eigen::Ref<const VecX>& theta, MatX& found) const {
  found.resize(theta.size(), count());
  polynomial_values({theta.data(), static_cast<int>(theta.size()), count(), found.data()},
                    integrated_.data());
}

}  // namespace daewave::bvp
