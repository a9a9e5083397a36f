// Sequential regularization by collocation on Example 6.1 of [AL2], whose G = B^T turns with x.

#include <algorithm>
#include <cmath>
#include <concepts>
#include <memory>
#include <string>

#include "core/regularize/regularize_problem.hpp"
#include "ivp/run/integrate.hpp"
#include "ivp/srm/srm_step.hpp"
#include "ivp/srm/srm_sweeps.hpp"
#include "problems/al2.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

using Problem = problems::Al2Example61;
static_assert(std::derived_from<SrmStep, Step>);

std::unique_ptr<RegularizedOde> regularized(double epsilon) {
  static const DaeProblemPtr problem = problem_of(Problem{});
  return regularize(*problem,
                    {.variant = Variant::direct, .weight = Weight::identity, .epsilon = epsilon});
}

struct Errors {
  double x = 0, y = 0;  ///< Largest for t >= 0.3: an initial layer is over.
  double drift = 0;     ///< At the end.
};

/// `iterates` from y_0 = 0 over [0, 1].
Errors errors_of(const Collocation& scheme, double epsilon, int iterates, int count) {
  const Problem problem;
  SrmStep step(regularized(epsilon), scheme, iterates);
  REQUIRE(step.start(0, problem.start()));
  Errors errors;
  for (int i = 0; i < count; ++i) {
    const double error = step.attempt((i + 1.0) / count - step.t());
    CAPTURE(step.failure(), epsilon, iterates, count);
    REQUIRE(error == 0);
    REQUIRE(step.accept());
    if (step.t() < 0.3) continue;
    VecX y;
    REQUIRE(step.multiplier(y));
    errors.x = std::max(errors.x, (step.state() - problem.z_exact(step.t())).norm());
    errors.y = std::max(errors.y, (y - problem.y_exact(step.t())).norm());
  }
  errors.drift = step.drift().position;
  return errors;
}

/// x of the last of two iterates at t = 1.
Vec<2> end_of(const Collocation& scheme, int count) {
  const Problem problem;
  SrmStep step(regularized(0.5), scheme, 2);
  REQUIRE(step.start(0, problem.start()));
  for (int i = 0; i < count; ++i) REQUIRE((step.attempt(1.0 / count) == 0 && step.accept()));
  return step.state();
}

}  // namespace

TEST_CASE("the iterates have the order of the scheme for h smaller than epsilon",
          "[srm-collocation]") {
  const Vec<2> reference = end_of(collocation(Scheme::gauss, 7), 20);
  for (const Scheme family : {Scheme::gauss, Scheme::radau}) {
    for (int k = 1; k <= 5; ++k) {
      CAPTURE(name_of(family), k);
      const Collocation scheme = collocation(family, k);
      const int count = k <= 2 ? 32 : k == 3 ? 16 : 8;  // Errors well above rounding.
      const double coarse = (end_of(scheme, count / 2) - reference).norm();
      const double fine = (end_of(scheme, count) - reference).norm();
      CHECK(std::log2(coarse / fine) > 0.94 * scheme.order);
    }
  }
}

TEST_CASE("each iterate gains a factor epsilon with collocation", "[srm-collocation][AL2-2.2]") {
  const Collocation scheme = collocation(Scheme::radau, 3);
  for (const int s : {1, 2, 3}) {
    CAPTURE(s);
    const double coarse = errors_of(scheme, 4e-3, s, 200).x;
    const double fine = errors_of(scheme, 2e-3, s, 200).x;
    CHECK(std::log2(coarse / fine) == Approx(s).margin(0.2));
  }
}

TEST_CASE("Radau takes steps ten thousand times epsilon", "[srm-collocation]") {
  // x = O(epsilon^s) and the errors of the formula for a DAE of index 2: those of y are of order k.
  // The first iterate starts from y_0 = 0, and is off by about epsilon y.
  const Collocation scheme = collocation(Scheme::radau, 3);
  for (const double epsilon : {1e-6, 1e-8}) {
    CAPTURE(epsilon);
    const Errors first = errors_of(scheme, epsilon, 1, 100);
    CHECK(first.x < 5 * epsilon);
    CHECK(first.x > 0.5 * epsilon);
    CHECK(errors_of(scheme, epsilon, 2, 100).drift < 1e-10);
    const Errors coarse = errors_of(scheme, epsilon, 3, 50);
    const Errors fine = errors_of(scheme, epsilon, 3, 100);
    CHECK(coarse.x < 1e-11);
    CHECK(fine.drift < 1e-15);
    // At 1e-8, rounding of g divided by epsilon shows in y.
    if (epsilon > 1e-7) CHECK(std::log2(coarse.y / fine.y) == Approx(3).margin(0.3));
    CHECK(fine.y < 1e-7);
  }
}

