#include "core/start/linear_start.hpp"

#include <cmath>
#include <string>

#include "core/adapt/problem_of.hpp"
#include "core/derivatives/linear_derivatives.hpp"
#include "core/error.hpp"
#include "core/problem/linear_as_semi_explicit.hpp"
#include "core/start/problem_start.hpp"
#include "problems/ap91.hpp"
#include "tests/catch.hpp"
#include "tests/linear_initial_values.hpp"

using namespace daewave;

namespace {

/// (B y)(begin) of the same problem by the differentiated constraint.
template <class P>
StartPolynomial initial_By(const P& problem, const VecX& x0) {
  const auto dae = erase(problem);
  const double begin = dae->interval().begin;
  return exact_start_By(*problem_of(LinearAsSemiExplicit(dae), initial_state(*dae), begin), x0,
                        begin, 0);
}

template <class P>
void check_start(const P& problem) {
  const double begin = problem.interval().begin;
  const VecX x0 = initial_state(*erase(problem));
  CHECK((x0 - problem.x_exact(begin)).cwiseAbs().maxCoeff() < 1e-13);
  const StartPolynomial By = initial_By(problem, x0);
  REQUIRE(By.ok());
  CHECK((By(begin) - problem.By_exact(begin)).cwiseAbs().maxCoeff() < 1e-12);
}

std::string refused(const LinearDae& problem) {
  try {
    initial_state(problem);
  } catch (const InvalidProblem& error) {
    return error.what();
  }
  return "not refused";
}

/// Turning from where C B vanishes: C and B carry a factor sin t.
struct SingularStart : Turning {
  Vec<2> B(double t) const { return Turning::B(t) * std::sin(t); }
  Mat<1, 2> C(double t) const { return Turning::C(t) * std::sin(t); }
};

/// Without C_t and r_t.
struct NoDerivatives {
  Turning turning{1};
  Interval interval() const { return turning.interval(); }
  Mat<2, 2> A(double t) const { return turning.A(t); }
  Vec<2> B(double t) const { return turning.B(t); }
  Vec<2> q(double t) const { return turning.q(t); }
  Mat<1, 2> C(double t) const { return turning.C(t); }
  Vec<1> r(double t) const { return turning.r(t); }
  Boundary boundary() const { return turning.boundary(); }
};

}  // namespace

TEST_CASE("x and B y at the begin follow from the problem", "[start][AL1-4.7]") {
  check_start(Al1Example2{});
  check_start(problems::Ap91{1});
  check_start(problems::Ap91{50});
  check_start(LinFromLeft{{2}});
  check_start(LinBlocksFromLeft{{2, 3}});
  check_start(Turning{});
}

TEST_CASE("conditions in other units give the same start", "[start]") {
  struct Millimetres : Turning {
    Boundary boundary() const { return initial_conditions(MatX{{0, 1e9}}, VecX::Zero(1)); }
  };
  CHECK((initial_state(*erase(Millimetres{})) - Vec<2>{1, 0}).norm() < 1e-14);
}

TEST_CASE("an exact start uses derivatives by differences where they are asked for", "[start]") {
  const StartPolynomial By = initial_By(with_differences(NoDerivatives{}), Vec<2>{1, 0});
  REQUIRE(By.ok());
  CHECK((By(0) - Turning{}.By_exact(0)).cwiseAbs().maxCoeff() < 1e-9);
}

TEST_CASE("B y at the begin is refused where it does not exist", "[start]") {
  CHECK_THROWS_WITH(LinearAsSemiExplicit(erase(NoDerivatives{})),
                    contains_text("with_differences"));
  const Vec<2> x0{1, 0};
  const auto regular = problem_of(LinearAsSemiExplicit(erase(Turning{})), x0);
  CHECK_THROWS_AS(daewave::check_start(*regular, Vec<3>{1, 0, 0}, 0), InvalidProblem);
  const LinearAsSemiExplicit singular(erase(SingularStart{}));
  const StartPolynomial By = exact_start_By(*problem_of(singular, x0), x0, 0, 0);
  CHECK_FALSE(By.ok());
  CHECK_THAT(By.failure, contains_text("rank 0 of 1"));
}

TEST_CASE("a condition away from the begin is named", "[start]") {
  CHECK_THAT(refused(*erase(problems::Al1Example1{})),
             contains_text("boundary condition 1 couples both ends"));
  CHECK_THAT(refused(*erase(problems::Lin{2})),
             contains_text("boundary condition 3 acts at the end"));
}

TEST_CASE("conditions that do not determine the start are refused", "[start]") {
  struct TooFew : Turning {
    Boundary boundary() const { return initial_conditions(MatX::Zero(0, 2), VecX(0)); }
  };
  struct Dependent : Turning {
    Boundary boundary() const { return initial_conditions(MatX{{1, 0}}, VecX::Ones(1)); }
  };
  CHECK(refused(*erase(Turning{})) == "not refused");
  CHECK(refused(*erase(TooFew{})) != "not refused");
  CHECK(refused(*erase(Dependent{})) != "not refused");
}
