// Unknowns of index 1 stay at the solution of their equations that they began with, by every
// method.

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "core/adapt/problem_from_functions.hpp"
#include "core/error.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

using Function = std::function<double(double z, double w, double t)>;

/// z' = f, 0 = r, of one and one.
DaeProblemPtr of_one(Function f, Function r) {
  const auto each = [](Function of) {
    return [of = std::move(of)](const Points& at, double* out) {
      for (int p = 0; p < at.count; ++p) out[p] = of(at.q[p], at.w[p], at.t[p]);
    };
  };
  ProblemFunctions of{.kind = Kind::invariants, .sizes = {.nq = 1, .nw = 1}};
  of.f = each(std::move(f));
  of.r = each(std::move(r));
  of.h = of.H = [](const Points&, double*) {};
  of.differences = true;
  return problem_from_functions(std::move(of));
}

std::vector<Method> methods() {
  return {ProjectEachStep{}, ProjectEachStep{.formula = {Stepper::radau}}, BdfProjection{},
          ProjectedInvariants{}, BdfProjectedInvariants{}};
}

Solution run(const DaeProblem& problem, double z, double w, const Method& method, double end,
             double rtol = 1e-5) {
  return solve(problem, VecX::Constant(1, z), VecX::Constant(1, w), {0, end},
               {.method = method, .rtol = rtol});
}

double last(const Solution& solution) {
  return solution.multiplier(static_cast<int>(solution.t.size()) - 1)[0];
}

bool tells_of_meeting_roots(const Solution& solution) {
  const auto& warnings = solution.report.warnings;
  return std::any_of(warnings.begin(), warnings.end(), [](const std::string& warning) {
    return warning.find("dr/dw was singular") != std::string::npos;
  });
}

}  // namespace

TEST_CASE("an angle that nothing but its sine tells turns on", "[index1]") {
  for (const Method& method : methods()) {
    for (const double speed : {1.0, 5.0}) {
      const auto problem =
          of_one([](double, double, double) { return 1.0; },
                 [speed](double z, double w, double) { return std::sin(w - speed * z); });
      const Solution solution = run(*problem, 0, 0, method, 30, 1e-3);
      CAPTURE(name_of(method), speed, solution.report.full());
      REQUIRE(solution.report.usable());
      CHECK(last(solution) == Approx(30 * speed).epsilon(1e-6));
      CHECK_FALSE(tells_of_meeting_roots(solution));
    }
  }
}

TEST_CASE("where the solution of an equation ends the run does", "[index1]") {
  // w^3 - w = t - 1 from its left branch, which ends at t = 1 + 2 / sqrt(27).
  const auto problem = of_one([](double, double, double) { return 1.0; },
                              [](double z, double w, double) { return w * w * w - w - z; });
  for (const Method& method : methods()) {
    for (const double rtol : {1e-3, 1e-6, 1e-9}) {
      const Solution solution = run(*problem, -1, -1.3247179572447460, method, 3, rtol);
      CAPTURE(name_of(method), rtol, solution.report.full());
      CHECK_FALSE(solution.report.usable());
      CHECK(solution.t.back() <= 1.385);
    }
  }
}

TEST_CASE("a flow that turns and a source that is switched are gone through", "[index1]") {
  for (const Method& method : methods()) {
    // w |w| = z, z = cos t.
    const auto flow = of_one([](double, double, double t) { return -std::sin(t); },
                             [](double z, double w, double) { return w * std::abs(w) - z; });
    const Solution turned = run(*flow, 1, 1, method, 3);
    CAPTURE(name_of(method), turned.report.full());
    REQUIRE(turned.report.usable());
    CHECK_FALSE(tells_of_meeting_roots(turned));
    CHECK(last(turned) == Approx(-std::sqrt(-std::cos(3.0))).epsilon(1e-3));
    const auto source =
        of_one([](double z, double w, double) { return w - z; },
               [](double, double w, double t) { return w - (std::fmod(t, 1) < 0.5 ? 1 : 0); });
    const Solution switched = run(*source, 0, 1, method, 2.25);
    INFO(switched.report.full());
    REQUIRE(switched.report.usable());
    CHECK(last(switched) == Approx(1));
  }
}

