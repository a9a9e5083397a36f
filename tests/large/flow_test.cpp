// Flows on staggered grids, by sequential regularization without any condition of the pressure.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "large/flow/contours.hpp"
#include "large/flow/field.hpp"
#include "large/flow/flow_catalogue.hpp"
#include "large/flow/pressure_correction.hpp"
#include "sparse/solve.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using namespace daewave::flow;

namespace {

FlowProblem vortices(int cells, Convection convection = Convection::extrapolated) {
  return FlowProblem(taylor_green(50), cells, cells, convection);
}

double velocity_error(const FlowProblem& problem, const sparse::Solution& solution) {
  REQUIRE(solution.report.usable());
  return largest_size(solution.x - problem.exact_x(solution.t));
}

double pressure_error(const FlowProblem& problem, const sparse::Solution& solution) {
  const VecX y = solution.y.array() - solution.y.mean();
  return largest_size(y - problem.exact_y(solution.t));
}

sparse::Options with(const FlowProblem& problem, double epsilon, int iterates) {
  return {.h = problem.default_h(), .epsilon = epsilon, .iterates = iterates};
}

/// A polynomial velocity on all faces.
VecX sampled(const StaggeredGrid& grid, const FieldFunction& u, const FieldFunction& v) {
  VecX z(grid.velocities());
  for (int k = 0; k < grid.velocities(); ++k) {
    const StaggeredGrid::Place at = grid.place(k);
    z[k] = at.is_u ? u(at.x, at.y, 0) : v(at.x, at.y, 0);
  }
  return z;
}

}  // namespace

TEST_CASE("each velocity of a staggered grid has one number and the place of it", "[flow]") {
  const StaggeredGrid grid(3, 4, 1.5, 1);
  std::set<int> numbers;
  const auto is_at = [&](int k, bool is_u, double x, double y) {
    numbers.insert(k);
    const StaggeredGrid::Place at = grid.place(k);
    CHECK(at.is_u == is_u);
    CHECK(at.x == Approx(x).margin(1e-15));
    CHECK(at.y == Approx(y).margin(1e-15));
  };
  using Side = StaggeredGrid::Side;
  for (int j = 0; j < 4; ++j) {
    for (int i = 0; i <= 3; ++i) is_at(grid.u(i, j), true, 0.5 * i, 0.25 * (j + 0.5));
  }
  for (int j = 0; j <= 4; ++j) {
    for (int i = 0; i < 3; ++i) is_at(grid.v(i, j), false, 0.5 * (i + 0.5), 0.25 * j);
  }
  for (int i = 0; i <= 3; ++i) {
    is_at(grid.u_along(i, Side::low), true, 0.5 * i, 0);
    is_at(grid.u_along(i, Side::high), true, 0.5 * i, 1);
  }
  for (int j = 0; j <= 4; ++j) {
    is_at(grid.v_along(j, Side::low), false, 0, 0.25 * j);
    is_at(grid.v_along(j, Side::high), false, 1.5, 0.25 * j);
  }
  CHECK(static_cast<int>(numbers.size()) == grid.velocities());
  CHECK(*numbers.rbegin() == grid.velocities() - 1);
  CHECK(grid.unknowns() == 2 * 4 + 3 * 3);
  CHECK_THROWS_AS(StaggeredGrid(1, 4, 1, 1), InvalidOption);
}

TEST_CASE("differences on the grid are those of the equations", "[flow]") {
  const StaggeredGrid grid(8, 6, 2, 1);
  const Operators of = operators_of(grid);
  // u = (x y, -y^2 / 2): no divergence, laplacian (0, -1), convection (x y^2 - x y^2 / 2, y^3 / 2).
  const VecX z = sampled(
      grid, [](double x, double y, double) { return x * y; },
      [](double, double y, double) { return -0.5 * y * y; });
  CHECK(largest_size(of.divergence * z) < 1e-13);
  const VecX bent = of.laplacian * z;
  VecX carried;
  convection(of.fluxes, z, grid.unknowns(), carried);
  for (int j = 1; j < 5; ++j) {
    for (int i = 1; i < 7; ++i) {
      const double x = 0.25 * i, y = (j + 0.5) / 6;
      CHECK(std::abs(bent[grid.u(i, j)]) < 1e-11);
      // Averages and differences of quadratics are off by h^2.
      CHECK(carried[grid.u(i, j)] == Approx(0.5 * x * y * y).margin(0.02));
    }
  }
  for (int i = 1; i < 7; ++i) CHECK(bent[grid.v(i, 3)] == Approx(-1));
}

