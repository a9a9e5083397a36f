// The singularly perturbed problems of Cash and Mazzia: what they say is true, and some are solved.

#include "problems/cash_mazzia.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "bvp/solve.hpp"
#include "catalogue/boundary_catalogue.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave::catalogue {
namespace {

using problems::CashMazzia;

std::vector<CashMazzia> of_one_unknown() {
  std::vector<CashMazzia> all = problems::linear_cash_mazzia();
  for (const CashMazzia& one : problems::nonlinear_cash_mazzia()) all.push_back(one);
  return all;
}

std::string numbered(int number) { return "cash-mazzia-" + std::to_string(number); }

bvp::BoundaryProblem numbered(int number, double e) {
  return make(*find_boundary(numbered(number)), {{"e", e, ""}});
}

/// Relative to 1 + the largest value of each component, at four points of each interval.
double largest_difference(const std::function<VecX(double)>& found,
                          const std::function<VecX(double)>& exact, const Mesh& mesh) {
  const auto nx = exact(mesh.begin()).size();
  VecX most = VecX::Zero(nx), size = VecX::Ones(nx);
  for (int i = 0; i < mesh.intervals(); ++i) {
    for (const double theta : {0.0, 0.3, 0.6, 0.9}) {
      const double t = mesh.node(i) + theta * mesh.step(i);
      const VecX x = exact(t);
      most = most.cwiseMax((found(t).head(nx) - x).cwiseAbs());
      size = size.cwiseMax(VecX::Ones(nx) + x.cwiseAbs());
    }
  }
  return most.cwiseQuotient(size).maxCoeff();
}

}  // namespace

TEST_CASE("all 35 problems of Cash and Mazzia are there, for positive e only",
          "[catalogue][cash-mazzia]") {
  for (int number = 1; number <= 35; ++number) {
    CAPTURE(number);
    const BoundaryEntry* const entry = find_boundary(numbered(number));
    REQUIRE(entry != nullptr);
    CHECK(make(*entry).name == entry->name);
    CHECK(make(*entry, {{"e", 1e-6, ""}}).name == entry->name);
    CHECK_THROWS_WITH(make(*entry, {{"e", -1, ""}}), contains_text("e = -1: must be > 0"));
  }
}

TEST_CASE("exact solutions of Cash and Mazzia satisfy equations and conditions, without overflow",
          "[catalogue][cash-mazzia]") {
  int known = 0;
  for (const CashMazzia& one : of_one_unknown()) {
    if (one.exact == nullptr) continue;
    ++known;
    for (const double e : {0.3, 0.04}) {
      CAPTURE(one.number, e);
      const problems::TwoPoint problem = one.make(e);
      const Interval span = problem.span;
      const Vec<2> gap = problem.conditions(one.exact(e, span.begin), one.exact(e, span.end));
      CHECK(gap.cwiseAbs().maxCoeff() < 1e-13);
      // Fourth order: d^4 / 30 of the fifth derivative, and rounding / d.
      const double d = 1e-3 * std::min(e, span.length());
      for (int i = 1; i < 20; ++i) {
        const double t = span.begin + span.length() * (i + 0.1) / 20;
        CAPTURE(t);
        const Vec<2> x = one.exact(e, t);
        const Vec<2> slope = (8 * (one.exact(e, t + d) - one.exact(e, t - d)) -
                              (one.exact(e, t + 2 * d) - one.exact(e, t - 2 * d))) /
                             (12 * d);
        const double size = 1 + problem.f_x(x, t).cwiseAbs().maxCoeff() * (1 + x.norm());
        CHECK((slope - problem.f(x, t)).cwiseAbs().maxCoeff() < 1e-9 * size);
      }
    }
    for (const double e : {1e-6, 1e-9}) {
      for (int i = 0; i <= 100; ++i) {
        const Interval span = one.make(e).span;
        const double t = span.begin + span.length() * i / 100;
        CAPTURE(one.number, e, t);
        CHECK(one.exact(e, t).allFinite());
      }
    }
  }
  CHECK(known == 19);
}

TEST_CASE("derivatives of the laws of Cash and Mazzia match differences",
          "[catalogue][cash-mazzia]") {
  for (const CashMazzia& one : of_one_unknown()) {
    const double e = 0.3, t = 0.04, y = 0.7, v = -0.4, d = 1e-5;
    const problems::TwoPoint problem = one.make(e);
    const auto law = [&](double at, double slope) { return problem.law(t, at, slope); };
    CAPTURE(one.number);
    const problems::Acceleration a = law(y, v);
    const double by_y = (law(y + d, v).value - law(y - d, v).value) / (2 * d);
    const double by_slope = (law(y, v + d).value - law(y, v - d).value) / (2 * d);
    CHECK(a.by_y == Approx(by_y).epsilon(1e-7).margin(1e-8));
    CHECK(a.by_slope == Approx(by_slope).epsilon(1e-7).margin(1e-8));
    if (!one.linear) continue;
    CHECK(a.value == Approx(law(0, 0).value + a.by_y * y + a.by_slope * v));
  }
}

