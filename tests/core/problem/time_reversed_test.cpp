// A DAE seen from the end of its interval is a DAE of the same class, with the motion run backward.

#include "core/problem/time_reversed.hpp"

#include "core/adapt/problem_of.hpp"
#include "core/start/problem_start.hpp"
#include "problems/acpr.hpp"
#include "problems/al2.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave {
namespace {

/// Terms of a problem at one state.
class At {
 public:
  At(const DaeProblem& problem, const VecX& state, double t)
      : sizes_(problem.sizes()), evaluation_(problem.evaluation()) {
    Ask what = Ask::f | Ask::G | Ask::g | Ask::g_t;
    if (problem.kind() == Kind::index_2) what = what | Ask::B;
    if (problem.kind() == Kind::multibody) what = what | Ask::M;
    if (problem.structure().has_curvature && problem.has_velocity()) what = what | Ask::curvature;
    const double* const v = problem.has_velocity() ? state.data() + sizes_.nq : nullptr;
    terms_ = &evaluation_->evaluate(what, Points{1, 1, &t, state.data(), v, nullptr});
  }
  VecX f() const { return Eigen::Map<const VecX>(terms_->f, sizes_.nq); }
  MatX B() const { return Eigen::Map<const MatX>(terms_->B, sizes_.nq, sizes_.ny); }
  MatX G() const { return Eigen::Map<const MatX>(terms_->G, sizes_.ny, sizes_.nq); }
  VecX g_t() const { return Eigen::Map<const VecX>(terms_->g_t, sizes_.ny); }

 private:
  Sizes sizes_;
  std::unique_ptr<Evaluation> evaluation_;
  const Terms* terms_;
};

template <class P>
void check(const P& of, double t) {
  constexpr double end = 0.9;
  const DaeProblemPtr problem = problem_of(of), reversed = time_reversed(problem, end);
  const VecX z = of.z_exact(t), back = reversed_state(*problem, z);
  const DerivativeReport report = check_derivatives(*reversed, back, end - t);
  INFO(report.text());
  CHECK(report.ok());
  const At here(*problem, z, t), there(*reversed, back, end - t);
  const At twice(*time_reversed(reversed, end), z, t);
  CHECK((twice.f() - here.f()).cwiseAbs().maxCoeff() < 1e-14);
  CHECK((twice.g_t() - here.g_t()).cwiseAbs().maxCoeff() < 1e-14);
  if constexpr (SemiExplicitDae<P>) {
    CHECK((twice.B() - here.B()).cwiseAbs().maxCoeff() < 1e-14);
    CHECK((there.f() + here.f()).cwiseAbs().maxCoeff() < 1e-14);
    CHECK((there.B() + here.B()).cwiseAbs().maxCoeff() < 1e-14);
  } else {
    CHECK((there.f() - here.f()).cwiseAbs().maxCoeff() < 1e-14);
    CHECK((there.G() * back.tail(z.size() / 2) + there.g_t()).norm() < 1e-12);
  }
}

/// x' = t x, of order one.
struct Growth {
  using State = Vec<1>;
  State f(const State& x, double t) const { return t * x; }
};

}  // namespace

TEST_CASE("a problem seen from its end has the derivatives of its constraints", "[reversed]") {
  check(problems::Al2Example61{}, 0.3);
  check(problems::Al2Example63{}, 0.3);
  check(problems::Pendulum{}, 0.3);
  check(problems::Al2Example64{}, 0.3);
}

TEST_CASE("many points are turned around as each of them", "[reversed]") {
  const problems::Pendulum pendulum;
  const DaeProblemPtr reversed = time_reversed(problem_of(pendulum), 0.9);
  constexpr int count = 3, stride = 4;
  VecX t(stride), q(2 * stride), v(2 * stride);
  for (int p = 0; p < count; ++p) {
    t[p] = 0.1 * p;
    const VecX z = pendulum.z_exact(0.2 * p);
    for (int i = 0; i < 2; ++i) {
      q[i * stride + p] = z[i];
      v[i * stride + p] = z[2 + i];
    }
  }
  const auto evaluation = reversed->evaluation();
  const Terms& terms = evaluation->evaluate(
      Ask::f | Ask::G | Ask::g_t, Points{count, stride, t.data(), q.data(), v.data(), nullptr});
  for (int p = 0; p < count; ++p) {
    const At one(*reversed, pendulum.z_exact(0.2 * p), 0.1 * p);
    for (int i = 0; i < 2; ++i) {
      CHECK(terms.f[i * terms.stride + p] == one.f()[i]);
      CHECK(terms.G[i * terms.stride + p] == one.G()(0, i));
    }
    CHECK(terms.g_t[p] == one.g_t()[0]);
  }
}

TEST_CASE("an ordinary equation runs backward", "[reversed]") {
  const DaeProblemPtr problem = time_reversed(problem_of(Growth{}), 2);
  const double t = 0.5, x = 3;
  CHECK(problem->evaluation()->evaluate(Ask::f, Points{1, 1, &t, &x, nullptr, nullptr}).f[0] ==
        -4.5);
}

}  // namespace daewave
