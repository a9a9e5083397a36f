// A struct, the same struct through the run-time interface, and the same as functions.

#include "core/adapt/problem_of.hpp"

#include "core/adapt/problem_from_functions.hpp"
#include "core/derivatives/autodiff.hpp"
#include "core/error.hpp"
#include "core/kernels/index_kernels.hpp"
#include "core/kernels/multibody_kernel.hpp"
#include "problems/al2.hpp"
#include "problems/andrews.hpp"
#include "problems/chain.hpp"
#include "problems/pendulum.hpp"
#include "problems/scissors.hpp"
#include "problems/slider_crank.hpp"
#include "tests/catch.hpp"
#include "tests/core/small_mechanisms.hpp"
#include "tests/problems/compiled_problems.hpp"
#include "tests/problems/compiled_wheelset.hpp"

using namespace daewave;
using daewave::testing::DrivenPendulum;
using daewave::testing::PlaneSkate;
using daewave::testing::Skate;

namespace {

/// A state off the constraints, so that nothing vanishes.
VecX some_state(int size) {
  VecX z(size);
  for (int i = 0; i < size; ++i) z[i] = 0.3 + 0.2 * std::sin(1.7 * i + 0.4);
  return z;
}

double gap(const VecX& a, const VecX& b) {
  REQUIRE(a.size() == b.size());
  return a.size() == 0 ? 0 : (a - b).cwiseAbs().maxCoeff();
}

constexpr double t_here = 0.7;

/// What a multibody system is at one state, whatever its matrices are.
struct MultibodyValues {
  VecX f, Mv, position, g_t, curvature, Gv, f_alone;
};

template <class P>
MultibodyValues values_of(const P& problem, const VecX& z) {
  const int nq = static_cast<int>(z.size()) / 2;
  const typename P::Position q = z.head(nq), v = z.tail(nq);
  MultibodyTerms<P> at;
  evaluate(problem, q, v, t_here, at);
  MultibodyValues values{at.f, {}, at.position, at.g_t, at.curvature, {}, problem.f(q, v, t_here)};
  values.Mv = at.M * VecX(v);
  apply(at.G, VecX(v), values.Gv);
  return values;
}

void compare_values(const MultibodyValues& found, const MultibodyValues& expected) {
  CHECK(gap(found.f, expected.f) == 0);
  CHECK(gap(found.Mv, expected.Mv) < 1e-14);
  CHECK(gap(found.position, expected.position) == 0);
  CHECK(gap(found.g_t, expected.g_t) == 0);
  CHECK(gap(found.curvature, expected.curvature) == 0);
  CHECK(gap(found.Gv, expected.Gv) < 1e-14);
  CHECK(gap(found.f_alone, expected.f) == 0);
}

/// The terms of a kernel are those of the struct it was made of.
template <class Kernel, class P>
void compare_multibody(const P& problem, int nq) {
  const VecX z = some_state(2 * nq);
  const DaeProblemPtr erased = problem_of(problem, z, t_here);
  const MultibodyValues expected = values_of(problem, z);
  compare_values(values_of(Kernel(*erased), z), expected);
  CHECK(erased->sizes().nl() == expected.position.size());
}

}  // namespace

TEST_CASE("A multibody struct and its kernel have the same terms", "[problem]") {
  SECTION("dense, small") { compare_multibody<SmallMultibody<7, 6>>(problems::Andrews{}, 7); }
  SECTION("dense, any size") { compare_multibody<StructuredKernel>(problems::Andrews{}, 7); }
  SECTION("diagonal mass in a dense kernel") {
    compare_multibody<AnyMultibody>(problems::SliderCrank{}, 6);
  }
  SECTION("one row of G") { compare_multibody<SmallMultibody<2, 1>>(problems::Pendulum{}, 2); }
  SECTION("diagonal mass") {
    compare_multibody<SmallDiagonalMultibody<6, 5>>(problems::SliderCrank{}, 6);
  }
  SECTION("diagonal mass, any size") {
    compare_multibody<StructuredKernel>(problems::SliderCrank{}, 6);
  }
  SECTION("chain") {
    compare_multibody<StructuredKernel>(problems::Chain{}, 3 * problems::Chain{}.rods);
  }
  SECTION("chain of known length") {
    compare_multibody<StructuredKernel>(problems::ChainOf<4>{}, 12);
  }
  SECTION("joints") {
    const problems::Scissors scissors(3);
    const int nq = static_cast<int>(scissors.start().size()) / 2;
    compare_multibody<StructuredKernel>(scissors, nq);
  }
  SECTION("constraints on velocities") {
    compare_multibody<VelocityKernel>(Skate::Derivatives{}, 4);
  }
  SECTION("constraints on velocities alone") {
    compare_multibody<VelocityKernel>(with_autodiff(PlaneSkate{}), 3);
  }
  SECTION("autodiff") { compare_multibody<StructuredKernel>(with_autodiff(DrivenPendulum{}), 2); }
}