TEST_CASE("equations of Cash and Mazzia are in lanes what they are at one point",
          "[catalogue][cash-mazzia][lanes]") {
  constexpr int count = 19;
  for (int number = 1; number <= 35; ++number) {
    const DaeProblem& problem = *numbered(number, 0.2).equations;
    const auto together = problem.evaluation(), one_by_one = problem.evaluation();
    const int n = problem.sizes().nq;
    const bool has_f_x = problem.structure().has_f_jacobian;
    const Ask what = has_f_x ? Ask::f | Ask::f_q : Ask::f;
    std::vector<double> t, x(static_cast<std::size_t>(n * count));
    for (int p = 0; p < count; ++p) {
      t.push_back(0.05 * p);
      for (int i = 0; i < n; ++i) {
        x[static_cast<std::size_t>(i * count + p)] = 1.1 + std::sin(i + 0.3 * p);
      }
    }
    const Terms& found =
        together->evaluate(what, {count, count, t.data(), x.data(), nullptr, nullptr});
    for (int p = 0; p < count; ++p) {
      CAPTURE(number, p);
      std::vector<double> point;
      for (int i = 0; i < n; ++i) point.push_back(x[static_cast<std::size_t>(i * count + p)]);
      const Terms& one = one_by_one->evaluate(
          what, {1, 1, &t[static_cast<std::size_t>(p)], point.data(), nullptr, nullptr});
      for (int i = 0; i < n; ++i) {
        CHECK(found.f[i * found.stride + p] == Approx(one.f[i]).epsilon(1e-13).margin(1e-13));
      }
      for (int i = 0; i < n * n && has_f_x; ++i) {
        CHECK(found.f_q[i * found.stride + p] == Approx(one.f_q[i]).epsilon(1e-13).margin(1e-13));
      }
    }
  }
}

TEST_CASE(
    "problems of Cash and Mazzia with thin layers, peaks and steps are solved to the tolerance",
    "[catalogue][cash-mazzia]") {
  constexpr double tolerance = 1e-6;
  for (const CashMazzia& one : of_one_unknown()) {
    if (one.exact == nullptr || one.number == 20) continue;
    const double e = one.number == 16 ? 1.0 / 33 : 1e-4;
    CAPTURE(one.number, e);
    const bvp::BoundaryProblem problem = numbered(one.number, e);
    const bvp::Solution solution = bvp::solve(problem, {.tolerance = tolerance});
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    const auto x = [&](double t) { return solution.x(t); };
    CHECK(largest_difference(x, problem.exact, solution.mesh()) <= tolerance);
    if (!one.linear) continue;
    const auto& entry = problems::entry_named(numbered(one.number) + "-linear");
    const bvp::Solution linear =
        bvp::solve(problems::make(entry, {{"e", e, ""}}).dae, {.tolerance = tolerance});
    INFO(linear.report.full());
    REQUIRE(linear.report.usable());
    const auto of_linear = [&](double t) { return linear.x(t); };
    CHECK(largest_difference(of_linear, problem.exact, solution.mesh()) <= tolerance);
  }
}

TEST_CASE("problems of Cash and Mazzia without known solutions agree with much smaller tolerances",
          "[catalogue][cash-mazzia]") {
  struct Case {
    int number;
    double e;
  };
  for (const auto [number, e] :
       {Case{15, 1e-3}, Case{19, 1e-2}, Case{22, 1e-3}, Case{23, 0.1}, Case{24, 0.1},
        Case{25, 1e-3}, Case{26, 1e-2}, Case{27, 1e-2}, Case{28, 1e-3}, Case{29, 1e-2},
        Case{30, 1e-2}, Case{31, 1e-2}, Case{32, 1e-3}, Case{33, 1e-2}, Case{34, 3.5}}) {
    CAPTURE(number, e);
    constexpr double tolerance = 1e-6;
    const bvp::BoundaryProblem problem = numbered(number, e);
    const bvp::Solution solution = bvp::solve(problem, {.tolerance = tolerance});
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    const bvp::Solution better = bvp::solve(problem, {.tolerance = 1e-9, .stages = 5});
    INFO(better.report.full());
    REQUIRE(better.report.usable());
    const double off = largest_difference([&](double t) { return solution.x(t); },
                                          [&](double t) { return better.x(t); }, better.mesh());
    CHECK(off <= tolerance);
  }
}

TEST_CASE("the lower solution of Bratu's problem is found close to where both meet",
          "[catalogue][cash-mazzia]") {
  // y(1/2) = 2 ln cosh(c), c the smaller root of c = sqrt(e / 8) cosh c, by Newton.
  const double e = 3.5;
  double c = 1;
  const double s = std::sqrt(e / 8);
  for (int i = 0; i < 20; ++i) c -= (c - s * std::cosh(c)) / (1 - s * std::sinh(c));
  const bvp::Solution solution = bvp::solve(numbered(34, e), {.tolerance = 1e-9});
  REQUIRE(solution.report.usable());
  CHECK(solution.x(0.5)[0] == Approx(2 * std::log(std::cosh(c))).epsilon(1e-8));
}

}  // namespace daewave::catalogue
