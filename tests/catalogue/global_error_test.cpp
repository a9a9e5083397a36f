// The error of a whole run as a second run tells it, beside the true one.

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "catalogue/initial_value_catalogue.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave::catalogue {
namespace {

struct Estimated {
  ivp::Solution solution;
  double estimate, truth;  ///< Max norm over the times looked at.
};

/// Beside the reference of the problem, or a run of order 8 to 1e-13.
Estimated estimated(const InitialValueProblem& problem, const ivp::Options& asked) {
  ivp::Options options = asked;
  options.estimate_error = true;
  Estimated result{problem.solve(problem.interval(), options), 0, 0};
  const ivp::Solution& run = result.solution;
  ivp::Solution exact;
  if (!problem.reference(problem.interval().begin)) {
    exact = problem.solve(problem.interval(), {.rtol = 1e-13, .every = 0, .dense = true});
    REQUIRE(exact.report.usable());
  }
  for (int i = 0; i < run.count(); ++i) {
    const double t = run.t[static_cast<std::size_t>(i)];
    const VecX truth = exact.dense ? exact.at(t) : *problem.reference(t);
    result.truth = std::max(result.truth, (run.state(i) - truth).lpNorm<Eigen::Infinity>());
  }
  for (std::size_t i = 0; i < run.error_times.size(); ++i) {
    result.estimate = std::max(result.estimate, run.error(static_cast<int>(i)));
  }
  return result;
}

/// The same of a run that starts anew: at a time at which nothing changes, and at an event that
/// takes a tenth of the velocities, which the reference passes too.
Estimated estimated_through_restarts(const InitialValueProblem& problem,
                                     const ivp::Options& asked) {
  const Interval whole = problem.interval();
  const Interval span{whole.begin, whole.begin + 0.5 * whole.length()};
  ivp::Options options = asked, tight{.rtol = 1e-13, .every = 0, .dense = true};
  const double hit = span.begin + 0.61803 * span.length();
  options.restart_times = {span.begin + 0.3 * span.length()};
  if (problem.second_order()) {
    ivp::Event brake{.name = "brake"};
    brake.function = [hit](double t, const VecX&) { return t - hit; };
    brake.change = [](double, const VecX& state) {
      VecX after = state;
      after.tail(state.size() / 2) *= 0.9;
      return after;
    };
    options.events = tight.events = {brake};
  }
  options.estimate_error = true;
  Estimated result{problem.solve(span, options), 0, 0};
  const ivp::Solution& run = result.solution;
  const ivp::Solution exact = problem.solve(span, tight);
  REQUIRE(exact.report.usable());
  for (int i = 0; i < run.count(); ++i) {
    const double t = run.t[static_cast<std::size_t>(i)];
    if (std::abs(t - hit) < 1e-6 * (1 + hit)) continue;  // Before or after it.
    result.truth = std::max(result.truth, (run.state(i) - exact.at(t)).lpNorm<Eigen::Infinity>());
  }
  for (std::size_t i = 0; i < run.error_times.size(); ++i) {
    result.estimate = std::max(result.estimate, run.error(static_cast<int>(i)));
  }
  return result;
}

/// With a seed, so that every run of the tests takes the same.
std::pair<int, int> within_ten(int runs, bool through_restarts = false) {
  const std::vector<std::string> names{"pendulum",       "eich-pendulum",  "two-link-arm-1",
                                       "two-link-arm-2", "al2-example6.4", "andrews",
                                       "truck",          "al2-example6.1"};
  std::mt19937 random(1993);
  int close = 0, known = 0;
  for (int i = 0; i < runs; ++i) {
    const std::string& name = names[random() % names.size()];
    const double rtol = std::pow(10, -3 - 7 * (static_cast<double>(random() % 1000) / 1000));
    const std::vector<ivp::Method> methods{
        ivp::Automatic{},       ivp::SBoth2{.formula = {ivp::Stepper::dopri5, {}}},
        ivp::ProjectEachStep{}, ivp::ProjectEachStep{.formula = {ivp::Stepper::radau, 3}},
        ivp::BdfProjection{},   ivp::Dcbdf{},
    };
    const ivp::Method& method = methods[random() % methods.size()];
    CAPTURE(i, name, rtol, name_of(method));
    const auto look = through_restarts ? estimated_through_restarts : estimated;
    const Estimated run = look(*make(*find(name)), {.method = method, .rtol = rtol});
    const Termination ended = run.solution.report.termination;
    if (ended != Termination::converged && ended != Termination::tolerance_not_met) continue;
    CAPTURE(run.solution.report.full());
    ++known;
    // Below what rounding leaves of either run there is nothing to compare.
    const double least = 1e-12;
    const double ratio = (run.estimate + least) / (run.truth + least);
    const bool within = run.solution.report.error.available && ratio > 0.1 && ratio < 10;
    close += within ? 1 : 0;
    if (!within) UNSCOPED_INFO(name << " " << name_of(method) << " " << rtol << ": " << ratio);
  }
  return {close, known};
}

}  // namespace

