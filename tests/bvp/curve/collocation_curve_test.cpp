// Curves are exact for polynomials of their degree, with and without values at the ends.

#include "bvp/curve/collocation_curve.hpp"

#include <cmath>

#include "bvp/curve/stretched.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

double power(double t, int p) { return std::pow(t, p); }

/// x = t^(p + 1) / (p + 1), x' = t^p, carried -2 t^p.
CollocationCurve curve_of(const Mesh& mesh, const Collocation& scheme, int p, bool with_ends) {
  const int k = scheme.stages, intervals = mesh.intervals();
  CollocationValues values;
  values.x.resize(1, intervals + 1);
  values.slopes.resize(1, k * intervals);
  values.carried.resize(1, k * intervals);
  if (with_ends) {
    values.end_slopes.resize(1, 2 * intervals);
    values.end_carried.resize(1, 2 * intervals);
  }
  for (int i = 0; i <= intervals; ++i) values.x(0, i) = power(mesh.node(i), p + 1) / (p + 1);
  for (int i = 0; i < intervals; ++i) {
    const double h = mesh.step(i);
    for (int j = 0; j < k; ++j) {
      const double slope = power(mesh.node(i) + scheme.c[j] * h, p);
      values.slopes(0, i * k + j) = slope;
      values.carried(0, i * k + j) = -2 * slope;
    }
    for (int end = 0; end < 2 && with_ends; ++end) {
      const double theta = end == 0 ? beside_nodes : 1 - beside_nodes;
      const double slope = power(mesh.node(i) + theta * h, p);
      values.end_slopes(0, 2 * i + end) = slope;
      values.end_carried(0, 2 * i + end) = -2 * slope;
    }
  }
  return {mesh, scheme, values};
}

}  // namespace

TEST_CASE("a curve is exact for polynomials of its degree, between nodes too", "[curve]") {
  const Mesh mesh({0, 0.3, 1, 1.2, 2});
  for (int k = 2; k <= 8; ++k) {
    for (const bool with_ends : {false, true}) {
      const Collocation scheme = collocation(Scheme::gauss, k);
      const int degree = with_ends ? k + 1 : k - 1;
      const CollocationCurve curve = curve_of(mesh, scheme, degree, with_ends);
      CHECK(curve.has_ends() == with_ends);
      CHECK(curve.polynomials().count() == (with_ends ? k + 2 : k));
      for (int i = 0; i <= 200; ++i) {
        const double t = i / 100.0, scale = power(2, degree + 1);
        CAPTURE(k, with_ends, t);
        CHECK(std::abs(curve.x(t)[0] - power(t, degree + 1) / (degree + 1)) < 1e-13 * scale);
        CHECK(std::abs(curve.slope(t)[0] - power(t, degree)) < 1e-11 * scale);
        CHECK(std::abs(curve.carried(t)[0] + 2 * power(t, degree)) < 1e-11 * scale);
      }
    }
  }
}

TEST_CASE("at many times in any order a curve is what it is at each of them", "[curve]") {
  const Mesh mesh({0, 0.3, 1, 1.2, 2});
  const VecX times{{2, 0, 0.3, 0.31, 0.29, 1.2, 1.9999, 0.7, 0.7, 1, 1e-12}};
  for (const int k : {1, 2, 5, 8}) {
    for (const bool with_ends : {false, true}) {
      CAPTURE(k, with_ends);
      const CollocationCurve curve = curve_of(mesh, collocation(Scheme::gauss, k), 3, with_ends);
      const MatX x = curve.x(times), slope = curve.slope(times);
      REQUIRE(x.cols() == times.size());
      for (Eigen::Index p = 0; p < times.size(); ++p) {
        CAPTURE(times[p]);
        CHECK(x(0, p) == Approx(curve.x(times[p])[0]).epsilon(1e-13).margin(1e-15));
        CHECK(slope(0, p) == Approx(curve.slope(times[p])[0]).epsilon(1e-12).margin(1e-14));
      }
    }
  }
  const CollocationCurve curve = curve_of(mesh, collocation(Scheme::gauss, 3), 2, false);
  CHECK(curve.x(VecX(0)).cols() == 0);
  CHECK_THROWS_AS(curve.x(VecX{{0.5, 2.1}}), InvalidOption);
  CHECK_THROWS_AS(curve.slope(VecX{{NAN}}), InvalidOption);
}

TEST_CASE("a curve stretched in time runs through the same values, the slower the longer",
          "[curve]") {
  const Mesh mesh({1, 1.3, 2, 2.2, 3});
  const CollocationCurve curve = curve_of(mesh, collocation(Scheme::gauss, 3), 2, true);
  for (const Interval interval : {Interval{-1, 7}, Interval{1, 1.5}, Interval{1, 3}}) {
    const CollocationCurve other = stretched(curve, interval);
    CHECK(other.mesh().begin() == interval.begin);
    CHECK(other.mesh().end() == interval.end);
    const double factor = interval.length() / 2;
    for (int i = 0; i <= 50; ++i) {
      const double before = 1 + i / 25.0, t = interval.begin + i / 50.0 * interval.length();
      CAPTURE(interval.begin, interval.end, before);
      CHECK(other.x(t)[0] == Approx(curve.x(before)[0]).margin(1e-11));
      CHECK(other.slope(t)[0] == Approx(curve.slope(before)[0] / factor).margin(1e-11));
      CHECK(other.carried(t)[0] == Approx(curve.carried(before)[0]).margin(1e-11));
    }
  }
}

