// Problems with invariants ask for no memory while steps are made: algebraic unknowns, projection,
// and the stages of projected invariants.

#include "core/adapt/problem_of.hpp"
#include "core/kernels/index_kernels.hpp"
#include "ivp/equations/dae_system_of.hpp"
#include "ivp/multistep/projected_invariants_step.hpp"
#include "ivp/reduced/reduced_invariant.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/rolling_on_circle.hpp"
#include "tests/memory/counted_malloc.hpp"
#include "tests/problems/compiled_wheelset.hpp"

namespace daewave::ivp {
namespace {

using testing::asks_for_malloc;

bool evaluations_ask_for_memory(const DaeProblem& problem, ReductionKind method, double h) {
  const InvariantKernel kernel(problem);
  ReducedInvariant<InvariantKernel> system(kernel, method);
  VecX z = *problem.start(), slope = z, w = *problem.start_algebraic();
  system.start_algebraic(w);
  bool done = true;
  double t = 0;
  const auto step = [&] {
    done = done && system.rhs(t, z, slope);
    z += h * slope;
    t += h;
    done = done && system.rhs(t, z, slope) && system.after_step(t, z, slope) &&
           system.multiplier(t, z, w);
    system.drift(t, z);
  };
  step();  // Takes the memory of the projection.
  const bool asks = asks_for_malloc([&] {
    for (int i = 0; i < 20; ++i) step();
  });
  REQUIRE(done);
  return asks;
}

bool steps_ask_for_memory(DaeSystem& system, const VecX& start, double h) {
  ProjectedInvariantsStep step(system, Onto::both, collocation(Scheme::radau, 3), Tolerance());
  bool done = step.start(0, start);
  VecX between = start, w = VecX::Zero(system.nw());
  const auto advance = [&] {
    done = done && step.attempt(h) <= 1 && step.accept() && step.multiplier(w);
    step.interpolate(0.3, between);
    step.drift();
  };
  advance();
  const bool asks = asks_for_malloc([&] {
    for (int i = 0; i < 10; ++i) advance();
  });
  REQUIRE(done);
  return asks;
}

}  // namespace

TEST_CASE("evaluations and projections of problems with invariants ask for no memory",
          "[invariants]") {
  const DaeProblemPtr wheelset = problem_of(problems::Wheelset{});
  const DaeProblemPtr rolling = problem_of(RollingOnCircle<>{});
  const DaeProblemPtr bounded = problem_of(RollingOnCircle<SmallVec, SmallVec>{});
  for (const ReductionKind method : {ReductionKind::underlying, ReductionKind::projection}) {
    CHECK_FALSE(evaluations_ask_for_memory(*wheelset, method, 1e-4));
    CHECK_FALSE(evaluations_ask_for_memory(*rolling, method, 1e-3));
    CHECK_FALSE(evaluations_ask_for_memory(*bounded, method, 1e-3));
  }
}

TEST_CASE("steps of projected invariants ask for no memory", "[invariants]") {
  const DaeProblemPtr wheelset = problem_of(problems::Wheelset{});
  const auto system = dae_system_of(*wheelset, *wheelset->start(), *wheelset->start_algebraic(), 0);
  CHECK_FALSE(steps_ask_for_memory(*system, *wheelset->start(), 1e-5));
}

}  // namespace daewave::ivp
