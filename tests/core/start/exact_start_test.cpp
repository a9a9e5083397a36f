#include "core/start/exact_start.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "core/start/problem_start.hpp"
#include "problems/al2.hpp"
#include "problems/slider_crank.hpp"
#include "tests/catch.hpp"
#include "tests/core/small_mechanisms.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave {
namespace {

using namespace testing;

/// What problem_start.hpp promises: y to rounding, y' to 1e-9, y'' to 1e-6.
void check_derivatives_of_start(const StartPolynomial& start, const VecX& y, const VecX& dy,
                                const VecX& ddy) {
  REQUIRE(start.failure == "");
  const auto gap = [](const VecX& a, const VecX& b) {
    return (a - b).cwiseAbs().maxCoeff() / (1 + b.cwiseAbs().maxCoeff());
  };
  CHECK(gap(start.derivatives[0], y) < 1e-12);
  CHECK(gap(start.derivatives[1], dy) < 1e-9);
  CHECK(gap(start.derivatives[2], ddy) < 1e-6);
}

// q2 has no mass, and q2 = q1^2 binds it: v' and lambda exist.
struct Massless : Pendulum {
  Eigen::DiagonalMatrix<double, 2> M(const Position&) const {
    return Eigen::DiagonalMatrix<double, 2>(Position{1, 0});
  }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    return VecOf<T, 1>(q[1] - q[0] * q[0]);
  }
};

}  // namespace

TEST_CASE("the start of index 2 agrees with the exact multiplier", "[exact-start]") {
  const problems::Al2Example61 example;
  const DaeProblemPtr problem = problem_of(example);
  for (const double t : {0.0, 0.4}) {
    const VecX y = example.y_exact(t);  // e^t is all its derivatives.
    check_derivatives_of_start(exact_start_y(*problem, example.z_exact(t), t, 2), y, y, y);
    // B y = (1, e^t sin t).
    const double e = std::exp(t), s = std::sin(t), c = std::cos(t);
    check_derivatives_of_start(exact_start_By(*problem, example.z_exact(t), t, 2), Vec<2>{1, e * s},
                               Vec<2>{0, e * (s + c)}, Vec<2>{0, 2 * e * c});
  }
}

TEST_CASE("the start of index 3 with a B of its own agrees with the exact multiplier",
          "[exact-start]") {
  const DaeProblemPtr problem = problem_of(with_autodiff(OnCircle{}));
  const double t = 0.3, e = std::exp(t), s = std::sin(t), c = std::cos(t);
  const VecX y = Vec<1>{e}, z = OnCircle().z_exact(t);
  check_derivatives_of_start(exact_start_y(*problem, z, t, 2), y, y, y);
  check_derivatives_of_start(exact_start_By(*problem, z, t, 2), Vec<2>{e * c, 2 * e * s},
                             Vec<2>{e * (c - s), 2 * e * (s + c)}, Vec<2>{-2 * e * s, 4 * e * c});
}

TEST_CASE("the start of a multibody system agrees with the exact multiplier", "[exact-start]") {
  const problems::Al2Example64 example;
  const double t = 0.3;
  check_derivatives_of_start(exact_start_y(*problem_of(example), example.z_exact(t), t, 2),
                             Vec<1>{std::cos(t)}, Vec<1>{-std::sin(t)}, Vec<1>{-std::cos(t)});
}

TEST_CASE("the start of a pendulum follows from its equations", "[exact-start]") {
  // lambda = |v|^2 - g q2, lambda' = -3 g v2, lambda'' = -3 g (-g - lambda q2); B y = lambda q.
  const Vec<4> z{0.6, -0.8, 0.8, 0.6};
  const double g = Pendulum::gravity, lambda = 1 + 0.8 * g;
  const double first = -3 * g * 0.6, second = -3 * g * (-g + 0.8 * lambda);
  const DaeProblemPtr problem = problem_of(with_autodiff(Pendulum{}));
  check_derivatives_of_start(exact_start_y(*problem, z, 0, 2), Vec<1>{lambda}, Vec<1>{first},
                             Vec<1>{second});
  const Vec<2> q = z.head(2), v = z.tail(2), a = Vec<2>{0, -g} - lambda * q;
  check_derivatives_of_start(exact_start_By(*problem, z, 0, 2), lambda * q, first * q + lambda * v,
                             second * q + 2 * first * v + lambda * a);
}

TEST_CASE("the multipliers of velocity constraints start with those of g", "[exact-start]") {
  // With u = x' cos phi + y' sin phi, r = phi' constant and w' = 0: mu = sin phi + u r, and
  // u' = cos phi, so mu' = 2 r cos phi.
  const DaeProblemPtr problem = problem_of(with_autodiff(PlaneSkate{}));
  const double phi = 0.5, r = 1.5, u = 2;
  const Vec<6> z{0, 0, phi, u * std::cos(phi), u * std::sin(phi), r};
  const StartPolynomial start = exact_start_y(*problem, z, 0, 2);
  for (const VecX& derivative : start.derivatives) REQUIRE(derivative.size() == 1);
  CHECK(start.derivatives[0][0] == Approx(std::sin(phi) + u * r));
  CHECK(start.derivatives[1][0] == Approx(2 * r * std::cos(phi)).epsilon(1e-9));
  CHECK(start.derivatives[2][0] == Approx(-2 * r * r * std::sin(phi)).epsilon(1e-6));
}

