// A solver that is not believed: what it accepts is right, and what it gave up is told.

#include "core/blocks/checked_solver.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/core/random_babd.hpp"

namespace daewave {
namespace {

/// Midpoint rule for x' = (-1/6 1; 1 -1/6) x with x(0) + x(length) given, due to S. J. Wright: row
/// pivoting never exchanges rows, and the last column grows exponentially with the length.
BabdMatrix wrights_system(int intervals, double h) {
  BabdMatrix matrix(2, intervals);
  const MatX A{{-1.0 / 6, 1}, {1, -1.0 / 6}};
  const MatX left = -(MatX::Identity(2, 2) + 0.5 * h * A),
             right = MatX::Identity(2, 2) - 0.5 * h * A;
  for (int i = 0; i < intervals; ++i) {
    for (int e = 0; e < 4; ++e) {
      matrix.S(i)[e] = left(e / 2, e % 2);
      matrix.R(i)[e] = right(e / 2, e % 2);
    }
  }
  matrix.B0 = matrix.B1 = MatX::Identity(2, 2);
  return matrix;
}

double error_of(CheckedSolver& solver, const BabdMatrix& matrix, unsigned seed) {
  std::mt19937_64 random(seed);
  const VecX exact = testing::random_vector(matrix.rows(), random);
  VecX u, unused;
  matrix.residual(VecX::Zero(matrix.rows()), exact, unused);
  const VecX right = -unused;  // What is left of zero is -M exact.
  const CheckedResult result = solver.solve(right, u);
  CHECK(result.accepted);
  CHECK(result.residual <= CheckedSolver::acceptable);
  return (u - exact).cwiseAbs().maxCoeff();
}

/// What was asked of the solvers, by name.
struct Calls {
  int made = 0, analyses = 0, factorizations = 0;
};
using CallsOf = std::map<std::string, Calls>;

/// A solver that counts, and can be told to fail.
class CountedSolver final : public LinearSolver {
 public:
  CountedSolver(std::unique_ptr<LinearSolver> solver, Calls& calls, const std::string& broken)
      : solver_(std::move(solver)), calls_(calls), broken_(broken) {}
  const char* name() const override { return solver_->name(); }
  void analyze(const BabdMatrix& matrix) override {
    ++calls_.analyses;
    solver_->analyze(matrix);
  }
  FactorStatus factorize(const BabdMatrix& matrix) override {
    ++calls_.factorizations;
    const FactorStatus status = solver_->factorize(matrix);
    return broken_ == name() ? FactorStatus{false, "told to fail"} : status;
  }
  void solve(const VecX& right, VecX& u) const override { solver_->solve(right, u); }
  double bytes() const override { return solver_->bytes(); }

