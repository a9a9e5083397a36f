// What curves are off equations and constraints, where that is known.

#include "bvp/nonlinear/curve_residual.hpp"

#include <cmath>

#include "core/adapt/problem_from_functions.hpp"
#include "tests/bvp/made_up_solution.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// x1' = x2, x2' = -y, 0 = 3 (x1 - t) + factor (x2 - 1): errors of x move it by 3 and by factor.
DaeProblemPtr index_2(double factor) {
  ProblemFunctions of;
  of.kind = Kind::index_2;
  of.sizes = {.nq = 2, .ny = 1};
  const auto x = [](const Points& at, int row, int p) {
    return at.q[static_cast<std::ptrdiff_t>(row) * at.stride + p];
  };
  of.f = [x](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      out[p] = x(at, 1, p);
      out[at.count + p] = 0;
    }
  };
  of.B = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      out[p] = 0;
      out[at.count + p] = 1;
    }
  };
  of.g = [x, factor](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      out[p] = 3 * (x(at, 0, p) - at.t[p]) + factor * (x(at, 1, p) - 1);
    }
  };
  of.differences = true;
  return problem_from_functions(of);
}

/// x1 = t + off on [0, 1], but for its last node, where it is off by `last`; x2 = 1.
CollocationCurve line(double off, double last) {
  const Mesh mesh = uniform_mesh(0, 1, 4);
  CollocationValues values;
  values.x.resize(2, 5);
  for (int i = 0; i <= 4; ++i) values.x.col(i) = Vec<2>(mesh.node(i) + off, 1);
  values.x(0, 4) = 1 + last;
  values.slopes = VecX{{1, 0}}.replicate(1, 4);
  values.carried.setZero(1, 4);
  return {mesh, collocation(Scheme::gauss, 1), values};
}

}  // namespace

TEST_CASE("how far constraints are missed is told in errors of x that would miss them as far",
          "[residual]") {
  // Sizes are 1 + 1 of both.
  for (const double factor : {0.0, 1.0, 50.0}) {
    const DaeProblemPtr problem = index_2(factor);
    double at = -1;
    const double excess = constraint_excess(*problem, line(1e-4, -2e-3), {}, at);
    CHECK(excess == Approx(3 * 2e-3 / (2 * 3 + 2 * factor)).epsilon(1e-2));
    CHECK(at == 1);
    // Those of tolerances, where there are some.
    const ComponentSizes sizes(Vec<2>(1, 10), Vec<2>(0, 0));
    CHECK(constraint_excess(*problem, line(1e-4, -2e-3), sizes, at) ==
          Approx(3 * 2e-3 / (3 + 10 * factor)).epsilon(1e-2));
  }
  double at = -1;
  CHECK(constraint_excess(*index_2(1), line(0, 0), {}, at) < 1e-15);
  CHECK(at == -1);
}

namespace {

/// x' = -k x + k s(t) with s = t: x = t - 1/k + ... ; J = -k.
class DecayingSystem final : public IterateSystem {
 public:
  double k = 0;
  double missing_from = INFINITY;  ///< t from which on there are no equations.
  int nx() const override { return 1; }
  int carried() const override { return 1; }
  bool evaluate(const VecX& x, double t, const VecX&, VecX& slope, VecX& carried) override {
    slope = VecX{{-k * (x[0] - t) + 1}};
    carried = VecX{{2 * t}};
    return t < missing_from;
  }
  bool jacobian(const VecX&, double, const VecX&, const VecX&, const VecX&, const VecX&,
                MatX& J) override {
    J = MatX{{-k}};
    return true;
  }
  std::string failure() const override { return "beyond"; }
  bool calls_are_dear() const override { return dear; }
  bool evaluate_batch(const IteratePoints& at, double* slope, double* carried, double* drift,
                      std::string& why) override {
    ++calls;
    return IterateSystem::evaluate_batch(at, slope, carried, drift, why);
  }
  bool dear = false;
  int calls = 0;
};

/// The residual at a place of the first of four intervals.
ResidualValues at_place(DecayingSystem& system, const CollocationCurve& curve,
                        CarriedRows carried_rows, double theta,
                        std::vector<DependentPoint> dependent = {}) {
  CurveResidual residual(system, curve, carried_rows, std::move(dependent));
  Places places;
  places.t = {0.25 * theta};
  const PolynomialsAt polynomials(curve.polynomials(), VecX::Constant(1, theta));
  places.polynomials = &polynomials;
  ResidualValues found;
  residual(0, places, found);
  return found;
}

}  // namespace

