// Unknowns of index 1, from a start that tells nothing of their size.

#include <cmath>
#include <random>

#include "core/adapt/problem_from_functions.hpp"
#include "core/kernels/index_kernels.hpp"
#include "ivp/equations/algebraic_unknowns.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

/// 0 = A w - b, linear in w, whose solution is given.
DaeProblemPtr linear(const MatX& A, const VecX& solution) {
  const int n = static_cast<int>(solution.size());
  const VecX b = A * solution;
  ProblemFunctions of{.kind = Kind::invariants, .sizes = {.nq = 1, .nw = n}};
  of.f = [](const Points& at, double* out) { std::fill_n(out, at.count, 0.0); };
  of.r = [A, b, n](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      for (int i = 0; i < n; ++i) {
        double sum = -b[i];
        for (int j = 0; j < n; ++j) sum += A(i, j) * at.w[j * at.stride + p];
        out[i * at.count + p] = sum;
      }
    }
  };
  of.h = of.H = [](const Points&, double*) {};
  of.differences = true;
  return problem_from_functions(std::move(of));
}

}  // namespace

TEST_CASE("unknowns that vanish beside large ones are found from a start of zeros", "[ivp]") {
  std::mt19937 random(20);
  std::uniform_real_distribution<double> entry(-1, 1);
  for (int run = 0; run < 40; ++run) {
    MatX A(6, 6);
    for (int i = 0; i < 36; ++i) A(i / 6, i % 6) = entry(random);
    A.diagonal().array() += 2;
    const VecX scale = (VecX(6) << 1e3, 1, 1e-2, 80, 1, 1).finished();
    A = scale.asDiagonal() * A;
    const VecX solution = (VecX(6) << 300, 0, 0, -87, 0, 0).finished();
    const DaeProblemPtr problem = linear(A, solution);
    const InvariantKernel kernel(*problem);
    AlgebraicUnknowns<InvariantKernel> unknowns(kernel);
    unknowns.start(VecX::Zero(6));
    const bool found = unknowns.solve(VecX::Zero(1), 0);
    CAPTURE(run, unknowns.failure(), unknowns.evaluations(), unknowns.jacobians());
    REQUIRE(found);
    CHECK((unknowns.w() - solution).cwiseAbs().maxCoeff() < 1e-9);
    // And again from there, where nothing is left to change.
    REQUIRE(unknowns.solve(VecX::Zero(1), 0));
    CHECK((unknowns.w() - solution).cwiseAbs().maxCoeff() < 1e-9);
  }
}

TEST_CASE("why unknowns were not found is told until they are", "[ivp]") {
  // 0 = 1 before t = 1, and 0 = w - 2 then.
  ProblemFunctions of{.kind = Kind::invariants, .sizes = {.nq = 1, .nw = 1}};
  of.f = [](const Points& at, double* out) { std::fill_n(out, at.count, 0.0); };
  of.r = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) out[p] = at.t[p] < 1 ? 1 : at.w[p] - 2;
  };
  of.h = of.H = [](const Points&, double*) {};
  of.differences = true;
  const DaeProblemPtr problem = problem_from_functions(std::move(of));
  const InvariantKernel kernel(*problem);
  AlgebraicUnknowns<InvariantKernel> unknowns(kernel);
  unknowns.start(VecX::Zero(1));
  CHECK(unknowns.failure().empty());
  CHECK_FALSE(unknowns.solve(VecX::Zero(1), 0.5));
  CHECK_THAT(unknowns.failure(), contains_text("singular or not finite at t = 0.5"));
  REQUIRE(unknowns.solve(VecX::Zero(1), 2));
  CHECK(unknowns.w()[0] == Approx(2));
  CHECK(unknowns.failure().empty());
}

}  // namespace daewave::ivp
