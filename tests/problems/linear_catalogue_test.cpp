// Every problem of the catalogue, unasked: what it says of itself is true.

#include "problems/linear_catalogue.hpp"

#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <set>

#include "core/error.hpp"
#include "core/stages/constraint_scan.hpp"
#include "tests/catch.hpp"

namespace daewave::problems {
namespace {

/// The catalogue with its defaults, and variants that take other paths of a problem.
std::vector<std::pair<std::string, LinearProblem>> all_problems() {
  std::vector<std::pair<std::string, LinearProblem>> all;
  for (const LinearEntry& entry : linear_entries()) all.emplace_back(entry.name, make(entry));
  all.emplace_back("lin of 3 blocks",
                   make(entry_named("lin"), {{"blocks", 3, ""}, {"t-end", 17.5, ""}}));
  all.emplace_back("ap91, easy", make(entry_named("ap91"), {{"lambda", 1, ""}}));
  return all;
}

/// Points of the interval with room for differences around them.
std::vector<double> inner_points(const Interval& span) {
  std::vector<double> points;
  for (int i = 0; i < 20; ++i) points.push_back(span.begin + span.length() * (i + 0.37) / 20);
  return points;
}

/// Fourth-order central difference with d = 1e-3: d^4 / 30 of the fifth derivative, and rounding /
/// d.
template <class F>
VecX slope_at(F f, double t) {
  const double d = 1e-3;
  return (8 * (f(t + d) - f(t - d)) - (f(t + 2 * d) - f(t - 2 * d))) / (12 * d);
}

}  // namespace

TEST_CASE("the exact solution satisfies the differential equation", "[problems]") {
  for (const auto& [name, problem] : all_problems()) {
    if (!problem.x_exact) continue;
    const LinearDae& dae = *problem.dae;
    CoefficientBatch at(dae.nx(), dae.ny(), false);
    for (const double t : inner_points(dae.interval())) {
      dae.evaluate(&t, 1, at);
      const VecX x = problem.x_exact(t), By = problem.By_exact(t);
      const VecX residual = slope_at(problem.x_exact, t) - at.A(0) * x + By - at.q(0);
      CAPTURE(name, t);
      const double size = 1 + at.A(0).cwiseAbs().rowwise().sum().maxCoeff();
      CHECK(residual.cwiseAbs().maxCoeff() < 1e-10 * size);
    }
  }
}

TEST_CASE("the exact solution satisfies constraint and boundary conditions", "[problems]") {
  for (const auto& [name, problem] : all_problems()) {
    if (!problem.x_exact) continue;
    CAPTURE(name);
    const LinearDae& dae = *problem.dae;
    MatX C(dae.ny(), dae.nx());
    VecX r(dae.ny());
    std::vector<double> points = inner_points(dae.interval());
    points.push_back(dae.interval().begin);
    points.push_back(dae.interval().end);
    for (const double t : points) {
      dae.evaluate_constraint(t, C, r);
      const double size = 1 + C.cwiseAbs().maxCoeff();
      CHECK((C * problem.x_exact(t) + r).cwiseAbs().maxCoeff() < 1e-13 * size);
    }
    const Boundary& boundary = dae.boundary();
    const VecX gap = boundary.B0 * problem.x_exact(dae.interval().begin) +
                     boundary.B1 * problem.x_exact(dae.interval().end) - boundary.beta;
    CHECK(gap.cwiseAbs().maxCoeff() < 1e-13);
    dae.evaluate_constraint(dae.interval().begin, C, r);
    CHECK_NOTHROW(check_boundary(boundary, C, dae.interval().begin));
  }
}

TEST_CASE("B y of the exact solution lies in the range of B", "[problems]") {
  for (const auto& [name, problem] : all_problems()) {
    if (!problem.By_exact) continue;
    const LinearDae& dae = *problem.dae;
    CoefficientBatch at(dae.nx(), dae.ny(), false);
    for (const double t : inner_points(dae.interval())) {
      dae.evaluate(&t, 1, at);
      const VecX By = problem.By_exact(t);
      const MatX B = at.B(0);
      CAPTURE(name, t);
      CHECK((B * B.colPivHouseholderQr().solve(By) - By).norm() < 1e-12 * (1 + By.norm()));
    }
  }
}

TEST_CASE("derivatives of the constraint match differences", "[problems]") {
  for (const auto& [name, problem] : all_problems()) {
    const LinearDae& dae = *problem.dae;
    CAPTURE(name);
    REQUIRE(dae.has_constraint_derivatives());
    CoefficientBatch at(dae.nx(), dae.ny(), true);
    const auto constraint = [&dae](double t) {
      MatX C(dae.ny(), dae.nx());
      VecX r(dae.ny());
      dae.evaluate_constraint(t, C, r);
      VecX both(C.size() + r.size());
      both << C.reshaped(), r;
      return both;
    };
    for (const double t : inner_points(dae.interval())) {
      dae.evaluate(&t, 1, at);
      VecX derivative(at.C_t(0).size() + at.r_t(0).size());
      derivative << at.C_t(0).reshaped(), at.r_t(0);
      CAPTURE(t);
      CHECK((slope_at(constraint, t) - derivative).cwiseAbs().maxCoeff() < 1e-9);
    }
  }
}

TEST_CASE("shapes fit, and the index is 2", "[problems]") {
  for (const auto& [name, problem] : all_problems()) {
    CAPTURE(name);
    const LinearDae& dae = *problem.dae;
    CHECK(dae.boundary().beta.size() == dae.nx() - dae.ny());
    CHECK(problem.x_exact(dae.interval().end).size() == dae.nx());
    CHECK(problem.By_exact(dae.interval().end).size() == dae.nx());
    CHECK_FALSE(dae.name().empty());
    CHECK_NOTHROW(scan_constraint(dae));
  }
}

TEST_CASE("entries have names of their own and say what they are", "[problems]") {
  std::set<std::string> names;
  for (const LinearEntry& entry : linear_entries()) {
    CAPTURE(entry.name);
    CHECK(names.insert(entry.name).second);
    CHECK_FALSE(entry.source.empty());
    CHECK_FALSE(entry.summary.empty());
    CHECK(entry_named(entry.name).name == entry.name);
    for (const Parameter& parameter : entry.parameters) {
      CHECK_FALSE(parameter.meaning.empty());
      CHECK_NOTHROW(make(entry, {parameter}));
    }
  }
}

TEST_CASE("an unknown name is refused with those that it may have meant", "[problems]") {
  CHECK_THROWS_AS(entry_named("lim"), InvalidOption);
  CHECK_THROWS_WITH(entry_named("lim"), contains_text("problem = \"lim\" (did you mean lin?)"));
  CHECK_THROWS_WITH(entry_named("ap92"), contains_text("did you mean ap91?"));
  CHECK_THROWS_WITH(entry_named("al1-exmaple1"), contains_text("did you mean al1-example1"));
  for (const LinearEntry& entry : linear_entries()) {
    CHECK_THROWS_WITH(entry_named(""), contains_text(entry.name));
  }
}

TEST_CASE("parameters change the problem, and unknown or impossible ones are refused",
          "[problems]") {
  const LinearEntry& lin = entry_named("lin");
  CHECK(make(lin, {{"t-end", 7, ""}}).dae->interval().end == 7);
  CHECK(make(lin, {{"blocks", 5, ""}}).dae->nx() == 20);
  CHECK(make(lin, {{"blocks", 5, ""}}).dae->ny() == 5);
  CHECK_THROWS_AS(make(lin, {{"tend", 7, ""}}), InvalidOption);
  CHECK_THROWS_WITH(make(lin, {{"tend", 7, ""}}), contains_text("lin has no parameter \"tend\"") &&
                                                      contains_text("t-end, blocks"));
  CHECK_THROWS_WITH(make(entry_named("al1-example1"), {{"tend", 7, ""}}),
                    contains_text("it has none"));
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THROWS_WITH(make(lin, {{"t-end", bad, ""}}), contains_text("t-end = "));
    CHECK_THROWS_WITH(make(lin, {{"blocks", bad, ""}}), contains_text("blocks = "));
  }
  CHECK_THROWS_WITH(make(lin, {{"blocks", 1.5, ""}}), contains_text("whole number"));
  CHECK_THROWS_WITH(make(lin, {{"blocks", 65, ""}}), contains_text("1 to 64"));
  CHECK_THROWS_WITH(make(entry_named("ap91"), {{"lambda", NAN, ""}}),
                    contains_text("lambda = nan"));
}

}  // namespace daewave::problems