TEST_CASE("backward Euler and Radau with two stages keep their orders for h above epsilon",
          "[srm-collocation]") {
  for (const int k : {1, 2}) {
    CAPTURE(k);
    const Collocation scheme = collocation(Scheme::radau, k);
    const Errors coarse = errors_of(scheme, 1e-6, 3, 100);
    const Errors fine = errors_of(scheme, 1e-6, 3, 200);
    // Index 2, Radau IIA: 2k - 1 in x, k in y.                            [HW2] VI, VII.4
    CHECK(std::log2(coarse.x / fine.x) == Approx(2 * k - 1).margin(0.2));
    CHECK(std::log2(coarse.y / fine.y) == Approx(k).margin(0.2));
  }
}

TEST_CASE("step by step and sweep by sweep give the same bits by collocation",
          "[srm-collocation]") {
  const Problem problem;
  std::vector<double> steps;
  for (int i = 0; i < 40; ++i) steps.push_back(0.02 * (1 + 0.3 * std::sin(i)));
  const InitialIterate y_0 = [](double t, VecX& y) { y[0] = 1 + t; };
  for (const Scheme family : {Scheme::gauss, Scheme::radau}) {
    for (const int k : {1, 2, 3}) {
      for (const double epsilon : {1e-2, 1e-5}) {
        CAPTURE(name_of(family), k, epsilon);
        const Collocation scheme = collocation(family, k);
        SrmStep step(regularized(epsilon), scheme, 3, y_0);
        REQUIRE(step.start(0, problem.start()));
        SrmSweeps sweeps(regularized(epsilon), scheme, y_0);
        REQUIRE(sweeps.run(0, problem.start(), steps, 3));
        REQUIRE(sweeps.count() == 41);
        CHECK(sweeps.x(0) == step.state());
        for (int i = 0; i < 40; ++i) {
          REQUIRE(step.attempt(steps[static_cast<std::size_t>(i)]) == 0);
          REQUIRE(step.accept());
          CHECK(sweeps.t(i + 1) == step.t());
          CHECK(sweeps.x(i + 1) == step.state());
          CHECK(sweeps.carried(i + 1) == step.iterate(3).carried);
        }
      }
    }
  }
}

TEST_CASE("iterates by Radau control their errors, whatever epsilon is", "[srm-collocation]") {
  const Problem problem;
  for (const double epsilon : {1e-3, 1e-5, 1e-7}) {
    for (const double tol : {1e-4, 1e-6, 1e-8}) {
      CAPTURE(epsilon, tol);
      Options options;
      options.atol = options.rtol = tol;
      SrmStep step(regularized(epsilon), collocation(Scheme::radau, 3), 4, {},
                   Tolerance(options, 2), true);
      CHECK(step.error_order() == 3);
      const Solution solution = integrate(step, problem.start(), problem.interval(), options);
      REQUIRE(solution.report.usable());
      // Four iterates leave epsilon^4; some ten to twenty steps add their errors.
      CHECK((solution.end() - problem.z_exact(1)).norm() < 50 * tol);
      CHECK(solution.report.integration.steps < 50);
    }
  }
}

TEST_CASE("dense output of iterates joins the ends of steps", "[srm-collocation]") {
  const Problem problem;
  for (const Scheme family : {Scheme::gauss, Scheme::radau}) {
    CAPTURE(name_of(family));
    SrmStep step(regularized(1e-2), collocation(family, 3), 2);
    REQUIRE(step.start(0, problem.start()));
    VecX x;
    for (int i = 0; i < 10; ++i) {
      const VecX before = step.state();
      REQUIRE((step.attempt(0.1) == 0 && step.accept()));
      step.interpolate(0, x);
      CHECK((x - before).norm() < 1e-15);
      step.interpolate(1, x);
      CHECK((x - step.state()).norm() < 1e-14);
    }
  }
}

namespace {

/// x' = -y, y_s = y_{s-1} + x / epsilon; refuses from t = 0.5 on.
class Refusing final : public RegularizedOde {
 public:
  int size() const override { return 1; }
  int carried() const override { return 1; }
  const Regularization& form() const override { return form_; }
  bool evaluate(const VecX& x, double t, const VecX& before, VecX& slope, VecX& y) override {
    if (t >= 0.5) return false;
    y = before + x / 0.1;
    slope = -y;
    return true;
  }
  void residuals(double& position, double& velocity) override { position = velocity = 0; }
  long guarded() const override { return 0; }
  std::string failure() const override { return "refused beyond t = 0.5"; }
  std::unique_ptr<RegularizedOde> clone() const override {
    return std::make_unique<Refusing>(*this);
  }

 private:
  Regularization form_;
};

}  // namespace

TEST_CASE("an iterate that cannot be evaluated is named", "[srm-collocation]") {
  SrmStep step(std::make_unique<Refusing>(), collocation(Scheme::radau, 2), 2);
  REQUIRE(step.start(0, VecX::Ones(1)));
  for (int i = 0; i < 2; ++i) REQUIRE((step.attempt(0.2) == 0 && step.accept()));
  const VecX x = step.state();
  CHECK(std::isnan(step.attempt(0.2)));
  CHECK(step.failure() == "iterate 1: refused beyond t = 0.5");
  CHECK(step.state() == x);
  CHECK(step.t() == 0.4);
  CHECK(step.attempt(0.05) == 0);
}

}  // namespace daewave::ivp
