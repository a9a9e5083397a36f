// Rates of modes and turns of a linear problem, read off eigenvalues.

#include "bvp/linear/mode_rates.hpp"

#include <cmath>
#include <functional>

#include "tests/catch.hpp"
#include "tests/core/singular_coefficients.hpp"

namespace daewave::bvp {
namespace {

/// x3 = 0, and x1, x2 as A says.
struct Modes {
  std::function<MatX(double)> A_of;
  Interval span{0, 1};
  Interval interval() const { return span; }
  Boundary boundary() const { return {MatX::Identity(2, 3), MatX::Zero(2, 3), VecX::Zero(2)}; }
  MatX A(double t) const { return A_of(t); }
  MatX B(double) const { return MatX{{0.0}, {0.0}, {1.0}}; }
  VecX q(double) const { return VecX::Zero(3); }
  MatX C(double) const { return MatX{{0, 0, 1}}; }
  VecX r(double) const { return VecX::Zero(1); }
};

double fastest(const Modes& of) {
  const auto problem = erase(of);
  return fastest_growing_mode(*problem, scan_constraint(*problem));
}

MatX diagonal(double a, double b, double c) { return Vec<3>(a, b, c).asDiagonal(); }

}  // namespace

TEST_CASE("the fastest growing mode is one that the constraint leaves", "[modes]") {
  CHECK(fastest({[](double) { return diagonal(3, -50, 0); }}) == Approx(3));
  CHECK(fastest({[](double) { return diagonal(3, 7, 0); }}) == Approx(7));
  // What the constraint takes, and what decays, does not count.
  CHECK(fastest({[](double) { return diagonal(3, -50, 1000); }}) == Approx(3));
  CHECK(fastest({[](double) { return diagonal(-3, -50, 0); }}) == 0);
  // Growth of what turns is its real part.
  CHECK(fastest({[](double) { return MatX{{2, 90, 0}, {-90, 2, 0}, {0, 0, 0}}; }}) == Approx(2));
}

TEST_CASE("the fastest mode is that of the time at which it grows most, an end too", "[modes]") {
  CHECK(fastest({[](double t) { return diagonal(t, 0, 0); }, {2, 6}}) == Approx(6));
  CHECK(fastest({[](double t) { return diagonal(8 - t, 0, 0); }, {2, 6}}) == Approx(6));
  CHECK(fastest({[](double t) { return diagonal(5 - std::abs(t - 3), 0, 0); }, {2, 6}}) ==
        Approx(5));
}

TEST_CASE("modes are not asked for where C B is singular", "[modes]") {
  for (const testing::SingularKind& kind : testing::singular_kinds(0.5)) {
    CAPTURE(kind.name);
    const auto problem = erase(testing::singular_dae(kind, {0, 1}));
    const double rate = fastest_growing_mode(*problem, scan_constraint(*problem));
    CHECK(std::isfinite(rate));
    CHECK(rate < 100);
  }
}

TEST_CASE("oscillations are the turns of the fastest pair over the interval", "[modes]") {
  const auto turns = [](double rate, Interval span) {
    return oscillations(*erase(Modes{[rate](double) {
                                       return MatX{{0, rate, 0}, {-rate, -4, 0}, {0, 0, 0}};
                                     },
                                     span}));
  };
  // Of s^2 + 4 s + rate^2 = 0.
  const double frequency = std::sqrt(30.0 * 30 - 4) / (2 * 3.14159265358979323846);
  CHECK(turns(30, {0, 1}) == Approx(frequency));
  CHECK(turns(30, {-5, 2}) == Approx(7 * frequency));
  CHECK(turns(1, {0, 1}) == 0);
  // In the mean of all times.
  const Modes faster{[](double t) { return MatX{{0, t, 0}, {-t, 0, 0}, {0, 0, 0}}; }, {2, 4}};
  CHECK(oscillations(*erase(faster)) == Approx(2 * 3 / (2 * 3.14159265358979323846)));
}

}  // namespace daewave::bvp
