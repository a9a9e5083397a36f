#include "ivp/one_step/step_polynomial.hpp"

namespace daewave::ivp {

void StepPolynomial::at(double theta, VecX& z) const {
  z = row[degree];
  for (int i = degree; i-- > 0;) {
    // Factors alternate: theta is next to r_0.
    z = row[i] + (i % 2 == 0 ? theta : 1 - theta) * z;
  }
}

void StepPolynomial::slope_at(double theta, VecX& slope) const {
  const auto n = row[0].size();
  slope.resize(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    double value = row[degree][k], rate = 0;
    for (int i = degree; i-- > 0;) {
      const double factor = i % 2 == 0 ? theta : 1 - theta;
      rate = (i % 2 == 0 ? value : -value) + factor * rate;
      value = row[i][k] + factor * value;
    }
    slope[k] = rate;
  }
}

}  // namespace daewave::ivp