TEST_CASE("Points of a batch are evaluated as each by itself", "[problem]") {
  const int count = 5, stride = 7, nq = 7;
  const DaeProblemPtr problem = problem_of(problems::Andrews{});
  std::vector<double> t(count), q(nq * stride), v(nq * stride);
  for (int p = 0; p < count; ++p) {
    t[p] = 0.1 * p;
    for (int i = 0; i < nq; ++i) {
      q[i * stride + p] = std::sin(i + 0.3 * p);
      v[i * stride + p] = std::cos(2 * i - 0.2 * p);
    }
  }
  const Ask all = Ask::f | Ask::M | Ask::G | Ask::g | Ask::g_t | Ask::curvature;
  const auto together = problem->evaluation(), alone = problem->evaluation();
  const Terms& batch =
      together->evaluate(all, Points{count, stride, t.data(), q.data(), v.data(), nullptr});
  for (int p = 0; p < count; ++p) {
    VecX here_q(nq), here_v(nq);
    for (int i = 0; i < nq; ++i) {
      here_q[i] = q[i * stride + p];
      here_v[i] = v[i * stride + p];
    }
    const Terms& one =
        alone->evaluate(all, Points{1, 1, &t[p], here_q.data(), here_v.data(), nullptr});
    for (int i = 0; i < nq; ++i) CHECK(batch.f[i * batch.stride + p] == one.f[i]);
    for (int i = 0; i < nq * nq; ++i) CHECK(batch.M[i * batch.stride + p] == one.M[i]);
    for (int i = 0; i < 6 * nq; ++i) CHECK(batch.G[i * batch.stride + p] == one.G[i]);
    for (int i = 0; i < 6; ++i) {
      CHECK(batch.g[i * batch.stride + p] == one.g[i]);
      CHECK(batch.g_t[i * batch.stride + p] == one.g_t[i]);
      CHECK(batch.curvature[i * batch.stride + p] == one.curvature[i]);
    }
  }
}

TEST_CASE("Structs of index 2 and with invariants and their kernels say the same", "[problem]") {
  SECTION("index 2") {
    const problems::Al2Example61 problem;
    const VecX x = some_state(2);
    const DaeProblemPtr erased = problem_of(problem);
    CHECK(erased->kind() == Kind::index_2);
    const AnyIndexTwo kernel(*erased);
    const Vec<2> at = x;
    CHECK(gap(kernel.f(x, 0.4), problem.f(at, 0.4)) == 0);
    CHECK((kernel.B(x, 0.4) - problem.B(at, 0.4)).norm() == 0);
    CHECK(gap(kernel.g(x, 0.4), problem.g(at, 0.4)) == 0);
    CHECK((kernel.G(x, 0.4) - problem.G(at, 0.4)).norm() == 0);
    CHECK(gap(kernel.g_t(x, 0.4), problem.g_t(at, 0.4)) == 0);
  }
  SECTION("invariants") {
    const problems::Wheelset problem;
    const DaeProblemPtr erased = problem_of(problem);
    CHECK(erased->sizes() == Sizes{.nq = 11, .nw = 6, .nh = 4});
    CHECK(erased->structure().position_invariants == 2);
    CHECK(erased->structure().positions == 5);
    const InvariantKernel kernel(*erased);
    const VecX z = *erased->start(), w = *erased->start_algebraic();
    const Vec<11> own_z = z;
    const Vec<6> own_w = w;
    CHECK(gap(kernel.f(z, w, 0), problem.f(own_z, own_w, 0.0)) == 0);
    CHECK(gap(kernel.r(z, w, 0), problem.r(own_z, own_w, 0.0)) == 0);
    CHECK(gap(kernel.h(z, 0), problem.h(own_z, 0.0)) == 0);
    AlgebraicJacobian<problems::Wheelset> J;
    algebraic_jacobian(problem, own_z, own_w, 0, J);
    CHECK((kernel.r_w(z, w, 0) - J).norm() == 0);
  }
}

