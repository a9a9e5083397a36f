// Every nonlinear boundary value problem of the catalogue, unasked: it is solved by its defaults as
// well as it says, and values of the literature are met.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "bvp/continuation/follow.hpp"
#include "bvp/nonlinear/solve.hpp"
#include "catalogue/boundary_catalogue.hpp"
#include "catalogue/initial_value_catalogue.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave::catalogue {
namespace {

/// Relative to 1 + the largest value of each component, as the tolerance is.
double largest_error(const bvp::Solution& solution, const bvp::BoundaryProblem& problem) {
  constexpr int points = 500;
  const Interval interval = problem.interval;
  VecX most = VecX::Zero(problem.equations->state_size()),
       size = VecX::Ones(problem.equations->state_size());
  for (int i = 0; i <= points; ++i) {
    const double t = std::min(interval.end, interval.begin + interval.length() * i / points);
    const VecX exact = problem.exact(t);
    most = most.cwiseMax((solution.x(t) - exact).cwiseAbs());
    size = size.cwiseMax(VecX::Ones(problem.equations->state_size()) + exact.cwiseAbs());
  }
  return most.cwiseQuotient(size).maxCoeff();
}

bvp::Solution solve(const std::string& name, const bvp::Options& options,
                    const std::vector<problems::Parameter>& changed = {}) {
  const bvp::Solution solution = bvp::solve(make(*find_boundary(name), changed), options);
  INFO(name << ": " << solution.report.full());
  REQUIRE(solution.report.usable());
  return solution;
}

}  // namespace

TEST_CASE("a nonlinear boundary value problem is solved to its tolerance by the defaults",
          "[catalogue][nonlinear]") {
  for (const BoundaryEntry& entry : boundary_entries()) {
    for (const double tolerance : {1e-4, 1e-7}) {
      CAPTURE(entry.name, tolerance);
      const bvp::BoundaryProblem problem = make(entry);
      CHECK(problem.name == entry.name);
      const bvp::Solution solution = bvp::solve(problem, {.tolerance = tolerance});
      INFO(solution.report.full());
      REQUIRE(solution.report.usable());
      CHECK(solution.report.problem == entry.name);
      CHECK(solution.report.error.x <= tolerance);
      if (!solution.carries_By()) CHECK(solution.report.error.By <= tolerance);
      if (!problem.exact) continue;
      CHECK(largest_error(solution, problem) <= tolerance);
    }
  }
}

TEST_CASE("names of boundary value problems are no names of others", "[catalogue]") {
  const std::vector<std::string> names = all_names();
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
  CHECK(find_boundary("measles") != nullptr);
  CHECK(find_boundary("pendulum") == nullptr);
  CHECK_THROWS_AS(make(*find_boundary("measles"), {{"e", 1, ""}}), InvalidOption);
  CHECK_THROWS_WITH(make(*find_boundary("corner-layer"), {{"e", 0, ""}}), contains_text("e = 0"));
}

TEST_CASE("values that other codes agree on are met", "[catalogue][nonlinear]") {
  struct Tabulated {
    const char* name;
    double e;  ///< 0: the problem has none.
    double t;
    int component;
    double value;
  };
  // Two codes agree on these digits; of index-one, COLDAE with two meshes.
  const Tabulated known[] = {
      {"swirling-flow", 1e-2, 0, 2, 2.98275932689},
      {"swirling-flow", 1e-2, 0, 3, -45.3894695141},
      {"swirling-flow", 1e-2, 0, 5, 3.57485054227},
      {"swirling-flow", 1e-2, 0.25, 0, 0.0209381832203},
      {"swirling-flow", 1e-2, 0.25, 1, 0.0145970239737},
      {"swirling-flow", 1e-2, 0.25, 4, -0.35700531587},
      {"loaded-beam", 0.1, 0, 1, 0.355619101824},
      {"loaded-beam", 0.1, 0, 3, 0.895898900291},
      {"loaded-beam", 0.1, 0.5, 0, 0.10124580215},
      {"loaded-beam", 0.1, 0.5, 2, -0.883078239274},
      {"elastica", 0, 0, 4, -21.5490874435},
      {"elastica", 0, 0, 2, 0.710521980046},
      {"elastica", 0, 0.5, 0, 0.391593745196},
      {"elastica", 0, 0.5, 3, -8.43848785757},
      {"measles", 0, 0, 0, 0.0752311653},
      {"measles", 0, 0, 1, 1.8007186e-5},
      {"measles", 0, 0.25, 2, 0.00108115162},
      {"index-one", 0, 0, 0, -1.21783701844},
      {"index-one", 0, 1, 1, 3.89794947711},
      {"index-one", 0, 2, 0, 3.96298984977},
      {"index-one", 0, 4, 1, 0.850884970354},
      {"wedge-flow", 0, 0, 2, 0.332057336215},
      {"rotating-disk", 0, 0, 1, 0.510232618867},
      {"rotating-disk", 0, 0, 3, -0.615922014399},
  };
  for (const Tabulated& one : known) {
    CAPTURE(one.name, one.t, one.component);
    std::vector<problems::Parameter> changed;
    if (one.e > 0) changed.push_back({"e", one.e, ""});
    const bvp::Solution solution = solve(one.name, {.tolerance = 1e-10}, changed);
    CHECK(solution.x(one.t)[one.component] == Approx(one.value).epsilon(1e-9).margin(1e-9));
  }
}

