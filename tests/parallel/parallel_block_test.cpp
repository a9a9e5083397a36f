// Elimination in partitions by every executor and number of threads: the same bits.

#include <limits>

#include "bvp/solve.hpp"
#include "core/blocks/checked_solver.hpp"
#include "core/blocks/linear_solver.hpp"
#include "core/machine/flush_denormals.hpp"
#include "problems/lin.hpp"
#include "tests/catch.hpp"
#include "tests/core/random_babd.hpp"
#include "tests/parallel/executors_to_test.hpp"
#include "tests/same_bits.hpp"

using namespace daewave;
using daewave::testing::same_bits;

namespace {

/// Factorized twice, as memory that was there before must not matter either.
VecX solved(const BabdMatrix& matrix, const VecX& right, const SolverSetting& setting) {
  const auto solver = make_linear_solver("parallel_block", setting);
  solver->analyze(matrix);
  REQUIRE(solver->factorize(matrix).usable);
  REQUIRE(solver->factorize(matrix).usable);
  VecX u;
  solver->solve(right, u);
  return u;
}

BabdMatrix decaying(int n, int intervals, bool coupled) {
  std::mt19937_64 random(61);
  BabdMatrix matrix = testing::random_babd({n, 1, n / 2, coupled}, random);
  BabdMatrix longer(n, intervals);
  longer.B0 = matrix.B0;
  longer.B1 = matrix.B1;
  for (int i = 0; i < intervals; ++i) {
    for (int r = 0; r < n; ++r) {
      longer.S(i)[r * n + r] = r < n / 2 ? 0.1 : 1;
      longer.R(i)[r * n + r] = r < n / 2 ? -1 : -0.1;
    }
  }
  return longer;
}

}  // namespace

TEST_CASE("partitions have the same bits with every executor and number of threads",
          "[parallel][linear]") {
  std::mt19937_64 random(60);
  for (const auto& [n, intervals, left, coupled] :
       {testing::BabdShape{2, 700, 1, false}, testing::BabdShape{3, 301, 1, false},
        testing::BabdShape{12, 90, 6, false}, testing::BabdShape{5, 3, 2, false},
        testing::BabdShape{4, 1, 2, false}, testing::BabdShape{4, 1100, 2, true},
        testing::BabdShape{3, 5, 1, true}}) {
    const BabdMatrix matrix = testing::random_babd({n, intervals, left, coupled}, random);
    const VecX right = testing::random_vector(matrix.rows(), random);
    for (const int partitions : {0, 5}) {
      const VecX serial = solved(matrix, right, {nullptr, partitions});
      for (const std::string& name : executors_to_test()) {
        for (int threads = 1; threads <= 8; ++threads) {
          const auto executor = parallel::make_executor(name, threads);
          CAPTURE(n, intervals, left, coupled, partitions, name, threads);
          CHECK(same_bits(solved(matrix, right, {executor.get(), partitions}), serial));
        }
      }
    }
  }
}

TEST_CASE("the left-most interval without a pivot is named by every executor",
          "[parallel][linear]") {
  std::mt19937_64 random(62);
  BabdMatrix matrix = testing::random_babd({3, 40, 1, false}, random);
  for (const int bad : {7, 31}) {
    std::fill_n(matrix.S(bad), 9, 0.0);
    std::fill_n(matrix.R(bad), 9, 0.0);
  }
  for (const std::string& name : executors_to_test()) {
    const auto executor = parallel::make_executor(name, 2);
    const auto solver = make_linear_solver("parallel_block", {executor.get(), 2});
    solver->analyze(matrix);
    const FactorStatus status = solver->factorize(matrix);
    CAPTURE(name, status.message);
    CHECK_FALSE(status.usable);
    CHECK(status.interval == 7);
  }
}

TEST_CASE("threads that have eliminated know denormal numbers afterwards",
          "[parallel][denormals]") {
  for (const bool coupled : {false, true}) {
    const BabdMatrix matrix = decaying(4, 2000, coupled);
    for (const std::string& name : executors_to_test()) {
      const auto executor = parallel::make_executor(name, 4);
      const auto solver = make_linear_solver("parallel_block", {executor.get(), 8});
      solver->analyze(matrix);
      REQUIRE(solver->factorize(matrix).usable);
      VecX u;
      solver->solve(VecX::Ones(matrix.rows()), u);
      // Every chunk writes to one of its own.
      std::vector<double> halves(1000, 0.0);
      const volatile double smallest = std::numeric_limits<double>::min();
      executor->for_chunks(1000, 1, [&](int i, int) { halves[i] = smallest * 0.5; });
      CAPTURE(coupled, name);
      // By their bits: where operands are flushed, all that is compared would be zero.
      const std::vector<double> expected(1000, 0x1p-1023);
      CHECK(same_bits(halves.data(), expected.data(), 1000));
    }
  }
}

TEST_CASE("a boundary value solve by partitions has the same bits whoever runs it",
          "[parallel][bvp]") {
  const auto solve_with = [](const Executor* executor, const std::string& solver,
                             std::optional<int> partitions) {
    bvp::Options options;
    options.scheme = Scheme::gauss;
    options.stages = 2;
    options.intervals = 1500;
    options.epsilon = 1e-6;
    options.alpha1 = 1;
    options.iterates = 2;
    options.conditioning = false;
    options.linear_solver = solver;
    options.partitions = partitions;
    options.executor = executor;
    return bvp::solve(problems::Lin{20}, options);
  };
  const bvp::Solution sequential = solve_with(nullptr, "block_lu", {});
  REQUIRE(sequential.report.usable());
  for (const std::optional<int> partitions : {std::optional<int>(), std::optional<int>(5)}) {
    const bvp::Solution serial = solve_with(nullptr, "parallel_block", partitions);
    REQUIRE(serial.report.usable());
    CHECK(serial.report.linear_solve.used == "parallel_block");
    CHECK(serial.report.linear_solve.tried.empty());
    const double size = 1 + sequential.x_at_nodes().cwiseAbs().maxCoeff();
    // Both are accepted at a backward error of 1e-12; the condition number is about 10.
    CHECK((serial.x_at_nodes() - sequential.x_at_nodes()).cwiseAbs().maxCoeff() < 1e-11 * size);
    for (const std::string& name : executors_to_test()) {
      for (const int threads : {1, 2, 5}) {
        const auto executor = parallel::make_executor(name, threads);
        const bvp::Solution solution = solve_with(executor.get(), "parallel_block", partitions);
        CAPTURE(name, threads);
        REQUIRE(solution.has_values());
        CHECK(same_bits(solution.x_at_nodes(), serial.x_at_nodes()));
        CHECK(same_bits(solution.carried_at_stages(), serial.carried_at_stages()));
        CHECK(solution.report.message == serial.report.message);
      }
    }
  }
}
