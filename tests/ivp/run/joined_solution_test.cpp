// What a run that started anew says of itself: the sums and the worst of its pieces.

#include "ivp/run/joined_solution.hpp"

#include <vector>

#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

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
    JoinedSolution joined({0, 2}, true);
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
  JoinedSolution joined({0, 2}, true);
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
    JoinedSolution joined({0, 2}, keep);
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

}  // namespace daewave::ivp
