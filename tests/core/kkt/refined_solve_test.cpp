// Chains, joints and sparse G with light bodies between heavy ones, against the elimination in the
// null space of G, which loses nothing there.

#include "core/kkt/refined_solve.hpp"

#include <random>
#include <vector>

#include "core/kkt/chain_kkt.hpp"
#include "core/kkt/joint_kkt.hpp"
#include "core/kkt/kkt.hpp"
#include "core/kkt/sparse_kkt.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

/// A chain of five bodies, of which every other one is light.
struct UnevenChain {
  static constexpr int bodies = 5;
  ChainJacobian chain;
  JointJacobian<3, 2> joints;
  SparseJacobian sparse;
  DiagonalMass M{3 * bodies};
  VecX f, c, v;

  UnevenChain(double light, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(-1, 1);
    const auto vector = [&](int size) {
      return VecX(VecX::NullaryExpr(size, [&]() { return unit(random); }));
    };
    std::vector<Joint> pins;
    for (int i = 0; i < bodies; ++i) pins.push_back({2, i, i > 0 ? i - 1 : Joint::ground});
    joints.reset(std::make_shared<const JointPattern>(bodies, pins));
    chain.resize(bodies);
    for (int i = 0; i < bodies; ++i) {
      chain.own[i] << 1 + 0.5 * unit(random), unit(random);
      joints.end(2 * i) << Mat<2, 2>::Identity(), chain.own[i];
      if (i == 0) continue;
      chain.before[i] << 1 + 0.5 * unit(random), unit(random);
      joints.end(2 * i + 1) << -Mat<2, 2>::Identity(), chain.before[i];
    }
    std::vector<SparseEntry> places;
    each_entry(chain, [&](int row, int column, double) { places.push_back({row, column}); });
    sparse.reset(std::make_shared<const SparsePattern>(2 * bodies, 3 * bodies, places));
    const MatX dense = joints.dense();
    for (int e = 0; e < sparse.entries(); ++e) {
      sparse[e] = dense(sparse.place(e).row, sparse.place(e).column);
    }
    for (int i = 0; i < bodies; ++i) {
      const double mass = i % 2 == 1 ? light : 1;
      M.diagonal().segment<3>(3 * i) << mass, mass, 0.3 * mass;
    }
    f = M * vector(3 * bodies);
    c = vector(2 * bodies);
    v = vector(3 * bodies);
  }
};

struct UnevenAnswers {
  VecX a, lambda, corrected, forbidden;

  double off(const UnevenAnswers& other) const {
    const auto part = [](const VecX& x, const VecX& y) { return (x - y).norm() / y.norm(); };
    return std::max({part(a, other.a), part(lambda, other.lambda), part(corrected, other.corrected),
                     part(forbidden, other.forbidden)});
  }
  bool none() const {
    return a.array().isNaN().all() && lambda.array().isNaN().all() &&
           corrected.array().isNaN().all() && forbidden.array().isNaN().all();
  }
};

template <class Kkt, class Mass>
UnevenAnswers uneven_answers(Kkt& kkt, const Mass& M, const UnevenChain& system) {
  UnevenAnswers found;
  kkt.weigh(M);
  kkt.solve(M, system.f, system.c, found.a, found.lambda);
  kkt.correct(M, system.c, found.corrected);
  kkt.forbidden(system.v, found.forbidden);
  return found;
}

struct ByEach {
  UnevenAnswers null_space, chain, joints, sparse;

  explicit ByEach(const UnevenChain& system) {
    NullSpaceKkt<VecX, VecX> dense;
    dense.eliminate(system.joints.dense(), system.M, 1e-12);
    null_space = uneven_answers(dense, system.M, system);
    ChainKkt of_chain;
    of_chain.eliminate(system.chain, 0);
    chain = uneven_answers(of_chain, system.M, system);
    JointKkt<3, 2> of_joints;
    of_joints.eliminate(system.joints, 0);
    joints = uneven_answers(of_joints, system.M, system);
    SparseKkt of_entries;
    of_entries.eliminate(system.sparse, 0);
    AnyMass any;
    any.become<DiagonalMass>() = system.M;
    sparse = uneven_answers(of_entries, any, system);
  }
};

}  // namespace

TEST_CASE("Light bodies between heavy ones lose no digits in chains, joints and sparse G",
          "[kkt]") {
  // Without refinement they lost eps times the ratio of masses: at 1e-9 5e-7.
  for (const double light : {1e-3, 1e-6, 1e-9, 1e-12}) {
    for (unsigned seed = 1; seed <= 20; ++seed) {
      CAPTURE(light, seed);
      const ByEach found(UnevenChain(light, seed));
      CHECK(found.chain.off(found.null_space) < 1e-11);
      CHECK(found.joints.off(found.null_space) < 1e-11);
      CHECK(found.sparse.off(found.null_space) < 1e-11);
    }
  }
}

TEST_CASE("Where masses leave no digits of G M^-1 G^T there is no answer", "[kkt]") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    const ByEach found(UnevenChain(1e-20, seed));
    CHECK(found.chain.none());
    CHECK(found.joints.none());
    CHECK(found.sparse.none());
  }
}

}  // namespace daewave
