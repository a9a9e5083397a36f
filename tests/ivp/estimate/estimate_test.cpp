// The estimate of the error of a run, where both runs are made up.

#include <cmath>
#include <functional>
#include <stdexcept>

#include "core/error.hpp"
#include "ivp/estimate/global_error.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {

namespace {

/// q = (t, 2 t), v = (1, 2), from t = 0 to 1; the first run is off in q2, by `off` at the end.
struct MadeUpRuns {
  double off = 1e-3;
  std::vector<double> times{0, 0.25, 0.5, 0.75, 1};
  std::vector<Occurrence> first_events{}, second_events{};
  std::function<bool(const Options&)> comes_through = [](const Options&) { return true; };
  std::vector<Options> seen{};
  std::vector<Interval> spans{};

  static VecX state(double t, double away) { return VecX{{t, 2 * t + away * t, 1, 2}}; }

  Solution solution(const std::vector<double>& at, double away) const {
    Solution made;
    made.nz = 4;
    made.second_order = true;
    made.t = at;
    for (const double t : at) {
      const VecX z = state(t, away);
      made.states.insert(made.states.end(), z.data(), z.data() + 4);
    }
    made.motion.see(state(0, away).data(), 4);
    made.motion.see(state(1, away).data(), 4);
    made.report.termination = Termination::converged;
    made.report.message = "done";
    made.report.integration.reached = at.back();
    made.report.integration.largest_step = 0.125;
    return made;
  }

  Solution estimated(const Options& options) {
    const SolveAgain solve = [&](const VecX& start, const VecX&, const Interval& span,
                                 const Options& asked) {
      if (asked.sink) {
        for (const double t : times) {
          const VecX z = state(t, off);
          asked.sink({0, t, z.data(), nullptr});
        }
        Solution first = solution(times, off);
        first.occurrences = first_events;
        return first;
      }
      seen.push_back(asked);
      spans.push_back(span);
      if (asked.times.empty()) CHECK((start - state(span.begin, 0)).norm() < 1e-12);
      Solution second =
          solution(asked.times.empty() ? std::vector{span.begin, span.end} : asked.times, 0);
      second.occurrences = second_events;
      if (!comes_through(asked)) second.report.termination = Termination::diverged;
      return second;
    };
    const DaeProblemPtr problem = problem_of(problems::Pendulum{});
    return solve_with_estimate(*problem, state(0, 0), {}, {0, 1}, options, solve);
  }
};

Occurrence at(int event, double t) { return {event, t, VecX::Zero(4)}; }

}  // namespace

TEST_CASE(
    "the error of a run is how far a second one is from it, relative to 1 + the largest entry",
    "[estimate]") {
  MadeUpRuns runs;
  const Solution solution = runs.estimated({.estimate_error = true});
  CHECK(solution.report.usable());
  CHECK(solution.report.warnings.empty());
  CHECK(solution.report.error.available);
  CHECK(solution.report.error.x == Approx(1e-3 / 3.001).epsilon(1e-9));
  CHECK(solution.report.error.tolerance == 0);
  CHECK(solution.report.error.how ==
        "a second run, by projection with dopri5 to rtol = 1.0e-09, compared at 5 times: apart by "
        "1.00e-03 at most, at t = 1, and by 1.00e-03 at the end");
  CHECK(solution.error_times == runs.times);
  REQUIRE(solution.errors.size() == 20);
  for (int i = 0; i < 5; ++i) {
    for (const int entry : {0, 2, 3}) CHECK(solution.errors[4 * i + entry] == 0);
    CHECK(solution.errors[4 * i + 1] == Approx(1e-3 * runs.times[i]).epsilon(1e-9));
  }
}

