#include "core/stages/constraint_scan.hpp"

#include <cmath>

#include "core/error.hpp"
#include "problems/linear_catalogue.hpp"
#include "tests/catch.hpp"
#include "tests/core/singular_coefficients.hpp"

namespace daewave {
namespace {

using testing::ManufacturedDae;

ManufacturedDae scalar_constraint(std::function<double(double)> factor, Interval span) {
  const auto A = [](double) { return MatX{{0, 1}, {-1, 0}}; };
  const auto B = [](double) { return MatX{{1}, {0.5}}; };
  const auto C = [factor](double t) { return MatX(factor(t) * MatX{{1, std::sin(t)}}); };
  return {span, A, B, C, MatX{{0, 1}}, MatX::Zero(1, 2), 61};
}

}  // namespace

TEST_CASE("a singular point is found wherever it lies, with its kind", "[scan]") {
  for (const double t_star : {0.123456789, 0.5, 0.9999}) {
    for (const testing::SingularKind& kind : testing::singular_kinds(t_star)) {
      CAPTURE(t_star, kind.name);
      const ConstraintScan scan = scan_constraint(*erase(testing::singular_dae(kind, {0, 1})));
      REQUIRE(scan.singular_points.size() == 1);
      CHECK_FALSE(scan.regular());
      CHECK(scan.singular_points[0].t == Approx(t_star).margin(1e-6));
      CHECK(scan.singular_points[0].pivot < 1e-6);
      CHECK_THAT(scan.singular_points[0].kind, contains_text(kind.name.substr(0, 13)));
      CHECK(scan.singular_points[0].passed_by.empty());
    }
  }
}

TEST_CASE("a zero is found wherever it lies between two samples, those at the ends too", "[scan]") {
  constexpr int samples = 1000;
  for (const double part : {0.0, 0.1, 0.43, 0.45, 0.5, 0.55, 0.57, 0.9, 1.0}) {
    for (const int after : {0, 1, 2, 500, samples - 3, samples - 2, samples - 1}) {
      for (const int order : {1, 2}) {
        const double t_star = (after + part) / samples;
        CAPTURE(t_star, order);
        const auto problem =
            scalar_constraint([=](double t) { return std::pow(t - t_star, order); }, {0, 1});
        const ConstraintScan scan = scan_constraint(*erase(problem), samples);
        REQUIRE(scan.singular_points.size() == 1);
        CHECK(scan.singular_points[0].t == Approx(t_star).margin(1e-3));
      }
    }
  }
}

TEST_CASE("how near to zero a dip comes is told of the largest pivot", "[scan]") {
  const auto dip = [](double least) {
    return scalar_constraint([least](double t) { return (t - 0.5) * (t - 0.5) + least; }, {0, 1});
  };
  // The row of C is (1, sin t) times that, and longest at the end.
  const auto length = [](double t) { return std::sqrt(1 + std::sin(t) * std::sin(t)); };
  const ConstraintScan scan = scan_constraint(*erase(dip(1e-8)));
  REQUIRE(scan.singular_points.size() == 1);
  CHECK(scan.singular_points[0].pivot ==
        Approx(1e-8 * length(0.5) / (0.25 * length(1))).epsilon(1e-3));
  CHECK(scan.singular_points[0].kind == "vanishing row of C");
  CHECK(scan.largest_A == 1);
  CHECK(scan_constraint(*erase(dip(1e-6))).regular());
}

TEST_CASE("the units of multipliers and constraints hide no singular point and make none",
          "[scan]") {
  const std::vector<Vec<2>> units{{1e-13, 1e-13}, {1e13, 1e13}, {1e-13, 1e13}, {1e13, 1e-13}};
  const double t_star = 0.123456789;
  const auto in_units = [](ManufacturedDae problem, const Vec<2>& of_y,
                           const Vec<2>& of_constraint) {
    problem.B_of = [B = problem.B_of, of_y](double t) { return MatX(B(t) * of_y.asDiagonal()); };
    problem.C_of = [C = problem.C_of, of_constraint](double t) {
      return MatX(of_constraint.asDiagonal() * C(t));
    };
    return problem;
  };
  for (const Vec<2>& of_y : units) {
    for (const Vec<2>& of_constraint : units) {
      CAPTURE(of_y.transpose(), of_constraint.transpose());
      for (const testing::SingularKind& kind : testing::singular_kinds(t_star)) {
        CAPTURE(kind.name);
        const auto problem = in_units(testing::singular_dae(kind, {0, 1}), of_y, of_constraint);
        const ConstraintScan scan = scan_constraint(*erase(problem));
        REQUIRE(scan.singular_points.size() == 1);
        CHECK(scan.singular_points[0].t == Approx(t_star).margin(1e-6));
        CHECK(scan.singular_points[0].pivot < 1e-6);
        CHECK_THAT(scan.singular_points[0].kind, contains_text(kind.name));
      }
      const ManufacturedDae plain = testing::random_symmetric_dae(5, 2, 65);
      const ConstraintScan scan = scan_constraint(*erase(in_units(plain, of_y, of_constraint)));
      CHECK(scan.regular());
      CHECK(scan.obliqueness == Approx(scan_constraint(*erase(plain)).obliqueness));
    }
  }
}

TEST_CASE("several singular points are found in order, and zeros of higher order too", "[scan]") {
  const auto problem = scalar_constraint(
      [](double t) { return (t - 0.2) * std::pow(t - 1.1, 2) * std::pow(t - 1.7, 3); }, {0, 2});
  const ConstraintScan scan = scan_constraint(*erase(problem));
  REQUIRE(scan.singular_points.size() == 3);
  CHECK(scan.singular_points[0].t == Approx(0.2).margin(1e-6));
  CHECK(scan.singular_points[1].t == Approx(1.1).margin(1e-3));
  CHECK(scan.singular_points[2].t == Approx(1.7).margin(1e-2));
  const auto wave = scalar_constraint([](double t) { return std::cos(t); }, {0, 30});
  const auto found = scan_constraint(*erase(wave)).singular_points;
  REQUIRE(found.size() == 10);  // pi / 2 + k pi below 30, of which there are ten.
  for (std::size_t k = 0; k < found.size(); ++k) {
    CHECK(found[k].t == Approx((static_cast<double>(k) + 0.5) * 3.14159265358979).margin(1e-5));
  }
}

TEST_CASE("range B meeting the null space of C is a singular point of its own kind", "[scan]") {
  const auto A = [](double) { return MatX(MatX::Zero(2, 2)); };
  const auto B = [](double) { return MatX{{1}, {0}}; };
  const auto C = [](double t) { return MatX{{std::cos(t), std::sin(t)}}; };
  const ManufacturedDae problem{{0, 2}, A, B, C, MatX{{0, 1}}, MatX::Zero(1, 2), 62};
  const ConstraintScan scan = scan_constraint(*erase(problem));
  REQUIRE(scan.singular_points.size() == 1);
  CHECK(scan.singular_points[0].t == Approx(std::acos(0.0)).margin(1e-6));
  CHECK_THAT(scan.singular_points[0].kind, contains_text("projector unbounded"));
}

TEST_CASE("dips that stay above zero are not singular points", "[scan]") {
  for (const double bottom : {1e-1, 1e-3, 1e-5}) {
    const auto problem =
        scalar_constraint([bottom](double t) { return bottom + std::pow(t - 0.7, 2); }, {0, 2});
    CAPTURE(bottom);
    CHECK(scan_constraint(*erase(problem)).regular());
  }
}

TEST_CASE("every regular problem of the catalogue is found regular", "[scan]") {
  for (const problems::LinearEntry& entry : problems::linear_entries()) {
    CAPTURE(entry.name);
    const ConstraintScan scan = scan_constraint(*problems::make(entry).dae);
    const bool singular = entry.name.rfind("al1-", 0) == 0;  // At t = 1/2, all of them.
    CHECK(scan.regular() == !singular);
    CHECK(scan.obliqueness >= 1 - 1e-12);
  }
}

TEST_CASE("an index other than 2 is refused", "[scan]") {
  const auto index_three = [](const MatX& b) {
    const auto A = [](double) { return MatX{{0, 1}, {0, 0}}; };
    const auto B = [b](double) { return b; };
    const auto C = [](double) { return MatX{{1, 0}}; };
    return ManufacturedDae{{0, 1}, A, B, C, MatX{{0, 1}}, MatX::Zero(1, 2), 63};
  };
  CHECK_THROWS_AS(scan_constraint(*erase(index_three(MatX{{0}, {1}}))), InvalidProblem);
  CHECK_THROWS_WITH(scan_constraint(*erase(index_three(MatX{{0}, {1}}))),
                    contains_text("index is not 2") && contains_text("differentiate"));
  CHECK_THROWS_AS(scan_constraint(*erase(index_three(MatX{{0}, {0}}))), InvalidProblem);
}

TEST_CASE("constraints that say the same are refused in any units", "[scan]") {
  const auto A = [](double) { return MatX(MatX::Zero(3, 3)); };
  const auto B = [](double) { return MatX{{1, 0}, {0, 1}, {0, 0}}; };
  for (const double first : {1e-13, 1.0, 1e13}) {
    for (const double second : {1e-13, 1.0, 1e13}) {
      CAPTURE(first, second);
      const auto C = [first, second](double t) {
        return MatX{{first * 1.1, first * 0.3 * t, 0}, {second * 3.3, second * 0.9 * t, 0}};
      };
      const ManufacturedDae problem{{0, 1}, A, B, C, MatX{{0, 0, 1}}, MatX::Zero(1, 3), 66};
      CHECK_THROWS_AS(scan_constraint(*erase(problem)), InvalidProblem);
    }
  }
}

TEST_CASE("weights that need C B >= 0 are refused where it is not, with the way out", "[scan]") {
  const auto with_sign = [](double sign, double unit = 1) {
    const auto A = [](double) { return MatX(MatX::Zero(2, 2)); };
    const auto B = [=](double t) { return MatX{{unit * (t < 1.5 ? 1.0 : sign)}, {0}}; };
    const auto C = [](double) { return MatX{{1, 0}}; };
    return ManufacturedDae{{0, 2}, A, B, C, MatX{{0, 1}}, MatX::Zero(1, 2), 64};
  };
  for (const Weight weight : all_weights()) {
    CAPTURE(name_of(weight));
    const Regularization regularization{.weight = weight};
    CHECK_NOTHROW(check_weight(*erase(with_sign(1)), regularization));
    if (weight == Weight::inverse || weight == Weight::transpose) {
      CHECK_NOTHROW(check_weight(*erase(with_sign(-1)), regularization));
      continue;
    }
    CHECK_THROWS_AS(check_weight(*erase(with_sign(-1)), regularization), InvalidOption);
    CHECK_THROWS_WITH(check_weight(*erase(with_sign(-1)), regularization),
                      contains_text(name_of(weight)) && contains_text("eigenvalue -1") &&
                          contains_text("t = 1.5") && contains_text("inverse"));
    CHECK_THROWS_AS(check_weight(*erase(with_sign(-1, 1e-13)), regularization), InvalidOption);
    // What rounding leaves of a zero is no eigenvalue to refuse.
    CHECK_NOTHROW(check_weight(*erase(with_sign(-1e-16)), regularization));
    CHECK_NOTHROW(check_weight(*erase(with_sign(-1e-16, 1e-13)), regularization));
  }
}

}  // namespace daewave
