#include "ivp/windows/window_polynomial.hpp"

namespace daewave::ivp {

void WindowPolynomial::set_series(const AlignedVector& a) {
  const WindowFormula& formula = window_formula();
  series.resize(a.size());
  for (std::size_t i = 0; i < a.size(); i += nodes) {
    for (int k = 0; k < nodes; ++k) {
      const WindowFormula::Row& row = formula.coefficient[k];
      double sum = 0;
      for (int j = 0; j < nodes; ++j) sum += row[j] * a[i + j];
      series[i + k] = sum;
    }
  }
}

void WindowPolynomial::at(double theta, VecX& z) const {
  const LegendreAt legendre(theta);
  const int nq = static_cast<int>(begin.size()) / 2;
  for (int i = 0; i < nq; ++i) {
    double once = 0, twice = 0;
    for (int k = nodes; k-- > 0;) {
      once += legendre.once[k] * series[i * nodes + k];
      twice += legendre.twice[k] * series[i * nodes + k];
    }
    z[i] = begin[i] + h * (theta * begin[nq + i] + h * twice);
    z[nq + i] = begin[nq + i] + h * once;
  }
}

}  // namespace daewave::ivp
