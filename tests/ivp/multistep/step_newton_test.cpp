// Newton's method of a multistep formula with derivatives that are off: how many iterations it
// takes, when they are taken anew, and what it says where it does not come to an end.

#include "ivp/multistep/step_newton.hpp"

#include <cmath>
#include <string>

#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

/// z' = rate z + 1 whose derivative is said to be 0: with c = 1 each iteration leaves `rate` of the
/// error. Beyond `most` evaluations it refuses.
class Straight final : public DaeSystem {
 public:
  explicit Straight(double rate) : rate_(rate) {}

  int nz() const override { return 1; }
  int nw() const override { return 0; }
  int nh() const override { return 0; }
  bool evaluate(double, const VecX& z, const VecX&, VecX& slope, VecX&) override {
    slope[0] = rate_ * z[0] + 1;
    return ++evaluations <= most;
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
  std::string failure() const override { return "refused"; }

  int evaluations = 0, most = 1000;

 private:
  double rate_;
};

struct Solved {
  bool found;
  double z;
};

/// z = rate z + 1 from z = 0.
Solved solve(StepNewton& newton, double goal) {
  VecX z = VecX::Zero(1), w(0);
  const bool found = newton.solve(0.5, 1, VecX::Zero(1), z, w, VecX::Ones(1), goal);
  return {found, z[0]};
}

}  // namespace

TEST_CASE("six iterations are made, and no more", "[bdf]") {
  // Changes are 1, 1/2, 1/4, ..., each as large as the error that it leaves.
  for (const double goal : {1.0 / 32, 1.0 / 33}) {
    Straight system(0.5);
    StepNewton newton(system);
    const Solved solved = solve(newton, goal);
    CHECK(solved.found == (goal == 1.0 / 32));
    CHECK(solved.z == 2 - 1.0 / 32);
    CHECK(system.evaluations == 6);
    CHECK(newton.evaluations() == 6);
    CHECK(newton.iterations() == 6);
    CHECK(newton.jacobians() == 1);
    if (!solved.found) {
      CHECK(newton.failure() == "Newton's method did not converge at t = 0.5");
    }
  }
}

TEST_CASE("iterations that hardly converge, or do not, end at once", "[bdf]") {
  for (const double rate : {0.91, -0.91, 2.0}) {
    CAPTURE(rate);
    Straight system(rate);
    StepNewton newton(system);
    CHECK_FALSE(solve(newton, 1e-6).found);
    CHECK(newton.iterations() == 2);
  }
  Straight slow(0.89);
  StepNewton newton(slow);
  CHECK_FALSE(solve(newton, 1e-6).found);
  CHECK(newton.iterations() == 6);
  // Changes that grow end it when they are larger than the goal: 1, 1.5 and 2.25.
  Straight growing(1.5);
  StepNewton patient(growing);
  CHECK_FALSE(solve(patient, 1.6).found);
  CHECK(patient.iterations() == 3);
}

TEST_CASE("a change of a hundredth of the goal is enough, whatever the rate", "[bdf]") {
  for (const double goal : {100.0, 99.0}) {
    Straight system(0.5);
    StepNewton newton(system);
    CHECK(solve(newton, goal).found);
    CHECK(newton.iterations() == (goal == 100 ? 1 : 2));
  }
}

TEST_CASE("derivatives are taken anew when more iterations than two were spent on them", "[bdf]") {
  // Two iterations a time: changes 1 and 1/16, which leaves 1/15 of it.
  Straight system(1.0 / 16);
  StepNewton newton(system);
  for (int times = 1; times <= 8; ++times) {
    CAPTURE(times);
    const long before = newton.iterations();
    REQUIRE(solve(newton, 0.02).found);
    CHECK(newton.iterations() - before == 2);
    CHECK(newton.jacobians() == 1 + (times - 1) / 3);
  }
  newton.forget();
  REQUIRE(solve(newton, 0.02).found);
  CHECK(newton.jacobians() == 4);
}

TEST_CASE("what cannot be evaluated is told by the system", "[bdf]") {
  for (const int most : {0, 1, 2}) {
    Straight system(0.5);
    system.most = most;
    StepNewton newton(system);
    CAPTURE(most);
    CHECK_FALSE(solve(newton, 1e-3).found);
    CHECK(newton.failure() == "refused");
    CHECK(newton.iterations() == most);
  }
}

TEST_CASE("numbers that are not finite, and matrices that are singular, are told", "[bdf]") {
  Straight system(INFINITY);
  StepNewton newton(system);
  CHECK_FALSE(solve(newton, 1e-3).found);
  CHECK(newton.failure() == "Newton's method led to numbers that are not finite at t = 0.5");
}

}  // namespace daewave::ivp