TEST_CASE("what a caller's own function throws in the second run is no failure of that",
          "[estimate]") {
  const auto estimated_with = [](const std::function<void()>& raise) {
    MadeUpRuns runs;
    runs.comes_through = [](const Options& options) { return options.progress({0, 0, 1, 0, 0}); };
    return runs.estimated({.estimate_error = true, .progress = [&raise](const RunProgress&) {
                             raise();
                             return true;
                           }});
  };
  CHECK_THROWS_WITH(estimated_with([] { throw std::runtime_error("mine"); }), "mine");
  CHECK_THROWS_WITH(estimated_with([] { throw InvalidOption("mine"); }), "mine");
  CHECK(estimated_with([] {}).report.error.available);
}

TEST_CASE("a caller that stops the second run is told so, whatever was asked of the error",
          "[estimate]") {
  for (const Options& asked : {Options{.estimate_error = true}, Options{.accuracy = 1e-2}}) {
    MadeUpRuns runs;
    int calls = 0;
    Options options = asked;
    options.progress = [&](const RunProgress&) { return ++calls < 3; };
    runs.comes_through = [](const Options& second) { return second.progress({0, 0, 1, 0, 0}); };
    const Solution solution = runs.estimated(options);
    CHECK(solution.report.termination == Termination::stopped);
    CHECK_THAT(solution.report.message,
               Catch::Matchers::Contains(
                   "stopped by progress in a second run, before the error was estimated"));
    CHECK_FALSE(solution.report.error.available);
    CHECK(calls == 3);
    CHECK(solution.count() == 5);
  }
  // Between runs that are compared: what was compared before stays.
  MadeUpRuns runs;
  runs.off = 0;
  bool went_on = true;
  runs.comes_through = [](const Options& second) { return second.progress({0, 0, 1, 0, 0}); };
  const Solution solution =
      runs.estimated({.estimate_error = true, .progress = [&](const RunProgress&) {
                        return went_on = runs.seen.back().rtol == runs.seen.front().rtol;
                      }});
  CHECK_FALSE(went_on);
  CHECK(solution.report.termination == Termination::stopped);
  CHECK(solution.report.error.available);
}

TEST_CASE("the second run goes from sample to sample, to a thousandth of the tolerance",
          "[estimate]") {
  MadeUpRuns runs;
  runs.estimated({.estimate_error = true, .start_tolerance = 1e-5, .rank_tolerance = 1e-7});
  REQUIRE(runs.seen.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    const Options& options = runs.seen[i];
    CHECK(runs.spans[i].begin == runs.times[i]);
    CHECK(runs.spans[i].end == runs.times[i + 1]);
    CHECK(options.rtol == 1e-9);
    CHECK(options.every == 0);
    CHECK_FALSE(options.multipliers);
    CHECK_FALSE(options.monitor);
    CHECK_FALSE(options.seek_way_out);
    CHECK_FALSE(options.estimate_error);
    CHECK(options.start_tolerance == 1e-5);
    CHECK(options.rank_tolerance == 1e-7);
    CHECK(options.repair_start == (i > 0));
    CHECK(options.first_step == (i > 0 ? std::optional(0.125) : std::nullopt));
    // A tenth of rtol of the size of each entry.
    REQUIRE(options.atol_each.size() == 4);
    CHECK(options.atol_each[0] == Approx(1e-10));
    CHECK(options.atol_each[1] == Approx(2.001e-10));
    CHECK(options.atol_each[2] == Approx(1e-10));
    CHECK(options.atol_each[3] == Approx(2e-10));
  }
}

TEST_CASE("absolute tolerances that were given are made smaller as the relative one is",
          "[estimate]") {
  MadeUpRuns one, each, fixed;
  one.estimated({.atol = 1e-5, .estimate_error = true});
  CHECK(one.seen[0].atol == Approx(1e-8));
  CHECK(one.seen[0].atol_each.empty());
  each.estimated({.atol_each = {1e-5, 2e-5, 1e-15, 4e-5}, .estimate_error = true});
  CHECK(each.seen[0].atol_each[0] == Approx(1e-8));
  CHECK(each.seen[0].atol_each[1] == Approx(2e-8));
  CHECK(each.seen[0].atol_each[2] == Approx(1e-16));
  CHECK_FALSE(each.seen[0].atol);
  fixed.estimated({.h = 0.1, .atol = 1e-5, .estimate_error = true});
  CHECK(fixed.seen[0].rtol == 1e-11);
  CHECK(fixed.seen[0].atol_each[1] == Approx(2.001e-12));
}