TEST_CASE("layers are resolved over orders of magnitude of their width", "[catalogue][nonlinear]") {
  for (const char* name : {"layer-at-begin", "layer-at-end", "smooth-beside-layers",
                           "layer-and-growth", "corner-layer", "damped-layer"}) {
    for (const double e : {1e-2, 1e-4, 1e-6}) {
      CAPTURE(name, e);
      const bvp::BoundaryProblem problem = make(*find_boundary(name), {{"e", e, ""}});
      const bvp::Solution solution = bvp::solve(problem, {.tolerance = 1e-6});
      INFO(solution.report.full());
      REQUIRE(solution.report.usable());
      CHECK(largest_error(solution, problem) <= 1e-6);
    }
  }
}

/// Outer solutions whose small errors move a front by as much as it is wide.
TEST_CASE("where a front is depends on what is far from it, and is found to the tolerance",
          "[catalogue][nonlinear]") {
  const BoundaryEntry& entry = *find_boundary("cash-mazzia-24");
  const auto at = [&](double e, double tolerance) {
    const bvp::Branch branch = bvp::follow(family_of(entry, {{"e", 0.5, ""}}),
                                           {.parameter = "e", .to = e}, {.tolerance = tolerance});
    INFO(e << ": " << branch.report.full());
    REQUIRE(branch.report.usable());
    return branch.last;
  };
  for (const double e : {1e-4, 1e-5, 1e-6}) {
    // Of the smallest, conditions amplify rounding to some 1e-10.
    const bvp::Solution exact = at(e, e < 5e-6 ? 1e-9 : 1e-10);
    for (const double tolerance : {1e-4, 1e-5, 1e-6}) {
      const bvp::Solution solution = at(e, tolerance);
      VecX most = VecX::Zero(2), size = VecX::Ones(2);
      for (int i = 0; i < exact.mesh().intervals(); ++i) {
        const double t = exact.mesh().node(i);
        most = most.cwiseMax((solution.x(t) - exact.x(t)).cwiseAbs());
        size = size.cwiseMax(VecX::Ones(2) + exact.x(t).cwiseAbs());
      }
      CAPTURE(e, tolerance, solution.mesh().intervals());
      CHECK(most.cwiseQuotient(size).maxCoeff() <= 1.5 * tolerance);
    }
  }
}

TEST_CASE("an iterate divides the error of a boundary value problem by epsilon",
          "[catalogue][nonlinear]") {
  const bvp::BoundaryProblem problem = make(*find_boundary("al2-example6.1-bvp"));
  double before = 0;
  for (int iterates = 1; iterates <= 3; ++iterates) {
    CAPTURE(iterates);
    const bvp::Solution solution = bvp::solve(problem, {.scheme = Scheme::gauss,
                                                        .stages = 4,
                                                        .intervals = 40,
                                                        .weight = Weight::identity,
                                                        .epsilon = 1e-3,
                                                        .iterates = iterates});
    REQUIRE(solution.report.usable());
    CHECK(solution.report.history.size() == static_cast<std::size_t>(iterates));
    CHECK(solution.report.history.back().drift > 0);
    CHECK(solution.report.history.back().drift < largest_error(solution, problem) * 10);
    const double error = largest_error(solution, problem);
    // Epsilon over G B, which is 0.7 to 1.1 here.
    if (before > 0) CHECK(before / error > 100);
    before = error;
  }
  CHECK(before < 1e-6);
}

TEST_CASE("errors of iterates are those of an independent computation", "[catalogue][nonlinear]") {
  const bvp::BoundaryProblem problem = make(*find_boundary("al2-example6.1-bvp"));
  const double with_alpha1[] = {1.4e-2, 9.8e-5, 7.1e-7, 7.7e-9};  // The largest at nodes.
  const double without[] = {5.9e-2, 2.2e-3, 4.3e-5, 9.9e-7};      // At t = 1/2.
  for (int iterates = 1; iterates <= 4; ++iterates) {
    CAPTURE(iterates);
    const auto solve_with = [&](int intervals, double epsilon, double alpha1) {
      const bvp::Solution solution = bvp::solve(problem, {.scheme = Scheme::gauss,
                                                          .stages = 2,
                                                          .intervals = intervals,
                                                          .weight = Weight::identity,
                                                          .epsilon = epsilon,
                                                          .alpha1 = alpha1,
                                                          .iterates = iterates});
      REQUIRE(solution.report.usable());
      return solution;
    };
    const auto error_at = [&](const bvp::Solution& solution, double t) {
      return (solution.x(t) - problem.exact(t)).cwiseAbs().maxCoeff();
    };
    const bvp::Solution regular = solve_with(50, 1e-3, 1);
    double most = 0;
    for (const double t : regular.mesh().nodes()) most = std::max(most, error_at(regular, t));
    // Two digits.
    CHECK(most == Approx(with_alpha1[iterates - 1]).epsilon(0.02));
    CHECK(error_at(solve_with(400, 5e-3, 0), 0.5) == Approx(without[iterates - 1]).epsilon(0.02));
  }
}

