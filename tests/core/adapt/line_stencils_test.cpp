// Derivatives along lines: formulas of every order, how many values are asked for, and what is left
// to others.

#include "core/adapt/line_stencils.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <vector>

#include "core/adapt/line_formulas.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

/// Sums, or differences, of p at both sides of 0 in steps of d.
lines::Along values_of(const std::function<double(double)>& p, bool second, double d) {
  lines::Along along;
  for (std::size_t k = 0; k < 4; ++k) {
    const double s = static_cast<double>(k + 1) * d;
    along.of[k] = second ? p(s) + p(-s) : p(s) - p(-s);
  }
  if (second) along.middle = p(0);
  return along;
}

/// One constraint of two coordinates, whose points are counted.
struct OneConstraint {
  explicit OneConstraint(std::function<double(double, double)> g) {
    functions.sizes.nq = 2;
    functions.sizes.ny = 1;
    functions.g = [this, g](const Points& at, double* out) {
      asked.push_back(at.count);
      for (int p = 0; p < at.count; ++p) out[p] = g(at.q[p], at.q[at.stride + p]);
    };
  }
  OneConstraint(const OneConstraint&) = delete;
  OneConstraint& operator=(const OneConstraint&) = delete;

  ProblemFunctions functions;
  std::vector<int> asked;
};

const std::vector<double> two_times{0, 1}, two_q{0.3, 0.5, -0.7, 1}, two_v{2, -3, 0.5, 1};

Points two_points() { return {2, 2, two_times.data(), two_q.data(), two_v.data(), nullptr}; }

}  // namespace

TEST_CASE("formulas along a line are exact for polynomials of their order", "[differences]") {
  const double d = 0.125;
  for (int order = 1; order <= 9; ++order) {
    CAPTURE(order);
    const auto p = [&](double s) { return std::pow(s, order); };
    const lines::Along first = values_of(p, false, d), second = values_of(p, true, d);
    const double slope = order == 1 ? 1 : 0, bend = order == 2 ? 2 : 0;
    if (order <= 4) CHECK(lines::first_4(first, d) == Approx(slope).margin(1e-14));
    if (order <= 6) CHECK(lines::first_6(first, d) == Approx(slope).margin(1e-14));
    if (order <= 8) CHECK(lines::first_8(first, d) == Approx(slope).margin(1e-14));
    if (order <= 5) CHECK(lines::second_4(second, d) == Approx(bend).margin(1e-13));
    if (order <= 7) CHECK(lines::second_6(second, d) == Approx(bend).margin(1e-13));
    CHECK(lines::second_8(second, d) == Approx(bend).margin(1e-13));
  }
  // Of s^3 the derivative 0 is off by d^2 with steps of d, and by 4 d^2 with those of 2 d.
  const auto cubic = [](double s) { return s * s * s; };
  const lines::Derived two = lines::of_two(values_of(cubic, false, d), false, d);
  CHECK(two.value == Approx(4 * d * d));
  CHECK(two.off == Approx(3 * d * d));
  const auto quartic = [](double s) { return s * s * s * s; };
  const lines::Derived bent = lines::of_two(values_of(quartic, true, d), true, d);
  CHECK(bent.value == Approx(8 * d * d));
  CHECK(bent.off == Approx(6 * d * d));
}

TEST_CASE("what four steps are off by is what those of lower order let expect", "[differences]") {
  const double d = 0.125;
  // s^5: order 4 is off by 4 d^4, orders 6 and 8 by nothing. s^7: order 6 by 36 d^6, order 8 by
  // none.
  const auto of = [&](int order) {
    return lines::of_four(values_of([&](double s) { return std::pow(s, order); }, false, d), false,
                          d);
  };
  CHECK(of(5).off == Approx(0).margin(1e-17));
  const lines::Along seven = values_of([](double s) { return std::pow(s, 7); }, false, d);
  const double six = std::abs(lines::first_8(seven, d) - lines::first_6(seven, d));
  const double four = std::abs(lines::first_6(seven, d) - lines::first_4(seven, d));
  CHECK(six == Approx(36 * std::pow(d, 6)));
  CHECK(of(7).off == Approx(six * six / four));
  CHECK(of(7).value == Approx(0).margin(1e-16));
  CHECK(lines::rounding_of(3, false, 0.5) == 8 * lines::epsilon * 3 / 0.5);
  CHECK(lines::rounding_of(3, true, 0.5) == 8 * lines::epsilon * 3 / 0.25);
}

TEST_CASE("what a closer look finds beside lines is left to others, at once", "[differences]") {
  int calls = 0;
  OneConstraint narrow([&](double x, double y) {
    if (++calls > 1000) throw std::runtime_error("asked for without end");
    double sum = x + y;
    for (const double at : {0.3, 0.5}) {
      const double s = (x - at) / 1e-3;
      sum += 5e-3 * s * std::exp(-s * s);
    }
    return sum;
  });
  std::vector<double> out(4);
  LineStencils G(Ask::G);
  CHECK_FALSE(G.evaluate(narrow.functions, two_points(), out.data()));
  CHECK(G.left_to_others());
  CHECK(narrow.asked.size() == 1);
}

