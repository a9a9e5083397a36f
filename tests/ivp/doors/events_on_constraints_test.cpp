// Events of motions with constraints: inside of a step the state is off the constraints by what the
// step may be wrong by, and what a change gives is brought back to them. That way is no change.

#include <cmath>
#include <utility>
#include <variant>

#include "ivp/solve.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using ivp::Event;
using ivp::Options;
using ivp::Solution;
using Direction = Event::Direction;

namespace {

/// A pendulum of length 1, with a moment that a switch puts on and off.
struct Switched {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  const bool* on;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position& q, const Position&, double) const {
    const double moment = *on ? 2 : 0;
    return {-moment * q[1], -9.81 + moment * q[0]};
  }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    return VecOf<T, 1>((q.squaredNorm() - 1.0) / 2.0);
  }
};

/// Switches where x falls through c.
Solution switched(double c, double end, Options options) {
  bool on = false;
  options.seek_way_out = false;
  options.events = {{.name = "switch",
                     .function = [c](double, const VecX& z) { return z[0] - c; },
                     .direction = Direction::falling,
                     .change =
                         [&on](double, VecX z) {
                           on = !on;
                           return z;
                         }}};
  return ivp::solve(with_autodiff(Switched{&on}), Vec<4>(1, 0, 0, 0), {0, end}, options);
}

/// Index 2: on a circle of radius 1, 0.2 + t the angle.
struct Turning {
  using State = Vec<2>;
  using Multiplier = Vec<1>;
  Mat<2, 1> B(const State& x, double) const { return x; }
  State f(const State& x, double) const { return State(-x[1], x[0]) + x; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& x, T) const {
    return VecOf<T, 1>((x.squaredNorm() - 1.0) / 2.0);
  }
};

}  // namespace

TEST_CASE("a switch that leaves the state where it is happens once a crossing", "[restarts]") {
  for (const ivp::Method& method :
       {ivp::Method(ivp::Automatic{}), ivp::Method(ivp::ProjectEachStep{}),
        ivp::Method(ivp::SBoth2{}), ivp::Method(ivp::BdfProjection{}),
        ivp::Method(ivp::ProjectedInvariants{}), ivp::Method(ivp::LocalStateSpace{})}) {
    for (const double rtol : {1e-4, 1e-6, 1e-8}) {
      for (int k = 0; k < 10; ++k) {
        const Solution solution = switched(-0.6 + 0.1 * k, 0.9, {.method = method, .rtol = rtol});
        CAPTURE(ivp::name_of(method), rtol, k, solution.report.message);
        CHECK(solution.report.usable());
        CHECK(solution.occurrences.size() == 1);
      }
    }
  }
}

TEST_CASE("a motion through many switches ends where it does", "[restarts]") {
  const Solution solution = switched(0.279, 20, {.rtol = 1e-4});
  INFO(solution.report.full());
  REQUIRE(solution.report.usable());
  CHECK(solution.occurrences.size() == 9);
  // By Runge and Kutta's method on the equation of the angle, with h = 1e-4.
  CHECK(std::abs(solution.end()[0] + 0.371) < 0.02);
  CHECK(std::abs(solution.end()[1] + 0.929) < 0.01);
}

TEST_CASE("a change that moves nothing happens once, forward and backward", "[restarts]") {
  for (const double sign : {1.0, -1.0}) {
    for (const ivp::Method& method :
         {ivp::Method(ivp::Automatic{}), ivp::Method(ivp::Srm{}), ivp::Method(ivp::Dcbdf{}),
          ivp::Method(ivp::ProjectEachStep{.formula = {ivp::Stepper::gauss, 3}})}) {
      // Backward it enlarges errors of the constraints, and is refused.
      if (sign < 0 && std::holds_alternative<ivp::Srm>(method)) continue;
      for (int k = 0; k < 10; ++k) {
        const double at = sign * (0.5 + 0.1 * k);
        Options options{.method = method, .rtol = 1e-6, .seek_way_out = false};
        options.events = {{.name = "look",
                           .function =
                               [at](double, const VecX& x) {
                                 return x[0] * std::sin(0.2 + at) - x[1] * std::cos(0.2 + at);
                               },
                           .change = [](double, VecX x) { return x; }}};
        const Solution solution = ivp::solve(
            with_autodiff(Turning{}), Vec<2>(std::cos(0.2), std::sin(0.2)), {0, 2 * sign}, options);
        CAPTURE(ivp::name_of(method), sign, k, solution.report.message);
        CHECK(solution.report.usable());
        CHECK(solution.occurrences.size() == 1);
      }
    }
  }
}

TEST_CASE("a change that moves the state to the side it came from is passed again", "[restarts]") {
  // Back by a hundredth of the angle, ten times; then no more.
  for (const double rtol : {1e-4, 1e-6, 1e-8}) {
    int left = 10;
    bool on = false;
    Options options{.rtol = rtol, .seek_way_out = false};
    options.events = {{.name = "back",
                       .function = [](double, const VecX& z) { return z[0] - 0.3; },
                       .direction = Direction::falling,
                       .change =
                           [&left](double, VecX z) {
                             if (left-- == 0) return z;
                             const Mat<2, 2> back{{std::cos(0.01), -std::sin(0.01)},
                                                  {std::sin(0.01), std::cos(0.01)}};
                             z.head(2) = (back * z.head(2)).eval();
                             z.tail(2) = (back * z.tail(2)).eval();
                             return z;
                           }}};
    const Solution solution =
        ivp::solve(with_autodiff(Switched{&on}), Vec<4>(1, 0, 0, 0), {0, 0.9}, options);
    CAPTURE(rtol, solution.report.message);
    CHECK(solution.report.usable());
    CHECK(solution.occurrences.size() == 11);
  }
}
