// Index reduction and its linear algebra ask for no memory while steps are made, in each of the
// types that the library is compiled for.

#include "core/adapt/problem_of.hpp"
#include "ivp/reduced/reduce.hpp"
#include "problems/acpr.hpp"
#include "problems/al2.hpp"
#include "problems/chain.hpp"
#include "problems/scissors.hpp"
#include "tests/catch.hpp"
#include "tests/memory/counted_malloc.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

using Arm = problems::TwoLinkArm<problems::ArmPath::parabola>;
using testing::asks_for_malloc;

bool evaluations_ask_for_malloc(ReducedOde& system, const VecX& start) {
  VecX z = start, slope = start, multiplier;
  bool done = true;
  const auto step = [&] {
    done = done && system.rhs(0, z, slope);
    z += 0.001 * slope;
    done = done && system.rhs(0, z, slope) && system.after_step(0, z, slope) &&
           system.multiplier(0, z, multiplier);
    system.drift(0, z);
  };
  step();  // A projection takes its memory in the first evaluation.
  const bool asks = asks_for_malloc([&] {
    for (int i = 0; i < 20; ++i) step();
  });
  REQUIRE(done);
  return asks;
}

Reduction reduction_by(ReductionKind kind) {
  Reduction how;
  how.kind = kind;
  how.stabilization.gamma = 1;
  return how;
}

void check_no_malloc(const DaeProblem& problem) {
  for (const ReductionKind kind : all_reductions()) {
    if (kind == ReductionKind::symmetric_projection) continue;  // A formula of its own.
    if (kind == ReductionKind::s_vel && problem.kind() == Kind::index_2) continue;
    // D = H^T needs the entries of G, which structures do not have.
    if (kind == ReductionKind::s_full &&
        problem.structure().constraints != Structure::Constraints::dense) {
      continue;
    }
    CAPTURE(problem.name(), name_of(kind));
    const auto system = reduce(problem, reduction_by(kind));
    CHECK_FALSE(evaluations_ask_for_malloc(*system, *problem.start()));
  }
}

}  // namespace

TEST_CASE("reduced systems ask for no memory, sizes in the type or not", "[stabilization]") {
  const DaeProblemPtr arm = problem_of(Arm{});
  check_no_malloc(*arm);
  check_no_malloc(*problem_of(problems::Al2Example61{}));
  for (const ReductionKind kind : all_reductions()) {
    if (kind == ReductionKind::symmetric_projection) continue;
    CAPTURE(name_of(kind));
    const auto system = detail::reduce_any_multibody(*arm, reduction_by(kind));
    CHECK_FALSE(evaluations_ask_for_malloc(*system, *arm->start()));
  }
}

TEST_CASE("reduced systems of chains and of joints ask for no memory", "[stabilization]") {
  check_no_malloc(*problem_of(problems::Chain{.rods = 4}));
  check_no_malloc(*problem_of(problems::Scissors(2)));
}

TEST_CASE("sizes of run time give what fixed ones give", "[stabilization]") {
  const DaeProblemPtr arm = problem_of(Arm{});
  for (const ReductionKind kind : all_reductions()) {
    if (kind == ReductionKind::symmetric_projection) continue;  // A formula of its own.
    CAPTURE(name_of(kind));
    const auto fixed = reduce(*arm, reduction_by(kind));
    const auto any = detail::reduce_any_multibody(*arm, reduction_by(kind));
    VecX z = *arm->start() + Vec<4>{1e-3, 2e-3, 0.1, 0.3}, slope = z, same = z, same_slope = z;
    REQUIRE(fixed->rhs(0, z, slope));
    REQUIRE(any->rhs(0, same, same_slope));
    CHECK((same_slope - slope).norm() <= 1e-12 * slope.norm());
    REQUIRE(fixed->after_step(0, z, slope));
    REQUIRE(any->after_step(0, same, same_slope));
    CHECK((same - z).norm() <= 1e-13);
  }
}

}  // namespace daewave::ivp
