// What is said of a refinement that ends, and advised.

#include "bvp/mesh/endings.hpp"

#include "tests/bvp/made_up_solution.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

class Silent final : public MeshSolver {
 public:
  std::string dangerous;
  Solution solve(const Mesh&, const std::vector<double>&, const Solution*, MeshRole) override {
    return {};
  }
  Look look_at(const Solution&, LookFor, int) override { return {}; }
  bool misses_constraint(Solution&, double) override { return false; }
  std::string danger(const Mesh&) const override { return dangerous; }
  std::string spent(const Solution&) const override { return "3 passes"; }
};

struct End {
  Silent solver{};
  RefinementControl control{.tolerance = 1e-6, .max_intervals = 50, .danger_advice = "beware"};
  DifferenceEstimate estimate{1e-6, {}, true};
  Endings endings{solver, control, estimate};
  /// Of ten intervals; the worst is the fourth.
  IntervalErrors local{VecX::Constant(10, 1e-9), VecX::Constant(10, 1e-9)};
  End() { local.x[3] = 1; }

  static Solution with(double x, double By = 0) {
    Report report;
    report.termination = Termination::converged;
    report.error.available = true;
    report.error.x = x;
    report.error.By = By;
    return testing::made_up(testing::straight(uniform_mesh(0, 1, 10), 1, 1), report);
  }
};

void check_told(const Solution& solution, const std::string& message, const std::string& advice) {
  CAPTURE(solution.report.message, solution.report.advice);
  CHECK(solution.report.termination == Termination::tolerance_not_met);
  CHECK_THAT(solution.report.message, contains_text(message));
  CHECK_THAT(solution.report.advice, contains_text(advice));
}

}  // namespace

TEST_CASE("an end tells estimate, tolerance, intervals and what was spent", "[mesh][endings]") {
  const End end;
  CHECK(end.endings.accepted(End::with(1e-8, 3e-7)).report.message ==
        "error estimate 3.0e-07 within tolerance 1.0e-06 on 10 intervals, 3 passes");
  check_told(end.endings.too_many_meshes(End::with(2e-5), 60),
             "error estimate 2.0e-05 exceeds tolerance 1.0e-06 on 10 intervals: after 60 meshes",
             "loosen the tolerance");
  check_told(end.endings.too_many_meshes(End::with(2e-9), 60),
             "error estimate 2.0e-09 is not sure enough for tolerance 1.0e-06", "");
  Solution none = End::with(0);
  none.report.error.available = false;
  check_told(end.endings.not_finite(none), "no error estimate for tolerance 1.0e-06",
             "grow without bound");
}

TEST_CASE("limits are told with where the most of the error is", "[mesh][endings]") {
  const End end;
  check_told(end.endings.limit_reached(End::with(1e-3), end.local, ""),
             "the limit of 50 intervals is reached, with the most of it near t = 0.35",
             "raise max_intervals");
  check_told(end.endings.limit_reached(End::with(1e-3), end.local, "memory is full"),
             "memory is full, and the most of it is near t = 0.35", "free some memory");
  // Errors of what is carried count too.
  IntervalErrors of_carried = end.local;
  of_carried.carried[7] = 2;
  check_told(end.endings.limit_reached(End::with(1e-3, 1e-3), of_carried, ""),
             "with the most of it near t = 0.75", "raise max_intervals");
}

TEST_CASE("why finer meshes are in vain is told by conditioning, rounding or the place",
          "[mesh][endings]") {
  const End end;
  check_told(end.endings.in_vain(End::with(0.1), end.local, false),
             "finer meshes no longer reduce it, the most of it near t = 0.35",
             "look at the problem there");
  check_told(end.endings.in_vain(End::with(0.1), end.local, true),
             "finer meshes no longer reduce it", "rounding, or the conditioning");
  check_told(end.endings.in_vain(End::with(0.9e-3), end.local, false), "no longer reduce it",
             "rounding, or the conditioning");
  Solution amplified = End::with(0.1);
  amplified.report.conditioning.available = true;
  amplified.report.conditioning.boundary = 1;
  amplified.report.conditioning.forcing = 3e9;
  check_told(end.endings.in_vain(amplified, end.local, true), "errors are amplified by 3e+09",
             "conditions at the end of the interval for what grows");
  CHECK_THAT(end.endings.in_vain(amplified, end.local, true).report.advice,
             contains_text("scheme = radau"));
  // Which is no way out where it is what was taken.
  const Solution by_radau = testing::made_up(
      testing::straight(uniform_mesh(0, 1, 10), 1, 1, Scheme::radau), amplified.report);
  CHECK_THAT(end.endings.in_vain(by_radau, end.local, true).report.advice,
             contains_text("a shorter interval") && !contains_text("radau"));
  amplified.report.conditioning.forcing = 0.9e8;
  check_told(end.endings.in_vain(amplified, end.local, true), "no longer reduce it", "rounding");
  amplified.report.conditioning.rounding = 2e-4;
  check_told(end.endings.rounding_amplified(amplified), "rounding alone is amplified to 2.0e-04",
             "conditions that determine the solution better");
}

TEST_CASE("what iterates may still change, and danger, come before what meshes need",
          "[mesh][endings]") {
  End end;
  Solution unsettled = End::with(1e-3);
  unsettled.report.termination = Termination::iterates_exhausted;
  unsettled.report.advice = "more iterates";
  unsettled.report.error.iterates = 5e-5;
  check_told(end.endings.in_vain(unsettled, end.local, false),
             "; iterates may still change x by 5.0e-05", "more iterates");
  end.solver.dangerous = "steps damp what grows";
  check_told(end.endings.in_vain(End::with(1e-3), end.local, false),
             "the error estimate on 10 intervals cannot be believed: steps damp what grows",
             "beware");
}

TEST_CASE("where the next mesh has no solution the last one says why", "[mesh][endings]") {
  Report next;
  next.termination = Termination::not_converged;
  next.message = "no way there";
  next.advice = "another guess";
  const Solution last = Endings::ended(End::with(1e-3), next);
  CHECK(last.report.termination == Termination::not_converged);
  CHECK(last.report.message ==
        "no way there; the values are those of the mesh before, of 10 intervals");
  CHECK(last.report.advice == "another guess");
}

TEST_CASE("what no mesh has resolved is told with its place, and why it could not be looked at",
          "[mesh][endings]") {
  Look look;
  look.seen.worst = 40;
  look.seen.at = 0.625;
  check_told(Endings::not_seen(End::with(0), look),
             "the residual between the stages is 4.0e+01 times what the tolerance allows, near t = "
             "0.625, on 10 intervals",
             "with a node where a coefficient jumps");
  look.failure = "A is no number at t = 0.3";
  check_told(Endings::not_seen(End::with(0), look),
             "cannot be checked between its stages: A is no number at t = 0.3",
             "finite everywhere");
}

}  // namespace daewave::bvp
