// Automatic derivatives ask for no memory where sizes are fixed or bounded.

#include "tests/memory/counted_allocations.hpp"

#include <cmath>

#include "core/derivatives/autodiff.hpp"
#include "core/problem/terms.hpp"
#include "tests/catch.hpp"
#include "tests/core/small_mechanisms.hpp"

namespace daewave {
namespace {

using namespace testing;

template <class P>
double everything(const P& problem, const typename P::Position& q, const typename P::Position& v) {
  double sum =
      problem.G(q, 0.1).sum() + problem.g_t(q, 0.1).sum() + problem.curvature(q, v, 0.1).sum();
  if constexpr (HasVelocityConstraint<P>) {
    sum += problem.K(q, 0.1).sum() + problem.k(q, 0.1).sum() + problem.w_curvature(q, v, 0.1).sum();
  }
  return sum;
}

template <class P>
bool asks_for_memory(const P& problem, const typename P::Position& q,
                     const typename P::Position& v) {
  bool finite = false;
  const bool asked =
      testing::asks_for_memory([&] { finite = std::isfinite(everything(problem, q, v)); });
  CHECK((finite || asked));
  return asked;
}

}  // namespace

TEST_CASE("automatic derivatives of fixed and bounded sizes ask for no memory", "[autodiff]") {
  CHECK_FALSE(asks_for_memory(with_autodiff(DrivenPendulum{}), {0.3, -1.2}, {2, 0.7}));
  CHECK_FALSE(asks_for_memory(with_autodiff(Skate{}), {0.3, -1.2, 0.4, 0.8}, {2, 0.7, -0.5, 1.5}));
  const SmallVec line = SmallVec::LinSpaced(20, 1, 3);
  CHECK_FALSE(asks_for_memory(with_autodiff(PointsOnLine<SmallVec>{}), line, line));
}

TEST_CASE("the check of memory finds those who ask", "[autodiff]") {
  const VecX line = VecX::LinSpaced(20, 1, 3);
  CHECK(asks_for_memory(with_autodiff(PointsOnLine<VecX>{}), line, line));
}

}  // namespace daewave