TEST_CASE("the derivative of a flow is that of its differences", "[flow]") {
  const FlowProblem problem = vortices(6, Convection::implicit);
  const VecX x = problem.start();
  sparse::SparseMatrix jacobian, elsewhere;
  problem.f_jacobian(x, 0.1, jacobian);
  problem.f_jacobian(2 * x, 0.3, elsewhere);
  CHECK(jacobian.nonZeros() == elsewhere.nonZeros());
  VecX plus, minus;
  for (int k = 0; k < problem.nx(); k += 7) {
    const VecX step = 1e-5 * VecX::Unit(problem.nx(), k);
    problem.f(x + step, 0.1, plus);
    problem.f(x - step, 0.1, minus);
    CHECK(largest_size((plus - minus) / 2e-5 - VecX(jacobian.col(k))) < 1e-7);
  }
}

TEST_CASE("Taylor-Green vortices are of order 2 in the grid, velocities and pressure",
          "[flow][AL2]") {
  double u[3], p[3];
  for (const int k : {0, 1, 2}) {
    const FlowProblem problem = vortices(8 << k);
    const auto solution = sparse::solve(problem, problem.start(), {0, 0.5}, with(problem, 1e-3, 2));
    u[k] = velocity_error(problem, solution);
    p[k] = pressure_error(problem, solution);
  }
  CHECK(std::log2(u[1] / u[2]) == Approx(2).margin(0.6));
  CHECK(std::log2(p[1] / p[2]) == Approx(2).margin(0.3));
  CHECK(u[2] < 2e-4);
}

TEST_CASE("the divergence of a flow is epsilon^s", "[flow][AL2]") {
  const FlowProblem problem = vortices(12);
  std::vector<double> drifts[2];
  for (const int k : {0, 1}) {
    sparse::Options options = with(problem, k == 0 ? 0.04 : 0.01, 3);
    options.first = sparse::FirstMultiplier::zero;
    const auto solution = sparse::solve(problem, problem.start(), {0, 0.2}, options);
    REQUIRE(solution.report.usable());
    for (const IterateReport& one : solution.report.history) drifts[k].push_back(one.drift);
  }
  for (std::size_t s = 0; s < 3; ++s) {
    CHECK(std::log(drifts[0][s] / drifts[1][s]) / std::log(4.0) ==
          Approx(static_cast<double>(s) + 1).margin(0.25));
  }
}

TEST_CASE("the error in time of a flow is known where it has one step", "[flow]") {
  const double end = 0.03;
  const FlowProblem problem(taylor_green(1), 8, 8, Convection::extrapolated);
  sparse::Options options{.h = end, .epsilon = 1e-3, .iterates = 2, .estimate_error = true};
  const auto one = sparse::solve(problem, problem.start(), {0, end}, options);
  options.h = end / 200;
  const auto fine = sparse::solve(problem, problem.start(), {0, end}, options);
  REQUIRE(one.report.error.available);
  // The largest velocity of the run is that at the start.
  const double of_x = largest_size(one.x - fine.x) / largest_size(problem.start());
  const double of_y = largest_size(one.y - fine.y) / largest_size(one.y);
  CHECK(one.report.error.x > 0.5 * of_x);
  CHECK(one.report.error.x < 5 * of_x);
  CHECK(one.report.error.By > 0.5 * of_y);
  CHECK(one.report.error.By < 5 * of_y);
}

TEST_CASE("a flow with extrapolated convection is factorized once for each formula", "[flow]") {
  const FlowProblem problem = vortices(8);
  const auto solution = sparse::solve(problem, problem.start(), {0, 1}, with(problem, 1e-3, 2));
  CHECK(solution.report.linear_solve.factorizations == 2);
  CHECK(solution.report.linear_solve.analyses == 1);
  CHECK(solution.report.linear_solve.worst_residual < 1e-12);
  CHECK(solution.report.warnings.empty());
}

TEST_CASE("implicit convection takes steps that extrapolated convection does not bear", "[flow]") {
  const Interval interval{0, 2};
  const sparse::Options options{.h = 0.25, .epsilon = 1e-3, .iterates = 2};
  FlowCase fast = lid_driven_cavity(2000);
  const FlowProblem one(fast, 16, 16, Convection::implicit);
  CHECK(sparse::solve(one, one.start(), interval, options).report.usable());
  const FlowProblem other(fast, 16, 16, Convection::extrapolated);
  const auto solution = sparse::solve(other, other.start(), {0, 400}, options);
  CHECK(solution.report.termination == Termination::diverged);
  CHECK_THAT(solution.report.advice, contains_text("implicit convection"));
  CHECK(solution.x.allFinite());
}

