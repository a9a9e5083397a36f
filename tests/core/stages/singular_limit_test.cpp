#include "core/stages/singular_limit.hpp"

#include <cmath>

#include "problems/al1.hpp"
#include "tests/catch.hpp"
#include "tests/core/singular_coefficients.hpp"

namespace daewave {

// The formula errs by d^4 / 6 of the fourth derivative with d = 2e-3, some 1e-11 for coefficients
// of size one, and by rounding / d^2 = 1e-10 where B and C both vanish; at an end the extrapolation
// has weights of up to 6 and twenty-four times the error.
constexpr double accuracy = 1e-9;

TEST_CASE("P and B E r have their limits where C B is singular, inside and at the ends",
          "[srm][AL1-H1]") {
  for (const double t_star : {0.0, 0.4, 1.0}) {
    for (const testing::SingularKind& kind : testing::singular_kinds(t_star)) {
      CAPTURE(t_star, kind.name);
      // The initial point of a problem may not be singular, that of its coefficients may.
      const testing::ManufacturedDae problem = testing::singular_dae(kind, {0, 1});
      const ProjectorLimit limit = projector_limit(*erase(problem), t_star);
      REQUIRE(limit.finite);
      const MatX P = testing::smooth_projector(t_star);
      CHECK((limit.P - P).cwiseAbs().maxCoeff() < accuracy);
      // With r = -C x: B E r = -P x.
      const VecX BEr = -P * problem.x_exact(t_star);
      CHECK((limit.BEr - BEr).cwiseAbs().maxCoeff() < accuracy);
      CHECK(limit.distance > 0);
    }
  }
}

TEST_CASE("the limit of [AL1] Example 1 is its constant projector", "[srm][AL1-H1]") {
  const problems::Al1Example1 problem;
  const ProjectorLimit limit = projector_limit(*erase(problem), 0.5);
  REQUIRE(limit.finite);
  const MatX P{{0, 0}, {1, 1}};
  CHECK((limit.P - P).cwiseAbs().maxCoeff() < accuracy);
  CHECK(limit.BEr[1] == Approx(-std::exp(-0.5) - std::sin(0.5)).margin(accuracy));
}

TEST_CASE("a regular point is its own limit, on intervals of any length", "[srm]") {
  const testing::SingularKind kind = testing::singular_kinds(-5)[1];
  for (const double length : {1e-3, 1.0, 1000.0}) {
    const auto problem = testing::singular_dae(kind, {0, length});
    for (const double part : {0.0, 0.3, 1.0}) {
      const ProjectorLimit limit = projector_limit(*erase(problem), part * length);
      CAPTURE(length, part);
      CHECK((limit.P - testing::smooth_projector(part * length)).cwiseAbs().maxCoeff() < 1e-8);
    }
  }
}

namespace {

/// B and C vanish at t = 0.3, where x2 has a peak.
struct PeakAtZero {
  double width = 1e-3;
  double peak(double t) const { return std::sin(t) + std::exp(-std::pow((t - 0.3) / width, 2)); }
  Interval interval() const { return {0, 1}; }
  Mat<2, 2> A(double) const { return Mat<2, 2>::Zero(); }
  Vec<2> B(double t) const { return {0, t - 0.3}; }
  Vec<2> q(double) const { return {0, 0}; }
  Mat<1, 2> C(double t) const { return {0, t - 0.3}; }
  Vec<1> r(double t) const { return Vec<1>{-(t - 0.3) * peak(t)}; }
  Boundary boundary() const { return initial_conditions(MatX{{1, 0}}, VecX{{1}}); }
};

}  // namespace

TEST_CASE("a limit sees what is narrower than most distances that it could be taken from",
          "[srm]") {
  for (const double width : {1e-2, 1e-3, 1e-4, 3e-5}) {
    const PeakAtZero problem{width};
    const ProjectorLimit limit = projector_limit(*erase(problem), 0.3);
    CAPTURE(width, limit.distance, limit.uncertainty);
    REQUIRE(limit.finite);
    const double error = std::abs(limit.BEr[1] + problem.peak(0.3));
    CHECK(error < 1e-7);
    CHECK(error <= limit.uncertainty);
  }
}

namespace {

/// B = C^T = (1, 0), r = -1: P is constant. Notes where it was asked for, in the order of the
/// calls.
struct NotesTimes {
  Interval span{0, 1};
  std::vector<double>* asked = nullptr;
  int* derivatives = nullptr;
  Interval interval() const { return span; }
  Mat<2, 2> A(double) const { return Mat<2, 2>::Zero(); }
  Vec<2> B(double t) const {
    asked->push_back(t);
    return {1, 0};
  }
  Vec<2> q(double) const { return {0, 0}; }
  Mat<1, 2> C(double) const { return {1, 0}; }
  Vec<1> r(double) const { return Vec<1>{-1}; }
  Mat<1, 2> C_t(double) const {
    ++*derivatives;
    return {0, 0};
  }
  Vec<1> r_t(double) const { return Vec<1>{0}; }
  Boundary boundary() const { return initial_conditions(MatX{{0, 1}}, VecX{{1}}); }
};

/// Distances from t of the points that the first limit is taken from, in its unit.
std::vector<double> first_distances(const Interval& span, double t) {
  std::vector<double> asked;
  int derivatives = 0;
  const NotesTimes problem{.span = span, .asked = &asked, .derivatives = &derivatives};
  const auto erased = erase(problem);
  asked.clear();
  derivatives = 0;
  const ProjectorLimit limit = projector_limit(*erased, t);
  CHECK(limit.finite);
  CHECK(derivatives == 0);
  CHECK((limit.P - MatX{{1, 0}, {0, 0}}).norm() < 1e-12);
  CHECK((limit.BEr - VecX{{-1, 0}}).norm() < 1e-12);
  for (const double time : asked) {
    CHECK(time >= span.begin);
    CHECK(time <= span.end);
  }
  const double unit = 1e-6 * std::min(1.0, span.length());
  std::vector<double> distances;
  for (int i = 0; i < 6; ++i) distances.push_back(std::round((asked.at(i) - t) / unit * 100) / 100);
  return distances;
}

}  // namespace

TEST_CASE("a limit is taken from both sides, and from inside where an end is near", "[srm]") {
  const std::vector<double> both{-1, 1, -2, 2, -3, 3}, right{1, 2, 3, 4, 5, 6},
      left{-1, -2, -3, -4, -5, -6};
  CHECK(first_distances({0, 1}, 0.5) == both);
  CHECK(first_distances({0, 1}, 0) == right);
  CHECK(first_distances({0, 1}, 1) == left);
  CHECK(first_distances({0, 1}, 2.9e-6) == right);
  CHECK(first_distances({0, 1}, 3.1e-6) == both);
  CHECK(first_distances({0, 1}, 1 - 2.9e-6) == left);
  CHECK(first_distances({0, 1}, 1 - 3.1e-6) == both);
  CHECK(first_distances({0, 1e-3}, 0.5e-3) == both);
  CHECK(first_distances({0, 100}, 50) == both);
}

}  // namespace daewave
