// A DAE seen from the end of its interval is a DAE of the same class, with the motion run backward.

#include "core/problem/time_reversed.hpp"

#include "core/derivatives/check_derivatives.hpp"
#include "problems/acpr.hpp"
#include "problems/al2.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

template <class P>
void check(const P& problem, double t) {
  constexpr double end = 0.9;
  const TimeReversed<P> reversed(problem, end);
  const StateOf<P> z = problem.z_exact(t), back = TimeReversed<P>::turned(z);
  const DerivativeReport report = check_derivatives(reversed, back, end - t);
  INFO(report.text());
  CHECK(report.ok());
  const TimeReversed<TimeReversed<P>> twice(reversed, end);
  if constexpr (SemiExplicitDae<P>) {
    CHECK((twice.f(z, t) - problem.f(z, t)).cwiseAbs().maxCoeff() < 1e-14);
    CHECK((twice.B(z, t) - problem.B(z, t)).cwiseAbs().maxCoeff() < 1e-14);
    CHECK((reversed.f(z, end - t) + problem.f(z, t)).cwiseAbs().maxCoeff() < 1e-14);
  } else {
    const typename P::Position q = z.head(z.size() / 2), v = z.tail(z.size() / 2);
    CHECK((twice.f(q, v, t) - problem.f(q, v, t)).cwiseAbs().maxCoeff() < 1e-14);
    CHECK((twice.g_t(q, t) - problem.g_t(q, t)).cwiseAbs().maxCoeff() < 1e-14);
    CHECK((reversed.G(q, end - t) * back.tail(q.size()) + reversed.g_t(q, end - t)).norm() < 1e-12);
  }
}

}  // namespace

TEST_CASE("a problem seen from its end has the derivatives of its constraints", "[reversed]") {
  check(problems::Al2Example61{}, 0.3);
  check(problems::Al2Example63{}, 0.3);
  check(problems::Pendulum{}, 0.3);
  check(problems::Al2Example64{}, 0.3);
}

}  // namespace daewave
