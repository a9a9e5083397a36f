// A sparse G is stated by the type that a struct returns, or by a pattern beside functions.

#include <Eigen/SparseCore>
#include <algorithm>
#include <string>
#include <vector>

#include "core/adapt/problem_from_functions.hpp"
#include "core/adapt/problem_of.hpp"
#include "core/error.hpp"
#include "core/kernels/multibody_kernel.hpp"
#include "core/start/problem_start.hpp"
#include "tests/catch.hpp"
#include "tests/core/particle_net.hpp"

namespace daewave {
namespace {

using testing::ParticleNet;

/// G as a kernel takes it, moved a little off the start.
MatX dense_G(const DaeProblem& problem) {
  const StructuredKernel kernel(problem);
  const int nq = problem.sizes().nq;
  const VecX q = problem.start()->head(nq) + VecX(VecX::LinSpaced(nq, 0, 0.3));
  return kernel.G(q, 0).dense();
}

ProblemFunctions net_functions() { return testing::functions_of(ParticleNet<>(2)); }

/// What is refused of the functions with that change.
template <class Change>
std::string refusal(Change change) {
  ProblemFunctions of = net_functions();
  change(of);
  try {
    problem_from_functions(of);
  } catch (const InvalidProblem& refused) {
    return refused.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a sparse G is that of the struct with a dense one", "[problem]") {
  const MatX expected = dense_G(*problem_of(ParticleNet<MatX>(3)));
  CHECK(problem_of(ParticleNet<MatX>(3))->structure().constraints == Structure::Constraints::dense);
  for (const DaeProblemPtr& problem :
       {problem_of(ParticleNet<>(3)), problem_of(ParticleNet<Eigen::SparseMatrix<double>>(3)),
        problem_from_functions(testing::functions_of(ParticleNet<>(3)))}) {
    CHECK(problem->structure().constraints == Structure::Constraints::sparse);
    CHECK(problem->structure().mass == Structure::Mass::diagonal);
    CHECK(dense_G(*problem) == expected);
  }
}

TEST_CASE("a matrix of Eigen's keeps its pattern as long as its entries stay where they are",
          "[problem]") {
  Eigen::SparseMatrix<double> G(2, 3);
  G.insert(0, 1) = 5;
  G.insert(1, 2) = 6;
  SparseJacobian taken;
  take_columns(G, taken);  // Not compressed yet.
  CHECK(taken.dense() == MatX(G));
  const SparsePatternPtr first = taken.pattern();
  G.makeCompressed();
  G.coeffRef(0, 1) = 7;
  take_columns(G, taken);
  CHECK(taken.pattern() == first);
  CHECK(taken.dense() == MatX(G));
  G.insert(1, 0) = 8;
  take_columns(G, taken);
  CHECK(taken.pattern() != first);
  CHECK(taken.dense() == MatX(G));
  take_columns(Eigen::SparseMatrix<double>(0, 4), taken);
  CHECK((taken.rows() == 0 && taken.cols() == 4 && taken.entries() == 0));
}

TEST_CASE("differences fill the entries of a pattern", "[problem]") {
  const MatX expected = dense_G(*problem_from_functions(net_functions()));
  ProblemFunctions of = net_functions();
  of.G = {};
  of.curvature = {};
  of.differences = true;
  const DaeProblemPtr problem = problem_from_functions(of);
  CHECK(problem->structure().constraints == Structure::Constraints::sparse);
  CHECK((dense_G(*problem) - expected).cwiseAbs().maxCoeff() < 1e-9);
}

TEST_CASE("differences that a pattern has no entry for are refused", "[problem]") {
  ProblemFunctions of = net_functions();
  const SparseEntry left_out = of.pattern.back();
  of.G = of.curvature = {};
  of.differences = true;
  of.pattern.pop_back();
  CHECK_THROWS_WITH(dense_G(*problem_from_functions(of)),
                    contains_text("in row " + std::to_string(left_out.row) + ", column " +
                                  std::to_string(left_out.column)) &&
                        contains_text("add that entry"));
}

TEST_CASE("derivatives of a sparse G are checked, and entries that the pattern has not are found",
          "[problem]") {
  ProblemFunctions of = net_functions();
  VecX state = *of.start;
  state.tail(of.sizes.nq).setLinSpaced(-1, 1);
  CHECK(check_derivatives(*problem_from_functions(of), state, 0).ok());
  of.pattern.pop_back();
  of.G = [all = of.G, entries = of.pattern.size()](const Points& at, double* out) {
    std::vector<double> values((entries + 1) * static_cast<std::size_t>(at.count));
    all(at, values.data());
    std::copy_n(values.data(), entries * static_cast<std::size_t>(at.count), out);
  };
  CHECK_FALSE(check_derivatives(*problem_from_functions(of), state, 0).ok());
}

TEST_CASE("a pattern that does not go with the functions is refused", "[problem]") {
  CHECK(refusal([](ProblemFunctions&) {}).empty());
  CHECK_THAT(refusal([](ProblemFunctions& of) { of.pattern[1] = of.pattern[0]; }),
             contains_text("entry 1 = (0, 0) is entry 0 again"));
  CHECK_THAT(refusal([](ProblemFunctions& of) { of.pattern[2].column = 12; }),
             contains_text("columns 0 to 11"));
  CHECK_THAT(refusal([](ProblemFunctions& of) { of.pattern[2].row = -1; }),
             contains_text("must be in the rows 0 to 5"));
  CHECK_THAT(refusal([](ProblemFunctions& of) { of.mass = Structure::Mass::dense; }),
             contains_text("it goes with mass = diagonal"));
  CHECK_THAT(refusal([](ProblemFunctions& of) {
               of.kind = Kind::second_order;
               of.B = of.M;
             }),
             contains_text("only G of multibody has one"));
  CHECK_THAT(refusal([](ProblemFunctions& of) {
               of.sizes = {.nq = 12, .ny = 5, .nk = 1};
               of.g_t = of.g;
             }),
             contains_text("nk = 1: constraints on velocities go with dense G"));
}

}  // namespace daewave
