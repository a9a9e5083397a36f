#pragma once
// The past of a multistep formula on a grid of step h: backward differences
//
//   D_0 = y_n,  D_j = D_{j-1} at t_n - D_{j-1} at t_n - h,
//
// and so the polynomial through the last values. A new h is a new grid under the same polynomial:
// D_j <- sum_i D_i (R(rho) R(1))_ij, R_ij(rho) = prod_{l <= i} (l - 1 - j rho) / l, rho = h_new /
// h.

#include <array>
#include <vector>

namespace daewave::ivp {

/// Highest order of a formula kept; differences go to two orders more.
inline constexpr int most_bdf_order = 6;

class BackwardDifferences {
 public:
  void resize(int n) {
    n_ = n;
    D_.assign(static_cast<std::size_t>(n * (most_bdf_order + 3)), 0.0);
  }

  double* D(int j) { return D_.data() + j * n_; }
  const double* D(int j) const { return D_.data() + j * n_; }

  /// The past is y alone: all differences of it vanish.
  void start(const double* y);

  /// New differences 1..order for a step of ratio times the old length.
  void rescale(double ratio, int order);

  /// predicted = sum D_j, j <= order, and past = sum_{1 <= j <= order} gamma_j D_j / gamma_order,
  /// gamma_j = 1 + 1/2 + ... + 1/j, so that BDF reads y - predicted + past = h y' / gamma_order.
  void predict(int order, double* predicted, double* past) const;

  /// One step on: y = predicted + d, which is difference number order + 1.
  void advance(int order, const double* d);
  /// One step on to a y that no formula has predicted; differences up to `order` are then right.
  void push(int order, const double* y);

  /// The polynomial of that degree at t_n + s h; `count` entries from entry `first` on.
  void interpolate(int degree, double s, int first, int count, double* out) const;

 private:
  int n_ = 0;
  std::vector<double> D_;
};

/// gamma_j = 1 + 1/2 + ... + 1/j.
inline constexpr std::array<double, most_bdf_order + 1> bdf_gamma{
    0, 1, 1.5, 11.0 / 6, 25.0 / 12, 137.0 / 60, 2.45};

}  // namespace daewave::ivp
