// Tolerances of single components: absolute and relative, of x and of what is carried.

#include "bvp/options/tolerances.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "bvp/continuation/follow.hpp"
#include "bvp/solve.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// y / u comes to a front F(t), y' / u = F' + F^2 - (y / u)^2; z' = -z^2, z(1) = 1/2.
struct SmallFront {
  using State = Vec<2>;
  double unit = 1e-9;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double t) const {
    const double F = front(t), y = x[0] / unit;
    return {unit * (40 * F * (1 - F) + F * F - y * y), -x[1] * x[1]};
  }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] / unit - front(0), right[1] - 0.5};
  }
  State guess(double) const { return {unit / 2, 1}; }
  static double front(double t) { return 1 / (1 + std::exp(-40 * (t - 0.5))); }
  /// The largest error of y, in units of its own, and of z.
  Vec<2> errors(const Solution& solution) const {
    Vec<2> most = Vec<2>::Zero();
    for (int i = 0; i <= 1000; ++i) {
      const double t = i / 1000.0;
      const VecX x = solution.x(t);
      most[0] = std::max(most[0], std::abs(x[0] / unit - front(t)));
      most[1] = std::max(most[1], std::abs(x[1] - 1 / (1 + t)));
    }
    return most;
  }
};

/// The same front beside tanks with one constraint; linear.
struct SmallFrontInTanks {
  static constexpr double unit = 1e-9;
  Interval interval() const { return {0, 1}; }
  Mat<3, 3> A(double) const { return Mat<3, 3>{{-1, 0, 0}, {0, -1, 1}, {0, 1, -2}}; }
  Vec<3> B(double) const { return {0, 0, -1}; }
  Vec<3> q(double t) const {
    const double y = SmallFront::front(t);
    return {unit * (40 * y * (1 - y) + y), 0, 0};
  }
  Mat<1, 3> C(double) const { return {0, 1, 1}; }
  Vec<1> r(double t) const { return Vec<1>{-2 - std::sin(t)}; }
  Mat<1, 3> C_t(double) const { return {0, 0, 0}; }
  Vec<1> r_t(double t) const { return Vec<1>{-std::cos(t)}; }
  Boundary boundary() const {
    return {MatX{{1, 0, 0}, {0, 0, 0}}, MatX{{0, 0, 0}, {0, 1, 0}},
            VecX{{unit * SmallFront::front(0), 1.45}}};
  }
};

double largest_error_of_front(const Solution& solution) {
  double most = 0;
  for (int i = 0; i <= 1000; ++i) {
    const double t = i / 1000.0;
    most =
        std::max(most, std::abs(solution.x(t)[0] / SmallFrontInTanks::unit - SmallFront::front(t)));
  }
  return most;
}

/// x1'' = -x1, and x3' = narrow peaks, which nothing depends on.
struct PassivePeaks {
  using State = Vec<3>;
  double width = 2e-3;
  Interval interval() const { return {0, 1}; }
  double peak(double t, double at) const { return std::exp(-std::pow((t - at) / width, 2)); }
  State f(const State& x, double t) const {
    double peaks = 0;
    for (int i = 1; i < 20; ++i) peaks += peak(t, 0.05 * i + 0.0123);
    return {x[1], -x[0], 100 * peaks};
  }
  Vec<3> conditions(const State& left, const State& right) const {
    return {left[0] - 1, right[1] + std::sin(1.0), left[2]};
  }
};

/// x1' = x2, x2' = a narrow peak at 0.7071, x1(0) = x2(0) = 0.
struct DrivenByPeak {
  using State = Vec<2>;
  double width = 1e-3, at = 0.7071;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double t) const {
    return {x[1], 1e3 * std::exp(-std::pow((t - at) / width, 2))};
  }
  Vec<2> conditions(const State& left, const State&) const { return {left[0], left[1]}; }
};

/// z' = A z + z_1 z_2 (1, ..., 1) / 4 + q(t) with the known solution z_j = sin(w_j t + j), a layer
/// in the last; x = D z with D from 1e-12 to 1e12.
struct InUnits {
  using State = VecX;
  MatX A;
  VecX frequency, unit;
  int nx() const { return static_cast<int>(unit.size()); }
  explicit InUnits(unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> within(-1, 1);
    constexpr int n = 4;
    A = MatX::NullaryExpr(n, n, [&] { return 3 * within(generator); });
    frequency = VecX::NullaryExpr(n, [&] { return 3 + 2 * within(generator); });
    unit = VecX::NullaryExpr(n, [&] { return std::pow(10.0, 12 * within(generator)); });
  }
  Interval interval() const { return {0, 1}; }
  VecX z(double t) const {
    VecX value(nx());
    for (int j = 0; j < nx(); ++j) value[j] = std::sin(frequency[j] * t + j);
    value[nx() - 1] += std::exp(-30 * t);
    return value;
  }
  VecX slope(double t) const {
    VecX value(nx());
    for (int j = 0; j < nx(); ++j) value[j] = frequency[j] * std::cos(frequency[j] * t + j);
    value[nx() - 1] -= 30 * std::exp(-30 * t);
    return value;
  }
  VecX f(const VecX& x, double t) const {
    const VecX at = x.cwiseQuotient(unit), exact = z(t);
    const VecX off = A * (at - exact);
    const double product = 0.25 * (at[0] * at[1] - exact[0] * exact[1]);
    return unit.cwiseProduct(VecX(slope(t) + off + VecX::Constant(nx(), product)));
  }
  VecX conditions(const VecX& left, const VecX& right) const {
    const VecX of_left = left.cwiseQuotient(unit) - z(0),
               of_right = right.cwiseQuotient(unit) - z(1);
    return Vec<4>(of_left[0], of_left[1], of_right[2], of_right[3]);
  }
  VecX guess(double) const { return VecX::Zero(nx()); }
  double error(const Solution& solution) const {
    double most = 0;
    for (int i = 0; i <= 300; ++i) {
      const double t = i / 300.0;
      const VecX off = solution.x(t).cwiseQuotient(unit) - z(t);
      most = std::max(most, off.cwiseAbs().maxCoeff() / 2);
    }
    return most;
  }
};

