// Runs of all methods but srm that go in legs: checkpoints between these, and runs that go on from
// them with the same bits.

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "io/checkpoint_file.hpp"
#include "ivp/solve.hpp"
#include "problems/pendulum.hpp"
#include "problems/velocity_pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_problems.hpp"

using namespace daewave;
using ivp::Options;
using ivp::Solution;

namespace {

DaeProblemPtr pendulum() {
  static const DaeProblemPtr problem = problem_of(problems::Pendulum{});
  return problem;
}

/// By way of the text of a file.
std::shared_ptr<const Checkpoint> through_file(const Checkpoint& at) {
  std::istringstream text(io::checkpoint_json(at));
  return std::make_shared<const Checkpoint>(io::checkpoint_from(text, "text"));
}

/// Everything that a sink has seen.
struct Seen {
  std::vector<double> numbers;
  std::vector<long> steps;

  bool operator()(const ivp::Output& output, int nz) {
    numbers.push_back(output.t);
    numbers.insert(numbers.end(), output.state, output.state + nz);
    if (output.multiplier != nullptr) {
      numbers.insert(numbers.end(), output.multiplier, output.multiplier + output.ny);
    }
    steps.push_back(output.step);
    return true;
  }
};

bool ends_with(const std::vector<double>& all, const std::vector<double>& tail) {
  if (tail.empty()) return true;
  return tail.size() <= all.size() &&
         std::memcmp(&all[all.size() - tail.size()], tail.data(), 8 * tail.size()) == 0;
}

struct Saved {
  std::shared_ptr<const Checkpoint> at;
  std::size_t seen = 0;  ///< Numbers given out by then.
};

/// All checkpoints of a run, and what it gives out.
struct Whole {
  Solution solution;
  Seen seen;
  std::vector<Saved> saved;
};

Whole whole_run(const DaeProblem& problem, Options options, const Interval& span) {
  Whole whole;
  const int nz = static_cast<int>(problem.start()->size());
  options.sink = [&](const ivp::Output& output) { return whole.seen(output, nz); };
  options.checkpoints.seconds = 0;
  options.checkpoints.save = [&](const Checkpoint& at) {
    whole.saved.push_back({through_file(at), whole.seen.numbers.size()});
  };
  whole.solution = ivp::solve(problem, *problem.start(), span, options);
  return whole;
}

/// Of many the first, one between, and the last.
std::vector<Saved> some_of(const std::vector<Saved>& all) {
  if (all.size() < 4) return all;
  return {all.front(), all[all.size() / 2], all[all.size() - 2], all.back()};
}

/// Goes on from some, to the same bits and counts.
void check_resumed(const DaeProblem& problem, const Options& options, const Interval& span,
                   std::size_t least) {
  const Whole whole = whole_run(problem, options, span);
  CAPTURE(whole.solution.report.message);
  REQUIRE(whole.solution.report.usable());
  REQUIRE(whole.saved.size() >= least);
  const int nz = static_cast<int>(problem.start()->size());
  for (const Saved& saved : some_of(whole.saved)) {
    CAPTURE(saved.at->t, saved.at->step);
    Options again = options;
    Seen seen;
    again.sink = [&](const ivp::Output& output) { return seen(output, nz); };
    again.checkpoints.resume = saved.at;
    const Solution rest = ivp::solve(problem, *problem.start(), span, again);
    REQUIRE(rest.report.usable());
    // First where it goes on, then what had not been given out.
    const std::size_t width = 1 + static_cast<std::size_t>(nz + rest.ny);
    REQUIRE(seen.numbers.size() >= width);
    CHECK(seen.numbers[0] == saved.at->t);
    const std::vector<double> after(seen.numbers.begin() + static_cast<std::ptrdiff_t>(width),
                                    seen.numbers.end());
    CHECK(saved.seen + after.size() == whole.seen.numbers.size());
    CHECK(ends_with(whole.seen.numbers, after));
    const IntegrationReport &one = whole.solution.report.integration,
                            &two = rest.report.integration;
    CHECK(two.steps == one.steps);
    CHECK(two.rejected == one.rejected);
    CHECK(two.smallest_step == one.smallest_step);
    CHECK(two.largest_step == one.largest_step);
    CHECK(two.drift_position == one.drift_position);
    CHECK(two.drift_velocity == one.drift_velocity);
    CHECK(two.energy_start == one.energy_start);
    CHECK(two.energy_change == one.energy_change);
    CHECK(two.begin == one.begin);
    CHECK(two.restarts == 0);
    CHECK(rest.report.message == whole.solution.report.message);
    CHECK((rest.motion.range() - whole.solution.motion.range()).norm() == 0);
    CHECK(seen.steps.back() == whole.seen.steps.back());
  }
}

}  // namespace

