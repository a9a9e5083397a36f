// A sparse elimination asks for memory when it first sees a pattern, only; so do steps with it.

#include "core/adapt/problem_from_functions.hpp"
#include "core/kkt/sparse_kkt.hpp"
#include "ivp/reduced/reduce.hpp"
#include "tests/catch.hpp"
#include "tests/core/particle_net.hpp"
#include "tests/memory/counted_malloc.hpp"

namespace daewave {

TEST_CASE("a sparse elimination asks for memory at the first of a pattern only", "[kkt]") {
  const testing::ParticleNet<> net(8);
  SparseJacobian G = net.G(net.start().head(net.coordinates()), 0);
  AnyMass M;
  M.become<DiagonalMass>() = net.M({});
  SparseKkt kkt;
  VecX f = VecX::Ones(G.cols()), c = VecX::Ones(G.rows()), a, lambda;
  const auto run = [&] {
    kkt.eliminate(G, 0);
    const bool weighed = kkt.weigh(M);
    kkt.solve(M, f, c, a, lambda);
    kkt.correct(M, c, a);
    kkt.correct_orthogonal(c, a, lambda);
    kkt.correct_orthogonal(c, a);
    kkt.forbidden(f, a);
    return weighed;
  };
  REQUIRE(run());
  bool done = true;
  CHECK_FALSE(testing::asks_for_malloc([&] {
    for (int i = 0; i < 3; ++i) {
      G[i] *= 1.01;
      done = done && run();
    }
  }));
  CHECK(done);
}

TEST_CASE("steps of a sparse net of functions ask for memory in the first one only", "[sparse]") {
  // The functions of the tests take vectors of their own: not counted here.
  const testing::ParticleNet<> net(3);
  ProblemFunctions of = testing::functions_of(net);
  const int nq = net.coordinates(), ny = net.rods();
  const VecX values = [&] {
    VecX G(net.pattern()->entries().size());
    net.fill(net.start().head(nq), G.data());
    return G;
  }();
  of.f = [nq](const Points&, double* out) { std::fill(out, out + nq, 1.0); };
  of.M = [nq](const Points&, double* out) { std::fill(out, out + nq, 2.0); };
  of.g = [ny](const Points&, double* out) { std::fill(out, out + ny, 1e-3); };
  of.G = [values](const Points&, double* out) {
    std::copy(values.data(), values.data() + values.size(), out);
  };
  of.curvature = [ny](const Points&, double* out) { std::fill(out, out + ny, 0.1); };
  const DaeProblemPtr problem = problem_from_functions(of);
  for (const ivp::ReductionKind kind : {ivp::ReductionKind::underlying, ivp::ReductionKind::s_both2,
                                        ivp::ReductionKind::stabilized_ode}) {
    CAPTURE(name_of(kind));
    ivp::Reduction how;
    how.kind = kind;
    how.stabilization.gamma = 1;
    const auto system = ivp::reduce(*problem, how);
    VecX z = *problem->start(), slope = z, lambda;
    const auto step = [&] {
      const bool done = system->rhs(0, z, slope) && system->after_step(0, z, slope) &&
                        system->multiplier(0, z, lambda);
      system->drift(0, z);
      return done;
    };
    REQUIRE(step());
    CHECK_FALSE(testing::asks_for_malloc([&] {
      for (int i = 0; i < 5; ++i) step();
    }));
  }
}

}  // namespace daewave