/// What is thrown, or nothing.
template <class P>
std::string refusal(const P& problem, const Options& options) {
  try {
    solve(problem, options);
  } catch (const InvalidOption& refused) {
    return refused.what();
  }
  return {};
}

}  // namespace

TEST_CASE("errors are compared with the strictest relative tolerance", "[tolerances]") {
  const auto each = [](double a, double b) { return OfComponents(VecX{{a, b}}); };
  CHECK(unit_of({}, 1e-3) == 1e-3);
  CHECK(unit_of({.relative = each(1e-5, 1e-7)}, 1e-3) == 1e-7);
  // Where nothing relative counts an absolute one stands for it, within what numbers of size 1 may
  // have: components of 1e-14 take no tolerance of 1e-20.
  CHECK(unit_of({.relative = 0.0, .absolute = 1e-6}, 1e-3) == 1e-6);
  CHECK(unit_of({.relative = 0.0, .absolute = 1e-14}, 1e-3) == 1e-10);
  CHECK(unit_of({.relative = 0.0, .absolute = 10.0}, 1e-3) == 1e-2);
  CHECK(unit_of({.relative = each(0, 1e-4), .absolute = each(1e-8, 1e-3)}, 1e-3) == 1e-8);
  // What does not matter is no matter here.
  CHECK(unit_of({.relative = each(0, 1e-4), .absolute = each(infinite, 1e-3)}, 1e-3) == 1e-4);
  CHECK(unit_of({.relative = 1e-4, .carried_relative = 1e-6}, 1e-3) == 1e-6);
  const SolutionSizes sizes =
      sizes_of({.relative = 0.0, .absolute = each(1e-14, 1e-8)}, 1e-3, 2, 0);
  CHECK((sizes.x.of(VecX{{1.0, 1.0}}) - VecX{{1e-4, 1e2}}).norm() < 1e-12);
}

TEST_CASE("a component of 1e-9 that is asked for to 1e-4 of itself is found to it",
          "[tolerances]") {
  for (const double unit : {1e-9, 1e-5, 1e5}) {
    const SmallFront problem{.unit = unit};
    Options options{.tolerance = 1e-6, .stages = 5};
    const Solution plain = solve(problem, options);
    options.tolerances.absolute = VecX{{1e-4 * unit, 1e-6}};
    const Solution asked = solve(problem, options);
    CAPTURE(unit, plain.report.full(), asked.report.full());
    REQUIRE(plain.report.usable());
    REQUIRE(asked.report.usable());
    CHECK(problem.errors(asked)[0] <= 1e-4);
    CHECK(problem.errors(asked)[1] <= 1e-6);
    if (unit == 1e-9) CHECK(problem.errors(plain)[0] > 1e-3);
  }
}

TEST_CASE("a small component of a linear problem is found to its own tolerance", "[tolerances]") {
  const Solution plain = solve(SmallFrontInTanks{}, {.tolerance = 1e-6});
  const Solution asked =
      solve(SmallFrontInTanks{},
            {.tolerance = 1e-6, .tolerances = {.absolute = VecX{{1e-13, 1e-6, 1e-6}}}});
  CAPTURE(plain.report.full(), asked.report.full());
  REQUIRE(plain.report.usable());
  REQUIRE(asked.report.usable());
  CHECK(largest_error_of_front(plain) > 1e-3);
  CHECK(largest_error_of_front(asked) <= 1e-4);
}

TEST_CASE("a component that does not matter costs no intervals", "[tolerances]") {
  const PassivePeaks problem;
  const Solution all = solve(problem, {.tolerance = 1e-6});
  const Solution some =
      solve(problem, {.tolerance = 1e-6, .tolerances = {.absolute = VecX{{1e-6, 1e-6, infinite}}}});
  CAPTURE(all.report.full(), some.report.full());
  REQUIRE(all.report.usable());
  REQUIRE(some.report.usable());
  CHECK(some.mesh().intervals() * 5 < all.mesh().intervals());
  for (const double t : {0.1, 0.5, 0.9}) CHECK(some.x(t)[0] == Approx(std::cos(t)).margin(1e-6));
}

