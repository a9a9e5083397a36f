// What the front door refuses: numbers that do not go together, starts off the constraints.

#include <cmath>
#include <string>

#include "core/derivatives/differences.hpp"
#include "core/error.hpp"
#include "ivp/solve.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/pendulum_runs.hpp"
#include "tests/problems/compiled_wheelset.hpp"

using namespace daewave;
using namespace daewave::testing;
using ivp::Options;
using ivp::Solution;
using ivp::Stepper;
using problems::Pendulum;

TEST_CASE("numbers that do not go together are refused with the way out", "[solve]") {
  const auto refused = [](const std::string& what, auto change) {
    Options options;
    change(options);
    CAPTURE(what);
    CHECK_THROWS_AS(swing(options), InvalidOption);
    CHECK_THROWS_WITH(swing(options), contains_text(what));
  };
  const auto refused_by = [&](const std::string& what, const ivp::Formula& formula) {
    refused(what, [&](Options& options) { options.method = ivp::Automatic{formula}; });
  };
  refused_by("stages = 4 with stepper = dop853", {Stepper::dop853, 4});
  refused_by("stages = 4: dop853 has stages of its own", {.stages = 4});
  refused_by("stages = 2 with stepper = gauss: only an odd number", {Stepper::gauss, 2});
  refused_by("stages", {Stepper::radau, 99});
  refused("h: must be given with method = symmetric-projection",
          [](Options& options) { options.method = ivp::SymmetricProjection{}; });
  refused("gamma", [](Options& options) { options.method = ivp::StabilizedOde{}; });
  refused("alpha1 = 0 and alpha0 = 0 with method = baumgarte",
          [](Options& options) { options.method = ivp::Baumgarte{}; });
  refused("atol_each has 3 entries", [](Options& options) { options.atol_each = {1, 1, 1}; });
  refused("times[0] = 3: must be in [0, 0.5]", [](Options& options) { options.times = {3}; });
  refused("h = 0.01 with epsilon = 0.001: heun is stable for h <= 2 epsilon", [](Options& options) {
    options.method = ivp::Srm{.epsilon = 1e-3};
    options.h = 0.01;
  });
  refused("h = 3 with alpha1 = 0.5 and alpha2 = 1: constraints are damped", [](Options& options) {
    options.method = ivp::Srm{.alpha1 = 0.5};
    options.h = 3;
  });
  refused("second_step = half-fresh", [](Options& options) {
    options.method = ivp::SBoth2{.second_step = ivp::SecondStep::half_fresh};
  });
  for (const Interval span : {Interval{0, 0}, Interval{0, NAN}, Interval{-INFINITY, 0}}) {
    CHECK_THROWS_WITH(swing_from({1, 0, 0, 0}, span, {}),
                      contains_text("span = [") && contains_text("two different ends"));
  }
}

TEST_CASE("a start off the constraints is refused, or moved", "[solve]") {
  const Pendulum pendulum;
  const Vec<4> off(1.1, 0, 0.3, 0);
  CHECK_THROWS_AS(swing_from(off, {0, 1}, {}), InvalidProblem);
  CHECK_THROWS_WITH(swing_from(off, {0, 1}, {}), contains_text("|g| = 0.105 in row 1") &&
                                                     contains_text("0.33 in row 1") &&
                                                     contains_text("repair_start = true"));
  const Solution solution = swing_from(off, {0, 1}, {.repair_start = true});
  INFO(solution.report.full());
  CHECK(solution.report.usable());
  CHECK_THAT(solution.report.warnings.at(0),
             contains_text("position by 0.1") && contains_text("velocity by 0.3"));
  CHECK((solution.state(0) - pendulum.start()).norm() < 1e-12);
  const Vec<4> nowhere(NAN, 0, 0, 0);
  for (bool repair : {false, true}) {
    CHECK_THROWS_WITH(swing_from(nowhere, {0, 1}, {.repair_start = repair}),
                      contains_text("not finite") && contains_text("start"));
  }
  // G = q^T = 0 is no direction to move into.
  CHECK_THROWS_AS(swing_from({0, 0, 0, 0}, {0, 1}, {.repair_start = true}), InvalidProblem);
}

TEST_CASE("a start is consistent up to start_tolerance", "[solve]") {
  // |g| is d to first order, |G v| is d.
  for (const double d : {1e-8, 1e-4}) {
    for (const double more : {0.99, 1.01}) {
      for (const Vec<4>& start : {Vec<4>(1 + more * d, 0, 0, 0), Vec<4>(1, 0, more * d, 0)}) {
        CAPTURE(d, more);
        Options options{.rtol = 1e-3};
        if (d != 1e-8) options.start_tolerance = d;
        if (more < 1) {
          CHECK_NOTHROW(swing_from(start, {0, 0.1}, options));
        } else {
          CHECK_THROWS_AS(swing_from(start, {0, 0.1}, options), InvalidProblem);
        }
      }
    }
  }
}

