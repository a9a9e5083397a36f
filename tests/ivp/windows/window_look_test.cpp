// What happens between the nodes of windows.

#include "ivp/windows/window_look.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "core/derivatives/autodiff.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

/// x'' = -x and a spring of stiffness k beyond x = wall, on the line y = 0.
struct Walled {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double k, wall;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  template <class T>
  VecOf<T, 2> f(const VecOf<T, 2>& q, const VecOf<T, 2>&, T) const {
    const T beyond = q[0] - wall;
    VecOf<T, 2> force(-q[0], T(0.0));
    if (beyond > 0.0) force[0] -= k * beyond;
    return force;
  }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    return VecOf<T, 1>(q[1]);
  }

  /// (x, v) at t, from x = -1 at rest: the angle of the free motion grows at the rate 1, and the
  /// wall takes it from -hit to hit, in a time of its own.
  Vec<2> exact(double t) const {
    const double hit = std::acos(wall), rate = std::sqrt(1 + k);
    const double least = wall / (rate * rate), most = std::hypot(least, std::sin(hit) / rate);
    const double contact = 2 * std::acos(least / most) / rate;
    const double period = 2 * (std::numbers::pi - hit) + contact;
    // From -pi, where x = -1.
    double angle = std::fmod(t, period) - std::numbers::pi;
    if (angle > -hit) angle = std::max(angle + hit - contact, 0.0) + hit;
    return {std::cos(angle), -std::sin(angle)};
  }
};

/// The motion q_i = sin(theta - at_i) for theta in (0, 1), to the order of the polynomial.
WindowPolynomial turning_at(const std::vector<double>& at) {
  const int nq = static_cast<int>(at.size());
  const WindowFormula& formula = window_formula();
  WindowPolynomial motion;
  motion.h = 1;
  motion.begin.resize(2 * nq);
  motion.series.assign(static_cast<std::size_t>(nq * WindowFormula::nodes), 0);
  for (int i = 0; i < nq; ++i) {
    motion.begin[i] = std::cos(at[i]);
    motion.begin[nq + i] = std::sin(at[i]);
    for (int k = 0; k < WindowFormula::nodes; ++k) {
      double& coefficient = motion.series[i * WindowFormula::nodes + k];
      for (int j = 0; j < WindowFormula::nodes; ++j) {
        coefficient -= formula.coefficient[j][k] * std::cos(formula.c[j] - at[i]);
      }
    }
  }
  return motion;
}

}  // namespace

TEST_CASE("windows are looked into where coordinates turn, one after the other", "[windows]") {
  // q_i = cos(theta - at_i) turns at at_i; the last one does not in this window.
  const std::vector<double> at{0.3, 0.75, 2.5};
  const WindowPolynomial motion = turning_at(at);
  VecX end;
  end.resize(6);
  motion.at(1, end);
  WindowLook look;
  look.start();
  std::vector<int> looks(2);
  for (int window = 0; window < 9; ++window) {
    const double theta = look.next(motion, end);
    const bool first = std::abs(theta - at[0]) < 0.2;
    CHECK(theta == Approx(at[first ? 0 : 1]).epsilon(1e-9));
    ++looks[first ? 0 : 1];
  }
  // Of the third, which does not turn, the next is taken.
  CHECK(std::min(looks[0], looks[1]) == 3);
}

TEST_CASE("where nothing turns windows are looked into at other places each", "[windows]") {
  const WindowPolynomial motion = turning_at({2.5});
  VecX end(2);
  motion.at(1, end);
  WindowLook look;
  look.start();
  std::vector<double> places{0, 1};
  for (int window = 0; window < 50; ++window) {
    CHECK_FALSE(WindowLook(look).next_turn(motion, end));
    places.push_back(look.next(motion, end));
  }
  std::sort(places.begin(), places.end());
  for (std::size_t i = 1; i < places.size(); ++i) {
    // Multiples of the golden ratio: gaps of n of them are below 1.9 / n.
    CHECK(places[i] - places[i - 1] < 1.9 / 50);
  }
}

TEST_CASE("windows see contacts that are brief beside them, where the motion turns", "[windows]") {
  std::mt19937 random(20261127);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int i = 0; i < 100; ++i) {
    const double k = std::pow(10.0, 6 + 2 * uniform(random));
    const double wall = 1 - std::pow(10.0, -2 - 4 * uniform(random));
    const Walled problem{k, wall};
    const double end = 4 + uniform(random);  // After one contact, which lasts 0.003 at most.
    Vec<4> start;
    start << -1, 0, 0, 0;
    const double rtol = 1e-8;
    const Options options{.method = GaussWindows{}, .rtol = rtol, .atol = rtol, .every = 0};
    const Solution solution = solve(with_autodiff(problem), start, {0, end}, options);
    CAPTURE(k, wall, end, solution.report.full());
    CHECK(solution.report.usable());
    const Vec<2> exact = problem.exact(end);
    const double error =
        std::max(std::abs(solution.end()[0] - exact[0]), std::abs(solution.end()[2] - exact[1]));
    CHECK(error < 1000 * rtol);
  }
}

}  // namespace daewave::ivp
