#include "ivp/linear/initial_values.hpp"

#include "core/derivatives/linear_derivatives.hpp"
#include "core/error.hpp"
#include "ivp/linear/step_local_linear.hpp"
#include "problems/ap91.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/initial_value_problems.hpp"

using namespace daewave;

namespace {

template <class P>
void check_start(const P& problem) {
  const auto dae = erase(problem);
  const double begin = dae->interval().begin;
  const VecX x0 = ivp::initial_state(*dae);
  CHECK((x0 - problem.x_exact(begin)).cwiseAbs().maxCoeff() < 1e-13);
  CHECK((ivp::initial_By(*dae, x0) - problem.By_exact(begin)).cwiseAbs().maxCoeff() < 1e-12);
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

TEST_CASE("x and B y at the begin follow from the problem", "[ivp][AL1-4.7]") {
  check_start(Al1Example2{});
  check_start(problems::Ap91{1});
  check_start(problems::Ap91{50});
  check_start(LinFromLeft{{2}});
  check_start(LinBlocksFromLeft{{2, 3}});
  check_start(Turning{});
}

TEST_CASE("conditions in other units give the same start", "[ivp]") {
  struct Millimetres : Turning {
    Boundary boundary() const { return initial_conditions(MatX{{0, 1e9}}, VecX::Zero(1)); }
  };
  CHECK((ivp::initial_state(*erase(Millimetres{})) - Vec<2>{1, 0}).norm() < 1e-14);
}

TEST_CASE("an exact start leaves no initial layer", "[ivp][AL1-4.2]") {
  const auto first_error = [](bool exact) {
    double error = 0;
    ivp::LinearOptions options;
    options.steps = 1000;
    options.epsilon = 0.05;
    options.iterates = 2;
    options.exact_start = exact;
    ivp::solve(Al1Example2{}, options, [&](const ivp::LinearStep& step) {
      error = (step.By - Al1Example2{}.By_exact(step.t_By)).cwiseAbs().maxCoeff();
      return false;
    });
    return error;
  };
  CHECK(first_error(false) > 0.9);
  // By_exact changes by |sin t| < 1e-3 within the first step.
  CHECK(first_error(true) < 1e-3);
}

TEST_CASE("an exact start uses derivatives by differences where they are asked for", "[ivp]") {
  const auto dae = erase(with_differences(NoDerivatives{}));
  const VecX By = ivp::initial_By(*dae, ivp::initial_state(*dae));
  CHECK((By - Turning{}.By_exact(0)).cwiseAbs().maxCoeff() < 1e-9);
}

TEST_CASE("B y at the begin is refused where it does not exist", "[ivp]") {
  const auto plain = erase(NoDerivatives{});
  CHECK_THROWS_WITH(ivp::initial_By(*plain, Vec<2>{1, 0}), contains_text("with_differences"));
  CHECK_THROWS_AS(ivp::initial_By(*erase(Turning{}), Vec<3>{1, 0, 0}), InvalidOption);
  CHECK_THROWS_WITH(ivp::initial_By(*erase(SingularStart{}), Vec<2>{1, 0}),
                    contains_text("C B at the begin t = 0 has the relative pivot"));
  ivp::LinearOptions options;
  options.steps = 10;
  options.exact_start = true;
  CHECK_THROWS_AS(ivp::solve(plain, options), InvalidProblem);
}