TEST_CASE("residuals are slopes less the right side, and what is carried less what it was",
          "[residual]") {
  // x = (1 + c)(1 + t), and 2 + c carried: of x' = 1 and 2 t.
  DecayingSystem system;
  const CollocationCurve curve = testing::straight(uniform_mesh(0, 1, 4), 1.3, 2.5);
  const ResidualValues plain = at_place(system, curve, CarriedRows::none, 0.8);
  REQUIRE(plain.values.rows() == 1);
  CHECK(plain.values(0, 0) == Approx(0.3));
  const ResidualValues both = at_place(system, curve, CarriedRows::made, 0.8);
  REQUIRE(both.values.rows() == 2);
  CHECK(both.values(0, 0) == Approx(0.3));
  CHECK(both.values(1, 0) == Approx(2 * 0.2 - 2.5));
  // What is left at the stages, in the middle, counts as rounding does.
  CHECK(both.sizes(0, 0) >= 4 * 0.3 / residual_rounding);
  CHECK(both.sizes(1, 0) >= 4 * (2.5 - 2 * 0.125) / residual_rounding);
}

TEST_CASE("where steps are long a residual is the error that it becomes", "[residual]") {
  DecayingSystem system;
  system.k = 400;
  const CollocationCurve curve = testing::straight(uniform_mesh(0, 1, 4), 1, 0);
  // x - t = 1: x' less the right side is 400; (1 + 400 / 4 / 4)^-1 of it is left in an interval.
  const double left = at_place(system, curve, CarriedRows::none, 0.8).values(0, 0);
  CHECK(left == Approx(400.0 / 26).epsilon(0.02));
}

TEST_CASE(
    "in an interval where constraints are dependent a residual is taken as it is, and close to "
    "that there is none",
    "[residual]") {
  DecayingSystem system;
  system.k = 400;
  const CollocationCurve curve = testing::straight(uniform_mesh(0, 1, 4), 1, 0);
  const auto at = [&](double theta, double t, double width) {
    return at_place(system, curve, CarriedRows::none, theta, {{.t = t, .pivot = 0, .width = width}})
        .values(0, 0);
  };
  // x' less the right side is 400.
  for (const double t : {0.0, 0.1, 0.25}) CHECK(at(0.8, t, 1e-3) == Approx(400));
  const double as_error = at_place(system, curve, CarriedRows::none, 0.8).values(0, 0);
  CHECK(as_error < 20);
  CHECK(at(0.8, 0.3, 1e-3) == Approx(as_error));
  // Closer than a fifth of the width.
  CHECK(std::isnan(at(0.8, 0.19, 0.06)));
  CHECK(at(0.8, 0.19, 0.04) == Approx(400));
}

TEST_CASE("where there are no equations a residual is no number, and elsewhere it is one",
          "[residual]") {
  DecayingSystem system;
  system.missing_from = 0.15;
  const CollocationCurve curve = testing::straight(uniform_mesh(0, 1, 4), 1.3, 2.5);
  CHECK(std::isnan(at_place(system, curve, CarriedRows::none, 0.8).values(0, 0)));
  CHECK(at_place(system, curve, CarriedRows::none, 0.2).values(0, 0) == Approx(0.3));
}

namespace {

/// An iterate of x' = force(t) + 2 y, x = 0, with Y = y - x / epsilon.
class Held final : public IterateSystem {
 public:
  double epsilon = 1e-5;
  /// Of a force that no stage sees.
  static double force(double t) { return 3 * std::exp(-std::pow((t - 0.2) / 0.01, 2)); }
  int nx() const override { return 1; }
  int carried() const override { return 1; }
  bool evaluate(const VecX& x, double t, const VecX& before, VecX& slope, VecX& carried) override {
    const double y = before[0] - x[0] / epsilon;
    slope = VecX{{force(t) + 2 * y}};
    carried = VecX{{y}};
    return true;
  }
  bool jacobian(const VecX&, double, const VecX&, const VecX&, const VecX&, const VecX&,
                MatX& J) override {
    J = MatX{{-2 / epsilon}};
    return true;
  }
  std::string failure() const override { return ""; }
};

}  // namespace