namespace {

/// The pendulum of length 1 as functions of batches.
ProblemFunctions pendulum_functions() {
  ProblemFunctions of;
  of.kind = Kind::multibody;
  of.sizes = {.nq = 2, .ny = 1};
  of.f = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      out[p] = 0;
      out[at.count + p] = -9.81;
    }
  };
  of.M = [](const Points& at, double* out) { std::fill(out, out + 2 * at.count, 1.0); };
  of.mass = Structure::Mass::diagonal;
  of.g = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      const double x = at.q[p], y = at.q[at.stride + p];
      out[p] = (x * x + y * y - 1) / 2;
    }
  };
  return of;
}

}  // namespace

TEST_CASE("Functions without derivatives are differenced", "[problem]") {
  ProblemFunctions of = pendulum_functions();
  of.differences = true;
  const DaeProblemPtr problem = problem_from_functions(of);
  const StructuredKernel kernel(*problem);
  const VecX q = some_state(2), v = VecX(VecX::Constant(2, 1.5));
  CHECK((kernel.G(q, 0).dense() - q.transpose()).cwiseAbs().maxCoeff() < 1e-11);
  CHECK(kernel.g_t(q, 0).norm() < 1e-11);
  CHECK(std::abs(kernel.curvature(q, v, 0)[0] - v.squaredNorm()) < 1e-8);
  CHECK((kernel.M(q).dense() - MatX::Identity(2, 2)).norm() == 0);
}

TEST_CASE("Constraints of velocities have no residual of positions, whatever was asked before",
          "[problem]") {
  ProblemFunctions of = pendulum_functions();
  of.sizes.nk = 1;
  of.G = [](const Points& at, double* out) { std::fill(out, out + 4 * at.count, 1.0); };
  of.g_t =
      of.curvature = [](const Points& at, double* out) { std::fill(out, out + 2 * at.count, 1.0); };
  const DaeProblemPtr problem = problem_from_functions(of);
  const auto evaluation = problem->evaluation();
  // Three points, then one: what is a row of one batch is an entry of another's.
  const double q[] = {3, 4, 5, 6, 7, 8}, v[6]{}, t[3]{};
  for (const int count : {3, 1, 2}) {
    Points at;
    at.q = q;
    at.v = v;
    at.t = t;
    at.count = at.stride = count;
    const Terms& terms = evaluation->evaluate(Ask::g, at);
    for (int p = 0; p < count; ++p) {
      CHECK(terms.g[p] != 0);
      CHECK(terms.g[count + p] == 0);
    }
  }
}

TEST_CASE("All coordinates and invariants are those of positions where nothing else is said",
          "[problem]") {
  ProblemFunctions of;
  of.kind = Kind::invariants;
  of.sizes = {.nq = 3, .nw = 1, .nh = 2};
  of.f = of.r = of.h = [](const Points& at, double* out) { std::fill(out, out + at.count, 0.0); };
  of.differences = true;
  CHECK(problem_from_functions(of)->structure().positions == 3);
  CHECK(problem_from_functions(of)->structure().position_invariants == 2);
  of.positions = 1;
  of.position_invariants = 0;
  CHECK(problem_from_functions(of)->structure().positions == 1);
  CHECK(problem_from_functions(of)->structure().position_invariants == 0);
}

TEST_CASE("Functions that are missing, and sizes that do not fit, are named", "[problem]") {
  const auto refused = [](const ProblemFunctions& of, const std::string& words) {
    CHECK_THROWS_WITH(problem_from_functions(of), Catch::Contains(words));
  };
  ProblemFunctions of = pendulum_functions();
  refused(of, "G is missing; give it, or take differences = true");
  of.differences = true;
  of.f = {};
  refused(of, "f is missing; give it");
  of = pendulum_functions();
  of.differences = true;
  of.sizes.nq = 0;
  of.M = of.g = of.f;
  refused(of, "nq = 0: must be >= 1");
  of = pendulum_functions();
  of.differences = true;
  of.start = VecX::Zero(3);
  refused(of, "start has 3 entries; it must have 4");
  of = pendulum_functions();
  of.sizes.nk = 1;
  of.differences = true;
  refused(of, "give G, g_t and curvature");
  of = pendulum_functions();
  of.sizes.nh = 2;
  of.differences = true;
  refused(of, "nh = 2");
}