TEST_CASE("the error of a run is estimated within a factor of ten in 95 of 100 runs",
          "[catalogue][error]") {
  const auto [close, known] = within_ten(30);
  CHECK(known >= 27);
  CHECK(close >= 0.95 * known);
}

TEST_CASE("the error of a run is estimated within a factor of ten in 950 of 1000 runs",
          "[.campaign]") {
  const auto [close, known] = within_ten(1000);
  CHECK(known >= 950);
  CHECK(close >= 0.95 * known);
  WARN(close << " of " << known);
}

TEST_CASE("errors through restarts are estimated within a factor of ten in 95 of 100 runs",
          "[catalogue][error]") {
  const auto [close, known] = within_ten(20, true);
  CHECK(known >= 18);
  CHECK(close >= 0.95 * known);
}

TEST_CASE("errors through restarts are estimated within a factor of ten in 285 of 300 runs",
          "[.campaign]") {
  const auto [close, known] = within_ten(300, true);
  CHECK(known >= 285);
  CHECK(close >= 0.95 * known);
  WARN(close << " of " << known);
}

TEST_CASE("bdf over a hundred units of time tells that errors add up", "[catalogue][error]") {
  const InitialValueProblemPtr problem = make(*find("eich-pendulum"));
  const Estimated run = estimated(*problem, {.method = ivp::Dcbdf{}, .rtol = 1e-8});
  CAPTURE(run.solution.report.full());
  REQUIRE(run.truth > 1e-6);
  CHECK(run.estimate == Approx(run.truth).epsilon(0.2));
  CHECK(run.solution.report.error.available);
  REQUIRE(run.solution.report.warnings.size() >= 1);
  CHECK(run.solution.report.warnings.back().find("times rtol") != std::string::npos);
  // The estimate is that of the output times, of which 200 and the end are looked at at most.
  CHECK(run.solution.error_times.size() <= 201);
  CHECK(run.solution.error_times.back() == problem->interval().end);
  CHECK(run.solution.errors.size() ==
        run.solution.error_times.size() * static_cast<std::size_t>(run.solution.nz));
}

TEST_CASE("the error of a run backward is estimated as that of one forward", "[catalogue][error]") {
  const InitialValueProblemPtr problem = make(*find("pendulum"));
  for (const double end : {3.0, -3.0}) {
    const auto exact = problem->solve({0, end}, {.rtol = 1e-13, .every = 0, .dense = true});
    for (const std::vector<double>& anew :
         {std::vector<double>{}, {end < 0 ? -2.0 : 1.0, end / 2}}) {
      for (const ivp::Method& method :
           {ivp::Method(ivp::Automatic{}), ivp::Method(ivp::BdfProjection{})}) {
        CAPTURE(end, anew.size(), name_of(method));
        ivp::Options options{.method = method, .rtol = 1e-6, .estimate_error = true};
        options.restart_times = anew;
        const ivp::Solution run = problem->solve({0, end}, options);
        CAPTURE(run.report.full());
        REQUIRE(run.error_times.size() > 10);
        CHECK(run.error_times.front() == 0);
        CHECK(run.error_times.back() == end);
        double estimate = 0, truth = 0;
        for (std::size_t i = 0; i < run.error_times.size(); ++i) {
          estimate = std::max(estimate, run.error(static_cast<int>(i)));
        }
        for (int i = 0; i < run.count(); ++i) {
          const VecX gap = run.state(i) - exact.at(run.t[static_cast<std::size_t>(i)]);
          truth = std::max(truth, gap.lpNorm<Eigen::Infinity>());
        }
        CHECK(estimate == Approx(truth).epsilon(0.2));
      }
    }
  }
}

