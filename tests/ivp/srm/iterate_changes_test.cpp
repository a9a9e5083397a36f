// What the last changes of the iterates let pass, to within a hundredth of the bounds themselves.

#include "ivp/srm/iterate_changes.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "core/derivatives/autodiff.hpp"
#include "ivp/solve.hpp"
#include "problems/slider_crank.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using ivp::LastIterates;
using ivp::Options;
using ivp::Solution;

namespace {

/// A run that ended at x = (3, -2, 1, 0.5), positions having moved by 4 and 0.01, velocities by 2.
Solution solution_that_moved() {
  Solution solution;
  solution.nz = 4;
  solution.second_order = true;
  solution.motion.least = Vec<4>(-1, -2, -1, -1);
  solution.motion.greatest = Vec<4>(3, -1.99, 1, 1);
  solution.report.termination = Termination::converged;
  solution.report.integration.steps = 10;
  solution.report.integration.reached = 7;
  return solution;
}

LastIterates iterates(std::vector<VecX> changes) {
  return {.t = 7, .x = Vec<4>(3, -2, 1, 0.5), .changes = std::move(changes)};
}

/// Three changes with one rate in all entries but that one: its last is error (1 - r) / r.
LastIterates with_error(int entry, double error) {
  constexpr double rate = 0.1;
  VecX last = VecX::Constant(4, 1e-13);
  last[entry] = error * (1 - rate) / rate;
  return iterates({last / (rate * rate), last / rate, last});
}

Report told(const LastIterates& last, const Options& options) {
  Solution solution = solution_that_moved();
  tell_iterates(last, options, solution);
  return solution.report;
}

Options with_fixed_steps() {
  Options options;
  options.h = 1e-3;
  return options;
}

Options with_tolerances(double rtol, double atol) {
  Options options;
  options.rtol = rtol;
  options.atol = atol;
  return options;
}

/// Changes as large as `allowed` pass, by a hundredth larger ones do not, and the entry is told.
void check_bound(int entry, double allowed, const Options& options, const char* words) {
  CAPTURE(entry, allowed);
  CHECK(told(with_error(entry, 0.99 * allowed), options).usable());
  const Report report = told(with_error(entry, 1.01 * allowed), options);
  INFO(report.message);
  CHECK(!report.usable());
  CHECK(report.termination == Termination::iterates_exhausted);
  CHECK(report.message.find("entry " + std::to_string(entry + 1)) != std::string::npos);
  CHECK(report.message.find(words) != std::string::npos);
  CHECK(!report.advice.empty());
}

/// A bead on a ring of radius 1 + sin(t) / 10.
struct BreathingRing {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -1}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T t) const {
    using std::sin;
    const T r = 1.0 + 0.1 * sin(t);
    return VecOf<T, 1>((q.squaredNorm() - r * r) / 2.0);
  }
};

}  // namespace

TEST_CASE("with a fixed step the error of the last iterate may be 1e-3 of the motion",
          "[srm][iterates]") {
  const Options options = with_fixed_steps();
  // Rounding of the largest entry, 3e-10, comes to it. One that hardly moves may be wrong by a
  // tenth of what the others of its kind may.
  check_bound(0, 4e-3, options, "1e-3 of its motion");
  check_bound(1, 4e-4, options, "1e-3 of its motion");
  check_bound(2, 2e-3, options, "1e-3 of its motion");
  check_bound(3, 2e-3, options, "1e-3 of its motion");
}

TEST_CASE("with controlled steps the error of the last iterate may be 100 times the tolerance",
          "[srm][iterates]") {
  for (const int entry : {0, 3}) {
    check_bound(entry, 100 * (1e-9 + 3e-6), with_tolerances(1e-6, 1e-9), "100 times the tolerance");
    check_bound(entry, 100 * (1e-5 + 3e-8), with_tolerances(1e-8, 1e-5), "100 times the tolerance");
  }
  Options each = with_tolerances(1e-8, 1e-5);
  each.atol_each = {1e-5, 1e-6, 1e-7, 1e-3};
  for (int i = 0; i < 4; ++i) {
    check_bound(i, 100 * (each.atol_each[i] + 3e-8), each, "100 times the tolerance");
  }
}