TEST_CASE("a run of any method goes on from the end of each leg with the same bits", "[legs]") {
  const DaeProblemPtr index_2 = problem_of(problems::VelocityPendulum{});
  for (const ivp::Method& method : ivp::all_methods()) {
    const std::string name = name_of(method);
    if (std::holds_alternative<ivp::Srm>(method)) continue;
    CAPTURE(name);
    Options options;
    options.method = method;
    if (auto* one = std::get_if<ivp::Baumgarte>(&options.method)) one->alpha1 = one->alpha0 = 10;
    if (auto* one = std::get_if<ivp::StabilizedOde>(&options.method)) one->gamma = 10;
    options.every = 3;
    const bool blocked = ivp::as<ivp::BlockedMultistep>(method).has_value();
    // A BDF of variable order has short steps after each start.
    options.checkpoints.steps = ivp::as<ivp::VariableBdf>(method) ? 40 : 7;
    for (const bool fixed : {false, true}) {
      if (!fixed && std::holds_alternative<ivp::SymmetricProjection>(method)) continue;
      CAPTURE(fixed);
      options.h.reset();
      if (fixed) options.h = 0.01;
      const DaeProblem& problem = blocked ? *index_2 : *pendulum();
      const bool windows = std::holds_alternative<ivp::GaussWindows>(method);
      const double end = blocked ? 0.5 : windows && !fixed ? 20 : 1;
      const double begin = problem.interval()->begin;
      check_resumed(problem, options, {begin, begin + end}, 2);
    }
  }
  check_resumed(*pendulum(), {.checkpoints = {.steps = 4}}, {0, 20}, 5);
}

TEST_CASE("times that are asked for are given out once, whatever legs end there", "[legs]") {
  Options options{.method = ivp::SBoth2{}, .h = 0.125};
  options.checkpoints.steps = 3;
  // On ends of legs, beside them, and far from them.
  for (int i = 0; i <= 24; ++i) {
    const double end_of_leg = 0.375 * i / 3;
    options.times.push_back(end_of_leg);
    if (i > 0 && i % 3 == 0) options.times.push_back(std::nextafter(end_of_leg, 10));
    if (i % 2 == 0) options.times.push_back(end_of_leg + 0.01);
  }
  const Whole whole = whole_run(*pendulum(), options, {0, 3.1});
  REQUIRE(whole.solution.report.usable());
  std::vector<double> expected = options.times;
  expected.push_back(3.1);
  CHECK(whole.solution.t == expected);
  CHECK(whole.saved.size() == 9);
  check_resumed(*pendulum(), options, {0, 3.1}, 9);
}

TEST_CASE("legs change a run by less than its tolerance, and all that it says is of the whole",
          "[legs]") {
  for (const double end : {15.0, -15.0}) {
    CAPTURE(end);
    Options options{.method = ivp::GaussWindows{}, .rtol = 1e-9, .dense = true};
    const Solution plain = ivp::solve(*pendulum(), *pendulum()->start(), {0, end}, options);
    options.checkpoints.steps = 5;
    const Whole whole = whole_run(*pendulum(), options, {0, end});
    REQUIRE(plain.report.usable());
    REQUIRE(whole.solution.report.usable());
    CHECK(whole.saved.size() > 5);
    CHECK((whole.solution.end() - plain.end()).norm() < 1e-8);
    const IntegrationReport& went = whole.solution.report.integration;
    CHECK(went.energy_start == plain.report.integration.energy_start);
    CHECK(went.energy_change < 1e-7);
    CHECK(went.begin == 0);
    CHECK(went.reached == end);
    // Each leg takes up the length of windows that the one before had come to.
    CHECK(2 * went.steps < 3 * plain.report.integration.steps);
    for (int i = 0; i <= 30; ++i) {
      CHECK((whole.solution.at(end * i / 30) - plain.at(end * i / 30)).norm() < 1e-8);
    }
  }
}