TEST_CASE("events that change nothing are not compared, those beside them that do are",
          "[catalogue][error]") {
  const InitialValueProblemPtr problem = make(*find("pendulum"));
  ivp::Event lowest{.name = "lowest"}, brake{.name = "brake"};
  lowest.function = [](double, const VecX& state) { return state[0]; };
  brake.function = [](double t, const VecX&) { return t - 2.5; };
  brake.change = [](double, const VecX& state) {
    VecX after = state;
    after.tail(2) *= 0.5;
    return after;
  };
  ivp::Options options{.method = ivp::SBoth2{}, .rtol = 1e-6, .estimate_error = true};
  for (const bool first : {true, false}) {
    CAPTURE(first);
    options.events = first ? std::vector{lowest, brake} : std::vector{brake, lowest};
    const ivp::Solution run = problem->solve({0, 5}, options);
    CAPTURE(run.report.full());
    CHECK(run.report.usable());
    CHECK(run.occurrences.size() > 3);
    REQUIRE(run.report.error.available);
    CHECK(run.report.error.x < 1e-4);
    CHECK(run.report.error.how.find("events by") == std::string::npos);
  }
}

TEST_CASE("an accuracy that was asked for and is not there makes a result not usable",
          "[catalogue][error]") {
  const InitialValueProblemPtr problem = make(*find("pendulum"));
  ivp::Options options{.rtol = 1e-6, .accuracy = 1e-9};
  const ivp::Solution loose = problem->solve(problem->interval(), options);
  CHECK(loose.report.termination == Termination::tolerance_not_met);
  CHECK(loose.report.error.tolerance == 1e-9);
  CHECK_THAT(loose.report.advice, contains_text("tried") && contains_text("rtol = "));
  options.rtol = 1e-12;
  const ivp::Solution tight = problem->solve(problem->interval(), options);
  CAPTURE(tight.report.full());
  CHECK(tight.report.usable());
  CHECK(tight.report.error.x < 1e-9);
  options.accuracy = 0;
  CHECK_THROWS_AS(problem->solve(problem->interval(), options), InvalidOption);
}

TEST_CASE("without an accuracy, more than a thousandth of the motion is not usable",
          "[catalogue][error]") {
  const InitialValueProblemPtr problem = make(*find("eich-pendulum"));
  const ivp::Options options{
      .method = ivp::SBoth2{}, .rtol = 1e-4, .estimate_error = true, .every = 0};
  const ivp::Solution far = problem->solve(problem->interval(), options);
  CAPTURE(far.report.full());
  CHECK(far.report.termination == Termination::tolerance_not_met);
  CHECK(far.report.message.find("of the motion") != std::string::npos);
  REQUIRE(far.has_values());
  CHECK(far.error_times.size() == 2);
}

TEST_CASE("what is not estimated is said to be controlled in each step alone",
          "[catalogue][error]") {
  const InitialValueProblemPtr problem = make(*find("pendulum"));
  const ivp::Solution run = problem->solve(problem->interval(), {.every = 0});
  CHECK(!run.report.error.available);
  CHECK(run.error_times.empty());
  CHECK(run.report.full().find("rtol = 1e-06 bounds the error of each step") != std::string::npos);
  CHECK(run.report.full().find("estimate_error") != std::string::npos);
  const ivp::Solution fixed = problem->solve(problem->interval(), {.h = 0.01, .every = 0});
  CHECK(fixed.report.full().find("no error controlled") != std::string::npos);
}

TEST_CASE("a second run gives nothing out", "[catalogue][error]") {
  const InitialValueProblemPtr problem = make(*find("pendulum"));
  int outputs = 0;
  ivp::Options options{.estimate_error = true, .every = 0};
  options.keep = false;
  options.sink = [&outputs](const ivp::Output&) { return ++outputs > 0; };
  CHECK(problem->solve(problem->interval(), options).report.error.available);
  CHECK(outputs == 2);
}

}  // namespace daewave::catalogue
