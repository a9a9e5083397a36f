#include "ivp/run/run_report.hpp"

#include <cmath>

#include "tests/catch.hpp"

namespace daewave::ivp {

namespace {

struct Run {
  Report report;
  Options options;
  RunReport run{report, {1, 3}, options};
  const IntegrationReport& went() const { return report.integration; }
};

}  // namespace

TEST_CASE("a report tells the interval, its steps and how long they were", "[report]") {
  Run a;
  CHECK(a.went().available);
  CHECK(a.went().begin == 1);
  CHECK(a.went().reached == 1);
  CHECK(a.went().end == 3);
  for (const double h : {0.2, 0.5, 0.1}) a.run.accepted(h);
  a.run.rejected();
  CHECK(a.run.steps() == 3);
  CHECK(a.run.attempts() == 4);
  a.run.end(2.5, 70, 4, 0.25);
  CHECK(a.went().smallest_step == 0.1);
  CHECK(a.went().largest_step == 0.5);
  CHECK(a.report.smallest_step == 0.1);
  CHECK(a.report.largest_step == 0.5);
  CHECK(a.went().reached == 2.5);
  CHECK(a.went().evaluations == 70);
  CHECK(a.went().events == 4);
  CHECK(a.report.seconds.total == 0.25);
  CHECK(a.report.termination == Termination::converged);
  CHECK(a.report.message == "reached t = 2.5 in 3 steps");
}

TEST_CASE("a run without a step has none that is smallest", "[report]") {
  Run a;
  a.run.end(1, 1, 0, 0);
  CHECK(a.went().smallest_step == 0);
  CHECK(a.went().largest_step == 0);
  CHECK(a.report.message == "reached t = 1 in 0 steps");
}

TEST_CASE("drifts and the change of energy are the largest seen, and NaN is not passed over",
          "[report]") {
  Run a;
  a.run.drift({.position = 1e-9, .velocity = 3e-8});
  a.run.drift({.position = 5e-9, .velocity = 1e-8});
  CHECK(a.went().drift_position == 5e-9);
  CHECK(a.went().drift_velocity == 3e-8);
  CHECK(a.run.largest_drift() == 3e-8);
  a.run.drift({.position = 7e-8, .velocity = 0});
  CHECK(a.run.largest_drift() == 7e-8);
  for (const double energy : {-2.0, -1.5, -2.25, -2.0}) a.run.energy(energy);
  CHECK(a.went().has_energy);
  CHECK(a.went().energy_start == -2);
  CHECK(a.went().energy_change == 0.5);
  a.run.energy(NAN);
  CHECK(std::isnan(a.went().energy_change));
  a.run.drift({.position = NAN, .velocity = 0});
  CHECK(std::isnan(a.run.largest_drift()));
}

TEST_CASE("a run that goes on has what was before, and its own interval", "[report]") {
  Run a;
  IntegrationReport before;
  before.available = true;
  before.begin = 0;
  before.end = 2;
  before.steps = 10;
  before.rejected = 3;
  before.largest_step = 0.5;
  before.smallest_step = 0.1;
  before.drift_velocity = 1e-7;
  a.run.resume(before);
  CHECK(a.went().begin == 1);
  CHECK(a.went().end == 3);
  CHECK(a.run.attempts() == 13);
  a.run.accepted(0.2);
  CHECK(a.run.so_far().steps == 11);
  CHECK(a.went().largest_step == 0.5);
  CHECK(a.went().smallest_step == 0.1);
  CHECK(a.run.largest_drift() == 1e-7);
}

TEST_CASE("a run creeps after a million steps in a row of less than 1e-5 of the longest",
          "[report]") {
  Run a;
  a.run.accepted(1);
  const auto creep = [&](long steps, double h) {
    for (long i = 0; i < steps; ++i) a.run.accepted(h);
  };
  creep(1'000'000, 0.9e-5);
  CHECK_FALSE(a.run.creeps(1));
  a.run.accepted(1.1e-5);
  creep(1'000'000, 0.9e-5);
  CHECK_FALSE(a.run.creeps(1));
  a.run.accepted(0.9e-5);
  CHECK(a.run.creeps(1));
  a.run.crept(2.5, 1);
  CHECK_FALSE(a.run.goes_on());
  CHECK(a.report.termination == Termination::step_too_small);
  CHECK_THAT(a.report.message, contains_text("1000001 steps") && contains_text("t = 2.5,") &&
                                   contains_text("1e-05 of the longest, 1:"));
  CHECK_THAT(a.report.advice, contains_text("discontinuity"));
}

TEST_CASE("a run creeps where steps became so short that the rest takes more than most_steps",
          "[report]") {
  const auto after = [](double expected, double longest, double h, long steps, Run& a) {
    a.options.most_steps = 1'000'000;
    a.run.expects(expected);
    a.run.accepted(longest);
    for (long i = 0; i < steps; ++i) a.run.accepted(h);
  };
  // Slow is below 1e-5; a quarter of that may take half of most_steps.
  const double slow = 0.25e-5, left = 0.5 * 1'000'000 * slow;
  for (const bool by_longest : {false, true}) {
    Run a;
    after(by_longest ? 0 : 0.01, by_longest ? 0.01 : slow, slow, by_longest ? 19'999 : 9'999, a);
    CHECK(a.run.creeps(1.0001 * left));
    CHECK_FALSE(a.run.creeps(0.9999 * left));
    a.run.crept(1, 2);
    CHECK_FALSE(a.run.goes_on());
    CHECK(a.report.termination == Termination::step_too_small);
    CHECK_THAT(a.report.message,
               contains_text("the last 10000 steps, up to t = 1, have h = 2.5e-06") &&
                   contains_text("where 0.01 was taken or expected") &&
                   contains_text("takes 8e+05 steps, where "));
    CHECK_THAT(a.report.advice, contains_text("discontinuity"));
    for (int i = 0; i < 10'000; ++i) a.run.accepted(i % 2 == 0 ? 1e-3 : slow);  // It gets on again.
    CHECK_FALSE(a.run.creeps(2));
  }
  Run one_less, always_short;
  after(0, 0.01, slow, 9'999, one_less);
  CHECK_FALSE(one_less.run.creeps(2));
  after(0, slow, 0.999 * slow, 30'000, always_short);  // Shorter than nothing: a long run.
  CHECK_FALSE(always_short.run.creeps(2));
  CHECK_FALSE(always_short.run.creeps(0.99e8 * slow));
  CHECK(always_short.run.creeps(1e8 * slow));  // A hundred times too long.
}

TEST_CASE("a run of an interval without an end in sight waits for the event that stops it",
          "[report]") {
  for (const Event::Then then : {Event::Then::go_on, Event::Then::stop}) {
    Options options;
    options.most_steps = 1'000'000;
    options.events.push_back({.name = "hit", .then = then});
    Report report;
    RunReport run(report, {0, 1e12}, options);
    run.expects(0.1);
    for (int i = 0; i < 10'000; ++i) run.accepted(0.1);
    CHECK(run.creeps(1e12) == (then == Event::Then::go_on));
    for (int i = 0; i < 10'000; ++i) run.accepted(0.9e-4);
    CHECK(run.creeps(1e12));
  }
}

TEST_CASE("too many steps are told with those that were short, if these were many", "[report]") {
  for (const bool short_now : {false, true}) {
    Run a;
    a.options.most_steps = 100;
    a.run.accepted(1);
    for (int i = 0; i < 100; ++i) {
      const bool is_short = i >= (short_now ? 74 : 75);
      a.run.accepted(is_short ? 1e-6 : 1);
    }
    a.run.too_many_steps(2);
    CHECK(a.report.termination == Termination::too_many_steps);
    CHECK_FALSE(a.run.goes_on());
    CHECK_THAT(a.report.message, contains_text("most_steps = 100 were used up at t = 2"));
    CHECK((a.report.message.find("the last 26 of them") != std::string::npos) == short_now);
    CHECK((a.report.advice.find("discontinuity") != std::string::npos) == short_now);
    CHECK((a.report.advice == "a larger most_steps; a larger rtol") == !short_now);
  }
}

TEST_CASE("each end of a run has its termination, its words and its advice", "[report]") {
  const auto ended = [](auto end) {
    Run a;
    REQUIRE(a.run.goes_on());
    end(a.run);
    CHECK_FALSE(a.run.goes_on());
    return a.report;
  };
  Report report = ended([](RunReport& run) { run.diverged("no pivot"); });
  CHECK(report.termination == Termination::diverged);
  CHECK(report.message == "no pivot");
  CHECK_THAT(report.advice, contains_text("smaller rtol"));
  report = ended([](RunReport& run) { run.singular("dependent"); });
  CHECK(report.termination == Termination::singular_constraint);
  CHECK(report.message == "dependent");
  report = ended([](RunReport& run) { run.step_too_small(2, 1e-17, 1e-16, 40, ""); });
  CHECK(report.termination == Termination::step_too_small);
  CHECK_THAT(report.message, contains_text("a step of h = 1e-16 had 40 times") &&
                                 contains_text("h = 1e-17, is lost in rounding"));
  CHECK_THAT(report.advice, contains_text("singularity"));
  report = ended([](RunReport& run) { run.step_too_small(2, 1e-17, 0, 1, ""); });
  CHECK(report.message == "at t = 2 the next, h = 1e-17, is lost in rounding");
  report = ended([](RunReport& run) { run.step_too_small(2, 1e-17, 1e-16, 10.5, "no pivot"); });
  CHECK(report.message ==
        "at t = 2 a step of h = 1e-16 was not solved (no pivot), and the next, h = 1e-17, is lost "
        "in rounding");
  report = ended([](RunReport& run) { run.stopped("signal", 2); });
  CHECK(report.termination == Termination::stopped);
  CHECK(report.message == "stopped by signal at t = 2");
  CHECK(report.advice.empty());
  report = ended([](RunReport& run) { run.threw("bad", 2); });
  CHECK(report.termination == Termination::stopped);
  CHECK(report.message == "an exception was thrown in the step from t = 2: bad");
  report = ended([](RunReport& run) { run.event_failed("NaN"); });
  CHECK(report.termination == Termination::diverged);
  CHECK(report.message == "NaN");
  Event event;
  event.name = "hit";
  report = ended([&](RunReport& run) { run.at_event(event, 2); });
  CHECK(report.termination == Termination::converged);
  CHECK(report.message == "event \"hit\" at t = 2");
  // With a fixed step a smaller tolerance changes nothing.
  Report fixed_report;
  Options fixed;
  fixed.h = 0.1;
  RunReport run(fixed_report, {0, 1}, fixed);
  run.diverged("no pivot");
  CHECK(fixed_report.advice == "a shorter h; leave h open");
}

}  // namespace daewave::ivp
