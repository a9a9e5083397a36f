// Index reduction and its linear algebra ask for no memory while steps are made, for fixed and for
// bounded sizes.

#include "tests/memory/counted_allocations.hpp"

#include "ivp/reduced/reduced_multibody.hpp"
#include "ivp/reduced/reduced_semi_explicit.hpp"
#include "problems/acpr.hpp"
#include "problems/al2.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

using Arm = problems::TwoLinkArm<problems::ArmPath::parabola>;

/// The arm with sizes known at run time only.
struct BoundedArm {
  using Position = SmallVec;
  using Multiplier = SmallVec;
  Arm arm{};

  SmallMat M(const Position& q) const { return arm.M(q); }
  Position f(const Position& q, const Position& v, double t) const { return arm.f(q, v, t); }
  Multiplier g(const Position& q, double t) const { return arm.g(Vec<2>(q), t); }
  SmallMat G(const Position& q, double t) const { return arm.G(q, t); }
  Multiplier g_t(const Position& q, double t) const { return arm.g_t(q, t); }
  Multiplier curvature(const Position& q, const Position& v, double t) const {
    return arm.curvature(q, v, t);
  }
};

using testing::asks_for_memory;

bool steps_ask_for_memory(OdeSystem& system, const VecX& start) {
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
  const bool asks = asks_for_memory([&] {
    for (int i = 0; i < 20; ++i) step();
  });
  REQUIRE(done);
  return asks;
}

Stabilization with_gamma() {
  Stabilization stabilization;
  stabilization.gamma = 1;
  return stabilization;
}

}  // namespace

TEST_CASE("Memory is counted here", "[stabilization]") {
  CHECK(asks_for_memory([] { VecX::Zero(3).eval(); }));
}

TEST_CASE("Reduced systems of fixed and of bounded sizes need no memory", "[stabilization]") {
  const Arm arm;
  const BoundedArm bounded;
  const problems::Al2Example61 plain;
  for (ReductionKind method : all_reductions()) {
    if (method == ReductionKind::symmetric_projection) continue;  // A formula of its own.
    INFO(name_of(method));
    ReducedMultibody<Arm> fixed(arm, method, with_gamma());
    CHECK_FALSE(steps_ask_for_memory(fixed, arm.start()));
    ReducedMultibody<BoundedArm> small(bounded, method, with_gamma());
    CHECK_FALSE(steps_ask_for_memory(small, arm.start()));
    if (method == ReductionKind::s_vel) continue;
    ReducedSemiExplicit<problems::Al2Example61> first_order(plain, method, with_gamma());
    CHECK_FALSE(steps_ask_for_memory(first_order, plain.start()));
  }
}

TEST_CASE("Sizes of run time give what fixed ones give", "[stabilization]") {
  const Arm arm;
  const BoundedArm bounded;
  for (ReductionKind method : all_reductions()) {
    if (method == ReductionKind::symmetric_projection) continue;  // A formula of its own.
    INFO(name_of(method));
    ReducedMultibody<Arm> fixed(arm, method, with_gamma());
    ReducedMultibody<BoundedArm> small(bounded, method, with_gamma());
    VecX z = arm.start() + Vec<4>{1e-3, 2e-3, 0.1, 0.3}, slope = z, same = z, same_slope = z;
    REQUIRE(fixed.rhs(0, z, slope));
    REQUIRE(small.rhs(0, same, same_slope));
    CHECK((same_slope - slope).norm() <= 1e-12 * slope.norm());
    REQUIRE(fixed.after_step(0, z, slope));
    REQUIRE(small.after_step(0, same, same_slope));
    CHECK((same - z).norm() <= 1e-13);
  }
}

}  // namespace daewave::ivp
