// Mechanisms that are small beside the unit of lengths, with derivatives by differences.

#include <algorithm>
#include <cmath>

#include "core/adapt/problem_of.hpp"
#include "core/derivatives/autodiff.hpp"
#include "core/derivatives/differences.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/doors/led_by.hpp"

namespace daewave::ivp {
namespace {

/// A bead on a wire with waves of `width`.
struct WavyWire {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double width = 1;

  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -9.81}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    using std::sin;
    return VecOf<T, 1>(q[1] - 0.2 * q[0] + 0.3 * width * sin(q[0] / width));
  }
  VecX start() const {
    return Vec<4>(0.5 * width, 0.1 * width - 0.3 * width * std::sin(0.5), 0.3,
                  0.3 * (0.2 - 0.3 * std::cos(0.5)));
  }
};

/// The same as functions of many points, of which derivatives are not known.
DaeProblemPtr functions_of(const WavyWire& wire, bool dear) {
  return testing::led_by(
      [wire](double x, double y, double t) { return wire.g(Vec<2>(x, y), t)[0]; }, dear);
}

}  // namespace

TEST_CASE("mechanisms of a millimetre and less move as their lengths say, not as the metre",
          "[multibody][differences]") {
  // Those of a millimetre ended a sixth of a wave off, as converged; those of a tenth were refused
  // for derivatives that nobody had given.
  for (const double width : {1.0, 1e-2, 1e-3, 1e-4, 1e-5}) {
    const WavyWire wire{width};
    const double end = std::min(1.0, 20 * width);
    const auto run = [&](const DaeProblemPtr& problem, double rtol) {
      return solve(*problem, wire.start(), {0, end},
                   {.rtol = rtol, .atol = rtol * width, .dense = true});
    };
    const Solution exact = run(problem_of(with_autodiff(wire)), 1e-12);
    for (const double rtol : {1e-6, 1e-8}) {
      for (const DaeProblemPtr& problem : {problem_of(with_differences(wire)),
                                           functions_of(wire, false), functions_of(wire, true)}) {
        const Solution found = run(problem, rtol);
        CAPTURE(width, rtol, found.report.full());
        REQUIRE(found.report.usable());
        double worst = 0;
        for (int i = 0; i <= 50; ++i) {
          const double t = end * i / 50;
          worst = std::max(worst, (found.at(t) - exact.at(t)).head(2).cwiseAbs().maxCoeff());
        }
        CHECK(worst < 10 * rtol * width);
      }
    }
  }
}

}  // namespace daewave::ivp