TEST_CASE("the polynomial is that of Taylor, of the degree asked for", "[exact-start]") {
  const problems::Al2Example61 example;
  const DaeProblemPtr problem = problem_of(example);
  for (const int degree : {-1, 0, 1, 2}) {
    CAPTURE(degree);
    const auto start = exact_start_y(*problem, example.z_exact(0), 0, degree);
    CHECK(start.ok());
    CHECK(start.degree == degree);
    double taylor = 0, term = 1;
    for (int i = 0; i <= degree; term *= 0.1 / ++i) taylor += term;
    CHECK(start(0.1)[0] == Approx(taylor).epsilon(1e-9).margin(1e-15));
  }
}

namespace {

/// Example 6.1 with an f of its own from `begin` to `end` alone.
struct Guarded : problems::Al2Example61 {
  double begin = 0, end = INFINITY;

  State f(const State& x, double t) const {
    return t < begin || t > end ? State{NAN, NAN} : problems::Al2Example61::f(x, t);
  }
};

}  // namespace

TEST_CASE("nothing is asked for before the start", "[exact-start]") {
  const DaeProblemPtr problem = problem_of(Guarded{});
  const VecX y = VecX::Ones(1);
  check_derivatives_of_start(exact_start_y(*problem, Guarded().z_exact(0), 0, 2), y, y, y);
}

TEST_CASE("six steps ahead of the start are asked for, and nothing behind them", "[exact-start]") {
  // y = t^2 along z' = 1, which is z itself less where it began.
  double last = 0;
  const detail::Flow flow = [&last](const VecX& z, double t, VecX& slope, VecX& y, VecX& By,
                                    std::string&) {
    last = std::max(last, t);
    CHECK(z[0] == Approx(5 + t - 2).epsilon(1e-13));
    slope = VecX::Ones(1);
    y = By = VecX::Constant(1, t * t);
    return true;
  };
  const double longest = 0.25;
  const detail::StartDerivatives found =
      detail::start_derivatives(flow, VecX::Constant(1, 5), 2, 2, longest);
  CHECK(last == 2 + 6 * longest);
  CHECK(found.y[0][0] == 4);
  CHECK(found.y[1][0] == Approx(4).epsilon(1e-10));
  CHECK(found.By[2][0] == Approx(2).epsilon(1e-8));
}

TEST_CASE("steps that leave the domain of a problem are not used", "[exact-start]") {
  Guarded early;
  early.begin = -INFINITY;
  early.end = 0.03;
  const VecX y = VecX::Ones(1);
  check_derivatives_of_start(exact_start_y(*problem_of(early), early.z_exact(0), 0, 2), y, y, y);
}

TEST_CASE("a singular start has no multiplier, and tells so", "[exact-start]") {
  const problems::SliderCrank slider;
  const VecX upright = slider.state(std::numbers::pi / 2, 1);
  const DaeProblemPtr crank = problem_of(slider);
  const auto start = exact_start_y(*crank, upright, 0, 1);
  CHECK_FALSE(start.ok());
  CHECK(start.degree == -1);
  CHECK(start(1).isZero());
  CHECK_THAT(start.failure, contains_text("rank 4 of 5"));
  CHECK_FALSE(exact_start_By(*crank, upright, 0, 0).ok());
}

TEST_CASE("a massless coordinate has a multiplier but no B y", "[exact-start]") {
  const DaeProblemPtr problem = problem_of(with_autodiff(Massless{}));
  const Vec<4> z{0.5, 0.25, 1, 1};
  const auto y = exact_start_y(*problem, z, 0, 0);
  CHECK(y.ok());
  CHECK(y.derivatives[0][0] == Approx(-9.81));  // 0 = - 9.81 - lambda.
  const auto By = exact_start_By(*problem, z, 0, 0);
  CHECK_FALSE(By.ok());
  CHECK_THAT(By.failure, contains_text("M is singular"));
}

TEST_CASE("what is not finite at the start is named", "[exact-start]") {
  const auto start = exact_start_y(*problem_of(problems::Al2Example61{}), Vec<2>{NAN, 0}, 0, 1);
  CHECK_FALSE(start.ok());
  CHECK_THAT(start.failure, contains_text("not finite"));
}

TEST_CASE("a degree of the start that does not exist is refused", "[exact-start]") {
  const problems::Al2Example61 example;
  const DaeProblemPtr problem = problem_of(example);
  for (const int degree : {-2, 3}) {
    CHECK_THROWS_AS(exact_start_y(*problem, example.z_exact(0), 0, degree), InvalidOption);
    CHECK_THROWS_WITH(exact_start_By(*problem, example.z_exact(0), 0, degree),
                      contains_text("must be -1"));
  }
}

}  // namespace daewave
