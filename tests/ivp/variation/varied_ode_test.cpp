#include "ivp/variation/varied_ode.hpp"

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/catch.hpp"

namespace daewave::ivp {

namespace {

/// x' = p x^2, brought to x + 1e-3 x^3 at the end of a step. What cannot be evaluated says so.
class Square final : public OdeSystem {
 public:
  explicit Square(double p) : p_(p) {}
  double forbidden_below = -INFINITY, stuck_below = -INFINITY;

  bool rhs(double, const VecX& z, VecX& slope) override {
    failure_ = z[0] < forbidden_below ? "rhs: too small" : "";
    slope = VecX{{p_ * z[0] * z[0]}};
    return failure_.empty();
  }
  bool after_step(double, VecX& z, VecX& slope) override {
    failure_ = z[0] < stuck_below ? "after_step: too small" : "";
    z[0] += 1e-3 * z[0] * z[0] * z[0];
    slope[0] = p_ * z[0] * z[0];
    return failure_.empty();
  }
  bool stabilizes() const override { return true; }
  bool multiplier(double, const VecX& z, VecX& multiplier) override {
    multiplier = z;
    return true;
  }
  Drift drift(double, const VecX&) override { return {}; }
  std::string failure() const override { return failure_; }

 private:
  double p_;
  std::string failure_;
};

/// (x, dx/dx0, dx/dp) with p = 2.
struct Varied {
  Square system{2}, beside{2};
  VariedOde ode;

  Varied() : ode(system, beside, VecX{{1.0}}, 1e-4, 1, moved()) {}
  static std::vector<MovedSystems> moved() {
    std::vector<MovedSystems> all(1);
    all[0].step = 1e-3;
    for (const int k : {-2, -1, 1, 2}) {
      all[0].at.push_back(std::make_unique<Square>(2 + k * all[0].step));
    }
    return all;
  }
};

const VecX state{{3.0, 0.5, -2.0}};

}  // namespace

TEST_CASE("columns move as the equation is differentiated by the state and by parameters",
          "[sensitivities]") {
  Varied varied;
  VecX slope = VecX::Zero(3);
  REQUIRE(varied.ode.rhs(0, state, slope));
  CHECK(slope[0] == 18);
  CHECK(slope[1] == Approx(12 * 0.5).epsilon(1e-9));
  CHECK(slope[2] == Approx(12 * -2.0 + 9).epsilon(1e-9));
}

TEST_CASE("a system that gives no Jacobian knows none", "[ivp]") {
  Square system(2);
  MatX J;
  CHECK_FALSE(system.knows_jacobian());
  CHECK_FALSE(system.jacobian(0, VecX{{3.0}}, J));
  CHECK_FALSE(system.refuses_end());
  CHECK_FALSE(system.second_order());
}

TEST_CASE("the end of a step moves its columns with it", "[sensitivities]") {
  Varied varied;
  VecX z = state, slope = VecX::Zero(3);
  REQUIRE(varied.ode.rhs(0, z, slope));
  REQUIRE(varied.ode.after_step(0, z, slope));
  const double x = 3 + 27e-3, by_x = 1 + 27e-3;
  CHECK(z[0] == Approx(x).epsilon(1e-14));
  CHECK(z[1] == Approx(by_x * 0.5).epsilon(1e-9));
  CHECK(z[2] == Approx(by_x * -2).epsilon(1e-9));
  CHECK(slope[0] == Approx(2 * x * x).epsilon(1e-14));
  CHECK(slope[1] == Approx(4 * x * z[1]).epsilon(1e-9));
  CHECK(slope[2] == Approx(4 * x * z[2] + x * x).epsilon(1e-9));
}

TEST_CASE("whichever part of a varied system fails tells why", "[sensitivities]") {
  VecX z = state, slope = VecX::Zero(3);
  Varied own;
  own.system.forbidden_below = 4;
  CHECK_FALSE(own.ode.rhs(0, z, slope));
  CHECK(own.ode.failure() == "rhs: too small");
  Varied around;
  around.beside.forbidden_below = 3;
  CHECK_FALSE(around.ode.rhs(0, z, slope));
  CHECK(around.ode.failure() == "rhs: too small");
  CHECK_FALSE(around.ode.after_step(0, z, slope));
  CHECK(around.ode.failure() == "rhs: too small");
  Varied beside;
  beside.beside.stuck_below = 3;
  REQUIRE(beside.ode.rhs(0, z, slope));
  CHECK_FALSE(beside.ode.after_step(0, z, slope));
  CHECK(beside.ode.failure() == "after_step: too small");
  Varied at_end;
  at_end.system.stuck_below = 4;
  REQUIRE(at_end.ode.rhs(0, z, slope));
  CHECK_FALSE(at_end.ode.after_step(0, z, slope));
  CHECK(at_end.ode.failure() == "after_step: too small");
}

TEST_CASE("the Jacobian is that of the equation for the state and for each column alone",
          "[sensitivities]") {
  Varied varied;
  MatX J;
  CHECK(varied.ode.knows_jacobian());
  REQUIRE(varied.ode.jacobian(0, state, J));
  REQUIRE(J.rows() == 3);
  REQUIRE(J.cols() == 3);
  // d (2 x^2) / dx at 3.
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) CHECK(J(i, j) == Approx(i == j ? 12 : 0).epsilon(1e-8));
  }
  varied.beside.forbidden_below = 10;
  CHECK_FALSE(varied.ode.jacobian(0, state, J));
  VecX multiplier;
  CHECK(varied.ode.multiplier(0, state, multiplier));
  CHECK(multiplier == VecX{{3.0}});
  CHECK(varied.ode.stabilizes());
}

}  // namespace daewave::ivp