 private:
  std::unique_ptr<LinearSolver> solver_;
  Calls& calls_;
  const std::string& broken_;
};

/// @param broken  name of the solver that fails, as it is when that factorizes.
LinearSolverMaker counted(CallsOf& calls, const std::string& broken) {
  return [&calls, &broken](const std::string& name, const SolverSetting& setting) {
    ++calls[name].made;
    return std::make_unique<CountedSolver>(make_linear_solver(name, setting), calls[name], broken);
  };
}

}  // namespace

TEST_CASE("a structure is analyzed once, however many matrices of it are factorized", "[linear]") {
  std::mt19937_64 random(28);
  for (const std::string& name : linear_solver_names()) {
    for (const bool coupled : {false, true}) {
      CAPTURE(name, coupled);
      CallsOf calls;
      const std::string broken;
      CheckedSolver solver(name, {}, counted(calls, broken));
      for (int again = 0; again < 5; ++again) {
        const BabdMatrix matrix = testing::random_babd({4, 30, 2, coupled}, random);
        REQUIRE(solver.factorize(matrix));
        CHECK(error_of(solver, matrix, 29) < 1e-10);
      }
      CHECK(solver.report().used == name);
      CHECK(calls[name].made == 1);
      CHECK(calls[name].analyses == 1);
      CHECK(calls[name].factorizations == 5);
      CHECK(solver.report().analyses == 1);
      CHECK(solver.report().factorizations == 5);
    }
  }
}

TEST_CASE("another size, and conditions at other ends, are analyzed anew", "[linear]") {
  std::mt19937_64 random(30);
  for (const std::string& name : linear_solver_names()) {
    CAPTURE(name);
    CallsOf calls;
    const std::string broken;
    CheckedSolver solver(name, {}, counted(calls, broken));
    std::vector<BabdMatrix> matrices{testing::random_babd({4, 30, 2, false}, random),
                                     testing::random_babd({4, 31, 2, false}, random),
                                     testing::random_babd({3, 31, 2, false}, random),
                                     testing::random_babd({3, 31, 1, false}, random),
                                     testing::random_babd({3, 31, 1, true}, random)};
    // The same conditions in another order.
    matrices.push_back(matrices[3]);
    matrices.back().B0 = matrices[3].B0.colwise().reverse();
    matrices.back().B1 = matrices[3].B1.colwise().reverse();
    for (const BabdMatrix& matrix : matrices) {
      REQUIRE(solver.factorize(matrix));
      CHECK(solver.report().used == name);
      CHECK(error_of(solver, matrix, 31) < 1e-10);
    }
    CHECK(calls[name].analyses == 6);
    CHECK(calls[name].made == 1);
  }
}

TEST_CASE("solvers that take over are analyzed once too, and each matrix begins with the first",
          "[linear]") {
  std::mt19937_64 random(32);
  CallsOf calls;
  std::string broken;
  CheckedSolver solver("block_lu", {}, counted(calls, broken));
  for (int i = 0; i < 6; ++i) {
    broken = i % 2 == 0 ? "block_lu" : "";
    const BabdMatrix matrix = testing::random_babd({4, 30, 2, false}, random);
    REQUIRE(solver.factorize(matrix));
    CHECK(solver.report().used == (i % 2 == 0 ? "block_qr" : "block_lu"));
    CHECK(error_of(solver, matrix, 33) < 1e-10);
  }
  CHECK(calls["block_lu"].analyses == 1);
  CHECK(calls["block_lu"].factorizations == 6);
  CHECK(calls["block_qr"].analyses == 1);
  CHECK(calls["block_qr"].factorizations == 3);
  CHECK(solver.report().analyses == 2);
  CHECK(solver.report().tried == std::vector<std::string>(3, "block_lu: told to fail"));
  // Wright's system is factorized by block_lu, and not solved: block_qr takes over in solve().
  broken.clear();
  const BabdMatrix growing = wrights_system(1200, 0.3);
  for (int again = 0; again < 2; ++again) {
    REQUIRE(solver.factorize(growing));
    CHECK(error_of(solver, growing, 34) < 1e-9);
    CHECK(solver.report().used == "block_qr");
  }
  CHECK(calls["block_lu"].analyses == 2);
  CHECK(calls["block_qr"].analyses == 2);
}

TEST_CASE("conditions in other units determine as much", "[linear]") {
  std::mt19937_64 random(35);
  for (const bool coupled : {false, true}) {
    for (const double unit : {1e-16, 1e-13, 1e13, 1e16}) {
      CAPTURE(coupled, unit);
      BabdMatrix matrix = testing::random_babd({4, 30, 2, coupled}, random);
      matrix.B0.row(1) *= unit;
      matrix.B1.row(1) *= unit;
      CheckedSolver solver("auto");
      REQUIRE(solver.factorize(matrix));
      CHECK(solver.report().tried.empty());
      CHECK(error_of(solver, matrix, 36) < 1e-10);
    }
  }
}

TEST_CASE("where LU with row pivoting grows exponentially the answer is right or given up by name",
          "[linear]") {
  for (const std::string& name : linear_solver_names()) {
    for (const int intervals : {20, 200, 1200}) {
      const BabdMatrix matrix = wrights_system(intervals, 0.3);
      CheckedSolver solver(name);
      const bool factorized = solver.factorize(matrix);
      CAPTURE(name, intervals, solver.report().tried, solver.failure());
      REQUIRE(factorized);
      // The condition number is that of the problem, below 100; the residual accepted is 1e-12.
      CHECK(error_of(solver, matrix, 21) < 1e-9);
      if (solver.report().used != name) {
        REQUIRE_FALSE(solver.report().tried.empty());
        CHECK_THAT(solver.report().tried.front(), contains_text(name));
      }
      if (name == "block_lu" && intervals == 1200) CHECK(solver.report().used == "block_qr");
    }
  }
}

TEST_CASE(
    "whoever takes over from a solver that failed may find solutions that decay from both ends",
    "[linear]") {
  for (const int intervals : {20, 200, 600, 1200, 3000}) {
    CAPTURE(intervals);
    CallsOf calls;
    const std::string broken = "block_lu";
    CheckedSolver solver("block_lu", {}, counted(calls, broken));
    const BabdMatrix matrix = wrights_system(intervals, 0.3);
    REQUIRE(solver.factorize(matrix));
    CHECK(solver.report().used == "block_qr");
    CHECK(error_of(solver, matrix, 37) < 1e-9);
  }
}

TEST_CASE("auto takes block_lu for separated conditions and block_qr for coupled ones",
          "[linear]") {
  std::mt19937_64 random(22);
  for (const bool coupled : {false, true}) {
    const BabdMatrix matrix = testing::random_babd({4, 30, 2, coupled}, random);
    CheckedSolver solver("auto");
    REQUIRE(solver.factorize(matrix));
    CHECK(error_of(solver, matrix, 23) < 1e-11);
    CHECK(solver.report().asked == "auto");
    CHECK(solver.report().used == (coupled ? "block_qr" : "block_lu"));
    CHECK(solver.report().tried.empty());
    CHECK(solver.report().factorizations == 1);
    CHECK(solver.report().solves == 1);
    CHECK(solver.report().bytes_per_interval > 0);
  }
}

TEST_CASE("a singular matrix is given up with the name of every solver tried", "[linear]") {
  std::mt19937_64 random(24);
  BabdMatrix matrix = testing::random_babd({3, 10, 2, false}, random);
  matrix.B1.setZero();
  for (const std::string& name : linear_solver_names()) {
    CheckedSolver solver(name);
    CHECK_FALSE(solver.factorize(matrix));
    CHECK_FALSE(solver.failure().empty());
    CHECK_FALSE(solver.report().tried.empty());
  }
}

TEST_CASE("conditions that leave a mode open are found although the right side is consistent",
          "[linear]") {
  // u_{i+1} = u_i with u_N - u_0 given: any constant may be added.
  for (const std::string& name : linear_solver_names()) {
    BabdMatrix matrix(1, 20);
    for (int i = 0; i < 20; ++i) {
      *matrix.S(i) = 1;
      *matrix.R(i) = -1;
    }
    matrix.B0 = MatX{{-1}};
    matrix.B1 = MatX{{1}};
    CheckedSolver solver(name);
    CAPTURE(name);
    CHECK_FALSE(solver.factorize(matrix));
    CHECK_FALSE(solver.failure().empty());
  }
}

TEST_CASE("a mode that grows by e^100 is solved, or refused by block_qr, whose reflections lose it",
          "[linear]") {
  for (const std::string& name : linear_solver_names()) {
    BabdMatrix matrix(1, 200);
    for (int i = 0; i < 200; ++i) {
      *matrix.S(i) = std::exp(0.5);
      *matrix.R(i) = -1;
    }
    matrix.B0 = MatX{{1}};
    matrix.B1 = MatX{{0}};
    CheckedSolver solver(name);
    CAPTURE(name);
    const bool factorized = solver.factorize(matrix);
    // The condition carried along falls below rounding of the rows it is reflected with.
    CHECK(factorized == (name != "block_qr"));
    if (!factorized) continue;
    VecX right = VecX::Zero(201), u;
    right[200] = 1;
    CHECK(solver.solve(right, u).accepted);
    CHECK(u[200] == Approx(std::exp(100.0)));
  }
}

TEST_CASE("auto falls back on block_lu where block_qr loses a mode beside coupled conditions",
          "[linear]") {
  BabdMatrix matrix(2, 200);
  for (int i = 0; i < 200; ++i) {
    std::fill(matrix.S(i), matrix.S(i) + 4, 0.0);
    std::fill(matrix.R(i), matrix.R(i) + 4, 0.0);
    matrix.S(i)[0] = std::exp(0.5);
    matrix.S(i)[3] = 1;
    matrix.R(i)[0] = matrix.R(i)[3] = -1;
  }
  matrix.B0 = MatX{{1, 0}, {0, 1}};
  matrix.B1 = MatX{{0, 0}, {0, 0.5}};  // The second condition couples both ends.
  CheckedSolver solver("auto");
  REQUIRE(solver.factorize(matrix));
  CHECK(solver.report().used == "block_lu");
  REQUIRE(solver.report().tried.size() == 1);
  CHECK(solver.report().tried[0].find("block_qr") == 0);
  VecX right = VecX::Zero(402), u;
  right[400] = 1;
  right[401] = 3;
  CHECK(solver.solve(right, u).accepted);
  CHECK(u[400] == Approx(std::exp(100.0)));
  CHECK(u[401] == Approx(2));
}

TEST_CASE("an unknown name is refused before any work", "[linear]") {
  CHECK_THROWS_AS(CheckedSolver("blok_lu"), InvalidOption);
}

TEST_CASE("the residual of a block matrix is that of the dense matrix", "[linear]") {
  std::mt19937_64 random(25);
  for (const int n : {1, 2, 3, 4, 5, 6, 9}) {
    const BabdMatrix matrix = testing::random_babd({n, 7, n / 2, true}, random);
    const VecX u = testing::random_vector(matrix.rows(), random);
    const VecX right = testing::random_vector(matrix.rows(), random);
    VecX residual;
    const double worst = matrix.residual(right, u, residual);
    const VecX expected = right - testing::dense(matrix) * u;
    CHECK((residual - expected).cwiseAbs().maxCoeff() < 1e-13);
    CHECK(worst > 0);
    CHECK(worst <= 1);
    // A tiny error in one row is seen at its true size.
    const VecX exact_right = testing::dense(matrix) * u;
    VecX disturbed = exact_right;
    disturbed[n] += 1e-9;
    const double seen = matrix.residual(disturbed, u, residual);
    CHECK(seen > 1e-12);
    CHECK(seen < 1e-8);
  }
}

TEST_CASE("a solution that is zero at an end is accepted from every solver", "[linear]") {
  std::mt19937_64 random(27);
  for (const std::string& name : linear_solver_names()) {
    for (const bool coupled : {false, true}) {
      const BabdMatrix matrix = testing::random_babd({4, 40, 2, coupled}, random);
      VecX exact = testing::random_vector(matrix.rows(), random);
      exact.head(4).setZero();
      exact.tail(4).setZero();
      VecX u;
      CheckedSolver solver(name);
      REQUIRE(solver.factorize(matrix));
      const CheckedResult result = solver.solve(testing::dense(matrix) * exact, u);
      CAPTURE(name, coupled, result.residual, solver.report().tried);
      CHECK(result.accepted);
      CHECK(solver.report().used == name);
      CHECK((u - exact).cwiseAbs().maxCoeff() < 1e-11);
    }
  }
}

TEST_CASE("the residual is infinite where a number is not finite, wherever it stands", "[linear]") {
  std::mt19937_64 random(26);
  const BabdMatrix matrix = testing::random_babd({3, 5, 1, true}, random);
  const VecX good = testing::random_vector(matrix.rows(), random);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (int place = 0; place < matrix.rows(); ++place) {
      VecX broken = good, residual;
      broken[place] = bad;
      CHECK(std::isinf(matrix.residual(good, broken, residual)));
      CHECK(std::isinf(matrix.residual(broken, good, residual)));
    }
  }
}

}  // namespace daewave