TEST_CASE("of a quadratic constraint two steps to either side are asked for", "[differences]") {
  OneConstraint circle([](double x, double y) { return x * x + 3 * x * y - 1; });
  std::vector<double> out(4);
  LineStencils G(Ask::G);
  REQUIRE(G.evaluate(circle.functions, two_points(), out.data()));
  // And a closer look at each of the four lines, once.
  CHECK(circle.asked == std::vector<int>{2 * 2 * (4 + 5)});
  for (std::size_t p = 0; p < 2; ++p) {
    CHECK(out[p] == Approx(2 * two_q[p] + 3 * two_q[2 + p]).epsilon(1e-12));
    CHECK(out[2 + p] == Approx(3 * two_q[p]).epsilon(1e-12));
  }
  circle.asked.clear();
  LineStencils curvature(Ask::curvature);
  REQUIRE(curvature.evaluate(circle.functions, two_points(), out.data()));
  CHECK(circle.asked == std::vector<int>{2 * (5 + 5)});
  for (std::size_t p = 0; p < 2; ++p) {
    const double vx = two_v[p], vy = two_v[2 + p];
    CHECK(out[p] == Approx(2 * vx * vx + 6 * vx * vy).epsilon(1e-11).margin(1e-10));
  }
}

TEST_CASE("lines are no longer than the waves of a constraint, however far out it is",
          "[differences]") {
  // 100 times and more of the length on which it changes.
  for (const double x : {140.0, 1000.0}) {
    for (const double k : {21.0, 84.0}) {
      CAPTURE(x, k);
      const double a = 1 / k;
      OneConstraint wave([&](double q, double y) { return y - a * std::sin(k * q); });
      const std::vector<double> q{x, a * std::sin(k * x)}, v{0.3, 0.2}, t{0};
      LineStencils G(Ask::G);
      std::vector<double> out(2);
      // What is not accurate is left to others.
      if (!G.evaluate(wave.functions, {1, 1, t.data(), q.data(), v.data(), nullptr}, out.data())) {
        continue;
      }
      CHECK(out[0] == Approx(-std::cos(k * x)).margin(1e-6));
    }
  }
}

TEST_CASE("a step that went beyond all bounds does not spoil what comes after it",
          "[differences]") {
  OneConstraint circle([](double x, double y) { return std::cos(x) - y * y; });
  LineStencils G(Ask::G);
  std::vector<double> out(2);
  const std::vector<double> t{0}, v{1, 1}, near{0.3, 0.5}, far{3e11, -2e11};
  const auto at = [&](const std::vector<double>& q) {
    return Points{1, 1, t.data(), q.data(), v.data(), nullptr};
  };
  G.evaluate(circle.functions, at(near), out.data());
  G.evaluate(circle.functions, at(far), out.data());
  for (int i = 0; i < 50; ++i) {
    if (!G.evaluate(circle.functions, at(near), out.data())) continue;
    CHECK(out[0] == Approx(-std::sin(0.3)).epsilon(1e-8));
    CHECK(out[1] == Approx(-1).epsilon(1e-8));
  }
}

TEST_CASE("of a bent constraint four steps are asked for, and two again once they were enough",
          "[differences]") {
  double bend = 1;
  OneConstraint wave([&](double x, double y) { return bend * std::sin(x) + y * y; });
  std::vector<double> out(4);
  LineStencils G(Ask::G);
  const auto asked = [&] {
    wave.asked.clear();
    REQUIRE(G.evaluate(wave.functions, two_points(), out.data()));
    return wave.asked;
  };
  // Two sides, a look around for the size of g, and four; each with the 20 of a closer look.
  CHECK(asked() == std::vector<int>{36, 2, 52});
  CHECK(out[0] == Approx(std::cos(two_q[0])).epsilon(1e-9));
  CHECK(out[3] == Approx(2 * two_q[3]).epsilon(1e-9));
  CHECK(asked() == std::vector<int>{32});
  bend = 0;
  // Twice in turn two would have been enough, as they were not enough once.
  CHECK(asked() == std::vector<int>{32});
  CHECK(asked() == std::vector<int>{32});
  CHECK(asked() == std::vector<int>{16});
  bend = 1;
  CHECK(asked() == std::vector<int>{16, 32});
  bend = 0;
  for (int turn = 0; turn < 4; ++turn) CHECK(asked() == std::vector<int>{32});
  CHECK(asked() == std::vector<int>{16});
}

TEST_CASE("lines are as long as a constraint with large terms needs", "[differences]") {
  for (const double unit : {1e2, 1e3, 1e4, 1e6}) {
    const double length = 10 * unit;
    OneConstraint circle([=](double x, double y) { return x * x + y * y - length * length; });
    LineStencils stencils(Ask::curvature);
    for (int i = 0; i < 40; ++i) {
      const double angle = 0.1 + 0.07 * i, speed = 3 * unit / (1 + i);
      const double t = 0.3, q[] = {length * std::cos(angle), length * std::sin(angle)};
      const double v[] = {-speed * std::sin(angle), speed * std::cos(angle)};
      double curvature = 0;
      CAPTURE(unit, i);
      REQUIRE(stencils.evaluate(circle.functions, {1, 1, &t, q, v, nullptr}, &curvature));
      CHECK(curvature == Approx(2 * speed * speed).epsilon(1e-8));
    }
    CHECK(stencils.scale() > 1);
  }
}

