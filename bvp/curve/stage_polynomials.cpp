#include "bvp/curve/stage_polynomials.hpp"

#include <vector>

namespace daewave::bvp {

StagePolynomials::StagePolynomials(const VecX& points) : points_(points) {
  using Real = long double;  // The coefficients cancel.
  const int k = count();
  scales_.resize(k);
  integrated_.setZero(k, k + 1);
  for (int l = 0; l < k; ++l) {
    // prod (s - s_j) / (s_l - s_j)
    std::vector<Real> p{1};
    Real scale = 1;
    for (int j = 0; j < k; ++j) {
      if (j == l) continue;
      const Real apart = static_cast<Real>(points[l]) - points[j];
      const Real root = 2 * static_cast<Real>(points[j]) - 1;
      scale /= apart;
      std::vector<Real> next(p.size() + 1, 0);
      for (std::size_t i = 0; i < p.size(); ++i) {
        next[i + 1] += p[i] / (2 * apart);
        next[i] -= root * p[i] / (2 * apart);
      }
      p = std::move(next);
    }
    scales_[l] = static_cast<double>(scale);
    // d theta = ds / 2, from s = -1.
    Real at_begin = 0;
    for (int i = k; i >= 1; --i) {
      const Real coefficient = p[static_cast<std::size_t>(i - 1)] / (2 * i);
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

void StagePolynomials::values(const VecX& theta, MatX& found) const {
  const int k = count();
  found.resize(theta.size(), k);
  VecX before = VecX::Ones(theta.size()), behind = before;
  for (int l = 0; l < k; ++l) {
    found.col(l) = scales_[l] * before;
    before.array() *= theta.array() - points_[l];
  }
  for (int l = k; l-- > 0;) {
    found.col(l).array() *= behind.array();
    behind.array() *= theta.array() - points_[l];
  }
}

void StagePolynomials::integrals(const VecX& theta, MatX& found) const {
  const Eigen::Index last = integrated_.cols() - 1;
  const VecX s = 2 * theta.array() - 1;
  found.resize(theta.size(), count());
  for (int l = 0; l < count(); ++l) {
    auto sum = found.col(l).array();
    sum = integrated_(l, last);
    for (Eigen::Index j = last; j-- > 0;) sum = s.array() * sum + integrated_(l, j);
  }
}

}  // namespace daewave::bvp
