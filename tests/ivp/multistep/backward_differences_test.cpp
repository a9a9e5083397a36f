#include "ivp/multistep/backward_differences.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"

namespace daewave::ivp {

namespace {

/// Two polynomials of that degree.
std::vector<double> values(int degree, double t) {
  double one = 0.3, other = -1;
  for (int k = 1; k <= degree; ++k) {
    one += (k % 2 == 0 ? 0.5 : -0.7) * std::pow(t, k);
    other += std::pow(t, k) / k;
  }
  return {one, other};
}
std::vector<double> slopes(int degree, double t) {
  double one = 0, other = 0;
  for (int k = 1; k <= degree; ++k) {
    one += (k % 2 == 0 ? 0.5 : -0.7) * k * std::pow(t, k - 1);
    other += std::pow(t, k - 1);
  }
  return {one, other};
}

/// Differences of the polynomials at the end of degree + 1 steps of length h that end at 0.
BackwardDifferences past_of(int degree, double h) {
  BackwardDifferences D;
  D.resize(2);
  D.start(values(degree, -(degree + 1) * h).data());
  for (int j = degree; j >= 0; --j) D.push(degree, values(degree, -j * h).data());
  return D;
}

}  // namespace

TEST_CASE("differences of a past that is one value alone vanish", "[bdf]") {
  BackwardDifferences D = past_of(3, 0.1);
  const double y[] = {4, 5};
  D.start(y);
  for (int j = 0; j <= most_bdf_order + 2; ++j) {
    CHECK(D.D(j)[0] == (j == 0 ? 4 : 0));
    CHECK(D.D(j)[1] == (j == 0 ? 5 : 0));
  }
}

TEST_CASE("a polynomial is predicted, differentiated and interpolated by as many differences",
          "[bdf]") {
  const double h = 0.1;
  for (int degree = 1; degree <= most_bdf_order; ++degree) {
    CAPTURE(degree);
    const BackwardDifferences D = past_of(degree, h);
    double predicted[2], past[2];
    D.predict(degree, predicted, past);
    const std::vector<double> next = values(degree, h), slope = slopes(degree, h);
    for (int e = 0; e < 2; ++e) {
      CHECK(predicted[e] == Approx(next[e]).epsilon(1e-11));
      // y - predicted + past = h y' / gamma_order.
      CHECK(past[e] == Approx(h * slope[e] / bdf_gamma[degree]).epsilon(1e-10));
    }
    for (const double s : {-1.0, -0.3, 0.4, 1.0}) {
      double both[2], second;
      D.interpolate(degree, s, 0, 2, both);
      D.interpolate(degree, s, 1, 1, &second);
      const std::vector<double> there = values(degree, s * h);
      CHECK(both[0] == Approx(there[0]).epsilon(1e-11));
      CHECK(both[1] == Approx(there[1]).epsilon(1e-11));
      CHECK(second == both[1]);
    }
  }
}

TEST_CASE("differences for steps of another length are those of the same polynomial", "[bdf]") {
  const double h = 0.1;
  for (int degree = 1; degree < most_bdf_order; ++degree) {
    for (const double ratio : {0.5, 0.9, 2.0}) {
      CAPTURE(degree, ratio);
      BackwardDifferences D = past_of(degree, h);
      D.rescale(ratio, degree);
      const BackwardDifferences direct = past_of(degree, ratio * h);
      for (int j = 0; j <= degree; ++j) {
        for (int e = 0; e < 2; ++e) {
          CHECK(D.D(j)[e] == Approx(direct.D(j)[e]).margin(1e-12));
        }
      }
    }
  }
}

TEST_CASE("one step on, differences are those of the values, up to two orders more", "[bdf]") {
  const int order = 3;
  const double h = 0.1;
  BackwardDifferences D = past_of(order, h);
  // Of the step before: its d is the difference number order + 1, none for a polynomial.
  for (int step = 1; step <= 2; ++step) {
    double predicted[2], past[2];
    D.predict(order, predicted, past);
    const double d[] = {1e-3 * step, -2e-3 * step}, own[] = {D.D(order + 1)[0], D.D(order + 1)[1]};
    std::vector<double> before;
    for (int j = 0; j <= order; ++j) before.push_back(D.D(j)[0]);
    D.advance(order, d);
    for (int e = 0; e < 2; ++e) {
      CHECK(D.D(0)[e] == Approx(predicted[e] + d[e]).epsilon(1e-14));
      CHECK(D.D(order + 1)[e] == d[e]);
      CHECK(D.D(order + 2)[e] == Approx(d[e] - own[e]).margin(1e-18));
    }
    for (int j = 0; j < order; ++j) {
      CHECK(D.D(j + 1)[0] == Approx(D.D(j)[0] - before[j]).margin(1e-14));
    }
  }
}

}  // namespace daewave::ivp
