// One sweep: what it changes, what is measured of that, and when iterates have settled.

#include "bvp/linear/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bvp/linear/sweeps.hpp"
#include "core/threads/executor.hpp"
#include "tests/catch.hpp"
#include "tests/core/manufactured_dae.hpp"

namespace daewave::bvp {
namespace {

constexpr double always = -std::numeric_limits<double>::infinity();

/// A regularization with a layer, on more intervals than one call of an executor has.
struct Posed {
  std::shared_ptr<const LinearDae> problem;
  ConstraintScan scan;
  Options options{};
  Serial serial{};
  Discretization discretization;

  explicit Posed(double epsilon = 1e-2, Scheme scheme = Scheme::radau, int intervals = 300)
      : problem(testing::erase(testing::random_symmetric_dae(4, 2, 41, {1, 3}))),
        scan(scan_constraint(*problem)),
        discretization(*problem, setting(epsilon, scheme, intervals), scan, serial, {}) {}

  static Setting setting(double epsilon, Scheme scheme, int intervals) {
    Setting setting;
    setting.mesh = uniform_mesh(1, 3, intervals);
    setting.scheme = collocation(scheme, 3);
    setting.regularization.epsilon = epsilon;
    setting.regularization.weight = Weight::inverse;
    setting.slopes = KeepSlopes::yes;
    return setting;
  }

