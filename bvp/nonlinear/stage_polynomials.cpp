#include "bvp/nonlinear/stage_polynomials.hpp"

#include <vector>

namespace daewave::bvp {

StagePolynomials::StagePolynomials(const Collocation& scheme) {
  const int k = scheme.stages;
  lagrange_.setZero(k, k);
  integrated_.setZero(k, k);
  for (int l = 0; l < k; ++l) {
    // prod (theta - c_j) / (c_l - c_j), in extended precision: the coefficients cancel.
    std::vector<long double> p{1};
    for (int j = 0; j < k; ++j) {
      if (j == l) continue;
      const long double c = scheme.c[j], scale = 1 / (static_cast<long double>(scheme.c[l]) - c);
      std::vector<long double> next(p.size() + 1, 0);
      for (std::size_t i = 0; i < p.size(); ++i) {
        next[i + 1] += scale * p[i];
        next[i] -= scale * c * p[i];
      }
      p = std::move(next);
    }
    for (int i = 0; i < k; ++i) {
      lagrange_(l, i) = static_cast<double>(p[i]);
      integrated_(l, i) = static_cast<double>(p[i] / (i + 1));
    }
  }
}

}  // namespace daewave::bvp
