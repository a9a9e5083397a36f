// The contract of every linear solver, by listing them.

#include "core/blocks/linear_solver.hpp"

#include <Eigen/LU>
#include <limits>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/core/random_babd.hpp"

namespace daewave {
namespace {

using testing::BabdShape;

// Largest error allowed for an answer of size one: rounding times the condition number of the
// systems used here, which stays below 1e4.
constexpr double accuracy = 1e-11;

void check_against_dense(LinearSolver& solver, const BabdMatrix& matrix, std::mt19937_64& random) {
  const FactorStatus status = solver.factorize(matrix);
  INFO(status.message);
  REQUIRE(status.usable);
  const MatX all = testing::dense(matrix);
  for (int repeat = 0; repeat < 2; ++repeat) {
    const VecX exact = testing::random_vector(matrix.rows(), random);
    VecX u;
    solver.solve(all * exact, u);
    REQUIRE(u.size() == exact.size());
    CHECK((u - exact).cwiseAbs().maxCoeff() < accuracy);
  }
}

}  // namespace

TEST_CASE("every linear solver agrees with a dense one on systems with a dichotomy", "[linear]") {
  for (const std::string& name : linear_solver_names()) {
    std::mt19937_64 random(1);
    for (const int n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 24}) {
      for (const int intervals : {1, 2, n < 10 ? 50 : 12}) {
        for (const int left : {0, 1, n / 2, n - 1, n}) {
          for (const bool coupled : {false, true}) {
            const BabdShape shape{n, intervals, left, coupled};
            CAPTURE(name, n, intervals, left, coupled);
            const BabdMatrix matrix = testing::random_babd(shape, random);
            const auto solver = make_linear_solver(name);
            CHECK(solver->name() == name);
            solver->analyze(matrix);
            check_against_dense(*solver, matrix, random);
            // Of each unknown a pivot at least.
            CHECK(solver->bytes() >= 8.0 * matrix.rows());
          }
        }
      }
    }
  }
}

TEST_CASE("what conditions do to nodes is as large as in solutions of them", "[linear]") {
  for (const std::string& name : linear_solver_names()) {
    std::mt19937_64 random(3);
    for (const int n : {1, 2, 3, 5, 8, 9}) {
      for (const int left : {0, n / 2, n}) {
        for (const bool coupled : {false, true}) {
          CAPTURE(name, n, left, coupled);
          const BabdMatrix matrix = testing::random_babd({n, 17, left, coupled}, random);
          const auto solver = make_linear_solver(name);
          solver->analyze(matrix);
          REQUIRE(solver->factorize(matrix).usable);
          const MatX conditions = MatX::Random(n, n);
          const MatX sizes = solver->sizes_by_conditions(conditions, matrix.rows());
          REQUIRE(sizes.cols() == n);
          for (int c = 0; c < n; ++c) {
            VecX right = VecX::Zero(matrix.rows()), u;
            right.tail(n) = conditions.col(c);
            solver->solve(right, u);
            const MatX nodes = Eigen::Map<const MatX>(u.data(), n, 18).cwiseAbs();
            CHECK((sizes.col(c) - nodes.rowwise().maxCoeff()).norm() <= 1e-13 * nodes.norm());
          }
        }
      }
    }
  }
}

TEST_CASE("one analysis serves many matrices, whatever entries are zero", "[linear]") {
  for (const std::string& name : linear_solver_names()) {
    CAPTURE(name);
    std::mt19937_64 random(2);
    const BabdShape shape{4, 20, 2, true};
    BabdMatrix matrix = testing::random_babd(shape, random);
    const auto solver = make_linear_solver(name);
    solver->analyze(matrix);
    check_against_dense(*solver, matrix, random);
    check_against_dense(*solver, testing::random_babd(shape, random), random);
    // Some blocks become those of u_{i+1} = u_i, which are mostly explicit zeros.
    for (int i = 3; i < 20; i += 4) {
      for (int e = 0; e < 16; ++e) {
        matrix.S(i)[e] = e % 5 == 0 ? 1 : 0;
        matrix.R(i)[e] = e % 5 == 0 ? -1 : 0;
      }
    }
    check_against_dense(*solver, matrix, random);
    check_against_dense(*solver, testing::random_babd(shape, random), random);
  }
}

