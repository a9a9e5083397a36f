// A net with closed loops, whose G is dense, sparse, or sparse by functions: the same motion by
// every method.

#include <Eigen/SparseCore>
#include <string>
#include <vector>

#include "core/adapt/problem_from_functions.hpp"
#include "core/adapt/problem_of.hpp"
#include "core/error.hpp"
#include "ivp/reduced/reduce.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/core/particle_net.hpp"

namespace daewave::ivp {
namespace {

using testing::ParticleNet;

struct Nets {
  DaeProblemPtr dense;
  std::vector<DaeProblemPtr> sparse;
};
Nets nets(int side) {
  return {
      problem_of(ParticleNet<MatX>(side)),
      {problem_of(ParticleNet<>(side)), problem_of(ParticleNet<Eigen::SparseMatrix<double>>(side)),
       problem_of(ParticleNet<SparseJacobian, BodyMass<3>>(side)),
       problem_from_functions(testing::functions_of(ParticleNet<>(side)))}};
}

double gap(const VecX& found, const VecX& expected) {
  REQUIRE(found.size() == expected.size());
  return (found - expected).cwiseAbs().maxCoeff() / (1 + expected.cwiseAbs().maxCoeff());
}

/// What a method needs to be told beside its name.
Options options_of(const Method& asked) {
  Options options;
  options.method = asked;
  options.rtol = 1e-6;
  options.every = 0;
  if (auto* baumgarte = std::get_if<Baumgarte>(&options.method)) *baumgarte = {20, 100};
  if (auto* stabilized = std::get_if<StabilizedOde>(&options.method)) stabilized->gamma = 5;
  if (auto* srm = std::get_if<Srm>(&options.method)) srm->iterates = 4;
  const bool fixed =
      std::holds_alternative<Srm>(asked) || std::holds_alternative<SymmetricProjection>(asked);
  if (fixed) options.h = 0.01;
  return options;
}

}  // namespace

TEST_CASE("accelerations and multipliers of a sparse G are those of a dense one", "[sparse]") {
  const Nets net = nets(3);
  const VecX start = *net.dense->start();
  const int nq = net.dense->sizes().nq;
  VecX z = start;
  z.tail(nq).setLinSpaced(-0.5, 0.5);
  for (const ReductionKind kind :
       {ReductionKind::underlying, ReductionKind::s_both2, ReductionKind::stabilized_ode}) {
    CAPTURE(name_of(kind));
    Reduction how;
    how.kind = kind;
    how.stabilization.gamma = 3;
    const auto expected = reduce(*net.dense, how);
    VecX slope = z, lambda, moved = z;
    REQUIRE(expected->multiplier(0, z, lambda));
    REQUIRE(expected->rhs(0, z, slope));
    const VecX before = slope;
    REQUIRE(expected->after_step(0, moved, slope));
    for (const DaeProblemPtr& problem : net.sparse) {
      const auto system = reduce(*problem, how);
      VecX own_slope = z, own_lambda, own_moved = z;
      REQUIRE(system->multiplier(0, z, own_lambda));
      CHECK(gap(own_lambda, lambda) < 1e-12);
      REQUIRE(system->rhs(0, z, own_slope));
      CHECK(gap(own_slope, before) < 1e-12);
      REQUIRE(system->after_step(0, own_moved, own_slope));
      CHECK(gap(own_moved, moved) < 1e-12);
    }
  }
}

TEST_CASE("a net moves the same by every method, its G being sparse or not", "[sparse]") {
  const Nets net = nets(2);
  for (const Method& method : all_methods()) {
    CAPTURE(name_of(method));
    const Options options = options_of(method);
    const Solution expected = solve(*net.dense, options);
    REQUIRE(expected.report.usable());
    for (const DaeProblemPtr& problem : net.sparse) {
      if (std::holds_alternative<SFull>(method)) {
        // D = H^T is that of a dense G, as for chains and joints.
        CHECK_THROWS_WITH(solve(*problem, options), contains_text("needs the entries of G"));
        continue;
      }
      const Solution found = solve(*problem, options);
      CHECK(found.report.termination == expected.report.termination);
      REQUIRE(found.t.back() == expected.t.back());
      // Jacobians by differences, and so steps, are not the same to the last digits.
      CHECK(gap(found.end(), expected.end()) < 1e-2 * options.rtol);
      if (found.multipliers.empty()) continue;
      CHECK(gap(found.multiplier(found.count() - 1), expected.multiplier(expected.count() - 1)) <
            options.rtol);
    }
  }
}

TEST_CASE("each variant of sequential regularization takes a sparse G", "[sparse]") {
  const Nets net = nets(2);
  for (const Variant variant : variants_of_index_3()) {
    CAPTURE(name_of(variant));
    Srm method;
    method.variant = variant;
    method.iterates = 3;
    const Options options{.method = method, .h = 0.005, .every = 0};
    const Solution expected = solve(*net.dense, options);
    for (const DaeProblemPtr& problem : net.sparse) {
      const Solution found = solve(*problem, options);
      CHECK(found.report.termination == expected.report.termination);
      CHECK(gap(found.end(), expected.end()) < 1e-10);
    }
  }
}

}  // namespace daewave::ivp