TEST_CASE(
    "an error of more than a thousandth of the motion is not usable, nor one beyond what was "
    "asked for",
    "[estimate]") {
  const auto report_of = [](double off, const Options& options) {
    MadeUpRuns runs{.off = off};
    return runs.estimated(options).report;
  };
  // The motion of q2 is 2 + off.
  CHECK(report_of(1.99e-3, {.estimate_error = true}).usable());
  const Report large = report_of(2.01e-3, {.estimate_error = true});
  CHECK(large.termination == Termination::tolerance_not_met);
  CHECK(large.message ==
        "the error of the run is estimated as 6.70e-04, 0.001 of the motion, of which 0.001 is "
        "allowed");
  CHECK(large.advice ==
        "a smaller rtol; a shorter run; where that changes nothing the problem enlarges errors "
        "beyond any tolerance");
  CHECK_THAT(report_of(0.1, {.h = 0.1, .estimate_error = true}).advice,
             contains_text("a shorter h; a shorter run"));
  CHECK(report_of(0.1, {.accuracy = 0.033}).usable());
  CHECK(report_of(0.1, {.accuracy = 0.033}).error.tolerance == 0.033);
  const Report asked = report_of(0.1, {.accuracy = 0.032});
  CHECK(asked.termination == Termination::tolerance_not_met);
  CHECK_THAT(asked.message, contains_text("3.23e-02, more than the accuracy of 3.20e-02 that was "
                                          "asked for"));
}

TEST_CASE("an error of more than a thousand times rtol is told", "[estimate]") {
  const auto warnings_of = [](double off, const Options& options) {
    return MadeUpRuns{.off = off}.estimated(options).report.warnings;
  };
  const Options tight{.rtol = 1e-7, .estimate_error = true};
  CHECK(warnings_of(2.9e-4, tight).empty());
  const auto told = warnings_of(6e-4, tight);
  REQUIRE(told.size() == 1);
  CHECK_THAT(told[0], contains_text("estimated as 2.00e-04, 2000 times rtol, which bounds local "
                                    "errors alone"));
  CHECK(warnings_of(6e-4, {.h = 0.1, .rtol = 1e-7, .estimate_error = true}).empty());
}

TEST_CASE("where the two are no further apart than the second may be off, it is made tighter twice",
          "[estimate]") {
  const auto tolerances_of = [](double off) {
    MadeUpRuns runs{.off = off};
    runs.estimated({.estimate_error = true});
    std::vector<double> all;
    for (const Options& one : runs.seen) {
      if (all.empty() || all.back() != one.rtol) all.push_back(one.rtol);
    }
    return all;
  };
  CHECK(tolerances_of(0).size() == 3);
  CHECK(tolerances_of(0)[1] == Approx(1e-12));
  CHECK(tolerances_of(0)[2] == Approx(1e-13));
  // 3 rtol apart at the end.
  CHECK(tolerances_of(2.9e-9).size() == 2);
  CHECK(tolerances_of(3.1e-9).size() == 1);
}