TEST_CASE("conditions given in any order and at both ends are told apart", "[linear]") {
  for (const std::string& name : linear_solver_names()) {
    CAPTURE(name);
    std::mt19937_64 random(3);
    BabdMatrix matrix = testing::random_babd({5, 8, 2, false}, random);
    for (const auto& [a, b] : {std::pair(0, 4), std::pair(1, 2)}) {
      matrix.B0.row(a).swap(matrix.B0.row(b));
      matrix.B1.row(a).swap(matrix.B1.row(b));
    }
    const auto solver = make_linear_solver(name);
    solver->analyze(matrix);
    check_against_dense(*solver, matrix, random);
  }
}

TEST_CASE("stiff modes of rates +-50 with conditions that couple both ends keep their accuracy",
          "[linear]") {
  // x_{i+1} = T exp(h diag(-50, 50, -1, 1)) T^-1 x_i; the growing modes are read at the right end.
  std::mt19937_64 random(4);
  const int n = 4, intervals = 40;
  const double h = 0.1;
  const MatX T = testing::random_orthogonal(n, random);
  const VecX growth = (h * VecX{{-50, 50, -1, 1}}).array().exp();
  BabdMatrix matrix(n, intervals);
  const MatX S = T * growth.asDiagonal() * T.transpose();
  for (int i = 0; i < intervals; ++i) {
    for (int e = 0; e < n * n; ++e) {
      matrix.S(i)[e] = S(e / n, e % n);
      matrix.R(i)[e] = e % (n + 1) == 0 ? -1 : 0;
    }
  }
  MatX B0 = T.transpose(), B1 = T.transpose();
  for (const int growing : {1, 3}) B0.row(growing).setZero();
  for (const int decaying : {0, 2}) B1.row(decaying).setZero();
  const MatX mixing = testing::random_orthogonal(n, random);
  matrix.B0 = mixing * B0;
  matrix.B1 = mixing * B1;
  const VecX exact = testing::random_vector(matrix.rows(), random);
  const VecX right = testing::dense(matrix) * exact;
  // Solvers whose pivots do not see the border may lose digits here, but must not hide it: either
  // the answer is right or the residual says that it is not.
  for (const std::string& name : linear_solver_names()) {
    const auto solver = make_linear_solver(name);
    solver->analyze(matrix);
    const FactorStatus status = solver->factorize(matrix);
    if (!status.usable) continue;
    VecX u, residual;
    solver->solve(right, u);
    const double backward = matrix.residual(right, u, residual);
    const double error = (u - exact).cwiseAbs().maxCoeff();
    CAPTURE(name, backward, error);
    CHECK((error < 1e-8 || backward > 1e-13));
    if (name == "block_qr") CHECK(error < 1e-8);
  }
}

TEST_CASE("a singular matrix is reported, or shows in the answer", "[linear]") {
  for (const std::string& name : linear_solver_names()) {
    CAPTURE(name);
    std::mt19937_64 random(5);
    for (const int n : {1, 3, 4, 7}) {
      BabdMatrix matrix = testing::random_babd({n, 6, (n + 1) / 2, false}, random);
      matrix.B0.row(0).setZero();
      matrix.B1.row(0).setZero();
      const auto solver = make_linear_solver(name);
      solver->analyze(matrix);
      const FactorStatus status = solver->factorize(matrix);
      CHECK(status.usable == status.message.empty());
      if (!status.usable) continue;
      // An empty condition with a right side: no answer satisfies it.
      VecX u, residual;
      const VecX right = VecX::Ones(matrix.rows());
      solver->solve(right, u);
      CHECK(matrix.residual(right, u, residual) > 1e-3);
    }
  }
}

TEST_CASE("numbers that are not finite are reported by the factorization", "[linear]") {
  for (const std::string& name : linear_solver_names()) {
    for (const double bad :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      std::mt19937_64 random(6);
      BabdMatrix matrix = testing::random_babd({3, 6, 2, false}, random);
      matrix.S(3)[4] = bad;
      const auto solver = make_linear_solver(name);
      solver->analyze(matrix);
      const FactorStatus status = solver->factorize(matrix);
      if (!status.usable) continue;
      VecX u, residual;
      const VecX right = VecX::Ones(matrix.rows());
      solver->solve(right, u);
      CAPTURE(name, bad);
      CHECK(std::isinf(matrix.residual(right, u, residual)));
    }
  }
}

TEST_CASE("an unknown linear solver is refused with the known ones", "[linear]") {
  CHECK_THROWS_AS(make_linear_solver("umfpak"), InvalidOption);
  CHECK_THROWS_WITH(make_linear_solver("umfpak"),
                    contains_text("\"umfpak\"") && contains_text("block_lu, block_qr"));
  CHECK_NOTHROW(check_linear_solver_name("auto"));
}

}  // namespace daewave
