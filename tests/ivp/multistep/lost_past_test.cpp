// Formulas of many steps without a past: how long their first step is, and when one that predicts
// nothing is forgotten.

#include <cmath>
#include <functional>
#include <vector>

#include "ivp/multistep/bdf_step.hpp"
#include "ivp/multistep/blocked_multistep_step.hpp"
#include "problems/velocity_pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/blocked_runs.hpp"

namespace daewave::ivp {
namespace {

/// z' = f(t), watched; refuses beyond a time.
class GivenSlope final : public DaeSystem {
 public:
  explicit GivenSlope(std::function<double(double)> f) : f_(std::move(f)) {}

  int nz() const override { return 1; }
  int nw() const override { return 0; }
  int nh() const override { return 0; }
  bool evaluate(double t, const VecX&, const VecX&, VecX& slope, VecX&) override {
    times.push_back(t);
    slope[0] = f_(t);
    return t <= last;
  }
  bool jacobian(double, const VecX&, const VecX&, MatX& J) override {
    J.setZero(1, 1);
    return true;
  }
  bool algebraic(double, const VecX&, VecX&) override { return true; }
  bool invariants(double, const VecX&, VecX&) override { return true; }
  bool invariants(double, const VecX&, VecX&, MatX&) override { return true; }
  bool multiplier(double, const VecX&, const VecX&, VecX&) override { return true; }
  Drift drift(double, const VecX&) override { return {}; }
  std::string failure() const override { return "beyond the last time"; }

  long evaluated_at(double t) const { return std::count(times.begin(), times.end(), t); }

  double last = INFINITY;
  std::vector<double> times;

 private:
  std::function<double(double)> f_;
};

/// Changes of z = 1 count in thousandths of atol + rtol |z| = 2e-3.
const Tolerance two_thousandths(Options{.rtol = 1e-3, .atol = 1e-3}, 1);

double first_step(GivenSlope& system, double most, double sign = 1) {
  BdfStep step(system, {.projection = {.onto = Onto::nothing}}, two_thousandths);
  REQUIRE(step.start(0, VecX::Ones(1)));
  return step.first_step(sign, most);
}

}  // namespace

TEST_CASE(
    "the first step of a BDF has an error of a quarter, by a look a hundredth of the solution's "
    "time ahead",
    "[bdf]") {
  // Looks at t = 0.01 |z / z'| = 0.01: z'' is 300 * 0.01 there, h^2 z'' / 2 a quarter of 2e-3.
  GivenSlope bent([](double t) { return 1 + 300 * t * t; });
  CHECK(first_step(bent, 10) == Approx(std::sqrt(0.5 * 2e-3 / 3)));
  CHECK(bent.times == std::vector<double>{0, 0.01});
  CHECK(first_step(bent, 10, -1) == Approx(-std::sqrt(0.5 * 2e-3 / 3)));
  CHECK(first_step(bent, 1e-2) == 1e-2);
  // Without a slope at a millionth of the longest step.
  GivenSlope at_rest([](double t) { return 3e9 * t * t; });
  CHECK(first_step(at_rest, 10) == Approx(std::sqrt(0.5 * 2e-3 / 3e4)).epsilon(1e-9));
  CHECK(at_rest.times.back() == Approx(1e-5));
  // Never more than a hundred times as far as the look.
  GivenSlope straight([](double) { return 2.0; });
  CHECK(first_step(straight, 10) == Approx(0.5));
  CHECK(first_step(straight, 0.3) == 0.3);
  // A thousandth of it where there is nothing to be seen.
  GivenSlope refusing([](double) { return 2.0; });
  refusing.last = 0;
  CHECK(first_step(refusing, 10) == Approx(5e-6));
  CHECK(first_step(refusing, 10, -1) == Approx(-0.5));
}

TEST_CASE(
    "a past that predicts nothing is forgotten after twelve rejections, and after twelve more",
    "[bdf]") {
  GivenSlope jump([](double t) { return t > 0 ? 1e6 : 0; });
  BdfStep step(jump, {.projection = {.onto = Onto::nothing}}, two_thousandths);
  REQUIRE(step.start(0, VecX::Ones(1)));
  CHECK(jump.evaluated_at(0) == 1);
  for (int rejected = 1; rejected <= 30; ++rejected) {
    CAPTURE(rejected);
    CHECK(step.attempt(0.1) > 1);
    CHECK(jump.evaluated_at(0) == 1 + rejected / 12);
    CHECK(step.evaluations() == static_cast<long>(jump.times.size()));
  }
  // Of fixed steps nothing is rejected.
  GivenSlope same([](double t) { return t > 0 ? 1e6 : 0; });
  BdfStep fixed(same, {.order = 1, .fixed = true, .projection = {.onto = Onto::nothing}},
                two_thousandths);
  REQUIRE(fixed.start(0, VecX::Ones(1)));
  CHECK(fixed.error_order() == 0);
}

TEST_CASE("a blocked formula looks twelve times for its first step, each a tenth of the one before",
          "[multistep]") {
  const problems::VelocityPendulum pendulum;
  std::vector<double> looked;
  const KnownSolution begin_only = [&](double t, VecX& x, VecX& lambda) {
    if (t != 1) return looked.push_back(t - 1), false;
    x = pendulum.z_exact(t);
    lambda = pendulum.y_exact(t);
    return true;
  };
  const auto system = index_two_of(pendulum, 1);
  BlockedMultistepStep step(*system, stable(MultistepFamily::dcbdf, 3), Tolerance(Options{}, 4),
                            true, begin_only);
  REQUIRE(step.start(1, VecX(pendulum.start())));
  const double h = step.first_step(1, 1e-3);
  REQUIRE(looked.size() == 12);
  for (std::size_t i = 1; i < 8; ++i) {
    CHECK(looked[i] == Approx(0.1 * looked[i - 1]).margin(1e-15));
  }
  CHECK(h == Approx(1e-12 * looked[0]).epsilon(1e-9));
}

}  // namespace daewave::ivp
