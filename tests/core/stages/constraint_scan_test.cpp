#include "core/stages/constraint_scan.hpp"

#include <cmath>

#include "core/error.hpp"
#include "problems/catalogue.hpp"
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
  for (const problems::Entry& entry : problems::catalogue()) {
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

TEST_CASE("weights that need C B >= 0 are refused where it is not, with the way out", "[scan]") {
  const auto with_sign = [](double sign) {
    const auto A = [](double) { return MatX(MatX::Zero(2, 2)); };
    const auto B = [sign](double t) { return MatX{{t < 1.5 ? 1.0 : sign}, {0}}; };
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
  }
}

}  // namespace daewave