TEST_CASE("where no second run comes through there is no estimate, and each says why",
          "[estimate]") {
  MadeUpRuns runs;
  runs.comes_through = [](const Options&) { return false; };
  const Report report = runs.estimated({.estimate_error = true}).report;
  CHECK(report.usable());
  CHECK_FALSE(report.error.available);
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0] ==
        "no estimate of the error, as no second run came through: projection with dopri5: "
        "diverged: done; projection with radau of 5 stages: diverged: done");
  const Report asked = runs.estimated({.accuracy = 1}).report;
  CHECK(asked.termination == Termination::tolerance_not_met);
  CHECK(asked.message == "the accuracy asked for could not be looked at; see the warnings");
  CHECK(asked.advice == "leave accuracy open");
  MadeUpRuns refusing;
  refusing.comes_through = [](const Options& options) -> bool {
    const auto& by = std::get<ProjectEachStep>(options.method);
    if (by.formula.stepper == Stepper::dopri5) throw std::runtime_error("not this one");
    return true;
  };
  CHECK_THAT(refusing.estimated({.estimate_error = true}).report.error.how,
             contains_text("by projection with radau of 5 stages"));
}

TEST_CASE("a run that starts anew is compared with one that starts anew there too", "[estimate]") {
  MadeUpRuns runs;
  const Solution solution =
      runs.estimated({.largest_step = 0.5, .estimate_error = true, .restart_times = {0.5, 2}});
  REQUIRE(runs.seen.size() == 1);
  CHECK(runs.seen[0].times == runs.times);
  CHECK(runs.seen[0].restart_times == std::vector{0.5});
  CHECK(runs.seen[0].largest_step == 0.5);
  CHECK(runs.spans[0].end == 1);
  CHECK(solution.report.error.x == Approx(1e-3 / 3.001).epsilon(1e-9));
  CHECK(solution.error_times == runs.times);
}

TEST_CASE("between an event of the one run and that of the other nothing is compared",
          "[estimate]") {
  MadeUpRuns runs;
  const auto jump = [](double, const VecX& z) { return z; };
  const Options options{.estimate_error = true,
                        .events = {{.name = "seen"},
                                   {.name = "hit", .change = jump},
                                   {.name = "stuck", .change = jump}},
                        .reset = [] {}};
  runs.times = {0, 0.3005, 0.5, 1};
  runs.first_events = {at(0, 0.1), at(1, 0.3), at(2, 0.6)};
  runs.second_events = {at(0, 0.301), at(1, 0.6)};
  const Solution solution = runs.estimated(options);
  CHECK(solution.error_times == std::vector<double>{0, 0.5, 1});
  CHECK_THAT(solution.report.error.how, contains_text("; events by 1.00e-03 in t"));
  REQUIRE(runs.seen[0].events.size() == 2);
  CHECK(runs.seen[0].events[0].name == "hit");
  CHECK(runs.seen[0].events[1].name == "stuck");

  const auto ends = [&](std::vector<Occurrence> first, std::vector<Occurrence> second) {
    MadeUpRuns other;
    other.first_events = std::move(first);
    other.second_events = std::move(second);
    return other.estimated(options).report;
  };
  CHECK(ends({at(1, 0.3), at(2, 0.6)}, {at(0, 0.3), at(1, 0.6)}).usable());
  // Of one time in any order; at the end one of the two runs may be before it.
  CHECK(ends({at(1, 0.3), at(2, 0.3)}, {at(1, 0.3), at(0, 0.3)}).usable());
  CHECK(ends({at(1, 0.3), at(2, 1)}, {at(0, 0.3)}).usable());
  CHECK(ends({at(1, 0.3)}, {at(0, 0.3), at(1, 1)}).usable());
  for (const Report& report : {ends({at(1, 0.3), at(2, 0.6)}, {at(1, 0.3), at(0, 0.6)}),
                               ends({at(1, 0.3), at(2, 0.6)}, {at(0, 0.3)}),
                               ends({at(1, 0.3)}, {at(0, 0.3), at(1, 0.6)})}) {
    CHECK(report.termination == Termination::tolerance_not_met);
    CHECK(report.message ==
          "a second run passes other events, or in another order; one of the two is wrong");
    CHECK_THAT(report.warnings.at(0), contains_text("it passes other events"));
  }
}