TEST_CASE("unknowns near zero between terms that are not are known to the rounding of these",
          "[index1]") {
  for (const Method& method : methods()) {
    for (const double rtol : {1e-4, 1e-6, 1e-9}) {
      for (const double small : {0.0, 1e-16, 1e-10, 1e-8, 1e-6}) {
        const auto falling =
            of_one([](double, double w, double) { return -1 + w; },
                   [small](double z, double w, double t) { return w + z - (0.5 - t) - small; });
        const auto rising =
            of_one([](double, double w, double) { return 0.3 + w; },
                   [small](double z, double w, double t) { return w + z - 0.3 * t - 0.7 - small; });
        const Solution fell = run(*falling, 0.5, small, method, 1, rtol);
        const Solution rose = run(*rising, 0.7, small, method, 10, rtol);
        CAPTURE(name_of(method), rtol, small, fell.report.full(), rose.report.full());
        REQUIRE(fell.report.usable());
        REQUIRE(rose.report.usable());
        CHECK(std::abs(fell.end()[0] + 0.5 - small * (1 - std::exp(-1))) < 10 * rtol);
        CHECK(std::abs(rose.end()[0] - 3.7 - small * (1 - std::exp(-10))) < 10 * rtol);
        CHECK(fell.report.integration.steps + fell.report.integration.rejected < 200);
      }
      // z = |t - 1/2|, w = 0.
      const auto turning =
          of_one([](double, double w, double t) { return (t < 0.5 ? -1 : 1) + w; },
                 [](double z, double w, double t) { return w + z - std::abs(t - 0.5); });
      const Solution turned = run(*turning, 0.5, 0, method, 1, rtol);
      CAPTURE(name_of(method), rtol, turned.report.full());
      REQUIRE(turned.report.usable());
      CHECK(turned.end()[0] == Approx(0.5).margin(100 * rtol));
      CHECK(turned.report.integration.steps + turned.report.integration.rejected < 2000);
    }
  }
}

TEST_CASE("where roots meet, that either is gone on with is told", "[index1]") {
  // w^2 = z with z' = -2 w: w = 1 - t up to t = 1, and then w = 1 - t or 0.
  const auto meeting = of_one([](double, double w, double) { return -2 * w; },
                              [](double z, double w, double) { return w * w - z; });
  // w = z beside w = 1 / 2, which cross at t = 1 / 2.
  const auto crossing = of_one([](double, double, double) { return 1.0; },
                               [](double z, double w, double) { return (w - z) * (w - 0.5); });
  int usable = 0;
  for (const Method& method : methods()) {
    for (const double rtol : {1e-3, 1e-5, 1e-8}) {
      for (const auto& [problem, z, w, end] :
           {std::tuple(&*meeting, 1.0, 1.0, 2.0), std::tuple(&*crossing, 0.0, 0.0, 0.9)}) {
        const Solution past = run(*problem, z, w, method, end, rtol);
        CAPTURE(name_of(method), rtol, end, past.report.full());
        if (past.report.usable()) {
          // On the other branch of crossing ones dr/dw has the sign that it had.
          const bool has_its_sign = end < 1 && last(past) == Approx(0.5);
          CHECK(tells_of_meeting_roots(past) != has_its_sign);
          usable += !has_its_sign;
        }
        const Solution before = run(*problem, z, w, method, 0.4, rtol);
        CHECK(before.report.usable());
        CHECK_FALSE(tells_of_meeting_roots(before));
      }
    }
  }
  CHECK(usable >= 10);
}

TEST_CASE("equations that do not determine their unknowns are refused", "[index1]") {
  const auto twice = [](double factor) {
    ProblemFunctions of{.kind = Kind::invariants, .sizes = {.nq = 1, .nw = 2}};
    of.f = [](const Points& at, double* out) {
      for (int p = 0; p < at.count; ++p) out[p] = at.w[p];
    };
    of.r = [factor](const Points& at, double* out) {
      for (int p = 0; p < at.count; ++p) {
        const double said = at.w[p] + at.w[at.stride + p] - at.q[p];
        out[p] = said;
        out[at.count + p] = factor * said;
      }
    };
    of.h = of.H = [](const Points&, double*) {};
    of.differences = true;
    return problem_from_functions(std::move(of));
  };
  for (const Method& method : methods()) {
    for (const double factor : {2.0, 3.14159265, 1e-8}) {
      CHECK_THROWS_WITH(
          solve(*twice(factor), VecX::Constant(1, 1), VecX{{1.0, 0.0}}, {0, 2}, {.method = method}),
          contains_text("does not determine its 2 unknowns"));
    }
  }
  // A flow at rest is determined beside it, whatever its slope there.
  const auto at_rest = of_one([](double, double, double) { return 1.0; },
                              [](double z, double w, double) { return w * std::abs(w) - z; });
  CHECK_NOTHROW(run(*at_rest, 0, 0, ProjectEachStep{}, 1));
}

}  // namespace daewave::ivp
