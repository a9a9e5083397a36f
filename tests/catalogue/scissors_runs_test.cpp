// Runs of the scissors lift: closed loops through stabilization, projection and regularization.

#include "catalogue/catalogue.hpp"
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

ivp::Options stabilized(double rtol) {
  ivp::Options options;
  options.method = ivp::Method::s_both2;
  options.stepper = ivp::Stepper::dop853;
  options.rtol = options.atol = rtol;
  return options;
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

  ivp::Options options = stabilized(1e-9);
  options.stabilization.metric = ivp::Metric::orthogonal;
  const ivp::Solution orthogonal = problem->solve(span, options);
  REQUIRE(orthogonal.report.usable());
  CHECK(gap(orthogonal, expected) < 1e-7);

  options = stabilized(1e-9);
  options.method = ivp::Method::projection;
  const ivp::Solution projected = problem->solve(span, options);
  REQUIRE(projected.report.usable());
  CHECK(gap(projected, expected) < 1e-7);

  options = stabilized(1e-9);
  options.method = ivp::Method::srm;
  options.stepper = ivp::Stepper::dopri5;
  options.regularize.variant = Variant::invariant;
  options.regularize.weight = Weight::inverse;
  options.regularize.epsilon = 1e-3;
  options.regularize.iterates = 6;
  const ivp::Solution regularized = problem->solve(span, options);
  CAPTURE(regularized.report.full());
  REQUIRE(regularized.report.usable());
  CHECK(gap(regularized, expected) < 1e-7);
}

TEST_CASE("regularization with E = I improves a scissors lift by each iterate", "[catalogue]") {
  const InitialValueProblemPtr problem = lift(1);
  const Interval span{0, 0.2};
  const ivp::Solution expected = problem->solve(span, stabilized(1e-11));
  ivp::Options options = stabilized(1e-9);
  options.method = ivp::Method::srm;
  options.stepper = ivp::Stepper::dopri5;
  options.regularize.variant = Variant::invariant;
  options.regularize.weight = Weight::identity;
  options.regularize.epsilon = 1e-3;
  double before = 1e-3;
  for (const int iterates : {1, 2, 3}) {
    CAPTURE(iterates);
    options.regularize.iterates = iterates;
    const ivp::Solution run = problem->solve(span, options);
    // The report finds the first iterates not good enough for the tolerance, and is right.
    REQUIRE(run.t.back() == span.end);
    // O(epsilon) each, by the smallest eigenvalue of G M^-1 G^T, which is a tenth.
    const double error = gap(run, expected);
    CHECK(error < before / 10);
    before = error;
  }
}

}  // namespace daewave::catalogue