TEST_CASE("the slower of the last two decays tells the error of the last iterate",
          "[srm][iterates]") {
  const Options options = with_fixed_steps();
  const auto changes = [&](double first, double second, double third) {
    std::vector<VecX> all;
    for (const double one : {first, second, third}) all.push_back(VecX::Constant(4, 1e-4 * one));
    return told(iterates(std::move(all)), options).usable();
  };
  // Of the entry that may be wrong by 4e-4: 1e-4 r / (1 - r) is that at r = 0.8.
  CHECK(changes(1 / 0.79 / 0.1, 1 / 0.79, 1));
  CHECK(!changes(1 / 0.81 / 0.1, 1 / 0.81, 1));
  CHECK(!changes(10 / 0.81, 10, 1));
  // Changes that do not become smaller are nineteen times as wrong as they are, and no less.
  CHECK(told(iterates({VecX::Constant(4, 2e-5), VecX::Constant(4, 2e-5)}), options).usable());
  CHECK(!told(iterates({VecX::Constant(4, 2.2e-5), VecX::Constant(4, 2.2e-5)}), options).usable());
  CHECK(!told(iterates({VecX::Constant(4, 1e-8), VecX::Constant(4, 2.2e-5)}), options).usable());
  // Of two iterates the motion is what came before: 1e-2 of a motion of 2, and so 1e-4 of it more.
  CHECK(told(iterates({Vec<4>(0, 0, 2e-2, 0)}), options).usable());
  CHECK(!told(iterates({Vec<4>(0, 0, 7e-2, 0)}), options).usable());
}

TEST_CASE("where one iterate is foreseen to suffice, another one may change no more than the error",
          "[srm][iterates]") {
  // 100 (1e-9 + 3e-6), of which a hundredth would be left if that were the rate.
  const Options options = with_tolerances(1e-6, 1e-9);
  for (const double change : {2.9e-4, 3.1e-4}) {
    LastIterates last = iterates({VecX::Constant(4, change)});
    CHECK(told(last, options).usable());
    last.one_suffices = true;
    const Report report = told(last, options);
    CHECK(report.usable() == (change < 3e-4));
    if (!report.usable()) CHECK_THAT(report.advice, contains_text("leave epsilon open"));
    // With a third there is a rate.
    last.changes.push_back(VecX::Constant(4, 1e-6));
    CHECK(told(last, options).usable());
  }
}

TEST_CASE(
    "iterates of an epsilon so small that Gauss damps nothing are not claimed past a dead point",
    "[srm][iterates]") {
  const problems::SliderCrank crank;
  const Options options{.method = ivp::Srm{.epsilon = 3e-8, .formula = {ivp::Stepper::gauss, 3}},
                        .rtol = 1e-6,
                        .seek_way_out = false,
                        .every = 0};
  const Solution solution = ivp::solve(crank, crank.start(), {0, 1}, options);
  INFO(solution.report.full());
  if (!solution.report.usable()) {
    CHECK(solution.report.termination == Termination::iterates_exhausted);
    CHECK_THAT(solution.report.advice, contains_text("stepper = radau"));
  } else if (solution.report.warnings.empty()) {
    const Solution right = ivp::solve(crank, crank.start(), {0, 1}, {.rtol = 1e-10, .every = 0});
    CHECK((solution.end() - right.end()).cwiseAbs().maxCoeff() < 4e-4);
  }
}

TEST_CASE("a piece between restarts may be as wrong as the motion of the whole run lets it",
          "[srm][iterates]") {
  // Of a piece of a hundredth of the motion nothing but 1e-5 of it was allowed.
  const auto piece = [](bool is_first) {
    Solution solution = solution_that_moved();
    LastIterates last = with_error(0, 1e-3);
    if (!is_first) last.before = solution.motion;
    solution.motion.least = last.x - 0.01 * solution.motion.range();
    solution.motion.greatest = last.x;
    tell_iterates(last, with_fixed_steps(), solution);
    return solution.report;
  };
  CHECK(piece(false).usable());
  CHECK(!piece(true).usable());
}

TEST_CASE("a run is as usable with a restart shortly before its end as without one",
          "[srm][iterates]") {
  for (const double restart : {0.95, 0.98, 0.99}) {
    Options options{.method = ivp::Srm{.exact_start = 1}, .h = 0.01};
    options.restart_times = {restart};
    options.seek_way_out = false;
    const Solution solution =
        ivp::solve(with_autodiff(BreathingRing{}), Vec<4>(1, 0, 0.1, 0.8), {0, 1}, options);
    CAPTURE(restart, solution.report.message);
    CHECK(solution.report.usable());
  }
}

TEST_CASE("a single iterate, or changes that are no numbers, tell nothing", "[srm][iterates]") {
  for (const Options& options : {with_fixed_steps(), with_tolerances(1e-6, 1e-9)}) {
    CHECK(told(iterates({}), options).termination == Termination::iterates_exhausted);
    for (int entry = 0; entry < 4; ++entry) {
      VecX change = VecX::Constant(4, 1e-12);
      change[entry] = NAN;
      CHECK(!told(iterates({VecX::Constant(4, 1e-11), change}), options).usable());
    }
  }
}