TEST_CASE("what does not matter but moves what does is resolved", "[tolerances]") {
  for (int i = 0; i < 20; ++i) {
    const DrivenByPeak problem{.at = 0.03 + 0.0471 * i};
    for (const double of_second : {infinite, 1e6}) {
      const Solution solution =
          solve(problem, {.tolerance = 1e-6, .tolerances = {.absolute = VecX{{1e-6, of_second}}}});
      CAPTURE(problem.at, of_second, solution.report.full());
      REQUIRE(solution.report.usable());
      const double moved = 1e3 * problem.width * std::sqrt(std::numbers::pi) * (1 - problem.at);
      CHECK(std::abs(solution.x(1)[0] - moved) <= 3e-6);
    }
  }
}

TEST_CASE("plain tolerances of all components are the plain tolerance", "[tolerances]") {
  const SmallFront problem{.unit = 1};
  const Solution plain = solve(problem, {.tolerance = 1e-7});
  const Solution each = solve(problem, {.tolerances = {.relative = 1e-7, .absolute = 1e-7}});
  REQUIRE(plain.report.usable());
  CAPTURE(each.report.full());
  REQUIRE(each.report.usable());
  CHECK(each.report.error.tolerance == 1e-7);
  CHECK(std::abs(each.mesh().intervals() - plain.mesh().intervals()) <=
        plain.mesh().intervals() / 10 + 1);
}

TEST_CASE("units of components do not matter where tolerances are in them", "[tolerances]") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    InUnits problem(seed);
    const double tolerance = seed % 2 == 0 ? 1e-5 : 1e-8;
    const Solution scaled = solve(
        problem, {.tolerances = {.relative = tolerance, .absolute = tolerance * problem.unit}});
    InUnits plain = problem;
    plain.unit.setOnes();
    const Solution unscaled = solve(plain, {.tolerance = tolerance});
    CAPTURE(seed, problem.unit.transpose(), scaled.report.full(), unscaled.report.full());
    REQUIRE(scaled.report.usable() == unscaled.report.usable());
    if (!unscaled.report.usable()) continue;
    CHECK(problem.error(scaled) <= tolerance);
    CHECK(scaled.mesh().intervals() <= 1.3 * unscaled.mesh().intervals() + 1);
  }
}

TEST_CASE("tolerances that make no sense are refused by name", "[tolerances]") {
  const SmallFront problem;
  const auto refused = [&](const Tolerances& tolerances, const std::string& why) {
    const std::string message = refusal(problem, {.tolerances = tolerances});
    CAPTURE(message, why);
    CHECK(message.find(why) != std::string::npos);
  };
  refused({.relative = 1.0}, "tolerances.relative = 1: must be 0, or within [1e-14, 1)");
  refused({.relative = VecX{{1e-6, -1}}}, "tolerances.relative[1] = -1");
  refused({.relative = 1e-6, .absolute = 0.0}, "tolerances.absolute = 0: must be > 0");
  refused({.absolute = std::nan("")}, "tolerances.absolute = nan");
  refused({.absolute = infinite}, "none would matter");
  refused({.absolute = VecX{{1, 1, 1}}}, "has 3 entries, x has 2");
  refused({.relative = VecX{{1e-6, 1e-6}}, .absolute = VecX{{1, 1, 1}}},
          "tolerances.relative has 2 entries, tolerances.absolute 3");
  refused({.carried_absolute = 1e-6}, "nothing beside x");
  CHECK(refusal(SmallFrontInTanks{}, {.tolerances = {.carried_absolute = VecX{{1, 1}}}})
            .find("has 2 entries, what is carried has 3") != std::string::npos);
}

TEST_CASE("tolerances of what is carried are those of the multiplier", "[tolerances]") {
  const Solution loose = solve(SmallFrontInTanks{}, {.tolerance = 1e-3});
  const Solution strict = solve(
      SmallFrontInTanks{},
      {.tolerance = 1e-3, .tolerances = {.carried_relative = 1e-10, .carried_absolute = 1e-10}});
  const Solution reference = solve(SmallFrontInTanks{}, {.tolerance = 1e-12});
  CAPTURE(loose.report.full(), strict.report.full());
  REQUIRE(loose.report.usable());
  REQUIRE(strict.report.usable());
  REQUIRE(reference.report.usable());
  double most = 0;
  for (int i = 0; i <= 200; ++i) {
    const double t = i / 200.0;
    most = std::max(most, (strict.By(t) - reference.By(t)).cwiseAbs().maxCoeff());
  }
  CHECK(most <= 2e-10);
}

TEST_CASE("loosened tolerances are all of them, times the factor", "[tolerances]") {
  const Tolerances loose = loosened({.relative = VecX{{1e-6, 0, 0.5}}, .absolute = 1e-9}, 1e3);
  CHECK(loose.relative.values() == VecX{{1e-3, 0, 0.5}});
  CHECK(loose.absolute.values()[0] == Approx(1e-6));
  CHECK(loose.carried_relative.is_open());
}

}  // namespace daewave::bvp