TEST_CASE("of a force that no stage saw, the multiplier that would balance it is missing",
          "[residual]") {
  Held system;
  const Mesh mesh = uniform_mesh(0, 1, 4);
  CollocationValues values;
  values.x.setZero(1, 5);
  values.slopes.setZero(1, 4);
  values.carried.setZero(1, 4);
  const CollocationCurve curve(mesh, collocation(Scheme::gauss, 1), values);
  const auto rows_at = [&](CarriedRows rows, double t) {
    CurveResidual residual(system, curve, rows);
    Places places;
    places.t = {t};
    const PolynomialsAt polynomials(curve.polynomials(), VecX::Constant(1, t / mesh.step(0)));
    places.polynomials = &polynomials;
    ResidualValues found;
    residual(0, places, found);
    return found;
  };
  // The true y is -force / 2; the error of x, and what is made of y there, hardly tell of it.
  const ResidualValues at_peak = rows_at(CarriedRows::missing, 0.2);
  constexpr double safety = 4;
  CHECK(std::abs(at_peak.values(0, 0)) < 1e-3);
  CHECK(std::abs(at_peak.values(1, 0)) == Approx(safety * 1.5).epsilon(1e-3));
  CHECK(rows_at(CarriedRows::made, 0.2).values(1, 0) == 0);
  CHECK(std::abs(rows_at(CarriedRows::missing, 0.06).values(1, 0)) < 1e-9);
  // What follows slowly is seen in x.
  system.epsilon = 10;
  CHECK(rows_at(CarriedRows::missing, 0.2).values(1, 0) == 0);
  CHECK(std::abs(rows_at(CarriedRows::missing, 0.2).values(0, 0)) == Approx(3));
}

TEST_CASE("limits of residuals are parts of the tolerance, in sizes of their rows", "[residual]") {
  DecayingSystem system;
  const CollocationCurve curve = testing::straight(uniform_mesh(0, 1, 4), 1.5, 2);
  const ResidualLimits both = CurveResidual(system, curve, CarriedRows::made).limits(1e-3);
  CHECK(both.smooth == 2);
  CHECK(both.integral[0] == Approx(limit_of_integral * 1e-3 * 4));
  CHECK(std::isinf(both.integral[1]));
  CHECK(both.value[1] == Approx(limit_of_value * 1e-3 * 3));
  CHECK(std::isinf(both.value[0]));
  const ResidualLimits of_x = CurveResidual(system, curve, CarriedRows::none).limits(1e-3);
  CHECK(of_x.smooth == 1);
  CHECK(of_x.value.size() == 1);
}

TEST_CASE(
    "where calls are dear all intervals that follow are asked for at once, with the same found",
    "[residual]") {
  constexpr int intervals = 40;
  const CollocationCurve curve = testing::straight(uniform_mesh(0, 1, intervals), 1.3, 2.5);
  const PolynomialsAt polynomials(curve.polynomials(), VecX{{0.2, 0.8}});
  const auto look = [&](DecayingSystem& system) {
    CurveResidual residual(system, curve, CarriedRows::made);
    MatX all(2, 2 * intervals);
    for (int i = 0; i < intervals; ++i) {
      Places places;
      for (const double theta : {0.2, 0.8}) {
        places.t.push_back(curve.mesh().node(i) + theta * curve.mesh().step(i));
      }
      places.polynomials = &polynomials;
      ResidualValues found;
      residual(i, places, found);
      all.middleCols(2 * i, 2) = found.values;
    }
    return all;
  };
  DecayingSystem cheap, dear;
  cheap.k = dear.k = 3;
  dear.dear = true;
  CHECK((look(cheap) - look(dear)).norm() < 1e-12);
  CHECK(cheap.calls >= intervals);
  CHECK(dear.calls <= 4);
}

}  // namespace daewave::bvp