TEST_CASE("a flow that its steps are not to blame for is advised otherwise", "[flow]") {
  const FlowProblem coarse(taylor_green(1e6), 8, 8, Convection::extrapolated);
  const double through_cell = 2 * coarse.default_h();
  const sparse::Options options{.h = through_cell / 4, .epsilon = 1e-3, .iterates = 2};
  const sparse::Solution solution = sparse::solve(coarse, coarse.start(), {0, 40}, options);
  CHECK(solution.report.termination == Termination::diverged);
  CHECK_THAT(solution.report.advice, contains_text("more cells"));
  CHECK_THAT(solution.report.advice, !contains_text("take h there"));
  CHECK_THAT(coarse.advice(2 * through_cell), contains_text("take h there"));
  // As advised, beyond t = 24.5, where the other one ended. From t = 26 on rounding decides what
  // becomes of vortices that 8 x 8 cells do not resolve, and whether steps are short enough for it.
  const FlowProblem implicit(taylor_green(1e6), 8, 8, Convection::implicit);
  CHECK(solution.t < 25);
  CHECK(sparse::solve(implicit, implicit.start(), {0, 25}, options).report.usable());
}

TEST_CASE("an epsilon that leaves a flow to rounding is told, with one that works", "[flow]") {
  const Interval interval{0, 0.3};
  const std::string words = "take epsilon = ";
  const auto advised = [&](const std::string& text) {
    REQUIRE_THAT(text, contains_text(words));
    return std::atof(text.c_str() + text.find(words) + words.size());
  };
  for (const Convection convection : {Convection::extrapolated, Convection::implicit}) {
    const FlowProblem problem(lid_driven_cavity(100), 8, 8, convection);
    const auto solved = [&](double epsilon) {
      return sparse::solve(problem, problem.start(), interval, {.h = 0.03, .epsilon = epsilon});
    };
    const sparse::Solution good = solved(1e-3);
    REQUIRE(good.report.warnings.empty());
    for (const double epsilon : {1e-15, 1e-16, 1e-18}) {
      const sparse::Solution lost = solved(epsilon);
      REQUIRE(!lost.report.usable());
      // "not positive definite" is no number that is not finite.
      const bool not_finite = lost.report.message.find("not finite") != std::string::npos;
      CHECK((lost.report.termination == Termination::diverged) == not_finite);
      CHECK(largest_size(solved(advised(lost.report.advice)).x - good.x) < 1e-5);
    }
    // Velocities are right, the pressure is not.
    const sparse::Solution noisy = solved(1e-12);
    REQUIRE(noisy.report.usable());
    REQUIRE(noisy.report.warnings.size() == 1);
    CHECK(solved(advised(noisy.report.warnings[0])).report.warnings.empty());
  }
}

TEST_CASE("the cavity becomes what the literature says, by each way the same", "[flow][AL2]") {
  const FlowProblem problem(lid_driven_cavity(100), 24, 24, Convection::extrapolated);
  sparse::Options options = with(problem, 1e-3, 1);
  options.steady = 1e-6;
  const Interval interval{0, 60};
  const auto srm = sparse::solve(problem, problem.start(), interval, options);
  const auto projected = solve_by_projection(problem, problem.start(), interval, options);
  const FlowProblem implicit(lid_driven_cavity(100), 24, 24, Convection::implicit);
  options.h = 0.5;
  const auto long_steps = sparse::solve(implicit, implicit.start(), interval, options);
  REQUIRE((srm.steady && projected.steady && long_steps.steady));
  CHECK(largest_size(srm.x - projected.x) < 1e-5);
  CHECK(largest_size(srm.x - long_steps.x) < 1e-5);
  const GhiaProfiles literature = *ghia_profiles(100);
  const Profile u = u_profile(problem, srm.x, srm.t), v = v_profile(problem, srm.x, srm.t);
  CHECK(deviation(u, literature.u) < 0.02);
  CHECK(deviation(v, literature.v) < 0.02);
  const Extremes here = extremes(u, v), spectral = *spectral_extremes(100);
  // 0.6 % on 64 x 64 cells, and of order 2.
  CHECK(here.u_min == Approx(spectral.u_min).epsilon(0.05));
  CHECK(here.v_max == Approx(spectral.v_max).epsilon(0.05));
  CHECK(here.v_min == Approx(spectral.v_min).epsilon(0.05));
}

