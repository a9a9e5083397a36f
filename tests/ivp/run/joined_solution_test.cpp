// What a run that started anew says of itself: the sums and the worst of its pieces.

#include "ivp/run/joined_solution.hpp"

#include <vector>

#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

const std::vector<double> no_times;

/// A piece with one row, every number of its report made from `scale`.
Solution piece(double t, double scale) {
  Solution one;
  one.nz = 1;
  one.t = {t};
  one.states = {scale};
  Report& report = one.report;
  report.termination = Termination::converged;
  IntegrationReport& went = report.integration;
  went.available = true;
  went.reached = t;
  went.steps = static_cast<long>(10 * scale);
  went.rejected = static_cast<long>(scale);
  went.evaluations = static_cast<long>(100 * scale);
  went.smallest_step = 0.1 / scale;
  went.largest_step = 0.5 * scale;
  went.drift_position = 1e-9 * scale;
  went.drift_velocity = 1e-8 / scale;
  IterateReport iterate;
  iterate.iterate = 1;
  iterate.change = 1e-3 * scale;
  iterate.change_at = t;
  iterate.drift = 1e-4 / scale;
  iterate.residual = 1e-12 * scale;
  iterate.refinements = static_cast<int>(scale);
  report.history = {iterate};
  return one;
}

}  // namespace

TEST_CASE("a joined report has the sums of its pieces, and the worst of their iterates",
          "[ivp][run]") {
  for (const bool rising : {true, false}) {
    CAPTURE(rising);
    const double first = rising ? 1 : 4, second = rising ? 4 : 1;
    JoinedSolution joined({0, 2}, true, no_times);
    joined.add(piece(1, first), 0, 1);
    joined.restarted();
    joined.add(piece(2, second), 1, 2);
    CHECK(joined.steps() == 50);
    CHECK(joined.attempts() == 55);
    const Solution all = joined.end();
    const IntegrationReport& went = all.report.integration;
    CHECK(went.reached == 2);
    CHECK(went.evaluations == 500);
    CHECK(went.smallest_step == 0.1 / 4);
    CHECK(went.largest_step == 2);
    CHECK(went.drift_position == 4e-9);
    CHECK(went.drift_velocity == 1e-8);
    REQUIRE(all.report.history.size() == 1);
    const IterateReport& iterate = all.report.history[0];
    CHECK(iterate.change == 4e-3);
    CHECK(iterate.change_at == (rising ? 2 : 1));
    CHECK(iterate.drift == 1e-4);
    CHECK(iterate.residual == 4e-12);
    CHECK(iterate.refinements == 5);
  }
}

TEST_CASE("an iterate that a later piece alone has is told, too", "[ivp][run]") {
  JoinedSolution joined({0, 2}, true, no_times);
  joined.add(piece(1, 1), 0, 1);
  joined.restarted();
  Solution more = piece(2, 1);
  more.report.history.push_back(more.report.history[0]);
  more.report.history[1].iterate = 2;
  joined.add(more, 1, 2);
  const Solution all = joined.end();
  REQUIRE(all.report.history.size() == 2);
  CHECK(all.report.history[1].iterate == 2);
}

TEST_CASE("pieces are kept one behind the other, or the last one alone", "[ivp][run]") {
  for (const bool keep : {true, false}) {
    CAPTURE(keep);
    JoinedSolution joined({0, 2}, keep, no_times);
    for (const double scale : {1.0, 2.0}) {
      Solution one = piece(scale, scale);
      one.ny = 2;
      one.multipliers = {10 * scale, 20 * scale};
      joined.add(one, scale - 1, scale);
    }
    const Solution all = joined.end();
    CHECK(all.t == (keep ? std::vector<double>{1, 2} : std::vector<double>{2}));
    CHECK(all.states == (keep ? std::vector<double>{1, 2} : std::vector<double>{2}));
    CHECK(all.multipliers ==
          (keep ? std::vector<double>{10, 20, 20, 40} : std::vector<double>{20, 40}));
  }
}

namespace {

/// t at any time, and which piece it is of.
struct OfPiece final : DenseOutput {
  double number;
  explicit OfPiece(double which) : number(which) {}
  VecX at(double t) const override { return VecX{{t, number}}; }
};

Solution told(double t, double scale, const std::string& words) {
  Solution one = piece(t, scale);
  one.report.termination = Termination::stopped;
  one.report.message = "message " + words;
  one.report.advice = "advice " + words;
  one.report.choices = {{"h", "0.5", true, ""}, {"order", words, false, ""}};
  one.report.warnings = {"moved by 1.5e-3 at 7", "only " + words};
  one.report.singular_points = {{scale, 0, "row", "window"}};
  one.report.error = {true, 1e-3 * scale, 1e-4 / scale, scale, 1e-5 * scale, "how " + words};
  one.report.seconds.total = scale;
  one.occurrences = {{static_cast<int>(scale), t, VecX{{scale}}}};
  one.motion.see(&scale, 1);
  IntegrationReport& went = one.report.integration;
  went.guarded = static_cast<long>(scale);
  went.pivot_ratio = 0.5 / scale;
  went.pivot_ratio_at = t;
  went.parameter_choices = static_cast<long>(2 * scale);
  went.energy_start = scale;
  went.energy_change = 1e-2 * scale;
  went.events = static_cast<long>(3 * scale);
  return one;
}

}  // namespace