TEST_CASE("a run that has ended goes on to a later end, or gives its end again", "[legs]") {
  Options options{.method = ivp::SBoth2{}};
  options.checkpoints.steps = 10;
  const Whole whole = whole_run(*pendulum(), options, {0, 2});
  REQUIRE(whole.saved.size() > 2);
  const auto at_end = whole.saved.back().at;
  CHECK(at_end->t == 2);
  Options again = options;
  again.checkpoints.resume = at_end;
  const Solution same = ivp::solve(*pendulum(), *pendulum()->start(), {0, 2}, again);
  CHECK(same.report.usable());
  CHECK(same.count() == 1);
  CHECK(same.t.back() == 2);
  CHECK((same.end() - whole.solution.end()).norm() == 0);
  CHECK((same.multiplier(0) - whole.solution.multiplier(whole.solution.count() - 1)).norm() == 0);
  CHECK(same.report.message == whole.solution.report.message);
  CHECK(same.report.integration.steps == whole.solution.report.integration.steps);
  const Solution later = ivp::solve(*pendulum(), *pendulum()->start(), {0, 4}, again);
  const Solution in_one_go = ivp::solve(*pendulum(), *pendulum()->start(), {0, 4}, options);
  REQUIRE(later.report.usable());
  CHECK(later.report.integration.reached == 4);
  CHECK((later.end() - in_one_go.end()).norm() < 1e-4);
  CHECK_THROWS_WITH(ivp::solve(*pendulum(), *pendulum()->start(), {0, 1.5}, again),
                    contains_text("stands at t = 2, this run ends at t = 1.5"));
}

TEST_CASE("a run that its caller stops leaves the last end of a leg", "[legs]") {
  Options options{.method = ivp::SBoth2{}};
  options.checkpoints.steps = 4;
  options.checkpoints.seconds = 1e9;  // Nothing is due before.
  std::vector<Checkpoint> saved;
  options.checkpoints.save = [&](const Checkpoint& at) { saved.push_back(at); };
  long steps = 0;
  options.sink = [&](const ivp::Output& output) { return (steps = output.step) < 14; };
  const Solution stopped = ivp::solve(*pendulum(), *pendulum()->start(), {0, 10}, options);
  CHECK(stopped.report.termination == Termination::stopped);
  REQUIRE(saved.size() == 1);
  CHECK(saved[0].step == 12);
  // Where nothing has ended yet there is nothing to go on from.
  saved.clear();
  options.sink = [&](const ivp::Output& output) { return output.step < 3; };
  ivp::solve(*pendulum(), *pendulum()->start(), {0, 10}, options);
  CHECK(saved.empty());
}

TEST_CASE("events are found once over legs, and one that stops ends them", "[legs]") {
  ivp::Event lowest{.name = "lowest", .function = [](double, const VecX& z) { return z[0]; }};
  Options options{.method = ivp::SBoth2{}, .rtol = 1e-9, .events = {lowest}};
  const Solution plain = ivp::solve(*pendulum(), *pendulum()->start(), {0, 10}, options);
  options.checkpoints.steps = 3;
  const Whole whole = whole_run(*pendulum(), options, {0, 10});
  REQUIRE(plain.occurrences.size() > 3);
  REQUIRE(whole.solution.occurrences.size() == plain.occurrences.size());
  for (std::size_t i = 0; i < plain.occurrences.size(); ++i) {
    CHECK(std::abs(whole.solution.occurrences[i].t - plain.occurrences[i].t) < 1e-7);
  }
  CHECK(whole.solution.report.integration.events ==
        static_cast<long>(whole.solution.occurrences.size()));
  options.events[0].then = ivp::Event::Then::stop;
  const Whole cut = whole_run(*pendulum(), options, {0, 10});
  REQUIRE(cut.solution.report.usable());
  CHECK(std::abs(cut.solution.t.back() - plain.occurrences[0].t) < 1e-7);
  check_resumed(*pendulum(), options, {0, 10}, 2);
}