TEST_CASE("the second method shares neither formula nor family with the first", "[estimate]") {
  const DaeProblemPtr pendulum = problem_of(problems::Pendulum{});
  const auto names = [&](const Options& options, bool stiff = false) {
    std::string all;
    for (const SecondMethod& one : second_methods(*pendulum, options, stiff)) {
      all += (all.empty() ? "" : ", ") + one.name;
    }
    return all;
  };
  const std::string five = "projection with radau of 5 stages", bdf = "bdf-projection";
  CHECK(names({}) == "projection with dopri5, " + five);
  CHECK(names({.method = SVel{.formula = {Stepper::dopri5, {}}}}) ==
        "projection with dop853, " + five);
  CHECK(names({.method = GaussWindows{}}) == "projection with dop853, " + five);
  CHECK(names({.method = Srm{}}) == "projection with dop853, " + five);
  CHECK(names({}, true) == five + ", " + bdf);
  CHECK(names({.method = SVel{.formula = {Stepper::radau, {}}}}) == five + ", " + bdf);
  CHECK(names({.method = SVel{.formula = {Stepper::radau, 5}}}) ==
        "projection with radau of 7 stages, " + bdf);
  CHECK(names({.method = BdfProjection{}}) == five + ", " + bdf);
  // Below 1e-10 seven stages are the fewer steps.
  CHECK(names({.method = BdfProjection{}, .rtol = 1e-8}) ==
        "projection with radau of 7 stages, " + bdf);
  CHECK(names({.method = SVel{.formula = {Stepper::radau, 7}}, .rtol = 1e-8}) == five + ", " + bdf);
  const auto stiff = second_methods(*pendulum, {}, true);
  CHECK(stiff[0].rtol == Approx(1e-11));
  CHECK(stiff[1].rtol == Approx(1e-9));
  CHECK(second_methods(*pendulum, {.rtol = 1e-12}, false)[0].rtol == 1e-13);
  CHECK(std::get<ProjectEachStep>(second_methods(*pendulum, {}, false)[0].method).onto ==
        Onto::in_turn);
  const DaeProblemPtr first_order = problem_of(problems::Al2Example61{});
  CHECK(std::get<ProjectEachStep>(second_methods(*first_order, {}, false)[0].method).onto ==
        Onto::both);
}

TEST_CASE("implicit methods are those of implicit formulas, and of formulas of their own",
          "[estimate]") {
  for (const Stepper stepper : all_steppers()) {
    const bool implicit = stepper == Stepper::gauss || stepper == Stepper::radau ||
                          stepper == Stepper::backward_euler;
    CHECK(is_implicit(SBoth2{.formula = {stepper, {}}}) == implicit);
    CHECK(is_implicit(Srm{.formula = {stepper, {}}}) == implicit);
  }
  CHECK_FALSE(is_implicit(SBoth2{}));
  CHECK_FALSE(is_implicit(Srm{}));
  CHECK_FALSE(is_implicit(SymmetricProjection{}));
  CHECK_FALSE(is_implicit(GaussWindows{}));
  CHECK(is_implicit(BdfProjection{}));
  CHECK(is_implicit(Dcbdf{}));
}

TEST_CASE("without an estimate a report says how to ask for one", "[estimate]") {
  CHECK_FALSE(asks_for_estimate({}));
  CHECK(asks_for_estimate({.estimate_error = true}));
  CHECK(asks_for_estimate({.accuracy = 1e-3}));
  Report report;
  tell_local_error({.rtol = 1e-4}, report);
  CHECK(report.error.how ==
        "rtol = 0.0001 bounds the error of each step, not what they come to; ask for that by "
        "estimate_error");
  tell_local_error({.h = 0.25}, report);
  CHECK(report.error.how ==
        "h = 0.25 is fixed, and no error controlled; ask for it by estimate_error");
}

}  // namespace daewave::ivp