TEST_CASE("a joined report ends as the last piece did, and tells the same things once",
          "[ivp][run]") {
  JoinedSolution joined({0, 3}, true, no_times);
  joined.add(told(1, 1, "first"), 0, 1);
  joined.restarted();
  joined.add(told(2, 4, "second"), 1, 2);
  CHECK(joined.seconds() == 5);
  const Solution all = joined.end();
  const Report& report = all.report;
  CHECK(report.termination == Termination::stopped);
  CHECK(report.message == "message second");
  CHECK(report.advice == "advice second");
  REQUIRE(report.choices.size() == 3);
  CHECK(report.choices[2].value == "second");
  CHECK(report.warnings ==
        std::vector<std::string>{"moved by 1.5e-3 at 7", "only first", "only second"});
  REQUIRE(report.singular_points.size() == 2);
  CHECK(report.singular_points[1].t == 4);
  CHECK(report.smallest_step == 0.1 / 4);
  CHECK(report.largest_step == 2);
  CHECK(report.error.available);
  CHECK(report.error.x == 4e-3);
  CHECK(report.error.By == 1e-4);
  CHECK(report.error.tolerance == 4);
  CHECK(report.error.iterates == 4e-5);
  CHECK(report.error.how == "how second");
  const IntegrationReport& went = report.integration;
  CHECK(went.begin == 0);
  CHECK(went.end == 3);
  CHECK(went.restarts == 1);
  CHECK(went.guarded == 5);
  CHECK(went.pivot_ratio == 0.125);
  CHECK(went.pivot_ratio_at == 2);
  CHECK(went.parameter_choices == 10);
  CHECK(went.energy_start == 1);
  CHECK(went.energy_change == 4e-2);
  CHECK(went.events == 15);
  REQUIRE(all.occurrences.size() == 2);
  CHECK(all.occurrences[1].event == 4);
  CHECK(all.motion.least == VecX{{1}});
  CHECK(all.motion.greatest == VecX{{4}});
}

TEST_CASE("an estimate that a piece does not have is not joined, numbers of warnings may differ",
          "[ivp][run]") {
  JoinedSolution joined({0, 3}, true, no_times);
  joined.add(told(1, 2, "first"), 0, 1);
  Solution second = told(2, 4, "second");
  second.report.error.available = false;
  second.report.warnings = {"moved by 2.5e-9 at 13"};
  second.report.integration.pivot_ratio = 0.25;
  second.report.integration.steps = 0;
  second.report.integration.smallest_step = 0;
  joined.add(second, 1, 2);
  joined.fails(Termination::diverged, "it went", "go on");
  const Solution all = joined.end();
  CHECK(all.report.error.x == 2e-3);
  CHECK(all.report.error.how == "how first");
  CHECK(all.report.warnings == std::vector<std::string>{"moved by 1.5e-3 at 7", "only first"});
  CHECK(all.report.integration.pivot_ratio_at == 1);
  CHECK(all.report.integration.smallest_step == 0.05);
  CHECK(all.report.termination == Termination::diverged);
  CHECK(all.report.message == "it went");
  CHECK(all.report.advice == "go on");
}

TEST_CASE("pieces that come to their ends are joined at the times that are written for them",
          "[ivp][run]") {
  for (const double sign : {1.0, -1.0}) {
    JoinedSolution joined({0, 2 * sign}, true, no_times);
    for (const double number : {1.0, 2.0}) {
      // Ends as far as rounding lets it.
      Solution one = piece(sign * number * (1 - 1e-15), 1);
      one.report.integration.end = one.report.integration.reached;
      one.dense = std::make_shared<OfPiece>(number);
      joined.add(one, sign * (number - 1), sign * number);
      if (number == 1) joined.restarted();
    }
    const Solution all = joined.end();
    CHECK(all.t == std::vector<double>{sign, 2 * sign});
    CHECK(all.report.integration.reached == 2 * sign);
    CHECK(all.report.message ==
          std::string("reached t = ") + (sign > 0 ? "2" : "-2") + " in 20 steps, 1 restarts");
    REQUIRE(all.dense);
    for (const double t : {0.0, 0.5, 0.999}) CHECK(all.dense->at(sign * t)[1] == 1);
    for (const double t : {1.0, 1.5, 2.0}) CHECK(all.dense->at(sign * t)[1] == 2);
    CHECK(all.dense->at(sign * 1.5)[0] == sign * 1.5);
  }
}

}  // namespace daewave::ivp
