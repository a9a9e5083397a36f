#include "ivp/windows/missed_accelerations.hpp"

#include <algorithm>
#include <cmath>

namespace daewave::ivp {

double rounding_of(const VecX& slope) {
  return rounding_of_largest * slope.tail(slope.size() / 2).cwiseAbs().maxCoeff();
}

double missed_at(Side side, const double* series, const std::vector<double>& weight,
                 const VecX& slope, std::vector<double>& missed) {
  const int nq = static_cast<int>(weight.size());
  constexpr int count = WindowFormula::nodes;
  const double cut_off = rounding_of(slope);
  double most = 0;
  for (int i = 0; i < nq; ++i) {
    const double* const L = series + i * count;
    double even = L[0], odd = L[1];
    for (int k = 2; k < count; k += 2) {
      even += L[k];
      odd += L[k + 1];
    }
    missed[i] = slope[nq + i] - (side == Side::begin ? even - odd : even + odd);
    most = std::max(most, weight[i] * (std::abs(missed[i]) - cut_off));
  }
  return most;
}

double missed_at(const LegendreAt& legendre, const double* series,
                 const std::vector<double>& weight, const VecX& slope) {
  const int nq = static_cast<int>(weight.size());
  constexpr int count = WindowFormula::nodes;
  const double cut_off = rounding_of(slope);
  double most = 0;
  for (int i = 0; i < nq; ++i) {
    double value = 0;
    for (int k = count; k-- > 0;) value += legendre.value[k] * series[i * count + k];
    most = std::max(most, weight[i] * (std::abs(slope[nq + i] - value) - cut_off));
  }
  return most;
}

}  // namespace daewave::ivp
