// The first steps of a BDF, before there is a past: what lies between their ends.

#include <cmath>

#include "core/derivatives/autodiff.hpp"
#include "ivp/equations/dae_system_of.hpp"
#include "ivp/multistep/bdf_step.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

/// A bead on a ring of radius 1 + sin(t - begin) / 10.
struct LateBead {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double begin = 0;

  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -1}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T t) const {
    using std::sin;
    const T r = 1.0 + 0.1 * sin(t - begin);
    return VecOf<T, 1>((q.squaredNorm() - r * r) / 2.0);
  }
};

}  // namespace

TEST_CASE("starting values are joined by the cubic of their ends and slopes", "[bdf]") {
  const problems::Pendulum pendulum;
  const DaeProblemPtr problem = problem_of(pendulum);
  const auto system = dae_system_of(*problem, pendulum.start(), 0);
  BdfOptions options;
  options.order = 4;
  options.fixed = true;
  const Options run{.h = 0.02};
  BdfStep step(*system, options, Tolerance(run, 4));
  REQUIRE(step.start(0, pendulum.start()));
  const auto exact = [&](double t) {
    return t == 0 ? VecX(pendulum.start())
                  : solve(*problem, pendulum.start(), {0, t}, {.rtol = 1e-12}).end();
  };
  for (int taken = 0; taken < 6; ++taken) {
    CAPTURE(taken);
    const VecX before = step.state();
    const double t = step.t();
    REQUIRE(step.attempt(0.02) <= 1);
    REQUIRE(step.accept());
    VecX between;
    step.interpolate(0, between);
    CHECK((between - before).norm() < 1e-6);
    step.interpolate(1, between);
    CHECK((between - step.state()).norm() < 1e-6);
    for (const double theta : {0.25, 0.5, 0.75}) {
      step.interpolate(theta, between);
      // h^2 / 8 of the accelerations, some 10, would be 5e-4.
      CHECK((between - exact(t + 0.02 * theta)).norm() < 2e-5);
    }
  }
}

TEST_CASE("steps of one length start at any time, to what rounding of the time leaves", "[bdf]") {
  // Their controlled steps were to be right to 1e-12 where rounding of t is more: they became
  // shorter until they were given up.
  const Vec<4> start(1, 0, 0.1, 0);
  const auto run = [&](double begin, bool restarts) {
    Options options{.method = BdfProjection{}, .h = 0.01};
    options.seek_way_out = false;
    if (restarts) options.restart_times = {begin + 0.5};
    return solve(with_autodiff(LateBead{begin}), start, {begin, begin + 1}, options);
  };
  for (const bool restarts : {false, true}) {
    const VecX early = run(0, restarts).end();
    for (const double begin : {1e4, 1e5, 1e6, 1e7}) {
      const Solution late = run(begin, restarts);
      CAPTURE(restarts, begin, late.report.message);
      REQUIRE(late.report.usable());
      CHECK((late.end() - early).norm() < 1e-10 + 1e3 * 2.2e-16 * begin);
    }
  }
}

TEST_CASE("why steps of one length do not start is told", "[bdf]") {
  /// Becomes infinite in the first step.
  struct Pole {
    using State = Vec<1>;
    State f(const State& x, double) const { return State{x[0] * x[0]}; }
  };
  Options options{.method = BdfProjection{}, .h = 0.01};
  options.seek_way_out = false;
  const Solution solution = solve(Pole{}, Vec<1>(200), {0, 1}, options);
  CHECK(!solution.report.usable());
  CHECK_THAT(solution.report.message, contains_text("start from were not found"));
}

}  // namespace daewave::ivp
