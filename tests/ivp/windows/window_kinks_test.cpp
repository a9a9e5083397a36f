// Windows of motions whose forces are not smooth.

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/adapt/problem_of.hpp"
#include "ivp/solve.hpp"
#include "ivp/windows/window_places.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

/// On y = cosh x under gravity, with a drag of 0.3 v|v| in each direction, whose derivative has a
/// kink where v changes its sign.
struct DraggedBead {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position& v, double) const {
    return {-0.3 * v[0] * std::abs(v[0]), -9.81 - 0.3 * v[1] * std::abs(v[1])};
  }
  Multiplier g(const Position& q, double) const { return Multiplier(q[1] - std::cosh(q[0])); }
  Mat<1, 2> G(const Position& q, double) const { return {-std::sinh(q[0]), 1}; }
  Multiplier g_t(const Position&, double) const { return Multiplier(0.0); }
  Multiplier curvature(const Position& q, const Position& v, double) const {
    return Multiplier(-std::cosh(q[0]) * v[0] * v[0]);
  }
};

/// On a circle of radius 1/6, dragged by 0.3 v|v| along x, and pushed by a force that turns at
/// 0.7123.
struct DraggedPendulum {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double push = 0;
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position& v, double t) const {
    return {(t < 0.7123 ? push : -push) - 0.3 * v[0] * std::abs(v[0]), -9.81};
  }
  Multiplier g(const Position& q, double) const {
    return Multiplier((q.squaredNorm() - 1.0 / 36) / 2);
  }
  Mat<1, 2> G(const Position& q, double) const { return q.transpose(); }
  Multiplier g_t(const Position&, double) const { return Multiplier(0.0); }
  Multiplier curvature(const Position&, const Position& v, double) const {
    return Multiplier(v.squaredNorm());
  }
};

/// What f, of [-1, 1], misses at the places of a window beside the polynomial through its nodes.
template <class F>
std::vector<double> missed_of(const F& f) {
  const WindowFormula& formula = window_formula();
  const WindowPlaces& places = window_places();
  std::vector<double> missed(WindowPlaces::count);
  for (int p = 0; p < WindowPlaces::count; ++p) {
    double value = 0;
    for (int k = 0; k < WindowFormula::nodes; ++k) {
      double coefficient = 0;
      for (int j = 0; j < WindowFormula::nodes; ++j) {
        coefficient += formula.coefficient[j][k] * f(2 * formula.c[j] - 1);
      }
      value += places.value[k][p] * coefficient;
    }
    missed[p] = f(2 * places.theta[p] - 1) - value;
  }
  return missed;
}

}  // namespace

TEST_CASE("at the places of a window nothing is left of what is smooth", "[windows]") {
  // Polynomials of degree 12 miss P_8 times one of degree 4; of degree 13 something is left.
  for (int degree = 0; degree <= 13; ++degree) {
    const auto power = [degree](double x) { return std::pow(x, degree); };
    const double left = left_at_places(missed_of(power), {1}, 0);
    CAPTURE(degree, left);
    CHECK((left < 1e-14) == (degree <= 12));
    CHECK(left_at_places(missed_of(power), {1}, 1) <= 0);
  }
}

TEST_CASE("what is left at the places of a window tells of the error of a kink in it",
          "[windows]") {
  // (x - c)^order where x > c: the integral by the nodes is off by a part of what is left. Where c
  // is close to an end, both are next to nothing.
  const WindowFormula& formula = window_formula();
  for (const int order : {0, 1, 2}) {
    int told = 0, all = 0;
    for (double c = -0.75; c < 0.75; c += 0.013) {
      const auto kink = [&](double x) { return x > c ? std::pow(x - c, order) : 0.0; };
      double sum = 0;
      for (int j = 0; j < WindowFormula::nodes; ++j) {
        sum += 2 * formula.b[j] * kink(2 * formula.c[j] - 1);
      }
      const double error = std::abs(sum - std::pow(1 - c, order + 1) / (order + 1)) / 2;
      const double left = left_at_places(missed_of(kink), {1}, 0);
      CAPTURE(order, c, error, left);
      CHECK(error < 1.5 * left);
      CHECK(left < 2);
      ++all;
      if (error <= 0.4 * left) ++told;
    }
    CHECK(told > 0.9 * all);
  }
}

TEST_CASE("kinks that are small beside what is smooth are seen down to the tolerance",
          "[windows]") {
  VecX start(4);
  start << std::sqrt(0.75) / 6, 0.5 / 6, 0, 0;
  for (const double push : {0.0, 0.5}) {
    const DaeProblemPtr problem = problem_of(DraggedPendulum{push}, start);
    Options options{.method = SBoth2{.formula = {Stepper::dop853, {}}}, .rtol = 1e-13, .every = 0};
    const VecX reference = solve(*problem, start, {0, 1.56}, options).end();
    options.method = GaussWindows{};
    for (const double rtol : {1e-7, 1e-8, 1e-9, 1e-10, 1e-11}) {
      options.rtol = rtol;
      options.atol = rtol;
      const Solution solution = solve(*problem, start, {0, 1.56}, options);
      CAPTURE(push, rtol, solution.report.full());
      CHECK(solution.report.usable());
      CHECK((solution.end() - reference).cwiseAbs().maxCoeff() <= 60 * rtol);
    }
  }
}

TEST_CASE("windows over kinks of the forces keep their tolerance", "[windows]") {
  VecX start(4);
  start << 1, std::cosh(1.0), 0, 0;
  const DaeProblemPtr problem = problem_of(DraggedBead{}, start);
  Options options{.method = SBoth2{.formula = {Stepper::dop853, {}}}, .rtol = 1e-13, .every = 0};
  const VecX reference = solve(*problem, start, {0, 4}, options).end();
  options.method = GaussWindows{};
  for (const double rtol : {1e-6, 1e-8, 1e-9, 1e-11}) {
    options.rtol = rtol;
    const Solution solution = solve(*problem, start, {0, 4}, options);
    CAPTURE(rtol, solution.report.full());
    CHECK(solution.report.usable());
    CHECK((solution.end() - reference).cwiseAbs().maxCoeff() <= 100 * rtol);
  }
}

}  // namespace daewave::ivp
