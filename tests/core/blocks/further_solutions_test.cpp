// Further right sides of factors that are known to solve: when they are checked, and when not.

#include <memory>
#include <random>
#include <string>
#include <utility>

#include "core/blocks/checked_solver.hpp"
#include "tests/catch.hpp"
#include "tests/core/random_babd.hpp"

namespace daewave {
namespace {

/// Whose solutions are too large by a part of them.
class ImpreciseSolver final : public LinearSolver {
 public:
  ImpreciseSolver(std::unique_ptr<LinearSolver> solver, const double& part)
      : solver_(std::move(solver)), part_(part) {}
  const char* name() const override { return solver_->name(); }
  void analyze(const BabdMatrix& matrix) override { solver_->analyze(matrix); }
  FactorStatus factorize(const BabdMatrix& matrix) override { return solver_->factorize(matrix); }
  void solve(const VecX& right, VecX& u) const override {
    solver_->solve(right, u);
    u *= 1 + part_;
  }
  double bytes() const override { return solver_->bytes(); }

 private:
  std::unique_ptr<LinearSolver> solver_;
  const double& part_;
};

}  // namespace

TEST_CASE("further solutions are checked unless the factors have solved without refinement",
          "[linear]") {
  std::mt19937_64 random(41);
  const BabdMatrix matrix = testing::random_babd({4, 30, 2, false}, random);
  const VecX exact = testing::random_vector(matrix.rows(), random);
  VecX right, u;
  matrix.residual(VecX::Zero(matrix.rows()), -exact, right);
  double part = 0;
  CheckedSolver solver("block_lu", {}, [&part](const std::string& name, const SolverSetting& with) {
    return std::make_unique<ImpreciseSolver>(make_linear_solver(name, with), part);
  });
  const auto error = [&] { return (u - exact).cwiseAbs().maxCoeff(); };
  REQUIRE(solver.factorize(matrix));

  part = 1e-5;
  CHECK(solver.solve_further(right, u).refinements > 0);  // Nothing is known of the factors yet.
  CHECK(error() < 1e-10);
  CHECK(solver.solve_further(right, u).refinements > 0);
  CHECK(error() < 1e-10);

  part = 0;
  const CheckedResult first = solver.solve(right, u);
  CHECK(first.refinements == 0);
  const CheckedResult further = solver.solve_further(right, u);
  CHECK(further.accepted);
  CHECK(further.residual >= first.residual);
  CHECK(error() < 1e-10);
  part = 1e-5;
  CHECK(solver.solve_further(right, u).refinements == 0);
  CHECK(error() > 1e-7);
  CHECK(solver.report().solves == 5);

  REQUIRE(solver.factorize(matrix));
  CHECK(solver.solve_further(right, u).refinements > 0);
  CHECK(error() < 1e-10);
}

}  // namespace daewave