TEST_CASE("the last iterate is as far off its constraints as its error may be, and no further",
          "[srm][iterates]") {
  // One constraint, and its derivative, along x_1 and x_3 alone: off by as much as they are.
  const auto off = [](double position, double velocity) {
    LastIterates last = with_error(0, 1e-6);
    last.drift = [position, velocity, x = last.x](double, const VecX& z) {
      return ivp::Drift{std::abs(position + z[0] - x[0]), std::abs(velocity + z[2] - x[2])};
    };
    return told(last, with_fixed_steps());
  };
  // 4e-3 and 2e-3 are what the state may be wrong by.
  CHECK(off(0, 0).usable());
  CHECK(off(3.9e-3, 1.9e-3).usable());
  for (const auto& [position, velocity] : {std::pair(4.1e-3, 0.0), std::pair(0.0, 2.1e-3)}) {
    CAPTURE(position, velocity);
    Report report = off(position, velocity);
    CHECK(!report.usable());
  }
  // That is told also where there is nothing else to be told.
  LastIterates single = iterates({});
  single.drift = [](double, const VecX&) { return ivp::Drift{1, 0}; };
  CHECK(told(single, with_fixed_steps()).message.find("the constraint is off by 1.00e+00") !=
        std::string::npos);
}

TEST_CASE("a motion that had left its constraints on the way is not usable", "[srm][iterates]") {
  const auto went = [](double position, double velocity, const Options& options,
                       bool from_zero = false) {
    LastIterates last = with_error(0, 1e-6);
    last.from_zero = from_zero;
    last.drift = [x = last.x](double, const VecX& z) {
      return ivp::Drift{std::abs(z[0] - x[0]), std::abs(z[2] - x[2])};
    };
    Solution solution = solution_that_moved();
    solution.report.integration.drift_position = position;
    solution.report.integration.drift_velocity = velocity;
    tell_iterates(last, options, solution);
    return solution.report;
  };
  // A hundred times what the state may be wrong by, since y_0 = 0 makes a layer at the start.
  CHECK(went(0.39, 0.19, with_fixed_steps()).usable());
  const Report position = went(0.41, 0, with_fixed_steps());
  CHECK(!position.usable());
  CHECK(position.message.find("the constraint was off by 4.10e-01") != std::string::npos);
  const Report velocity = went(0, 0.21, with_fixed_steps());
  CHECK(!velocity.usable());
  CHECK(velocity.message.find("the derivative of the constraint was off") != std::string::npos);
  // With tolerances that is a layer, which is told: 100 (atol + rtol 3) is 0.4.
  CHECK(went(0.39, 0.39, with_tolerances(1e-3, 1e-3)).warnings.empty());
  for (const auto& [off, speed] : {std::pair(0.41, 0.0), std::pair(0.0, 0.41)}) {
    const Report layer = went(off, speed, with_tolerances(1e-3, 1e-3), true);
    CHECK(layer.usable());
    REQUIRE(layer.warnings.size() == 1);
    CHECK(layer.warnings[0].find(off > 0 ? "the constraint was off by 4.1e-01"
                                         : "the derivative of the constraint was off by 4.1e-01") !=
          std::string::npos);
    CHECK(layer.warnings[0].find("exact_start = 1") != std::string::npos);
    // Nothing is to be taken that was taken.
    const Report drift = went(off, speed, with_tolerances(1e-3, 1e-3));
    REQUIRE(drift.warnings.size() == 1);
    CHECK(drift.warnings[0].find("exact_start") == std::string::npos);
    CHECK(drift.warnings[0].find("smaller epsilon") != std::string::npos);
  }
}

TEST_CASE("iterates are told by number, with what each changed", "[srm][iterates]") {
  const Report report =
      told(iterates({Vec<4>(0, 1e-3, 0, 0), Vec<4>(0, 0, 1e-6, 0)}), with_fixed_steps());
  REQUIRE(report.history.size() == 2);
  CHECK(report.history[0].iterate == 2);
  CHECK(report.history[0].change == 1e-3);
  CHECK(report.history[1].iterate == 3);
  CHECK(report.history[1].change == 1e-6);
  CHECK(report.history[1].change_at == 7);
  // Where a run did not come to its end that is what is told.
  Solution stopped = solution_that_moved();
  stopped.report.termination = Termination::stopped;
  tell_iterates(with_error(0, 1), with_fixed_steps(), stopped);
  CHECK(stopped.report.termination == Termination::stopped);
}
