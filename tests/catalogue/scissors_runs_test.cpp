// Runs of the scissors lift: closed loops through stabilization, projection and regularization.

#include "catalogue/initial_value_catalogue.hpp"
#include "tests/catch.hpp"

namespace daewave::catalogue {
namespace {

InitialValueProblemPtr lift(int cells) {
  return make(*find("scissors"), {{"links", static_cast<double>(cells), ""}});
}

/// How far two runs end from each other, in positions.
double gap(const ivp::Solution& a, const ivp::Solution& b) {
  return (a.end() - b.end()).head(a.nz / 2).cwiseAbs().maxCoeff();
}

ivp::Options by(const ivp::Method& method, double rtol) {
  return {.method = method, .rtol = rtol, .atol = rtol};
}

ivp::Options stabilized(double rtol) {
  return by(ivp::SBoth2{.formula = {ivp::Stepper::dop853}}, rtol);
}

}  // namespace

TEST_CASE("a stabilized scissors lift keeps its energy and its constraints", "[catalogue]") {
  for (const int cells : {1, 4, 16}) {
    CAPTURE(cells);
    const ivp::Solution run = lift(cells)->solve({0, 2}, stabilized(1e-9));
    REQUIRE(run.report.usable());
    const auto& told = run.report.integration;
    REQUIRE(told.has_energy);
    // Each step adds its local error, of 1e-9 of the state.
    CHECK(told.energy_change < 1e-9 * static_cast<double>(told.steps) * told.energy_start);
    // Rounding of heights up to the number of cells, and of velocities ten times as large.
    CHECK(told.drift_position < 1e-15 * (1 + cells));
    CHECK(told.drift_velocity < 1e-14 * (1 + cells));
  }
}

TEST_CASE("a scissors lift moves alike in either metric, projected and regularized",
          "[catalogue]") {
  const InitialValueProblemPtr problem = lift(2);
  const Interval span{0, 0.2};
  const ivp::Solution expected = problem->solve(span, stabilized(1e-11));
  REQUIRE(expected.report.usable());

  const ivp::Formula formula{ivp::Stepper::dop853};
  const ivp::Solution orthogonal = problem->solve(
      span, by(ivp::SBoth2{.metric = ivp::Metric::orthogonal, .formula = formula}, 1e-9));
  REQUIRE(orthogonal.report.usable());
  CHECK(gap(orthogonal, expected) < 1e-7);

  const ivp::Solution projected =
      problem->solve(span, by(ivp::ProjectEachStep{.formula = formula}, 1e-9));
  REQUIRE(projected.report.usable());
  CHECK(gap(projected, expected) < 1e-7);

  const ivp::Srm srm{.variant = Variant::invariant,
                     .epsilon = 1e-3,
                     .iterates = 6,
                     .weight = Weight::inverse,
                     .formula = {ivp::Stepper::dopri5}};
  const ivp::Solution regularized = problem->solve(span, by(srm, 1e-9));
  CAPTURE(regularized.report.full());
  REQUIRE(regularized.report.usable());
  CHECK(gap(regularized, expected) < 1e-7);
}

TEST_CASE("regularization with E = I improves a scissors lift by each iterate", "[catalogue]") {
  const InitialValueProblemPtr problem = lift(1);
  const Interval span{0, 0.2};
  const ivp::Solution expected = problem->solve(span, stabilized(1e-11));
  ivp::Srm srm{.variant = Variant::invariant,
               .epsilon = 1e-3,
               .weight = Weight::identity,
               .formula = {ivp::Stepper::dopri5}};
  double before = 1e-3;
  for (const int iterates : {1, 2, 3}) {
    CAPTURE(iterates);
    srm.iterates = iterates;
    const ivp::Solution run = problem->solve(span, by(srm, 1e-9));
    // The report finds the first iterates not good enough for the tolerance, and is right.
    REQUIRE(run.t.back() == span.end);
    // O(epsilon) each, by the smallest eigenvalue of G M^-1 G^T, which is a tenth.
    const double error = gap(run, expected);
    CHECK(error < before / 10);
    before = error;
  }
}

}  // namespace daewave::catalogue
