// Intervals are looked at between all of their stages, and the more often the longer they are.

#include "bvp/residual/look_patterns.hpp"

#include <algorithm>

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

int points_between(const LookPattern& pattern, double from, double to) {
  return static_cast<int>(std::count_if(pattern.theta.begin(), pattern.theta.end(),
                                        [&](double theta) { return theta > from && theta < to; }));
}

}  // namespace

TEST_CASE("as many points are looked at as were asked for, and few more", "[residual]") {
  for (const int stages : {1, 2, 5, 8}) {
    const Collocation scheme = collocation(Scheme::gauss, stages);
    const StagePolynomials polynomials(scheme.c);
    LookPatterns patterns(scheme, polynomials, 1000, LookFor::everything);
    for (const double h : {0.2, 0.5, 1.0, 3.3}) {
      CAPTURE(stages, h);
      const LookPattern& pattern = patterns.of(h);
      const auto points = static_cast<double>(pattern.theta.size());
      CHECK(points >= 0.999 * 1000 * h);
      CHECK(points <= 1.25 * 1000 * h + 2 * stages + 2);  // Three binary digits, rounded up.
      CHECK(std::is_sorted(pattern.theta.begin(), pattern.theta.end()));
      CHECK(pattern.gaps.sum() == Approx(1));
      // Each gap gets its part of them.
      double left = 0;
      for (int j = 0; j <= stages; ++j) {
        const double right = j < stages ? scheme.c[j] : 1, wanted = 0.999 * 1000 * h;
        CHECK(points_between(pattern, left, right) >= wanted * (right - left));
        left = right;
      }
    }
  }
}

TEST_CASE("short intervals are looked at between stages all the same", "[residual]") {
  for (const int stages : {1, 2, 3, 4}) {
    const Collocation scheme = collocation(Scheme::gauss, stages);
    const StagePolynomials polynomials(scheme.c);
    for (const LookFor wanted : {LookFor::jumps, LookFor::everything}) {
      LookPatterns patterns(scheme, polynomials, 1, wanted);
      const LookPattern& pattern = patterns.of(1e-3);
      CAPTURE(stages);
      CHECK(&patterns.of(2e-3) == &pattern);
      double left = 0;
      const int least = stages == 1 ? 2 : stages < 4 ? 1 : 0;
      for (int j = 0; j <= stages; ++j) {
        const double right = j < stages ? scheme.c[j] : 1;
        CHECK(points_between(pattern, left, right) >= least);
        left = right;
      }
      // Close to both nodes in any case.
      CHECK(pattern.theta.front() < 1e-7);
      CHECK(pattern.theta.back() > 1 - 1e-7);
    }
  }
}

TEST_CASE("the part of smooth right sides is told by a fit, whatever the points", "[residual]") {
  const Collocation scheme = collocation(Scheme::radau, 3);
  const StagePolynomials polynomials(scheme.c);
  LookPatterns patterns(scheme, polynomials, 100, LookFor::everything);
  const LookPattern& pattern = patterns.of(0.4);
  const auto points = static_cast<Eigen::Index>(pattern.theta.size());
  const VecX smooth = 2 * pattern.smooth.col(0) - 3 * pattern.smooth.col(1);
  CHECK(pattern.fit.col(0).dot(smooth) == Approx(2));
  CHECK(pattern.fit.col(1).dot(smooth) == Approx(-3));
  const auto product = [&](double theta) { return (theta - scheme.c.array()).prod(); };
  for (Eigen::Index p = 0; p < points; ++p) {
    const double theta = pattern.theta[static_cast<std::size_t>(p)];
    // A multiple of prod (theta - c_j), and that times 2 theta - 1.
    CHECK(pattern.smooth(p, 0) * product(pattern.theta[0]) ==
          Approx(pattern.smooth(0, 0) * product(theta)).margin(1e-12));
    CHECK(pattern.smooth(p, 1) == Approx(pattern.smooth(p, 0) * (2 * theta - 1)).margin(1e-12));
  }
  // The polynomials are those at the points.
  const VecX ones = pattern.at.values.rowwise().sum();
  const VecX parts = pattern.at.integrals.rowwise().sum();
  for (Eigen::Index p = 0; p < points; ++p) {
    CHECK(ones[p] == Approx(1));
    CHECK(parts[p] == Approx(pattern.theta[static_cast<std::size_t>(p)]).margin(1e-14));
  }
}

TEST_CASE("patterns of other stages are others, also with as many points", "[residual]") {
  const Collocation gauss = collocation(Scheme::gauss, 3), radau = collocation(Scheme::radau, 3);
  const StagePolynomials of_gauss(gauss.c), of_radau(radau.c);
  LookPatterns first(gauss, of_gauss, 10, LookFor::everything),
      second(radau, of_radau, 10, LookFor::everything),
      again(gauss, of_gauss, 10, LookFor::everything), jumps(gauss, of_gauss, 10, LookFor::jumps);
  CHECK(first.of(1).theta != second.of(1).theta);
  CHECK(&first.of(1) == &again.of(1));
  CHECK(&first.of(1) != &jumps.of(1));
  CHECK(&first.of(1) != &first.of(4));
  CHECK(&first.of(4) == &again.of(4));
}

}  // namespace daewave::bvp
