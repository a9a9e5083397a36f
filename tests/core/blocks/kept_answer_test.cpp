// A solver that takes over from one that failed is looked at more closely.

#include <utility>

#include "core/blocks/checked_solver.hpp"
#include "tests/catch.hpp"
#include "tests/core/random_babd.hpp"

namespace daewave {

namespace {

/// One that cannot be used, or whose first answer is off by 1e-13 and what should correct that is
/// nonsense.
class Spoilt final : public LinearSolver {
 public:
  Spoilt(std::unique_ptr<LinearSolver> solver, bool usable)
      : solver_(std::move(solver)), usable_(usable) {}
  const char* name() const override { return solver_->name(); }
  void analyze(const BabdMatrix& matrix) override { solver_->analyze(matrix); }
  FactorStatus factorize(const BabdMatrix& matrix) override {
    const FactorStatus status = solver_->factorize(matrix);
    return usable_ ? status : FactorStatus{false, "told to fail"};
  }
  void solve(const VecX& right, VecX& u) const override {
    solver_->solve(right, u);
    if (calls_++ == 0) {
      u *= 1 + 1e-13;
    } else {
      u.setConstant(u.size(), 1e3);
    }
  }
  double bytes() const override { return solver_->bytes(); }

 private:
  std::unique_ptr<LinearSolver> solver_;
  bool usable_;
  mutable int calls_ = 0;
};

}  // namespace

TEST_CASE("a solver that takes over is judged by the answer it keeps, not by one it turned down",
          "[linear]") {
  std::mt19937_64 random(40);
  const BabdMatrix matrix = testing::random_babd({3, 20, 2, false}, random);
  CheckedSolver solver("block_lu", {}, [](const std::string& name, const SolverSetting& setting) {
    return std::make_unique<Spoilt>(make_linear_solver(name, setting), name != "block_lu");
  });
  CHECK(solver.factorize(matrix));
  CHECK(solver.failure().empty());
  CHECK(solver.report().used == "block_qr");
  REQUIRE(solver.report().tried.size() == 1);
  CHECK(solver.report().tried[0] == "block_lu: told to fail");
}

}  // namespace daewave
