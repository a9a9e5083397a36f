// One window by itself: how often it is swept, and what becomes of one whose end is not taken.

#include "ivp/windows/window_step.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "ivp/run/integrate.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

/// q'' = -q + pull / ((t - 1/2)^2 + 1/50). An end that is farther than `most` from the one before
/// cannot be brought back: it is not finite then, or refused.
struct Oscillation final : ReducedOde {
  bool refuses = false;
  double most = 0.05, last = 0, pull = 0;
  PivotWatch watch{};

  bool rhs(double t, const VecX& z, VecX& slope) override {
    slope.resize(2);
    slope << z[1], pull / ((t - 0.5) * (t - 0.5) + 0.02) - z[0];
    return true;
  }
  bool after_step(double t, VecX& z, VecX&) override {
    if (t > last + most) {
      if (refuses) return false;
      z[0] = NAN;
    } else {
      last = t;
    }
    return true;
  }
  bool stabilizes() const override { return true; }
  bool multiplier(double, const VecX&, VecX& multiplier) override {
    multiplier.resize(0);
    return true;
  }
  Drift drift(double, const VecX&) override { return {}; }
  std::string failure() const override { return "refused"; }
  long guarded() const override { return 0; }
  long parameter_choices() const override { return 0; }
  PivotWatch& pivots() override { return watch; }
};

}  // namespace

TEST_CASE("a window is swept twelve times at most, one of a given length sixty times",
          "[windows]") {
  for (const bool controlled : {true, false}) {
    Options options{.rtol = 1e-9, .atol = 1e-9};
    long most = 0;
    int slow = 0;
    for (int k = 1; k <= 60; ++k) {
      const double h = (controlled ? 0.1 : 0.3) * k;
      Oscillation system;
      WindowStep step(system, nullptr, Tolerance(options, 2), controlled);
      REQUIRE(step.start(0, Vec<2>(1, 0)));
      const long before = step.evaluations();
      const double error = step.attempt(h);
      const long evaluated = step.evaluations() - before;
      CAPTURE(controlled, h, error, evaluated);
      CHECK(evaluated % WindowFormula::nodes == 0);
      most = std::max(most, evaluated / WindowFormula::nodes);
      if (step.failure().find("do not converge") == std::string::npos) continue;
      ++slow;
      // With controlled steps the next is half as long.
      CHECK((controlled ? error == INFINITY && step.next_length() == 0.5 * h : std::isnan(error)));
    }
    CHECK(most == (controlled ? 12 : 60));
    CHECK(slow > 0);
  }
}

TEST_CASE("a window that is far too long is given up after four sweeps, for one that is accurate",
          "[windows]") {
  Options options{.rtol = 1e-10, .atol = 1e-10};
  int given_up = 0;
  for (int k = 5; k <= 25; ++k) {
    const double h = 0.1 * k;
    Oscillation system;
    system.most = INFINITY;
    system.pull = 1;
    WindowStep step(system, nullptr, Tolerance(options, 2), true);
    REQUIRE(step.start(0, Vec<2>(1, 0)));
    const long before = step.evaluations();
    double error = step.attempt(h);
    CAPTURE(h, error, step.failure());
    CHECK(error > 1);
    if (!step.failure().empty()) continue;
    CHECK(step.evaluations() - before == 4 * WindowFormula::nodes);
    ++given_up;
    for (int tries = 0; tries < 6 && !(error <= 1); ++tries)
      error = step.attempt(step.next_length());
    CHECK(error <= 1);
    // It is not shorter than it has to be.
    CHECK(error > 1e-8);
  }
  CHECK(given_up > 10);
}

TEST_CASE("a window whose end is not taken is tried again, shorter", "[windows]") {
  for (const bool refuses : {false, true}) {
    Oscillation system;
    system.refuses = refuses;
    Options options{.rtol = 1e-6, .most_steps = 10'000, .every = 0};
    WindowStep step(system, nullptr, Tolerance(options, 2), true);
    VecX start(2);
    start << 1, 0;
    const Solution solution = integrate(step, start, {0, 1}, options);
    INFO(solution.report.full());
    CHECK(solution.report.usable());
    CHECK(solution.report.integration.largest_step <= system.most);
    CHECK(std::abs(solution.end()[0] - std::cos(1.0)) < 1e-6);
  }
}

TEST_CASE("a window behind one that was too long at first is not longer than what was taken",
          "[windows]") {
  Options options{.rtol = 1e-9, .atol = 1e-9};
  for (const double first : {1.1, 1.3, 1.6}) {
    Oscillation system;
    system.refuses = true;
    system.most = 1;
    WindowStep step(system, nullptr, Tolerance(options, 2), true);
    REQUIRE(step.start(0, Vec<2>(1, 0)));
    REQUIRE(step.attempt(first) <= 1);
    REQUIRE_FALSE(step.accept());
    const double h = step.next_length();
    const long before = step.evaluations();
    REQUIRE(step.attempt(h) <= 1);
    const long again = step.evaluations() - before;
    REQUIRE(step.accept());
    CHECK(step.next_length() == h);
    // At once it is the same window, and takes more sweeps, as less is known of it.
    Oscillation other;
    other.most = 1;
    WindowStep at_once(other, nullptr, Tolerance(options, 2), true);
    REQUIRE(at_once.start(0, Vec<2>(1, 0)));
    const long begin = at_once.evaluations();
    REQUIRE(at_once.attempt(h) <= 1);
    CAPTURE(first, h, again);
    CHECK(at_once.evaluations() - begin > again);
    REQUIRE(at_once.accept());
    CHECK((step.state() - at_once.state()).cwiseAbs().maxCoeff() < 1e-9);
    CHECK(at_once.next_length() > h);
  }
}

}  // namespace daewave::ivp