  Solution run(SweepControl control, const Waveform& By_0 = {}) const {
    control.conditioning = false;
    return Sweeps(problem, discretization, options).run(By_0, control, {});
  }
  SweepValues zero() const {
    const StageLayout& layout = discretization.layout();
    const Eigen::Index intervals = discretization.mesh().intervals();
    return {VecX::Zero(layout.multipliers * intervals), MatX(layout.nx, layout.stages * intervals),
            MatX(layout.nx, intervals)};
  }
};

VecX nodes_of(const Solution& solution) { return solution.x_at_nodes().reshaped(); }

}  // namespace

TEST_CASE("a sweep tells the largest change, where it is, and the largest B y", "[srm]") {
  const Posed posed;
  const Solution first = posed.run({.most = 1});
  REQUIRE(first.has_values());
  const MatX& By = first.carried_at_stages();
  SweepValues values = posed.zero();
  const SweepChange change =
      update(posed.discretization, nodes_of(first), true, true, always, values, posed.serial);
  Eigen::Index row = 0, column = 0;
  const double most = By.cwiseAbs().maxCoeff(&row, &column);
  // From zero, all of it is a change.
  CHECK(change.change == Approx(most));
  CHECK(change.change_at ==
        first.stage_time(static_cast<int>(column / 3), static_cast<int>(column % 3)));
  CHECK(change.watched == Approx(most));
  CHECK(change.size == Approx(most));
  CHECK((change.sizes - By.cwiseAbs().rowwise().maxCoeff()).norm() < 1e-12);
  CHECK((change.changes - change.sizes).norm() < 1e-12);
  for (int i = 0; i < posed.discretization.mesh().intervals(); ++i) {
    const VecX here = By.middleCols(3 * i, 3).cwiseAbs().rowwise().maxCoeff();
    REQUIRE((values.change.col(i) - here).norm() < 1e-12);
  }
  // By row on request alone.
  SweepValues again = posed.zero();
  const SweepChange in_all =
      update(posed.discretization, nodes_of(first), true, false, always, again, posed.serial);
  CHECK(in_all.changes.size() == 0);
  CHECK(in_all.size == change.size);
}

TEST_CASE("changes before a time that is told do not count, nor do those that are none", "[srm]") {
  const Posed posed;
  const Solution first = posed.run({.most = 1}), second = posed.run({.most = 2});
  REQUIRE(second.has_values());
  const MatX difference = second.carried_at_stages() - first.carried_at_stages();
  SweepValues values = posed.zero();
  update(posed.discretization, nodes_of(first), true, true, always, values, posed.serial);
  const double from = 2.2;
  const SweepChange change =
      update(posed.discretization, nodes_of(second), false, true, from, values, posed.serial);
  VecX watched = VecX::Zero(4);
  for (int stage = 0; stage < difference.cols(); ++stage) {
    if (first.stage_time(stage / 3, stage % 3) < from) continue;
    watched = watched.cwiseMax(difference.col(stage).cwiseAbs());
  }
  CHECK(change.change == Approx(difference.cwiseAbs().maxCoeff()));
  CHECK(change.watched == Approx(watched.maxCoeff()));
  CHECK(change.watched < change.change);
  CHECK((change.changes - watched).norm() < 1e-12);
  CHECK(change.size == Approx(second.carried_at_stages().cwiseAbs().maxCoeff()));
  // What a sweep leaves is what the solution is made of.
  const LinearData data =
      collect(posed.problem, posed.discretization, nodes_of(second), values, {});
  CHECK((data.curve.values().carried - second.carried_at_stages()).norm() < 1e-11);
  CHECK((data.curve.values().x - second.x_at_nodes()).norm() == 0);
  CHECK((data.curve.values().slopes - second.values().curve().values().slopes).norm() < 1e-9);
}

TEST_CASE("the drift of a sweep is the largest residual of the constraint at a node", "[srm]") {
  const Posed posed;
  const Solution first = posed.run({.most = 1});
  REQUIRE(first.has_values());
  double largest = 0;
  for (const double t : first.mesh().nodes()) {
    largest = std::max(largest, first.constraint_residual(t).cwiseAbs().maxCoeff());
  }
  CHECK(largest > 0);
  CHECK(largest_drift(posed.discretization, nodes_of(first), posed.serial) == Approx(largest));
}

TEST_CASE("a waveform is projected to what stages can have of it", "[srm]") {
  const Posed posed;
  const Solution first = posed.run({.most = 3});
  VecX zeta = posed.zero().zeta;
  project(posed.discretization, first.waveform(), zeta);
  // B y of a solution is in the range of B at each stage.
  for (const int stage : {0, 100, 899}) {
    const VecX part = zeta.segment(2 * stage, 2);
    const VecX By = posed.discretization.basis(stage / 3, stage % 3) * part;
    CHECK((By - first.carried_at_stages().col(stage)).norm() < 1e-10);
  }
  // Iterates from there go on as if there had been no end.
  const Solution on = posed.run({.most = 2}, first.waveform()), five = posed.run({.most = 5});
  CHECK((on.x_at_nodes() - five.x_at_nodes()).norm() < 1e-9);
  CHECK(on.iterates() == 2);
  REQUIRE(on.report.history.size() == 2);
  CHECK(on.report.history.front().change == Approx(five.report.history[3].change));
}

TEST_CASE("iterates are told one by one, with their changes", "[srm]") {
  const Posed posed;
  const Solution solution = posed.run({.most = 4});
  REQUIRE(solution.report.history.size() == 4);
  for (int s = 1; s <= 4; ++s) {
    const Solution now = posed.run({.most = s}), before = posed.run({.most = std::max(1, s - 1)});
    MatX change = now.carried_at_stages();
    if (s > 1) change -= before.carried_at_stages();
    const IterateReport& told = solution.report.history[static_cast<std::size_t>(s - 1)];
    CHECK(told.iterate == s);
    CHECK(told.change == Approx(change.cwiseAbs().maxCoeff()));
  }
}

TEST_CASE("iterates end where they change little, where they stall, or where they are used up",
          "[srm]") {
  const Posed fast(1e-6, Scheme::radau, 20);
  const Solution settled = fast.run({.most = 9, .tolerance = 1e-8});
  CHECK(settled.report.termination == Termination::converged);
  CHECK(settled.report.history.size() < 9);
  const double size = 1 + settled.carried_at_stages().cwiseAbs().maxCoeff();
  CHECK(settled.report.history.back().change <= 1e-8 * size);
  // A number of them that was given is held against what was asked for.
  CHECK(fast.run({.most = 1, .asked = 1e-14}).report.termination ==
        Termination::iterates_exhausted);
  CHECK(fast.run({.most = 4, .asked = 1e-4}).report.termination == Termination::converged);
  const Posed slow(0.3, Scheme::radau, 20);
  const Solution few = slow.run({.most = 2, .tolerance = 1e-8});
  CHECK(few.report.termination == Termination::iterates_exhausted);
  CHECK_THAT(few.report.message, contains_text("still changed B y by"));
  const Solution all = slow.run({.most = 2});
  CHECK(all.report.termination == Termination::converged);
  CHECK(all.report.history.size() == 2);
  const Solution stalled = slow.run({.most = 12, .until_stalled = true});
  REQUIRE(stalled.report.history.size() >= 2);
  CHECK(stalled.report.history.size() < 12);
  const auto& history = stalled.report.history;
  CHECK(history.back().change > 0.5 * history[history.size() - 2].change);
  // Small changes are none of x, which is off by as much as the constraint tells.
  const Posed stiff(1e8, Scheme::radau, 20);
  const Solution off = stiff.run({.most = 9, .tolerance = 1e-6});
  CHECK(off.report.history.back().change < 1e-6);
  CHECK(off.report.termination == Termination::iterates_exhausted);
}

TEST_CASE("iterates that stall have settled where what they still change is rounding", "[srm]") {
  const Posed posed(1e-3, Scheme::radau, 40);
  int settled = 0, open = 0;
  for (int step = 0; step <= 40; ++step) {
    const double from = 1.05 + 0.02 * step;
    const Solution stalled = posed.run({.most = 12, .until_stalled = true, .watch_from = from});
    REQUIRE(stalled.has_values());
    if (stalled.iterates() == 12) continue;
    const Solution before = posed.run({.most = stalled.iterates() - 1});
    const MatX change = stalled.carried_at_stages() - before.carried_at_stages();
    double watched = 0;
    for (int stage = 0; stage < change.cols(); ++stage) {
      if (stalled.stage_time(stage / 3, stage % 3) < from) continue;
      watched = std::max(watched, change.col(stage).cwiseAbs().maxCoeff());
    }
    CAPTURE(from, watched, stalled.report.message);
    const bool is_rounding =
        watched <= 1e-9 * (1 + stalled.carried_at_stages().cwiseAbs().maxCoeff());
    CHECK((stalled.report.termination == Termination::converged) == is_rounding);
    (is_rounding ? settled : open) += 1;
  }
  CHECK(settled >= 2);
  CHECK(open >= 2);
}

TEST_CASE("stage equations without a solution are told with their time", "[srm]") {
  // The midpoint of x' = 4 x at steps of a half: x + h / 2 4 x = x_next / 1 has no solution.
  struct Resonant {
    Interval interval() const { return {2, 3}; }
    Boundary boundary() const { return {MatX{{0, 1}}, MatX{{0, 0}}, VecX{{1.0}}}; }
    MatX A(double t) const { return MatX{{0, 0}, {0, t > 2.5 ? 4.0 : 0.0}}; }
    MatX B(double) const { return MatX{{1.0}, {0.0}}; }
    VecX q(double) const { return VecX::Zero(2); }
    MatX C(double) const { return MatX{{1, 0}}; }
    VecX r(double) const { return VecX::Zero(1); }
  };
  const auto problem = erase(Resonant{});
  Setting setting;
  setting.mesh = uniform_mesh(2, 3, 2);
  setting.scheme = collocation(Scheme::gauss, 1);
  setting.regularization.epsilon = 1e-2;
  setting.regularization.weight = Weight::inverse;
  const Serial serial;
  const Discretization none(*problem, setting, scan_constraint(*problem), serial, {});
  CHECK(none.termination() == Termination::singular_matrix);
  CHECK_THAT(none.failure(), contains_text("t = 2.5: the stage equations are singular"));
}

}  // namespace daewave::bvp