TEST_CASE("the projection method is of order 2 in its rotational form, of order 1 in Chorin's",
          "[flow]") {
  double rotational[2], chorin[2];
  for (const int k : {0, 1}) {
    const FlowProblem problem = vortices(16);
    sparse::Options options = with(problem, 1e-3, 1);
    options.h /= 1 << k;
    for (double* const error : {rotational, chorin}) {
      const auto solution =
          solve_by_projection(problem, problem.start(), {0, 0.5}, options,
                              error == chorin ? Projection::chorin : Projection::rotational);
      error[k] = velocity_error(problem, solution);
    }
  }
  // Against one grid: the error in time of Chorin's form is far above that of the grid.
  CHECK(chorin[0] > 10 * rotational[0]);
  CHECK(chorin[0] / chorin[1] == Approx(1.6).margin(0.5));
}

TEST_CASE("stream function and vorticity are those of the velocities", "[flow]") {
  const FlowProblem problem = vortices(32);
  const VecX x = problem.exact_x(0);
  const CornerField psi = stream_function(problem, x, 0), turning = vorticity(problem, x, 0);
  constexpr double pi = 3.14159265358979323846;
  for (const int i : {0, 5, 16, 32}) {
    for (const int j : {0, 7, 16, 32}) {
      const double X = pi * i / 32, Y = pi * j / 32;
      CHECK(psi.at(i, j) == Approx((std::cos(X) * std::cos(Y) - 1) / pi).margin(2e-3));
      const bool on_wall = i % 32 == 0 || j % 32 == 0;
      CHECK(turning.at(i, j) ==
            Approx(2 * pi * std::cos(X) * std::cos(Y)).margin(on_wall ? 0.3 : 0.02));
    }
  }
}

TEST_CASE("lines of equal value are closed, or end on the boundary", "[flow]") {
  CornerField hill{20, 20, 0.1, 0.1, {}};
  for (int j = 0; j <= 20; ++j) {
    for (int i = 0; i <= 20; ++i) {
      hill.values.push_back(std::hypot(0.1 * i - 1, 0.1 * j - 1));
    }
  }
  const Contour circle = contour(hill, 0.5);
  REQUIRE(circle.x.size() > 20);
  CHECK(circle.x.front() == circle.x.back());
  CHECK(circle.y.front() == circle.y.back());
  for (std::size_t i = 0; i < circle.x.size(); ++i) {
    CHECK(std::hypot(circle.x[i] - 1, circle.y[i] - 1) == Approx(0.5).epsilon(0.02));
  }
  const Contour arcs = contour(hill, 1.2);
  CHECK(std::count_if(arcs.x.begin(), arcs.x.end(), [](double x) { return std::isnan(x); }) == 3);
  CHECK(contour(hill, 9).x.empty());
}

TEST_CASE("lines through the saddle of a field do not depend on its rounding", "[flow]") {
  // x y has its zeros in corners, and a saddle in one of them.
  const auto lines = [](double rounding) {
    CornerField saddle{8, 8, 0.25, 0.25, {}};
    for (int j = 0; j <= 8; ++j) {
      for (int i = 0; i <= 8; ++i) {
        const double sign = (3 * i + 5 * j) % 7 < 3 ? 1 : -1;
        saddle.values.push_back((i - 4) * (j - 4) + sign * rounding);
      }
    }
    return contour(saddle, 0);
  };
  const Contour exact = lines(0), rounded = lines(1e-14), other = lines(-1e-14);
  REQUIRE(exact.x.size() > 10);
  for (const Contour* line : {&rounded, &other}) {
    REQUIRE(line->x.size() == exact.x.size());
    for (std::size_t i = 0; i < exact.x.size(); ++i) {
      CHECK(std::isnan(line->x[i]) == std::isnan(exact.x[i]));
      if (std::isnan(exact.x[i])) continue;
      CHECK(std::abs(line->x[i] - exact.x[i]) < 1e-12);
      CHECK(std::abs(line->y[i] - exact.y[i]) < 1e-12);
    }
  }
}

TEST_CASE("flows by name say what they cannot be made of", "[flow]") {
  const FlowEntry& cavity = *find_flow("lid-driven-cavity");
  CHECK(find_flow("pendulum") == nullptr);
  CHECK_THROWS_WITH(make(cavity, {{"cells", 3, ""}}), contains_text("cells = 3"));
  CHECK_THROWS_WITH(make(cavity, {{"cells", 8.5, ""}}), contains_text("whole number"));
  CHECK_THROWS_WITH(make(cavity, {{"re", -1, ""}}), contains_text("re = -1"));
  CHECK_THROWS_WITH(make(cavity, {{"cellz", 8, ""}}), contains_text("cells"));
  CHECK_THROWS_WITH(make(*find_flow("taylor-green"), {{"t-end", 0, ""}}), contains_text("t-end"));
  CHECK(make(cavity, {}).interval.end == 60);
}
