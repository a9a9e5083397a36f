// After which steps the formula is changed, where steps say themselves how stiff they are.

#include <functional>

#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/reduced/stiff_change.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/plain_systems.hpp"

namespace daewave::ivp {

namespace {

/// A step that is as stiff as it is told to be, by the number of those that were taken.
class ToldStiffness final : public NonstiffStep {
 public:
  ToldStiffness(ExplicitRkStep& inner, std::function<double(int)> told)
      : inner_(inner), told_(std::move(told)) {}

  bool start(double t, const VecX& z) override { return inner_.start(t, z); }
  double attempt(double h) override { return inner_.attempt(h); }
  bool accept() override { return ++taken_, inner_.accept(); }
  double t() const override { return inner_.t(); }
  const VecX& state() const override { return inner_.state(); }
  void interpolate(double theta, VecX& out) override { inner_.interpolate(theta, out); }
  bool multiplier(VecX& carried) override { return inner_.multiplier(carried); }
  Drift drift() override { return {}; }
  int error_order() const override { return inner_.error_order(); }
  std::string failure() const override { return ""; }
  long evaluations() const override { return inner_.evaluations(); }
  double stiffness() const override { return told_(taken_); }

 private:
  ExplicitRkStep& inner_;
  std::function<double(int)> told_;
  int taken_ = 0;
};

/// Of 58 steps, that after which the formula is changed; 0 for none.
int changed_after(const std::function<double(int)>& stiffness) {
  Oscillator system;
  const Tolerance tolerance(Options{.rtol = 1e-3}, 2);
  ExplicitRkStep inner(system, tableau(Stepper::dop853), tolerance, true);
  ToldStiffness told(inner, stiffness);
  CollocationStep damping(system, collocation(Scheme::radau, 3), tolerance, true);
  StiffChange changing(told, damping, system, nullptr);
  constexpr double h = 1e-3;
  REQUIRE(changing.start(0, VecX{{0, 1}}));
  for (int step = 1; step <= 58; ++step) {
    REQUIRE(changing.attempt(h) <= 1);
    REQUIRE(changing.accept());
    if (changing.changes().empty()) continue;
    CHECK(changing.changes()[0].stiff);
    CHECK(changing.changes()[0].t == Approx(step * h));
    return step;
  }
  return 0;
}

}  // namespace

TEST_CASE("the formula is changed after fifteen stiff steps, looked for at each fifth", "[stiff]") {
  CHECK(changed_after([](int) { return 6.2; }) == 19);
  CHECK(changed_after([](int) { return 6.0; }) == 0);
  CHECK(changed_after([](int step) { return step > 5 ? 6.2 : 0; }) == 24);
  CHECK(changed_after([](int step) { return step >= 5 && step < 19 ? 6.2 : 0; }) == 0);
}

TEST_CASE("five steps between that are not stiff change nothing, six begin anew", "[stiff]") {
  const auto with_others = [](int first, int last) {
    return [=](int step) { return step >= first && step <= last ? 0 : 6.2; };
  };
  // 5 to 9 and 15 to 24 are fifteen.
  CHECK(changed_after(with_others(10, 14)) == 24);
  // From 20 on.
  CHECK(changed_after(with_others(10, 15)) == 34);
  // Others are counted in a row.
  CHECK(changed_after([](int step) { return step % 4 == 2 ? 0 : 6.2; }) > 19);
  CHECK(changed_after([](int step) { return step % 4 == 2 ? 0 : 6.2; }) < 30);
}

}  // namespace daewave::ivp