TEST_CASE("a curve without slopes is taken for straight lines between its nodes", "[curve]") {
  const Mesh mesh({0, 0.3, 1, 1.2, 2});
  const CollocationCurve curve =
      with_slopes_of_nodes(curve_of(mesh, collocation(Scheme::gauss, 3), 2, false));
  for (int i = 0; i < mesh.intervals(); ++i) {
    const double left = curve.x(mesh.node(i))[0], right = curve.x(mesh.node(i + 1))[0];
    const double t = mesh.node(i) + 0.25 * mesh.step(i);
    CAPTURE(i);
    CHECK(curve.x(t)[0] == Approx(0.75 * left + 0.25 * right).margin(1e-13));
    CHECK(curve.slope(t)[0] == Approx((right - left) / mesh.step(i)));
  }
}

TEST_CASE("what one stage carries is on the line between the stages on either side", "[curve]") {
  const Mesh mesh({0.0, 0.1, 0.4, 0.5, 1.0});
  const CollocationCurve curve = curve_of(mesh, collocation(Scheme::gauss, 1), 3, false);
  const auto stage = [&](int i) { return curve.stage_time(i, 0); };
  for (int i = 0; i + 1 < mesh.intervals(); ++i) {
    const double left = -2 * power(stage(i), 3), right = -2 * power(stage(i + 1), 3);
    for (const double part : {0.0, 0.2, 0.5, 0.9, 1.0}) {
      const double t = stage(i) + part * (stage(i + 1) - stage(i));
      CAPTURE(i, part);
      CHECK(curve.carried(t)[0] == Approx((1 - part) * left + part * right));
    }
  }
}

TEST_CASE("a curve on another mesh has its values there", "[curve]") {
  const Mesh mesh({0, 0.3, 1, 1.2, 2}), other({0, 0.5, 0.9, 2});
  for (const bool with_ends : {false, true}) {
    const CollocationCurve curve =
        curve_of(mesh, collocation(Scheme::gauss, 4), with_ends ? 5 : 3, with_ends);
    const Collocation scheme = collocation(Scheme::radau, 3);
    const CollocationValues values = curve.on(other, scheme);
    REQUIRE(values.slopes.cols() == 9);
    for (int i = 0; i <= 3; ++i) {
      const double t = other.node(i);
      CHECK(values.x(0, i) == Approx(curve.x(t)[0]).epsilon(1e-14).margin(1e-15));
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        const double t = other.node(i) + scheme.c[j] * other.step(i);
        CHECK(values.slopes(0, 3 * i + j) == Approx(curve.slope(t)[0]).margin(1e-13));
        CHECK(values.carried(0, 3 * i + j) == Approx(curve.carried(t)[0]).margin(1e-13));
      }
    }
  }
}

TEST_CASE("values at many points are those at each of them", "[curve]") {
  const Mesh mesh({0, 0.3, 1, 1.2, 2});
  for (const int stages : {1, 4}) {
    for (const bool with_ends : {false, true}) {
      const CollocationCurve curve =
          curve_of(mesh, collocation(Scheme::gauss, stages), with_ends ? 5 : 3, with_ends);
      CurvePoints points(12);
      for (int p = 0; p < 12; ++p) points.set(p, p % 4, p / 4 == 2 ? 1.0 : 0.3 + 0.4 * (p / 4));
      const MatX x = curve.x_at(points), slope = curve.slope_at(points),
                 carried = curve.carried_at(points);
      REQUIRE(x.cols() == 12);
      for (int p = 0; p < 12; ++p) {
        CAPTURE(stages, with_ends, p);
        const int i = points.interval(p);
        const double theta = points.theta[p];
        CHECK(x(0, p) == Approx(curve.x_in(i, theta)[0]).epsilon(1e-14).margin(1e-15));
        CHECK(slope(0, p) == Approx(curve.slope_in(i, theta)[0]).epsilon(1e-13).margin(1e-13));
        CHECK(carried(0, p) == Approx(curve.carried_in(i, theta)[0]).epsilon(1e-13).margin(1e-13));
        if (theta == 1) CHECK(x(0, p) == curve.values().x(0, i + 1));
      }
    }
  }
}

TEST_CASE("a scheme turned in time integrates slopes from node to node as it did", "[curve]") {
  const Mesh mesh({0, 0.3, 1, 1.2, 2}), turned({0, 0.8, 1, 1.7, 2});
  for (const Scheme family : {Scheme::gauss, Scheme::radau, Scheme::lobatto}) {
    const CollocationCurve back = time_reversed(
        curve_of(mesh, collocation(family, 3), 2, false), turned, [](const VecX& x) { return x; },
        1);
    for (int i = 0; i < 4; ++i) {
      const double step = back.values().x(0, i + 1) - back.values().x(0, i);
      CAPTURE(name_of(family), i);
      CHECK(turned.step(i) *
                back.values().slopes.middleCols(3 * i, 3).row(0).dot(back.scheme().b) ==
            Approx(step));
    }
  }
}

TEST_CASE("a curve turned in time runs through the same values", "[curve]") {
  const Mesh mesh({0, 0.3, 1, 1.2, 2}), turned({0, 0.8, 1, 1.7, 2});
  for (const bool with_ends : {false, true}) {
    const CollocationCurve curve = curve_of(mesh, collocation(Scheme::gauss, 3), 2, with_ends);
    const CollocationCurve back = time_reversed(
        curve, turned, [](const VecX& x) { return x; }, -1);
    for (int i = 0; i <= 100; ++i) {
      const double t = i / 50.0;
      CAPTURE(t, with_ends);
      CHECK(back.x(t)[0] == Approx(curve.x(2 - t)[0]).margin(1e-12));
      CHECK(back.slope(t)[0] == Approx(-curve.slope(2 - t)[0]).margin(1e-12));
      CHECK(back.carried(t)[0] == Approx(-curve.carried(2 - t)[0]).margin(1e-12));
    }
  }
}

}  // namespace daewave::bvp
