// Windows in trains: the same motions as by other methods, with few calls of the problem.

#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/adapt/problem_from_functions.hpp"
#include "core/adapt/problem_of.hpp"
#include "core/problem/dear_calls.hpp"
#include "ivp/solve.hpp"
#include "problems/acpr.hpp"
#include "problems/andrews.hpp"
#include "problems/pendulum.hpp"
#include "problems/slider_crank.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

/// A problem that says that its calls are dear, and counts them.
class Dear final : public DaeProblem, public DearCalls {
 public:
  explicit Dear(DaeProblemPtr of)
      : DaeProblem(of->kind(), of->sizes(), of->structure()), of_(std::move(of)) {}

  bool calls_are_dear() const override { return true; }
  std::unique_ptr<Evaluation> evaluation() const override {
    return std::make_unique<Counted>(of_->evaluation(), *calls_);
  }
  long calls() const { return *calls_; }

 private:
  class Counted final : public Evaluation {
   public:
    Counted(std::unique_ptr<Evaluation> of, long& calls) : of_(std::move(of)), calls_(calls) {}
    const Terms& evaluate(Ask what, const Points& at) override {
      ++calls_;
      return of_->evaluate(what, at);
    }

   private:
    std::unique_ptr<Evaluation> of_;
    long& calls_;
  };

  DaeProblemPtr of_;
  std::shared_ptr<long> calls_ = std::make_shared<long>(0);
};

struct Motion {
  const char* name;
  DaeProblemPtr problem;
  VecX start;
  double end;
};

template <class P>
Motion motion(const char* name, const P& problem, double end) {
  const VecX start = problem.start();
  return {name, problem_of(problem, start), start, end};
}

std::vector<Motion> motions() {
  return {motion("pendulum", problems::Pendulum{}, 5),
          motion("seven bodies", problems::Andrews{}, 0.02),
          motion("arm I", problems::AcprCase1{}, 2),
          motion("slider-crank", problems::SliderCrank{}, 1)};
}

TEST_CASE("windows in trains lead where other methods do", "[ivp][trains]") {
  for (const Motion& one : motions()) {
    INFO(one.name);
    const std::vector<double> times{0, 0.31 * one.end, 0.77 * one.end, one.end};
    const Solution exact = solve(*one.problem, one.start, {0, one.end},
                                 {.method = SBoth2{}, .rtol = 1e-12, .times = times});
    const Dear dear(one.problem);
    const Solution found = solve(dear, one.start, {0, one.end},
                                 {.method = GaussWindows{}, .rtol = 1e-9, .times = times});
    // Windows one by one, which keep the same tolerance.
    const Solution windows = solve(*one.problem, one.start, {0, one.end},
                                   {.method = GaussWindows{}, .rtol = 1e-9, .times = times});
    REQUIRE(exact.report.usable());
    REQUIRE(found.report.usable());
    REQUIRE(found.count() == exact.count());
    for (int i = 0; i < exact.count(); ++i) {
      const VecX z = exact.state(i), lambda = exact.multiplier(i);
      const double as_well = (windows.state(i) - z).norm();
      CHECK((found.state(i) - z).norm() <= 3 * as_well + 3e-7 * (1 + z.norm()));
      CHECK((found.multiplier(i) - lambda).norm() <= 1e-5 * (1 + lambda.norm()));
    }
    CHECK(found.report.integration.drift_position < 1e-8);
  }
}

TEST_CASE("where terms are linear, many windows are one look", "[ivp][trains]") {
  const Motion pendulum = motion("pendulum", problems::Pendulum{}, 20);
  const Dear dear(pendulum.problem);
  const Solution found =
      solve(dear, pendulum.start, {0, 20}, {.method = GaussWindows{}, .rtol = 1e-10});
  REQUIRE(found.report.usable());
  CHECK(found.report.integration.steps > 60);
  CHECK(dear.calls() < found.report.integration.steps);
}

/// A bead on a wire y = sin(x) that is lifted, 0 = y - sin(x) - a sin(w t), pushed by F(t).
DaeProblemPtr bead(double a, double w, double jump, bool dear) {
  ProblemFunctions of{.kind = Kind::multibody, .sizes = {.nq = 2, .ny = 1}};
  of.f = [jump](const Points& at, double* f) {
    for (int p = 0; p < at.count; ++p) {
      f[p] = at.t[p] > jump ? 3 : 0;
      f[at.count + p] = -9.81;
    }
  };
  of.M = [](const Points& at, double* M) {
    for (int p = 0; p < at.count; ++p) {
      M[p] = M[3 * at.count + p] = 1;
      M[at.count + p] = M[2 * at.count + p] = 0;
    }
  };
  of.g = [a, w](const Points& at, double* g) {
    for (int p = 0; p < at.count; ++p) {
      g[p] = at.q[at.stride + p] - std::sin(at.q[p]) - a * std::sin(w * at.t[p]);
    }
  };
  of.mass_constant = of.differences = true;
  of.dear_calls = dear;
  return problem_from_functions(std::move(of));
}

TEST_CASE("constraints that move, and forces that jump, are followed", "[ivp][trains]") {
  for (const double jump : {1e9, 0.7123}) {
    INFO(jump);
    const DaeProblemPtr problem = bead(0.3, 2, jump, true);
    const VecX start{{0.4, std::sin(0.4), 0.5, 0.5 * std::cos(0.4) + 0.6}};
    const Solution found = solve(*problem, start, {0, 2}, {.method = GaussWindows{}, .rtol = 1e-8});
    const Solution exact = solve(*problem, start, {0, 2}, {.method = SBoth2{}, .rtol = 1e-11});
    REQUIRE(found.report.usable());
    const Solution windows =
        solve(*bead(0.3, 2, jump, false), start, {0, 2}, {.method = GaussWindows{}, .rtol = 1e-8});
    const double as_well = (windows.end() - exact.end()).norm();
    CHECK((found.end() - exact.end()).norm() <= 3 * as_well + 1e-6);
  }
}

TEST_CASE("trains go backward, and stop at events", "[ivp][trains]") {
  const Motion pendulum = motion("pendulum", problems::Pendulum{}, 3);
  const Dear dear(pendulum.problem);
  const Solution there =
      solve(dear, pendulum.start, {0, 3}, {.method = GaussWindows{}, .rtol = 1e-10});
  const Solution back = solve(dear, there.end(), {3, 0}, {.method = GaussWindows{}, .rtol = 1e-10});
  CHECK((back.end() - pendulum.start).norm() < 1e-7);
  Event lowest;
  lowest.function = [](double, const VecX& z) { return z[0]; };
  lowest.then = Event::Then::stop;
  const Solution stopped = solve(dear, pendulum.start, {0, 3},
                                 {.method = GaussWindows{}, .rtol = 1e-10, .events = {lowest}});
  REQUIRE(stopped.occurrences.size() == 1);
  CHECK(std::abs(stopped.end()[0]) < 1e-9);
}

}  // namespace
}  // namespace daewave::ivp
