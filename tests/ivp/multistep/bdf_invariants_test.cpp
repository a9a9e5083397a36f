// BDF with multipliers for the invariants: orders, drift, error control, output, dependent
// constraints, failures, refusals.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "core/error.hpp"
#include "ivp/doors/method_choice.hpp"
#include "ivp/doors/solve_multistep.hpp"
#include "ivp/multistep/bdf_step.hpp"
#include "problems/acpr.hpp"
#include "problems/al2.hpp"
#include "problems/andrews.hpp"
#include "problems/chain.hpp"
#include "problems/pendulum.hpp"
#include "problems/slider_crank.hpp"
#include "problems/truck.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/rolling_on_circle.hpp"
#include "tests/ivp/struct_doors.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

using Form = MultiplierForm;
using problems::Pendulum;

struct FixedRun {
  double end = 0, between = 0, nu = 0;  ///< Largest; errors `between` and nu past the start.
  Drift drift{};
};

/// The exact state of a problem at t.
using Exact = std::function<VecX(double)>;

template <class P>
Exact exact_of(const P& problem) {
  return [problem](double t) -> VecX { return problem.z_exact(t); };
}

FixedRun fixed_run(const Exact& exact, DaeSystem& system, int order, int steps,
                   Onto onto = Onto::both) {
  BdfStep step(system,
               {.order = order, .fixed = true, .projection = {.onto = onto}, .multipliers = true},
               Tolerance());
  FixedRun run;
  REQUIRE(step.start(0, exact(0)));
  const double h = 1.0 / steps;
  VecX between;
  for (int i = 0; i < steps; ++i) {
    INFO(step.failure());
    REQUIRE(step.attempt(h) == 0);
    REQUIRE(step.accept());
    run.drift.position = std::max(run.drift.position, step.drift().position);
    run.drift.velocity = std::max(run.drift.velocity, step.drift().velocity);
    if (i < 2 * order) continue;
    step.interpolate(0.4, between);
    const double error = (between - exact(step.t() - 0.6 * h)).norm();
    run.between = std::max(run.between, error);
    const InvariantMultipliers& kept = step.newton().invariants();
    run.nu = std::max(run.nu, kept.nu().head(kept.rank()).norm());
  }
  run.end = (step.state() - exact(1)).norm();
  return run;
}

Solution swing(const Interval& span, const Options& options,
               const BdfProjectedInvariants& method = {}) {
  const Pendulum pendulum;
  check(options);
  return solve_bdf(pendulum, pendulum.z_exact(span.begin), span, method, options,
                   Monitors{.energy = [pendulum](double, const Vec<4>& z) {
                     return pendulum.energy(z.head<2>(), z.tail<2>());
                   }});
}

double error_at_end(const Solution& solution) {
  return (solution.end() - VecX(Pendulum().z_exact(solution.t.back()))).norm();
}

/// A unit mass on a rod, held by the constraint twice.
struct HeldTwice {
  using Position = Vec<2>;
  using Multiplier = Vec<2>;
  double multiple = 2;

  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -9.81}; }
  Multiplier g(const Position& q, double) const {
    const double rod = (q.squaredNorm() - 1) / 2;
    return {rod, multiple * rod};
  }
  Mat<2, 2> G(const Position& q, double) const {
    Mat<2, 2> rows;
    rows << q.transpose(), multiple * q.transpose();
    return rows;
  }
  Multiplier g_t(const Position&, double) const { return Multiplier::Zero(); }
  Multiplier curvature(const Position&, const Position& v, double) const {
    return {v.squaredNorm(), multiple * v.squaredNorm()};
  }
};

}  // namespace

TEST_CASE("every BDF keeps its order with multipliers for invariants, which end every step",
          "[bdf][invariants][ACPR-3.3]") {
  const Pendulum pendulum;
  for (Form form : {Form::eliminated, Form::index_1}) {
    for (int order = 1; order <= 6; ++order) {
      CAPTURE(order, static_cast<int>(form));
      const auto system = system_of(pendulum, pendulum.start(), 0, form);
      const int steps = order == 6 ? 80 : 160;
      const FixedRun coarse = fixed_run(exact_of(pendulum), *system, order, steps);
      const FixedRun fine = fixed_run(exact_of(pendulum), *system, order, 2 * steps);
      // Observed: within 0.2 of the order at these steps, which are not yet small.
      CHECK(std::log2(coarse.end / fine.end) == Approx(order).margin(0.25));
      CHECK(std::log2(coarse.between / fine.between) == Approx(order).margin(0.25));
      // Stages are solved to rounding.
      CHECK(fine.drift.position <= 1e-12);
      CHECK(fine.drift.velocity <= 1e-12);
    }
  }
}