TEST_CASE("constraints may be posed at either end", "[catalogue][nonlinear]") {
  for (const char* name : {"al2-example6.1-bvp", "pendulum-bvp"}) {
    const bvp::BoundaryProblem problem = make(*find_boundary(name));
    const bvp::Solution solution =
        bvp::solve(problem, {.tolerance = 1e-6, .constraint_end = bvp::ConstraintEnd::end});
    CAPTURE(name, solution.report.brief());
    REQUIRE(solution.report.usable());
    CHECK(largest_error(solution, problem) <= 1e-6);
  }
}

TEST_CASE("shooting back repairs the multiplier at the begin", "[catalogue][nonlinear]") {
  const bvp::BoundaryProblem problem = make(*find_boundary("al2-example6.1-bvp"));
  const auto multiplier = [&](bool shooting_back) {
    const bvp::Solution solution = bvp::solve(problem, {.intervals = 50,
                                                        .epsilon = 5e-3,
                                                        .alpha1 = 0,
                                                        .iterates = 4,
                                                        .shooting_back = shooting_back});
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    return solution.multiplier(0)[0];
  };
  // y = exp(t); iterates from y_0 = 0 leave it there where it was.
  CHECK(std::abs(multiplier(false) - 1) > 0.1);
  CHECK(std::abs(multiplier(true) - 1) < 1e-6);
  CHECK_THROWS_WITH(bvp::solve(problem, {.alpha1 = 1, .shooting_back = true}),
                    contains_text("no layer to repair"));
  CHECK_THROWS_WITH(bvp::solve(problem, {.alpha1 = 0, .constraint_end = bvp::ConstraintEnd::end}),
                    contains_text("leave it at the begin"));
}

TEST_CASE("forms without alpha1 come to small tolerances too", "[catalogue][nonlinear]") {
  for (const char* name : {"al2-example6.1-bvp", "al2-example6.3-bvp", "pendulum-bvp"}) {
    const bvp::BoundaryProblem problem = make(*find_boundary(name));
    const bvp::Solution solution =
        bvp::solve(problem, {.tolerance = 1e-8, .variant = Variant::singular});
    CAPTURE(name);
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(largest_error(solution, problem) <= 1e-8);
    CHECK(solution.mesh().intervals() < 1000);
  }
}

TEST_CASE("without alpha1 the first iterate is found by way of alpha1 = 1, and a warning tells",
          "[catalogue][nonlinear]") {
  const bvp::BoundaryProblem problem = make(*find_boundary("al2-example6.1-bvp"));
  const bvp::Solution solution =
      bvp::solve(problem, {.tolerance = 1e-4,
                           .guess = [](double t) { return VecX(Vec<2>(1 - t / 2, t)); },
                           .epsilon = 5e-3,
                           .alpha1 = 0});
  INFO(solution.report.full());
  REQUIRE(solution.report.usable());
  REQUIRE(solution.report.warnings.size() == 1);
  CHECK_THAT(solution.report.warnings[0], contains_text("alpha1 = 1"));
  CHECK(largest_error(solution, problem) <= 1e-4);
}

TEST_CASE("the crank is steered through its singular configuration, and keeps its energy",
          "[catalogue][nonlinear][singular]") {
  const bvp::Solution solution =
      solve("slider-crank-bvp", {.tolerance = 1e-6, .variant = Variant::singular});
  CHECK(solution.carries_By());
  CHECK(solution.x(0)[2] == Approx(1.2));
  CHECK(solution.x(1)[2] == Approx(2));
  const bvp::Solution finer = solve("slider-crank-bvp", {.tolerance = 1e-7});
  CHECK_THAT(finer.report.warnings.back(), contains_text("variant = singular was taken"));
  // Both bars, of the same length, are mirror images: phi2 = 2 pi - phi1.
  for (const double t : {0.1, 0.5, 0.9}) {
    const VecX z = solution.x(t);
    CHECK((z - finer.x(t)).cwiseAbs().maxCoeff() < 1e-5);
    CHECK(std::remainder(z[2] + z[5], 2 * std::numbers::pi) == Approx(0).margin(1e-6));
  }
}

}  // namespace daewave::catalogue
