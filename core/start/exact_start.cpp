#include "core/start/exact_start.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/not_finite.hpp"

namespace daewave::detail {
namespace {

constexpr int points = 7;  ///< The start and six ahead of it: what lies before it is not asked for.
using Samples = std::array<VecX, points>;

/// One-sided differences of order 6 and 5.
constexpr std::array<double, points> first_weights = {-147, 360, -450, 400, -225, 72, -10};
constexpr std::array<double, points> second_weights = {812, -3132, 5265, -5080, 2970, -972, 137};

VecX difference_of(const Samples& y, const std::array<double, points>& weights, double unit) {
  VecX sum = VecX::Zero(y[0].size());
  // Against the value at the start: the weights add up to zero, and rounding is that of the rest.
  for (std::size_t i = 1; i < points; ++i) sum += weights[i] * (y[i] - y[0]);
  return sum / unit;
}

/// z(t + h) by the extrapolated midpoint rule of order 8; false where the flow cannot be evaluated.
bool advance(const Flow& flow, double t, double h, const VecX& slope, VecX& z,
             std::string& failure) {
  constexpr int columns = 4;
  std::array<VecX, columns> row;  // Of the Aitken-Neville scheme, the newest entry first.
  VecX rate, y, By;
  for (int j = 0; j < columns; ++j) {
    const int n = 2 * (j + 1);
    const double part = h / n;
    VecX before = z, now = z + part * slope;
    for (int i = 1; i < n; ++i) {
      if (!flow(now, t + i * part, rate, y, By, failure)) return false;
      before += 2 * part * rate;
      before.swap(now);
    }
    VecX entry = now;
    for (int k = 1; k <= j; ++k) {
      const double ratio = static_cast<double>(n) / (n - 2 * k);
      const VecX left = row[static_cast<std::size_t>(k - 1)];
      row[static_cast<std::size_t>(k - 1)] = entry;
      entry += (entry - left) / (ratio * ratio - 1);
    }
    row[static_cast<std::size_t>(j)] = entry;
  }
  z = row[columns - 1];
  return z.allFinite();
}

/// y and B y at t, t + d, ..., t + 6 d along the flow.
bool sample(const Flow& flow, VecX z, double t, double d, Samples& y, Samples& By,
            std::string& failure) {
  VecX slope;
  for (std::size_t i = 0; i < points; ++i) {
    const double here = t + static_cast<double>(i) * d;
    if (!flow(z, here, slope, y[i], By[i], failure)) return false;
    if (i + 1 < points && !advance(flow, here, d, slope, z, failure)) return false;
  }
  return true;
}

/// Of the estimates with ever shorter steps, the one that agrees best with that before it.
class BestEstimate {
 public:
  void offer(const VecX& estimate) {
    if (previous_.size() == estimate.size() && estimate.size() > 0) {
      const double gap = largest_size(estimate - previous_);
      if (gap < smallest_) {
        smallest_ = gap;
        best_ = estimate;
      }
    }
    previous_ = estimate;
  }
  const VecX& best() const { return best_.size() > 0 ? best_ : previous_; }

 private:
  VecX previous_, best_;
  double smallest_ = std::numeric_limits<double>::infinity();
};

}  // namespace

void check_start_degree(int degree) {
  if (degree >= -1 && degree <= 2) return;
  throw InvalidOption(fmt::format(
      "exact_start = {}: must be -1 (none), 0, 1 or 2, the derivatives of the multiplier that y_0 "
      "agrees with",
      degree));
}

std::string singular_start_text(int rank, int constraints, double t) {
  return fmt::format(
      "exact start: the constraints have rank {} of {} at t = {:.10g}, where the "
      "multiplier is not determined; start elsewhere, or with exact_start = -1",
      rank, constraints, t);
}

StartDerivatives start_derivatives(const Flow& flow, const VecX& z, double t, int degree,
                                   double longest) {
  StartDerivatives found;
  VecX slope;
  if (!flow(z, t, slope, found.y[0], found.By[0], found.failure) || degree < 1) return found;
  std::array<BestEstimate, 2> y, By;
  std::string failure;
  bool any = false;
  constexpr int lengths = 10;  // A quarter of the one before each: six orders of magnitude.
  double d = longest;
  for (int i = 0; i < lengths; ++i, d /= 4) {
    Samples y_at, By_at;
    if (!sample(flow, z, t, d, y_at, By_at, failure)) continue;
    any = true;
    y[0].offer(difference_of(y_at, first_weights, 60 * d));
    y[1].offer(difference_of(y_at, second_weights, 180 * d * d));
    By[0].offer(difference_of(By_at, first_weights, 60 * d));
    By[1].offer(difference_of(By_at, second_weights, 180 * d * d));
  }
  if (!any) {
    found.failure = "exact start: no step ahead of the start can be evaluated: " + failure;
    return found;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    found.y[i + 1] = y[i].best();
    found.By[i + 1] = By[i].best();
  }
  return found;
}

namespace {

StartPolynomial start_polynomial(const std::array<VecX, 3>& derivatives, double t, int degree,
                                 int size, const std::string& failure) {
  StartPolynomial polynomial;
  polynomial.begin = t;
  polynomial.failure = failure;
  polynomial.degree = failure.empty() ? degree : -1;
  for (std::size_t i = 0; i < 3; ++i) {
    const bool known = static_cast<int>(i) <= polynomial.degree;
    polynomial.derivatives[i] = known ? derivatives[i] : VecX(VecX::Zero(size));
  }
  return polynomial;
}

}  // namespace

StartPolynomial start_polynomial_y(const StartDerivatives& found, double t, int degree) {
  return start_polynomial(found.y, t, degree, found.constraints, found.failure);
}

StartPolynomial start_polynomial_By(StartDerivatives found, double t, int degree, int size) {
  if (found.failure.empty() && degree >= 0 && found.By[0].size() != size) {
    found.failure =
        "M is singular: B y = M^-1 G^T lambda does not exist; use a variant that carries y";
  }
  return start_polynomial(found.By, t, degree, size, found.failure);
}

}  // namespace daewave::detail