TEST_CASE("most_steps and the step of a fixed h are of all legs together", "[legs]") {
  Options options{.method = ivp::SBoth2{}, .h = 0.01, .most_steps = 25};
  options.checkpoints.steps = 10;
  const Whole whole = whole_run(*pendulum(), options, {0, 1});
  CHECK(whole.solution.report.termination == Termination::too_many_steps);
  CHECK(whole.solution.report.integration.steps == 25);
  options.checkpoints.resume = whole.saved.back().at;
  const Solution rest = ivp::solve(*pendulum(), *pendulum()->start(), {0, 1}, options);
  CHECK(rest.report.termination == Termination::too_many_steps);
  CHECK(rest.report.integration.steps == 25);
}

TEST_CASE("every option that the bits of legs depend on is a setting", "[legs]") {
  using Change = std::function<void(Options&)>;
  const std::pair<const char*, Change> changes[] = {
      {"method", [](Options& o) { o.method = ivp::SBoth{}; }},
      {"method", [](Options& o) { std::get<ivp::SBoth2>(o.method).factor = 0.9; }},
      {"method",
       [](Options& o) { std::get<ivp::SBoth2>(o.method).metric = ivp::Metric::orthogonal; }},
      {"method",
       [](Options& o) {
         std::get<ivp::SBoth2>(o.method).second_step = ivp::SecondStep::half_fresh;
       }},
      {"method",
       [](Options& o) { std::get<ivp::SBoth2>(o.method).formula.stepper = ivp::Stepper::dopri5; }},
      {"h", [](Options& o) { o.h = 0.01; }},
      {"rtol", [](Options& o) { o.rtol = std::nextafter(o.rtol, 1); }},
      {"atol", [](Options& o) { o.atol = 1e-7; }},
      {"atol",
       [](Options& o) {
         o.atol_each = {1e-7, 1e-7, 1e-7, 1e-7};
       }},
      {"first_step", [](Options& o) { o.first_step = 1e-3; }},
      {"largest_step", [](Options& o) { o.largest_step = 0.3; }},
      {"control", [](Options& o) { o.control = ivp::Control{.safety = 0.8}; }},
      {"rank_tolerance", [](Options& o) { o.rank_tolerance = 1e-11; }},
      {"restart_times", [](Options& o) { o.restart_times = {0.5}; }},
      {"events",
       [](Options& o) {
         o.events = {{.name = "x", .function = [](double, const VecX& z) { return z[0]; }}};
       }},
      {"steps", [](Options& o) { o.checkpoints.steps = 11; }},
      {"parameters", [](Options& o) { o.checkpoints.mark = "other"; }}};
  Options options{.method = ivp::SBoth2{}};
  options.checkpoints.steps = 10;
  const Whole whole = whole_run(*pendulum(), options, {0, 1});
  REQUIRE(whole.saved.size() > 1);
  options.checkpoints.resume = whole.saved.front().at;
  CHECK_NOTHROW(ivp::solve(*pendulum(), *pendulum()->start(), {0, 1}, options));
  for (const auto& [name, change] : changes) {
    CAPTURE(name);
    Options other = options;
    change(other);
    CHECK_THROWS_WITH(ivp::solve(*pendulum(), *pendulum()->start(), {0, 1}, other),
                      contains_text(std::string("written with ") + name + " ="));
  }
  const VecX start = Vec<4>(0.6, -0.8, 0, 0);
  CHECK_THROWS_WITH(ivp::solve(*pendulum(), start, {0, 1}, options),
                    contains_text("written with start ="));
  CHECK_THROWS_WITH(ivp::solve(*pendulum(), *pendulum()->start(), {-1, 1}, options),
                    contains_text("written with begin ="));
}