TEST_CASE("lines that are long where a constraint is smooth become short again where it is not",
          "[differences]") {
  // y = x^2 / 2 in units of 1e5, and beyond x = 0 with waves of length 2 pi.
  const auto height = [](double x) {
    const double waves = x > 0 ? 1 - std::cos(x) : 0;
    return 0.5e-5 * x * x + waves;
  };
  OneConstraint road([=](double x, double y) { return y - height(x) + 1e9 - 1e9; });
  LineStencils stencils(Ask::curvature);
  const auto curvature_at = [&](double x, double& curvature) {
    const double t = 0, q[] = {x, height(x)}, v[] = {1, 0};
    return stencils.evaluate(road.functions, {1, 1, &t, q, v, nullptr}, &curvature);
  };
  double curvature = 0;
  for (int i = 0; i < 5; ++i) {
    if (curvature_at(-1e5 - i, curvature)) CHECK(curvature == Approx(-1e-5).epsilon(1e-6));
  }
  CHECK(stencils.scale() > 1);
  for (int i = 0; i < 40; ++i) {
    const double x = 1e3 + 0.1 * i;
    if (curvature_at(x, curvature)) {
      CHECK(curvature == Approx(-1e-5 - std::cos(x)).margin(1e-3));
    }
  }
  CHECK(stencils.scale() == 1);
}

TEST_CASE("batches of a constraint that is not smooth are left to others, twenty of them",
          "[differences]") {
  OneConstraint kink([](double x, double) { return std::abs(x - 0.31); });
  std::vector<double> out(4);
  LineStencils G(Ask::G);
  CHECK_FALSE(G.evaluate(kink.functions, two_points(), out.data()));
  CHECK(G.left_to_others());
  const std::size_t calls = kink.asked.size();
  for (int batch = 0; batch < 20; ++batch) {
    CHECK(G.left_to_others());
    CHECK_FALSE(G.evaluate(kink.functions, two_points(), out.data()));
  }
  CHECK_FALSE(G.left_to_others());
  CHECK(kink.asked.size() == calls);
  CHECK_FALSE(G.evaluate(kink.functions, two_points(), out.data()));
  CHECK(kink.asked.size() == calls + 1);
  // A single point tells nothing of others.
  LineStencils single(Ask::G);
  const Points one{1, 1, two_times.data(), two_q.data(), two_v.data(), nullptr};
  CHECK_FALSE(single.evaluate(kink.functions, one, out.data()));
  CHECK_FALSE(single.left_to_others());
}

TEST_CASE("a line of no numbers is not accurate, whatever others are", "[differences]") {
  for (const double where : {0.3, 0.5}) {
    OneConstraint hole(
        [where](double x, double y) { return std::abs(x - where) < 0.05 ? NAN : x + y; });
    std::vector<double> out(4);
    CAPTURE(where);
    CHECK_FALSE(LineStencils(Ask::curvature).evaluate(hole.functions, two_points(), out.data()));
  }
}

TEST_CASE("waves that are a part of a step long are not taken for none", "[differences]") {
  // Along the line at a speed of 0.3 a step is 382 waves, nearly: all values say that there is
  // none.
  constexpr double width = 1e-5;
  for (const Ask what : {Ask::curvature, Ask::G}) {
    for (int i = 0; i < 200; ++i) {
      const double speed = 0.29 + 1e-4 * i;
      OneConstraint wire(
          [](double x, double y) { return y - 0.2 * x + 0.3 * width * std::sin(x / width + 1); });
      const double t = 0, q[] = {0, 0}, v[] = {speed, 0.1};
      const Points at{1, 1, &t, q, v, nullptr};
      double out[2];
      LineStencils lines(what);
      CAPTURE(speed, static_cast<int>(what));
      CHECK_FALSE(lines.evaluate(wire.functions, at, out));
    }
  }
}

TEST_CASE("what is smooth is looked at closer once", "[differences]") {
  OneConstraint smooth([](double x, double y) { return std::sin(x) + x * y; });
  LineStencils lines(Ask::curvature);
  double out[2];
  for (int turn = 0; turn < 20; ++turn) {
    CHECK(lines.evaluate(smooth.functions, two_points(), out));
  }
  // 5 values of each line by 2 sides, a look around, 9 values by 4; twice with 5 of a closer look.
  const std::vector<int> first(smooth.asked.begin(), smooth.asked.begin() + 3);
  CHECK(first == std::vector<int>{20, 2, 28});
  CHECK(std::count(smooth.asked.begin() + 3, smooth.asked.end(), 18) == 19);
  CHECK(smooth.asked.size() == 3 + 19);
}

}  // namespace daewave
