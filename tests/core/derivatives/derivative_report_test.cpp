// What a comparison of derivatives finds and says, number by number.

#include <cmath>

#include "core/derivatives/check_derivatives.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave {

namespace {

DerivativeReport at_half() {
  DerivativeReport report;
  report.t = 0.5;
  report.tolerance = 1e-3;
  return report;
}

DerivativeCheck compared(const MatX& given, const MatX& expected, double least = 0) {
  DerivativeReport report = at_half();
  report.compare("G", given, expected, least);
  return report.checks.at(0);
}

DerivativeCheck of_mass(const MatX& M) {
  DerivativeReport report = at_half();
  report.compare_mass(M, static_cast<int>(M.rows()));
  return report.checks.at(0);
}

}  // namespace

TEST_CASE("the entry that is off most relative to its row is told", "[check]") {
  // Row 2 is off by 1e-3 of 4, row 1 by 2e-3 of 200.
  const MatX expected{{100, 200}, {3, 4}};
  const DerivativeCheck found = compared(MatX{{100, 200.002}, {3.001, 4}}, expected);
  CHECK(found.quantity == "G");
  CHECK(found.row == 2);
  CHECK(found.column == 1);
  CHECK(found.given == 3.001);
  CHECK(found.expected == 3);
  CHECK(found.scale == 4);
  CHECK(found.ok);
  CHECK(found.text.empty());
  CHECK(compared(MatX{{100, 200}, {3.0039, 4}}, expected).ok);
  const DerivativeCheck wrong = compared(MatX{{100, 200}, {3, 4.005}}, expected);
  CHECK_FALSE(wrong.ok);
  CHECK(wrong.text ==
        "G row 2, column 2 at t = 0.5: given 4.005, differences give 4, off by more than 4.0e-03; "
        "correct it, or leave it out and use with_autodiff(problem)");
}

TEST_CASE("a row that vanishes is measured by the others, and by what is told from zero",
          "[check]") {
  const MatX expected{{2, 0}, {0, 0}};
  // A thousandth of the largest of all is the scale of such a row.
  CHECK(compared(MatX{{2, 0}, {0, 1.9e-6}}, expected).ok);
  CHECK_FALSE(compared(MatX{{2, 0}, {0, 2.1e-6}}, expected).ok);
  CHECK(compared(MatX{{2, 0}, {0, 1.9e-6}}, expected).scale == 2e-3);
  CHECK(compared(MatX{{2, 0}, {0, 2.1e-6}}, expected, 0.1).ok);
  CHECK_FALSE(compared(MatX{{2, 0}, {0, 1.1e-4}}, expected, 0.1).ok);
  CHECK(compared(MatX::Zero(2, 2), MatX::Zero(2, 2)).ok);
}

TEST_CASE("the first entry that is not finite is wrong whatever the others are", "[check]") {
  const DerivativeCheck given = compared(MatX{{1, 2}, {NAN, INFINITY}}, MatX{{1, 9}, {3, 4}});
  CHECK_FALSE(given.ok);
  CHECK(given.row == 2);
  CHECK(given.column == 1);
  CHECK_THAT(given.text,
             contains_text("given nan") && contains_text("correct it, or leave it out"));
  const DerivativeCheck expected = compared(MatX{{1, 2}}, MatX{{1, NAN}});
  CHECK_FALSE(expected.ok);
  CHECK_THAT(expected.text,
             contains_text("differences give nan") && contains_text("choose another state"));
}

TEST_CASE("the way out follows what is compared", "[check]") {
  const auto text_of = [](const std::string& quantity) {
    DerivativeReport report = at_half();
    report.compare(quantity, MatX{{1}}, MatX{{2}}, 0);
    return report.text();
  };
  CHECK_THAT(text_of("w (linear in v)"), contains_text("velocity constraints are w = K(q, t) v"));
  CHECK_THAT(text_of("G of terms()"), contains_text("correct terms(), or leave it out"));
  CHECK_THAT(text_of("g_t"), contains_text("g_t row 1 at t = 0.5") &&
                                 contains_text("use with_autodiff(problem)\n"));
}

TEST_CASE("a report has a line for each quantity that is wrong", "[check]") {
  DerivativeReport report = at_half();
  CHECK(report.ok());
  CHECK(report.text().empty());
  report.compare("G", MatX{{1}}, MatX{{1}}, 0);
  CHECK(report.ok());
  CHECK_NOTHROW(require_ok(report));
  report.compare("K", MatX{{1}}, MatX{{2}}, 0);
  report.compare("none", MatX(0, 2), MatX(0, 2), 0);
  CHECK_FALSE(report.ok());
  CHECK(report.text() == report.checks[1].text + "\n");
  CHECK_THROWS_WITH(require_ok(report), report.text());
  CHECK_THROWS_WITH(report.compare("G", MatX(1, 2), MatX(2, 3), 0),
                    contains_text("G is 1 x 2, must be 2 x 3: its rows follow g and w"));
  CHECK_THROWS_AS(report.compare("G", MatX(2, 2), MatX(2, 3), 0), InvalidProblem);
  CHECK_THROWS_AS(report.compare("G", MatX(1, 3), MatX(2, 3), 0), InvalidProblem);
}

TEST_CASE("M is symmetric and positive semidefinite to a rounding of 1e-12 of its largest entry",
          "[check]") {
  CHECK(of_mass(MatX{{2, 1}, {1, 2}}).ok);
  CHECK(of_mass(MatX{{1, 1}, {1, 1}}).ok);
  CHECK(of_mass(MatX{{2, 1}, {1 + 1.9e-12, 2}}).ok);
  const DerivativeCheck uneven = of_mass(MatX{{2, 1, 0}, {1, 2, 0.5}, {0, 0.25, 2}});
  CHECK_FALSE(uneven.ok);
  CHECK(uneven.row == 3);
  CHECK(uneven.column == 2);
  CHECK(uneven.scale == 2);
  CHECK(uneven.text ==
        "M row 3, column 2 at t = 0.5: given 0.25, its mirror image is 0.5; M must be symmetric");
  CHECK_FALSE(of_mass(MatX{{2, 1}, {1 + 2.1e-12, 2}}).ok);
  const DerivativeCheck negative = of_mass(MatX{{2, 0, 0}, {0, -0.5, 0}, {0, 0, 1}});
  CHECK_FALSE(negative.ok);
  CHECK(negative.row == 2);
  CHECK(negative.given == Approx(-0.5));
  CHECK_THAT(negative.text, contains_text("has the negative eigenvalue -0.5, in the direction of "
                                          "coordinate 2 most"));
  DerivativeReport report = at_half();
  CHECK_THROWS_WITH(report.compare_mass(MatX::Identity(2, 2), 3),
                    contains_text("M is 2 x 2, must be 3 x 3: one row per coordinate"));
  CHECK_THROWS_WITH(detail::check_state_size(3, 4),
                    contains_text("the state has 3 entries, must have 4"));
  CHECK_NOTHROW(detail::check_state_size(4, 4));
}

}  // namespace daewave