TEST_CASE("what legs cannot do is refused, with the way out", "[legs]") {
  const auto run = [](const Options& options) {
    ivp::solve(*pendulum(), *pendulum()->start(), {0, 1}, options);
  };
  const auto with = [](const std::function<void(Options&)>& change) {
    Options options;
    options.checkpoints.save = [](const Checkpoint&) {};
    change(options);
    return options;
  };
  CHECK_THROWS_WITH(run(with([](Options& o) { o.checkpoints.steps = 0; })),
                    contains_text("checkpoints.steps = 0: must be >= 1"));
  CHECK_THROWS_WITH(run(with([](Options& o) { o.checkpoints.seconds = -1; })),
                    contains_text("checkpoints.seconds = -1: must be >= 0"));
  CHECK_THROWS_WITH(run(with([](Options& o) {
                      o.checkpoints.seconds = std::numeric_limits<double>::quiet_NaN();
                    })),
                    contains_text("checkpoints.seconds = nan"));
  CHECK_THROWS_WITH(run(with([](Options& o) { o.method = ivp::Srm{}; })),
                    contains_text("give them to its loops"));
  CHECK_THROWS_WITH(run(with([](Options& o) { o.estimate_error = true; })),
                    contains_text("leave out estimate_error"));
  CHECK_THROWS_WITH(run(with([](Options& o) { o.accuracy = 1e-3; })),
                    contains_text("leave out estimate_error"));
  CHECK_THROWS_WITH(run(with([](Options& o) {
                      o.events = {{.name = "hit",
                                   .function = [](double, const VecX& z) { return z[0]; },
                                   .change = [](double, const VecX& z) { return z; }}};
                    })),
                    contains_text("event \"hit\""));
  Options of_srm;
  auto two = std::make_shared<Checkpoint>();
  two->iterates.resize(2);
  of_srm.checkpoints.resume = two;
  CHECK_THROWS_WITH(run(of_srm), contains_text("2 iterates"));
  Options dense{.dense = true};
  dense.checkpoints.resume = two;
  CHECK_THROWS_WITH(run(dense), contains_text("dense: a run that goes on"));
  // What save() throws comes through.
  CHECK_THROWS_WITH(run(with([](Options& o) {
                      o.checkpoints.seconds = 0;
                      o.checkpoints.steps = 1;
                      o.checkpoints.save = [](const Checkpoint&) {
                        throw std::runtime_error("no space");
                      };
                    })),
                    contains_text("no space"));
}

TEST_CASE("legs between restarts give out times that were asked for, and no others",
          "[restarts][legs]") {
  for (const ivp::Method& method : {ivp::Method(ivp::Dcbdf{}), ivp::Method(ivp::BdfProjection{}),
                                    ivp::Method(ivp::ProjectEachStep{})}) {
    for (const double from : {0.0, 3.0}) {
      Options options{.method = method, .rtol = 1e-7};
      if (std::holds_alternative<ivp::Dcbdf>(method)) options.h = 0.01;
      for (int i = 0; i <= 30; ++i) options.times.push_back(0.1 * i);
      options.restart_times = {1, 2, 2.5};
      const Solution plain = ivp::solve(*pendulum(), VecX{{1, 0, 0, 0}}, {from, 3 - from}, options);
      for (const long steps : {3L, 10L, 30L}) {
        options.checkpoints.steps = steps;
        options.checkpoints.save = [](const Checkpoint&) {};
        const Solution in_legs =
            ivp::solve(*pendulum(), VecX{{1, 0, 0, 0}}, {from, 3 - from}, options);
        CAPTURE(ivp::name_of(method), from, steps);
        CHECK(in_legs.report.usable());
        CHECK(in_legs.t == plain.t);
      }
    }
  }
}
