// Motions whose lengths are large numbers: what rounding leaves of constraints is more than any
// tolerance that is told in numbers.

#include <cmath>
#include <utility>

#include "core/error.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using ivp::Options;
using ivp::Solution;

namespace {

/// Once around in 628 units of time, as a motion with a constraint.
struct LargeOrbit {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double radius;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return Position::Zero(); }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    return VecOf<T, 1>((q.squaredNorm() - radius * radius) / 2.0);
  }
  VecX at(double angle) const {
    const double c = radius * std::cos(angle), s = radius * std::sin(angle);
    return VecX{{c, s, -s / 100, c / 100}};
  }
};

/// The same with an invariant.
struct OrbitOfInvariant {
  using State = Vec<2>;
  using Algebraic = Vec<1>;
  using Invariant = Vec<1>;
  double radius;
  State f(const State& z, const Algebraic& w, double) const { return w[0] * State(-z[1], z[0]); }
  Algebraic r(const State&, const Algebraic& w, double) const { return Algebraic(w[0] - 0.01); }
  template <class T>
  VecOf<T, 1> h(const VecOf<T, 2>& z, T) const {
    return VecOf<T, 1>((z.squaredNorm() - radius * radius) / 2.0);
  }
};

}  // namespace

TEST_CASE("starts that are consistent to rounding are taken at any size", "[restarts]") {
  for (const double radius : {1.0, 1e4, 7e6, 1.5e8}) {
    for (const bool repair : {false, true}) {
      for (int k = 0; k < 25; ++k) {
        CAPTURE(radius, repair, k);
        const LargeOrbit orbit{radius};
        Options options{.rtol = 1e-8, .seek_way_out = false, .repair_start = repair};
        const Solution solution =
            ivp::solve(with_autodiff(orbit), orbit.at(0.2 * k), {0, 10}, options);
        CHECK(solution.report.usable());
        CHECK((solution.end() - orbit.at(0.2 * k + 0.1)).norm() < 1e-7 * radius);
        const OrbitOfInvariant turning{radius};
        const Solution turned =
            ivp::solve(turning, Vec<2>(orbit.at(0.2 * k).head(2)), Vec<1>(0.01), {0, 10}, options);
        CHECK(turned.report.usable());
        CHECK((turned.end() - orbit.at(0.2 * k + 0.1).head(2)).norm() < 1e-7 * radius);
      }
    }
  }
}

TEST_CASE("runs of large lengths go on behind events", "[restarts]") {
  for (const double radius : {1.0, 1e5, 7e6, 1.5e8}) {
    for (int k = 0; k < 20; ++k) {
      CAPTURE(radius, k);
      const LargeOrbit orbit{radius};
      Options options{.rtol = 1e-8, .seek_way_out = false};
      options.events = {{.name = "brake",
                         .function = [k](double t, const VecX&) { return t - 31.7 - k; },
                         .change =
                             [](double, VecX z) {
                               z.tail(2) *= 0.5;
                               return z;
                             }}};
      const Solution solution = ivp::solve(with_autodiff(orbit), orbit.at(0), {0, 100}, options);
      CAPTURE(solution.report.message);
      CHECK(solution.report.usable());
      CHECK((solution.end().head(2) - orbit.at((131.7 + k) / 200).head(2)).norm() < 1e-6 * radius);
    }
  }
}

TEST_CASE("a start of large lengths that is off is refused, or moved where asked", "[restarts]") {
  const LargeOrbit orbit{7e6};
  VecX start = orbit.at(0.3);
  start[0] += 1e-3;  // A millimetre.
  Options options{.rtol = 1e-8, .seek_way_out = false};
  CHECK_THROWS_WITH(ivp::solve(with_autodiff(orbit), start, {0, 10}, options),
                    contains_text("which rounding of the state explains"));
  options.repair_start = true;
  CHECK(ivp::solve(with_autodiff(orbit), start, {0, 10}, options).report.usable());
}
