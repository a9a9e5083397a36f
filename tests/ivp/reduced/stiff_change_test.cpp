// Changes between formulas where one of them cannot go on.

#include "ivp/reduced/stiff_change.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/run/integrate.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/plain_systems.hpp"

namespace daewave::ivp {
namespace {

/// Says that all is stiff until the formulas were changed; and from then on takes no step that is
/// longer than `most`: it is rejected, or accepted and then not taken.
class Unwilling final : public NonstiffStep {
 public:
  Unwilling(ExplicitRkStep& inner, bool rejects) : inner_(inner), rejects_(rejects) {}

  static constexpr double most = 1e-4;
  bool start(double t, const VecX& z) override {
    ++starts_;
    return inner_.start(t, z);
  }
  double attempt(double h) override {
    too_long_ = starts_ > 1 && h > most;
    return too_long_ && rejects_ ? 100 : inner_.attempt(h);
  }
  bool accept() override { return !too_long_ && inner_.accept(); }
  double t() const override { return inner_.t(); }
  const VecX& state() const override { return inner_.state(); }
  void interpolate(double theta, VecX& out) override { inner_.interpolate(theta, out); }
  bool multiplier(VecX& carried) override { return inner_.multiplier(carried); }
  Drift drift() override { return {}; }
  int error_order() const override { return inner_.error_order(); }
  std::string failure() const override { return "too long"; }
  long evaluations() const override { return inner_.evaluations(); }
  double stiffness() const override { return starts_ == 1 ? 100 : 0; }
  int starts() const { return starts_; }

 private:
  ExplicitRkStep& inner_;
  bool rejects_;
  bool too_long_ = false;
  int starts_ = 0;
};

}  // namespace

TEST_CASE("twelve changes of formula are told, of more the first six and the last", "[stiff]") {
  for (const int count : {0, 1, 2, 12, 13, 40}) {
    std::vector<FormulaChange> changes;
    std::string expected = "radau of 3 stages";
    for (int i = 0; i < count; ++i) {
      changes.push_back({i + 0.5, i % 2 == 0});
      const bool told = count <= 12 || i < 6 || i >= count - 6;
      if (count > 12 && i == 6) expected += ", ... (" + std::to_string(count) + " changes)";
      if (!told) continue;
      expected += i % 2 != 0 ? " to" : i == 0 ? " from" : ", from";
      expected += " t = " + std::to_string(i) + ".5";
    }
    Report report;
    tell_changes(changes, "dop853", report);
    CHECK(was_stiff(report) == (count > 0));
    if (count == 0) continue;
    REQUIRE(report.choices.size() == 1);
    CHECK(report.choices[0].value == expected);
    CHECK_THAT(report.choices[0].reason, contains_text("of dop853"));
  }
}

TEST_CASE("after a change of formula a step that is not taken is followed by a shorter one",
          "[stiff]") {
  for (const bool rejects : {true, false}) {
    CAPTURE(rejects);
    Oscillator system;
    // So short that the formula that damps is left as soon as it may be.
    const Options options{
        .rtol = 1e-9, .first_step = 1e-3, .largest_step = 1e-3, .most_steps = 20'000, .every = 0};
    const Tolerance tolerance(options, 2);
    ExplicitRkStep inner(system, tableau(Stepper::dop853), tolerance, true);
    Unwilling unwilling(inner, rejects);
    CollocationStep damping(system, collocation(Scheme::radau, 3), tolerance, true);
    StiffChange changing(unwilling, damping, system, nullptr);
    VecX start(2);
    start << 0, 1;
    const Solution solution = integrate(changing, start, {0, 0.2}, options);
    INFO(solution.report.full());
    CHECK(solution.report.usable());
    CHECK(unwilling.starts() == 2);
    CHECK(std::abs(solution.end()[0] - std::sin(0.2)) < 1e-9);
  }
}

}  // namespace daewave::ivp
