// Times asked for beside those at which a run starts anew: each is given out, as it was asked for.

#include <algorithm>
#include <cmath>
#include <vector>

#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/doors/rail.hpp"

using namespace daewave;
using ivp::Options;
using ivp::Output;
using ivp::Solution;
using testing::drop;
using testing::impact;
using testing::precise;
using testing::Rail;
using testing::run;

namespace {

/// `roundings` away from t.
double beside(double t, int roundings) {
  for (int i = 0; i < std::abs(roundings); ++i) t = std::nextafter(t, roundings < 0 ? -1e9 : 1e9);
  return t;
}

std::vector<double> all_beside(const std::vector<double>& places) {
  std::vector<double> times;
  for (const double t : places) {
    for (const int roundings : {-40, -9, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 9, 40}) {
      times.push_back(beside(t, roundings));
    }
  }
  return times;
}

struct SinkRow {
  double t, s, ds, multiplier;
};

/// What the sink sees, which is what is stored.
class SinkRows {
 public:
  void watch(Options& options) {
    options.sink = [this](const Output& out) {
      const Eigen::Map<const VecX> z(out.state, 4);
      const double none = NAN;
      rows_.push_back(
          {out.t, Rail::s(z), Rail::ds(z), out.multiplier != nullptr ? out.multiplier[0] : none});
      return true;
    };
  }

  void check_against(const Solution& solution) const {
    REQUIRE(static_cast<std::size_t>(solution.count()) == rows_.size());
    for (int i = 0; i < solution.count(); ++i) {
      const SinkRow& row = rows_[static_cast<std::size_t>(i)];
      CHECK(std::abs(solution.t[static_cast<std::size_t>(i)] - row.t) < 1e-14);
      CHECK(Rail::s(solution.state(i)) == row.s);
      CHECK(Rail::ds(solution.state(i)) == row.ds);
    }
  }

  const std::vector<SinkRow>& rows() const { return rows_; }

 private:
  std::vector<SinkRow> rows_;
};

/// Each once or, where the run has a row there of its own, more often; in their order.
void check_times(const std::vector<double>& times, const Solution& solution) {
  const bool forward = solution.t.front() <= solution.t.back();
  for (const double time : times) {
    CAPTURE(time);
    CHECK(std::count(solution.t.begin(), solution.t.end(), time) >= 1);
  }
  CHECK((forward ? std::is_sorted(solution.t.begin(), solution.t.end())
                 : std::is_sorted(solution.t.rbegin(), solution.t.rend())));
}

}  // namespace

TEST_CASE("times asked for within rounding of a restart are given out", "[restarts]") {
  for (const bool fixed : {false, true}) {
    for (const double from : {0.0, 3.0}) {
      const Rail rail{[](double, double, double t) { return t < 1.3 ? 0.0 : 2.0; }};
      Options options = precise({});
      options.restart_times = {0.3, 1.3, beside(3.0, -3)};
      options.times = all_beside({0.3, 1.3});
      options.times.insert(options.times.begin(), {0, beside(0, 1), 1e-17});
      options.times.insert(options.times.end(), {beside(3, -4), beside(3, -2), beside(3, -1), 3});
      if (fixed) options.h = 0.25;
      SinkRows seen;
      seen.watch(options);
      const auto s = [](double t) { return t < 1.3 ? t : t + (t - 1.3) * (t - 1.3); };
      const auto ds = [](double t) { return t < 1.3 ? 1 : 1 + 2 * (t - 1.3); };
      const Solution solution =
          run(rail, Rail::state(s(from), ds(from)), {from, 3 - from}, options);
      CAPTURE(fixed, from, solution.report.full());
      CHECK(solution.report.usable());
      check_times(options.times, solution);
      seen.check_against(solution);
      for (int i = 0; i < solution.count(); ++i) {
        const double t = solution.t[static_cast<std::size_t>(i)];
        CHECK(std::abs(Rail::s(solution.state(i)) - s(t)) < 1e-12);
        CHECK(std::abs(Rail::ds(solution.state(i)) - ds(t)) < 1e-12);
      }
    }
  }
}

TEST_CASE("times asked for within rounding of impacts are given out", "[restarts]") {
  for (const bool fixed : {false, true}) {
    Options options = precise({impact(0.5)});
    if (fixed) options.h = 0.1;
    std::vector<double> places;
    for (const ivp::Occurrence& one : drop(options, 2.7).occurrences) places.push_back(one.t);
    REQUIRE(places.size() == 3);
    for (const double last : {2.7, places.back(), beside(places.back(), 2)}) {
      options.times = all_beside(places);
      options.times.erase(std::remove_if(options.times.begin(), options.times.end(),
                                         [last](double time) { return time > last; }),
                          options.times.end());
      SinkRows seen;
      seen.watch(options);
      const Solution solution = drop(options, last);
      CAPTURE(fixed, last, solution.report.full());
      CHECK(solution.report.usable());
      check_times(options.times, solution);
      for (const double time : options.times) {
        CHECK(std::any_of(seen.rows().begin(), seen.rows().end(),
                          [time](const SinkRow& row) { return row.t == time; }));
      }
      if (last == 2.7) seen.check_against(solution);
      for (int i = 0; i < solution.count(); ++i) CHECK(Rail::s(solution.state(i)) > -1e-12);
    }
  }
}

TEST_CASE("times asked for after what ends a run are not given out", "[restarts]") {
  ivp::Event wall = impact(0.5);
  wall.change = nullptr;
  wall.then = ivp::Event::Then::stop;
  Options options = precise({wall});
  options.restart_times = {0.3};
  const double at = drop(options, 2.7).occurrences.front().t;
  options.times = all_beside({0.3, at});
  const Solution solution = drop(options, 2.7);
  CHECK(solution.t.back() == at);
  CHECK(std::count_if(solution.t.begin(), solution.t.end(), [](double t) { return t > 0.2; }) >=
        15 + 8);
}

TEST_CASE("a run that stores its last state alone gives out times beside restarts", "[restarts]") {
  const Rail rail{[](double, double, double t) { return t < 1.3 ? 0.0 : 2.0; }};
  Options options = precise({});
  options.restart_times = {1.3};
  options.times = all_beside({1.3});
  options.keep = false;
  options.multipliers = false;
  SinkRows seen;
  seen.watch(options);
  const Solution solution = run(rail, Rail::state(0, 1), {0, 2}, options);
  CHECK(solution.count() == 1);
  CHECK(seen.rows().size() == options.times.size() + 2);
  for (const double time : options.times) {
    CHECK(std::count_if(seen.rows().begin(), seen.rows().end(),
                        [time](const SinkRow& row) { return row.t == time; }) == 1);
  }
}

TEST_CASE("a sink that stops at a time beside a restart stops the run there", "[restarts]") {
  const Rail rail{[](double, double, double) { return 0.0; }};
  for (const int roundings : {-5, -1, 0, 1, 9}) {
    for (const bool keep : {false, true}) {
      Options options = precise({});
      options.restart_times = {1.3};
      options.times = all_beside({1.3});
      options.keep = keep;
      bool stops = false;
      options.sink = [&](const Output& out) {
        CHECK_FALSE(stops);
        stops = out.t == beside(1.3, roundings);
        return !stops;
      };
      const Solution solution = run(rail, Rail::state(0, 1), {0, 2}, options);
      CAPTURE(roundings, keep);
      CHECK(stops);
      CHECK(solution.report.termination == Termination::stopped);
      CHECK_THAT(solution.report.message, contains_text("stopped by the sink at t = 1.3"));
      CHECK(std::abs(solution.t.back() - 1.3) < 1e-9);
    }
  }
}