TEST_CASE("A struct whose sizes are not known says so", "[problem]") {
  struct Loose {
    using Position = VecX;
    using Multiplier = VecX;
    MatX M(const VecX& q) const { return MatX::Identity(q.size(), q.size()); }
    VecX f(const VecX& q, const VecX&, double) const { return VecX::Zero(q.size()); }
    VecX g(const VecX& q, double) const { return q.head(1); }
    MatX G(const VecX& q, double) const { return MatX::Identity(1, q.size()); }
    VecX g_t(const VecX&, double) const { return VecX::Zero(1); }
  };
  CHECK_THROWS_WITH(problem_of(Loose{}), Catch::Contains("give a state"));
  CHECK_THROWS_WITH(problem_of(Loose{}, VecX(VecX::Zero(3))), Catch::Contains("even number"));
  const DaeProblemPtr problem = problem_of(Loose{}, VecX(VecX::Zero(6)));
  CHECK(problem->sizes() == Sizes{.nq = 3, .ny = 1});
  CHECK_FALSE(problem->structure().has_curvature);
  CHECK_THROWS_AS(problem_of(problems::Pendulum{}, VecX(VecX::Zero(6))), InvalidProblem);
}

namespace {

struct Spiral {
  using State = Vec<2>;
  State f(const State& x, double t) const { return {x[1], -x[0] - t * x[1]}; }
};

/// w is the cube root of x.
struct CubeRoot {
  using State = Vec<1>;
  using Algebraic = VecX;
  State f(const State&, const Algebraic& w, double) const { return -w; }
  Algebraic r(const State& x, const Algebraic& w, double) const {
    return VecX{{w[0] * w[0] * w[0] - x[0]}};
  }
  Algebraic guess_algebraic(double) const { return VecX{{1}}; }
};

}  // namespace

TEST_CASE("What a struct has, and does not have, is told by kind", "[problem]") {
  struct Row {
    DaeProblemPtr problem;
    bool jacobian, curvature, energy, mass;
    int position_invariants, positions;
  };
  const Row rows[] = {{problem_of(Spiral{}), false, false, false, false, 0, 0},
                      {problem_of(CubeRoot{}), false, false, false, false, 0, 1},
                      {problem_of(problems::Al2Example61{}), true, true, false, false, 0, 0},
                      {problem_of(problems::Pendulum{}), true, true, true, false, 0, 0},
                      {problem_of(problems::Wheelset{}), false, false, false, false, 2, 5}};
  for (const Row& row : rows) {
    const Structure& structure = row.problem->structure();
    CAPTURE(name_of(row.problem->kind()));
    CHECK(structure.has_jacobian == row.jacobian);
    CHECK(structure.has_curvature == row.curvature);
    CHECK(structure.has_energy == row.energy);
    CHECK(structure.has_mass == row.mass);
    CHECK(structure.position_invariants == row.position_invariants);
    CHECK(structure.positions == row.positions);
    CHECK_FALSE(structure.has_f_jacobian);
  }
}

TEST_CASE("Structs without constraints, and of index 1, are problems too", "[problem]") {
  const DaeProblemPtr ordinary = problem_of(Spiral{});
  CHECK(ordinary->kind() == Kind::ordinary);
  CHECK(ordinary->sizes() == Sizes{.nq = 2});
  const Vec<2> x{0.3, -0.2};
  const double t = 0.4;
  const auto evaluation = ordinary->evaluation();
  const Terms& terms = evaluation->evaluate(Ask::f, Points{1, 1, &t, x.data(), nullptr, nullptr});
  CHECK(terms.f[0] == -0.2);
  CHECK(terms.f[1] == Spiral{}.f(x, t)[1]);

  const DaeProblemPtr implicit = problem_of(CubeRoot{});
  CHECK(implicit->kind() == Kind::invariants);
  CHECK(implicit->sizes() == Sizes{.nq = 1, .nw = 1});
  const double at[2] = {0, 0}, xs[2] = {8, 1}, ws[2] = {2, 3};
  const auto of_two = implicit->evaluation();
  const Terms& both =
      of_two->evaluate(Ask::f | Ask::r | Ask::r_w, Points{2, 2, at, xs, nullptr, ws});
  CHECK(both.f[0] == -2);
  CHECK(both.f[both.stride - 1] == -3);
  CHECK(both.r[0] == 0);
  CHECK(both.r[1] == 26);
  CHECK(both.r_w[0] == Approx(12).epsilon(1e-6));
  CHECK(both.r_w[1] == Approx(27).epsilon(1e-6));
}
