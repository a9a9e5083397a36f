#include "ivp/windows/window_polynomial.hpp"

namespace daewave::ivp {

void WindowPolynomial::at(double theta, const LegendreAt& legendre, VecX& z) const {
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