TEST_CASE("an index 2, and unknowns of index 1, have the orders of BDF with multipliers too",
          "[bdf][invariants][ACPR-4.8]") {
  const problems::Al2Example61 first_order;
  const RollingOnCircle<> rolling;
  for (int order : {2, 4}) {
    for (Form form : {Form::eliminated, Form::index_1}) {
      CAPTURE(order, static_cast<int>(form));
      const auto plain = system_of(first_order, first_order.start(), 0, form);
      const double ratio = fixed_run(exact_of(first_order), *plain, order, 20).end /
                           fixed_run(exact_of(first_order), *plain, order, 40).end;
      CHECK(std::log2(ratio) > order - 0.4);  // Errors of this example cancel: more is no wonder.
      const auto contact = system_of(rolling, rolling.start(), rolling.start_algebraic(), 0, form);
      const double rolls = fixed_run(exact_of(rolling), *contact, order, 40).end /
                           fixed_run(exact_of(rolling), *contact, order, 80).end;
      CHECK(std::log2(rolls) == Approx(order).margin(0.4));
    }
  }
}

TEST_CASE("h mu is what a step errs across the manifold: it vanishes as h^(order + 1)",
          "[bdf][invariants][ACPR-3.3]") {
  const Pendulum pendulum;
  const auto system = system_of(pendulum, pendulum.start(), 0);
  for (int order : {1, 2, 3, 4}) {
    CAPTURE(order);
    const double coarse = fixed_run(exact_of(pendulum), *system, order, 80).nu;
    const double fine = fixed_run(exact_of(pendulum), *system, order, 160).nu;
    CHECK(std::log2(coarse / fine) == Approx(order + 1).margin(0.3));
  }
}

TEST_CASE("multipliers keep the invariants asked for alone", "[bdf][invariants][ACPR-3.3]") {
  const Pendulum pendulum;
  const auto drift = [&](Onto onto) {
    const auto system = system_of(pendulum, pendulum.start(), 0);
    return fixed_run(exact_of(pendulum), *system, 3, 80, onto).drift;
  };
  const Drift position = drift(Onto::position), velocity = drift(Onto::velocity),
              nothing = drift(Onto::nothing);
  CHECK(position.position <= 1e-12);
  CHECK(position.velocity > 1e-8);
  CHECK(velocity.velocity <= 1e-12);
  CHECK(velocity.position > 1e-8);
  CHECK(nothing.position > 1e-8);
  CHECK(nothing.velocity > 1e-8);
}

TEST_CASE("with multipliers a tighter tolerance errs less, and invariants hold to its square",
          "[bdf][invariants][ACPR-3.3]") {
  for (Form form : {Form::eliminated, Form::index_1}) {
    double before = INFINITY;
    for (double both : {1e-4, 1e-6, 1e-8, 1e-10}) {
      const Options options{.rtol = both, .atol = both};
      const Solution solution = swing({0, 3}, options, {.form = form});
      const IntegrationReport& went = solution.report.integration;
      CAPTURE(both, static_cast<int>(form), solution.report.full(), error_at_end(solution));
      REQUIRE(solution.report.usable());
      // As with a projection: errors of steps add up, and sqrt(g) enlarges them.
      CHECK(error_at_end(solution) < 1e3 * both);
      CHECK(error_at_end(solution) < before);
      // An accepted step s is at most 7 weights in the root mean square of four entries below 5:
      // 70 tolerances; what Newton's last change leaves of h is |s|^2 / 2 at most.
      CHECK(went.drift_position < 2500 * both * both + 1e-13);
      CHECK(went.drift_velocity < 2500 * both * both + 1e-13);
      CHECK(solution.multiplier(solution.count() - 1)[0] ==
            Approx(Pendulum().y_exact(3)[0]).epsilon(1e4 * both));
      before = error_at_end(solution);
    }
  }
}

TEST_CASE("multipliers take no more steps than projections, and lead to the same",
          "[bdf][invariants]") {
  const Pendulum pendulum;
  Options options{.rtol = 1e-8, .atol = 1e-8};
  const Solution one = swing({0, 5}, options);
  const Solution other =
      solve_bdf(pendulum, pendulum.start(), {0, 5}, BdfProjection{}, options, {});
  const IntegrationReport &with = one.report.integration, &without = other.report.integration;
  CHECK(20 * std::abs(with.steps - without.steps) <= without.steps);
  // An iteration more in each step tells what multipliers take up.
  CHECK(2 * with.evaluations <= 5 * without.evaluations);
  CHECK((one.end() - other.end()).norm() < error_at_end(one) + error_at_end(other));
}