TEST_CASE("a start of another size than the state is refused, wherever its size is known",
          "[solve]") {
  VecX three(3);
  three << 1, 0, 0;
  CHECK_THROWS_WITH(ivp::solve(with_autodiff(problems::Pendulum{}), three, {0, 1}),
                    contains_text("3 entries") && contains_text("has 4"));
  const problems::Wheelset wheelset;
  const VecX z = wheelset.start(), w = wheelset.start_algebraic();
  const VecX shorter = z.head(z.size() - 1), longer = VecX::Zero(w.size() + 1);
  CHECK_THROWS_WITH(ivp::solve(wheelset, shorter, w, {0, 1}),
                    contains_text(std::to_string(shorter.size()) + " entries"));
  CHECK_THROWS_WITH(ivp::solve(wheelset, z, longer, {0, 1}),
                    contains_text("w has " + std::to_string(longer.size()) + " entries"));
}

namespace {

/// A bead on a circle whose centre moves along x, of any size; one of its derivatives is wrong.
struct WrongCircle {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  enum class Of { nothing, G, g_t, curvature };

  Of wrong = Of::nothing;
  double factor = 1, radius = 1;

  double times(Of of) const { return of == wrong ? factor : 1; }
  double centre(double t) const { return 0.3 * radius * std::sin(2 * t + 0.4); }
  double speed(double t) const { return 0.6 * radius * std::cos(2 * t + 0.4); }
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -radius}; }
  Vec<1> g(const Position& q, double t) const {
    const double x = q[0] - centre(t);
    return Vec<1>((x * x + q[1] * q[1] - radius * radius) / 2);
  }
  Mat<1, 2> G(const Position& q, double t) const { return {q[0] - centre(t), q[1] * times(Of::G)}; }
  Vec<1> g_t(const Position& q, double t) const {
    return Vec<1>(-times(Of::g_t) * (q[0] - centre(t)) * speed(t));
  }
  Vec<1> curvature(const Position& q, const Position& v, double t) const {
    const double bend = -4 * centre(t), along = v[0] - speed(t);
    return Vec<1>(times(Of::curvature) * (along * along + v[1] * v[1]) - (q[0] - centre(t)) * bend);
  }
  VecX start() const { return VecX{{centre(0) + 0.6 * radius, -0.8 * radius, speed(0), 0}}; }
};

/// g = |x|, whose slope at the start is what one likes.
struct Kinked {
  using State = Vec<2>;
  using Multiplier = Vec<1>;
  State f(const State&, double) const { return {0, 1}; }
  Vec<2> B(const State&, double) const { return {1, 0}; }
  Vec<1> g(const State& x, double) const { return Vec<1>(std::abs(x[0])); }
  Mat<1, 2> G(const State&, double) const { return {1, 0}; }
  Vec<1> g_t(const State&, double) const { return Vec<1>(0.0); }
};

}  // namespace

TEST_CASE("derivatives that contradict the constraint are refused with the entry", "[solve]") {
  using Of = WrongCircle::Of;
  for (const double radius : {1e-7, 1.0, 1e6}) {
    for (const double end : {3.0, -1e-3}) {
      for (const ivp::Method& method :
           {ivp::Method(), ivp::Method(ivp::Underlying{}), ivp::Method(ivp::LocalStateSpace{}),
            ivp::Method(ivp::ProjectedInvariants{}), ivp::Method(ivp::Srm{})}) {
        Options options{.method = method, .rtol = 1e-3, .every = 0};
        options.seek_way_out = false;
        options.start_tolerance = 1e-8 * radius * radius;
        const auto run = [&](Of wrong, double factor) {
          const WrongCircle circle{wrong, factor, radius};
          return ivp::solve(circle, circle.start(), {0, end}, options);
        };
        if (end < 0 && std::holds_alternative<ivp::Srm>(method)) continue;  // Refused itself.
        CAPTURE(radius, end, name_of(method));
        CHECK_NOTHROW(run(Of::nothing, 1));
        for (const double factor : {-1.0, 0.0, 0.9, 1.1, 2.0}) {
          CAPTURE(factor);
          CHECK_THROWS_WITH(run(Of::G, factor),
                            contains_text("contradict the constraint: G row 1, column 2") &&
                                contains_text("differences give") &&
                                contains_text("with_autodiff(problem)"));
          CHECK_THROWS_WITH(run(Of::g_t, factor),
                            contains_text("contradict the constraint: g_t row 1"));
          if (std::abs(factor - 1) < 0.5) continue;  // Beside the rest of it no more than some.
          CHECK_THROWS_WITH(run(Of::curvature, factor),
                            contains_text("contradict the constraint: curvature row 1"));
        }
      }
    }
  }
  // Derivatives that are differences themselves are as exact as a scale of one lets them be.
  for (const double end : {1e-6, 1.0, 1e7}) {
    const auto by_differences = with_differences(WrongCircle{});
    Options few{.every = 0};
    few.most_steps = 2;
    few.seek_way_out = false;
    CAPTURE(end);
    CHECK_NOTHROW(ivp::solve(by_differences, WrongCircle{}.start(), {0, end}, few));
  }
  // Nothing is known of what is not smooth.
  CHECK_NOTHROW(ivp::solve(Kinked{}, VecX{{0, 0}}, {0, 1}, {}));
}
