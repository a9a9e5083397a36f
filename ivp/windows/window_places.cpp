#include "ivp/windows/window_places.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <cstddef>

#include "core/types.hpp"

namespace daewave::ivp {
namespace {

constexpr int count = WindowPlaces::count;
constexpr int fitted = 5;  ///< Coefficients of the polynomial of degree 4.

/// The positive zeros of P_8', in [-1, 1].
constexpr double zeros[] = {0.3631174638261782, 0.6771862795107377, 0.8997579954114602};

WindowPlaces make_places() {
  WindowPlaces places{};
  const double x[count] = {1, -1, 0, zeros[0], -zeros[0], zeros[1], -zeros[1], zeros[2]};
  Eigen::Matrix<double, count, fitted> smooth;
  for (int p = 0; p < count; ++p) {
    const double theta = (1 + x[p]) / 2;
    places.theta[p] = theta;
    const LegendreAt at(theta);
    for (int k = 0; k < count; ++k) {
      places.value[k][p] = at.value[k];
      places.once[k][p] = at.once[k];
      places.twice[k][p] = at.twice[k];
    }
    for (int k = 0; k < fitted; ++k) smooth(p, k) = at.next * std::pow(x[p], k);
  }
  const Eigen::HouseholderQR<Eigen::Matrix<double, count, fitted>> qr(smooth);
  const Eigen::Matrix<double, count, fitted> Q =
      qr.householderQ() * Eigen::Matrix<double, count, fitted>::Identity();
  const Eigen::Matrix<double, count, count> left =
      Eigen::Matrix<double, count, count>::Identity() - Q * Q.transpose();
  for (int j = 0; j < count; ++j) {
    for (int p = 0; p < count; ++p) places.left[j][p] = left(p, j);
  }
  return places;
}

}  // namespace

const WindowPlaces& window_places() {
  static const WindowPlaces places = make_places();
  return places;
}

double left_at_places(const std::vector<double>& missed, const std::vector<double>& weight,
                      double cut_off) {
  const WindowPlaces& places = window_places();
  double most = 0;
  for (std::size_t i = 0; i < weight.size(); ++i) {
    for (int p = 0; p < count; ++p) {
      double left = 0;
      for (int j = 0; j < count; ++j) left += places.left[j][p] * missed[i * count + j];
      most = std::max(most, weight[i] * (std::abs(left) - cut_off));
    }
  }
  return most;
}

}  // namespace daewave::ivp