namespace {

/// Largest difference of the ends by multipliers and by projection, relative to 1 + |z|.
double difference(const DaeProblemPtr& problem, double t_end, const Options& options) {
  const Interval span{0, t_end};
  const VecX start = *problem->start();
  const Solution projected = solve_bdf(*problem, start, span, BdfProjection{}, options, Monitors{});
  const Solution kept =
      solve_bdf(*problem, start, span, BdfProjectedInvariants{}, options, Monitors{});
  CAPTURE(kept.report.full(), projected.report.full());
  REQUIRE(projected.report.usable());
  REQUIRE(kept.report.usable());
  const VecX size = projected.end().cwiseAbs().array() + 1;
  return (kept.end() - projected.end()).cwiseAbs().cwiseQuotient(size).maxCoeff();
}

}  // namespace

TEST_CASE("mechanisms and problems of index 2 and 3 are solved with multipliers for invariants",
          "[bdf][invariants]") {
  const Options options{.rtol = 1e-7, .atol = 1e-7};
  // Errors of some hundred steps add up, in both.
  constexpr double most = 1e-4;
  CHECK(difference(problem_of(problems::TwoLinkArm<problems::ArmPath::parabola>{}), 5, options) <
        most);
  CHECK(difference(problem_of(problems::Andrews{}), 0.01, options) < most);
  CHECK(difference(problem_of(problems::SliderCrank{}), 5, options) < most);
  CHECK(difference(problem_of(problems::Truck{}), 4, options) < most);
  CHECK(difference(problem_of(problems::ChainOf<4>{}), 2, options) < most);
  CHECK(difference(problem_of(problems::Al2Example62{}), 1, options) < most);
  CHECK(difference(problem_of(problems::Al2Example63{}), 1, options) < most);
}

TEST_CASE("the equations with multipliers do not degenerate as steps become short",
          "[bdf][invariants]") {
  Options options{.rtol = 1e-8, .atol = 1e-8, .first_step = 1e-13};
  for (Form form : {Form::eliminated, Form::index_1}) {
    const Solution solution = swing({0, 1}, options, {.form = form});
    REQUIRE(solution.report.usable());
    CHECK(solution.report.integration.smallest_step <= 1.1e-13);
    CHECK(solution.report.integration.drift_position < 1e-13);
    CHECK(error_at_end(solution) < 1e-5);
  }
}

TEST_CASE("with multipliers there are dense output, events, energy, and a way back",
          "[bdf][invariants]") {
  const Pendulum pendulum;
  Options options{.rtol = 1e-9, .atol = 1e-9, .dense = true};
  for (double t = 0.1; t < 2; t += 0.1) options.times.push_back(t);
  const Solution solution = swing({0, 2}, options, {.energy = true});
  REQUIRE(solution.report.usable());
  CHECK(solution.count() == 21);
  for (double t : {0.03, 0.777, 1.9}) {
    CHECK((solution.at(t) - VecX(pendulum.z_exact(t))).norm() < 1e-6);
  }
  CHECK(solution.report.integration.energy_change < 1e-12);
  CHECK_THAT(solution.report.explain(), contains_text("up to 6"));

  Options stopping{.rtol = 1e-9, .atol = 1e-9};
  stopping.events.push_back({.name = "bottom",
                             .function = [](double, const VecX& z) { return z[0]; },
                             .then = Event::Then::stop});
  const Solution stopped = swing({0, 5}, stopping);
  REQUIRE(stopped.occurrences.size() == 1);
  CHECK(stopped.occurrences[0].t == Approx(pendulum.period() / 4).epsilon(1e-6));

  const Solution back = swing({2, 0}, {.rtol = 1e-8, .atol = 1e-8});
  REQUIRE(back.report.usable());
  CHECK(error_at_end(back) < 1e-5);
}

TEST_CASE("dependent constraints are kept by as many multipliers as are needed",
          "[bdf][invariants][guard]") {
  const double angle = 0.3;
  Vec<4> start;
  start << std::sin(angle), -std::cos(angle), 0, 0;
  const Options options{.rtol = 1e-8, .atol = 1e-8};
  VecX ends[3];
  int i = 0;
  for (double multiple : {2.0, 0.0, 1.0}) {
    const HeldTwice held{multiple};
    const Solution solution =
        solve_bdf(held, start, {0, 1}, BdfProjectedInvariants{}, options, Monitors{});
    CAPTURE(multiple, solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(solution.report.integration.drift_position < 1e-12);
    CHECK(solution.report.integration.drift_velocity < 1e-12);
    ends[i++] = solution.end();
  }
  CHECK((ends[0] - ends[1]).norm() < 1e-10);  // The same motion, by other roundings.
  CHECK((ends[2] - ends[1]).norm() < 1e-10);
  // Solved with the step, lambda is not determined.
  const Solution failed =
      solve_bdf(HeldTwice{}, start, {0, 1}, BdfProjectedInvariants{.form = Form::index_1}, options,
                Monitors{});
  CHECK_FALSE(failed.report.usable());
  CHECK_THAT(failed.report.full(), contains_text("dependent constraints"));
}

namespace {

/// z' = J z with h = z_0, on z_1 alone where it is told so.
class Linear : public DaeSystem {
 public:
  Mat<2, 2> J{Mat<2, 2>::Zero()};
  bool finite = true;

  int nz() const override { return 2; }
  int nw() const override { return 0; }
  int nh() const override { return 1; }
  bool evaluate(double, const VecX& z, const VecX&, VecX& slope, VecX&) override {
    slope = J * z;
    return true;
  }
  bool jacobian(double, const VecX&, const VecX&, MatX& derivative) override {
    derivative = J;
    return true;
  }
  bool algebraic(double, const VecX&, VecX&) override { return true; }
  bool invariants(double, const VecX& z, VecX& h) override {
    h[0] = finite ? z[0] : NAN;
    return true;
  }
  bool invariants(double t, const VecX& z, VecX& h, MatX& H) override {
    H << (finite ? 1 : NAN), 0;
    return invariants(t, z, h);
  }
  bool multiplier(double, const VecX&, const VecX&, VecX&) override { return true; }
  Drift drift(double, const VecX&) override { return {}; }
  std::string failure() const override { return {}; }
};

}  // namespace

TEST_CASE(
    "multipliers that do not move the invariants, and invariants that are not finite, are "
    "told",
    "[bdf][invariants]") {
  Linear system;
  VecX z = VecX::Ones(2), w;
  const VecX base = VecX::Ones(2), scale = VecX::Ones(2);
  const double c = 0.5;
  {
    StepNewton newton(system, Onto::both);
    CHECK(newton.solve(0, c, base, z, w, scale, 1e-12));
    CHECK(z[0] == 0);
    CHECK(newton.invariants().rank() == 1);
    CHECK(std::abs(newton.invariants().nu()[0]) == Approx(1));
  }
  {
    // I - c J = [0 1; 1 0]: D = (1, 0) moves z_1 alone.
    system.J << 1 / c, -1 / c, -1 / c, 1 / c;
    StepNewton newton(system, Onto::both);
    CHECK_FALSE(newton.solve(0.25, c, base, z, w, scale, 1e-12));
    CHECK_THAT(newton.failure(), contains_text("t = 0.25") && contains_text("do not move"));
  }
  {
    system.J.setZero();
    system.finite = false;
    StepNewton newton(system, Onto::both);
    CHECK_FALSE(newton.solve(0.25, c, base, z, w, scale, 1e-12));
    CHECK_THAT(newton.failure(), contains_text("invariants are not finite at t = 0.25"));
  }
}

TEST_CASE("what does not go with a BDF of projected invariants is refused with the way out",
          "[bdf][invariants]") {
  CHECK(std::holds_alternative<BdfProjectedInvariants>(method_named("bdf-projected-invariants")));
  CHECK_NOTHROW(choose_method({.invariants = true}, {.method = BdfProjectedInvariants{}}));
  CHECK_THROWS_WITH(check(Options{.method = BdfProjectedInvariants{.order = 7}}),
                    contains_text("order = 7: must be between 1 and 6"));
  const problems::Al2Example61 plain;
  CHECK_THROWS_WITH(solve_bdf(plain, plain.start(), {0, 1},
                              BdfProjectedInvariants{.onto = Onto::velocity}, {}, {}),
                    contains_text("no invariants of velocities"));
  CHECK_THROWS_WITH(
      solve_bdf(plain, plain.start(), {0, 1}, BdfProjectedInvariants{.energy = true}, {}, {}),
      contains_text("energy = true"));
}

}  // namespace daewave::ivp
