// Elimination in partitions: whatever their number, the answer is that of the matrix.

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/blocks/checked_solver.hpp"
#include "core/blocks/linear_solver.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/core/random_babd.hpp"

namespace daewave {
namespace {

using testing::BabdShape;

/// M exact, row by row.
VecX right_side(const BabdMatrix& matrix, const VecX& exact) {
  VecX residual;
  matrix.residual(VecX::Zero(matrix.rows()), exact, residual);
  return -residual;
}

double largest_error(const LinearSolver& solver, const BabdMatrix& matrix,
                     std::mt19937_64& random) {
  const VecX exact = testing::random_vector(matrix.rows(), random);
  VecX u;
  solver.solve(right_side(matrix, exact), u);
  REQUIRE(u.size() == exact.size());
  return (u - exact).cwiseAbs().maxCoeff();
}

bool same_bits(const VecX& a, const VecX& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) {
           return std::memcmp(&x, &y, sizeof x) == 0;
         });
}

/// Takes all of an interval's equations away.
void empty_interval(BabdMatrix& matrix, int i) {
  const int entries = matrix.block_size() * matrix.block_size();
  std::fill_n(matrix.S(i), entries, 0.0);
  std::fill_n(matrix.R(i), entries, 0.0);
}

struct Counting final : Executor {
  void for_chunks(int count, int chunk, const Body& body) const override {
    chunks.push_back((count + chunk - 1) / chunk);
    Serial().for_chunks(count, chunk, body);
  }
  mutable std::vector<int> chunks;
};

}  // namespace

TEST_CASE("any number of partitions gives the solution, also one interval each and none to spare",
          "[linear]") {
  std::mt19937_64 random(31);
  for (const int n : {1, 2, 3, 4, 5, 7, 12}) {
    for (const int intervals : {1, 2, 3, 4, 7, 40}) {
      for (const int left : {0, 1, n / 2, n - 1, n}) {
        for (const bool coupled : {false, true}) {
          const BabdMatrix matrix = testing::random_babd({n, intervals, left, coupled}, random);
          for (const int partitions : {0, 1, 2, 3, 4, 7, 50}) {
            const auto solver = make_linear_solver("parallel_block", {nullptr, partitions});
            solver->analyze(matrix);
            const FactorStatus status = solver->factorize(matrix);
            CAPTURE(n, intervals, left, coupled, partitions, status.message);
            REQUIRE(status.usable);
            // Rounding times the condition number, which stays below 1e4; as in the contract test.
            CHECK(largest_error(*solver, matrix, random) < 1e-11);
          }
        }
      }
    }
  }
}

TEST_CASE("of more partitions than 64 rows are eliminated in pairs, and give the solution",
          "[linear]") {
  std::mt19937_64 random(33);
  for (const int n : {1, 3, 6}) {
    for (const bool coupled : {false, true}) {
      const int intervals = 300;
      BabdMatrix matrix = testing::random_babd({n, intervals, n / 2, coupled}, random);
      for (const int partitions : {64, 65, 66, 67, 68, 129, 131, 200, 257, 300}) {
        const auto solver = make_linear_solver("parallel_block", {nullptr, partitions});
        solver->analyze(matrix);
        CAPTURE(n, coupled, partitions);
        REQUIRE(solver->factorize(matrix).usable);
        CHECK(largest_error(*solver, matrix, random) < 1e-11);
      }
      // Rows without equations are found where they are; reflections leave roundings of them, which
      // the residual tells of.
      if (coupled) continue;
      empty_interval(matrix, 170);
      for (const int partitions : {66, 200, 300}) {
        const auto solver = make_linear_solver("parallel_block", {nullptr, partitions});
        solver->analyze(matrix);
        const FactorStatus status = solver->factorize(matrix);
        CAPTURE(n, coupled, partitions, status.message);
        REQUIRE_FALSE(status.usable);
        CHECK(status.interval >= 130);
        CHECK(status.interval <= 170);
      }
    }
  }
}

TEST_CASE("however many partitions, solutions agree with those of block_lu", "[linear]") {
  std::mt19937_64 random(32);
  for (const int n : {2, 5, 12}) {
    const BabdMatrix matrix = testing::random_babd({n, 300, n / 2, false}, random);
    const VecX right = testing::random_vector(matrix.rows(), random);
    const auto sequential = make_linear_solver("block_lu");
    sequential->analyze(matrix);
    REQUIRE(sequential->factorize(matrix).usable);
    VecX expected, u;
    sequential->solve(right, expected);
    for (const int partitions : {1, 2, 3, 10, 300}) {
      const auto solver = make_linear_solver("parallel_block", {nullptr, partitions});
      solver->analyze(matrix);
      REQUIRE(solver->factorize(matrix).usable);
      solver->solve(right, u);
      CAPTURE(n, partitions);
      CHECK((u - expected).cwiseAbs().maxCoeff() < 1e-12 * expected.cwiseAbs().maxCoeff());
    }
  }
}

TEST_CASE("partitions come from the matrix: two for separated conditions, more for coupled ones",
          "[linear]") {
  std::mt19937_64 random(33);
  const auto partitions_of = [&random](const BabdShape& shape, int asked) {
    const BabdMatrix matrix = testing::random_babd(shape, random);
    const Counting executor;
    const auto solver = make_linear_solver("parallel_block", {&executor, asked});
    solver->analyze(matrix);
    REQUIRE(solver->factorize(matrix).usable);
    REQUIRE(executor.chunks.size() == 1);
    return executor.chunks[0];
  };
  CHECK(partitions_of({2, 1, 1, false}, 0) == 1);
  CHECK(partitions_of({2, 2, 1, false}, 0) == 2);
  CHECK(partitions_of({2, 3000, 1, false}, 0) == 2);
  CHECK(partitions_of({2, 10, 1, true}, 0) == 1);
  CHECK(partitions_of({2, 500, 1, true}, 0) > 1);
  CHECK(partitions_of({2, 3000, 1, true}, 0) == 16);
  CHECK(partitions_of({2, 3000, 1, false}, 5) == 5);
  CHECK(partitions_of({2, 3, 1, false}, 5) == 3);
  CHECK_THROWS_WITH(make_linear_solver("parallel_block", {nullptr, -1}),
                    contains_text("partitions = -1: must be >= 1"));
}

TEST_CASE("an interval without equations is named, in whichever partition it lies", "[linear]") {
  std::mt19937_64 random(34);
  for (const int bad : {0, 3, 5, 8, 11}) {
    BabdMatrix matrix = testing::random_babd({4, 12, 2, false}, random);
    empty_interval(matrix, bad);
    const auto solver = make_linear_solver("parallel_block", {nullptr, 2});
    solver->analyze(matrix);
    const FactorStatus status = solver->factorize(matrix);
    CAPTURE(bad, status.message);
    CHECK_FALSE(status.usable);
    CHECK(status.interval == bad);
    CHECK_THAT(status.message, contains_text("in interval " + std::to_string(bad)));
  }
}

TEST_CASE("what leaves a partition in between without equations is told with its intervals",
          "[linear]") {
  std::mt19937_64 random(35);
  BabdMatrix matrix = testing::random_babd({4, 300, 2, false}, random);
  empty_interval(matrix, 150);
  const auto solver = make_linear_solver("parallel_block", {nullptr, 3});
  solver->analyze(matrix);
  const FactorStatus status = solver->factorize(matrix);
  CAPTURE(status.message);
  REQUIRE_FALSE(status.usable);
  int first = 0, last = 0;
  REQUIRE(std::sscanf(status.message.c_str(),
                      "zero or non-finite pivot in what is left of intervals %d to %d", &first,
                      &last) == 2);
  CHECK(first <= 150);
  CHECK(last >= 150);
  CHECK(status.interval == first);
}

TEST_CASE("conditions that do not determine the solution are found where partitions meet",
          "[linear]") {
  std::mt19937_64 random(36);
  for (const int partitions : {1, 2, 3, 6}) {
    BabdMatrix matrix = testing::random_babd({3, 12, 2, false}, random);
    matrix.B0.row(0).setZero();
    matrix.B1.row(0).setZero();
    const auto solver = make_linear_solver("parallel_block", {nullptr, partitions});
    solver->analyze(matrix);
    const FactorStatus status = solver->factorize(matrix);
    CAPTURE(partitions, status.message);
    CHECK_FALSE(status.usable);
    CHECK_THAT(status.message, contains_text("boundary conditions do not determine"));
  }
}

TEST_CASE("numbers that are not finite are found in every partition", "[linear]") {
  std::mt19937_64 random(37);
  for (const bool coupled : {false, true}) {
    for (int bad = 0; bad < 12; ++bad) {
      BabdMatrix matrix = testing::random_babd({3, 12, 1, coupled}, random);
      matrix.R(bad)[4] = NAN;
      CheckedSolver solver("parallel_block", {nullptr, 4});
      CAPTURE(coupled, bad);
      VecX u;
      CHECK((!solver.factorize(matrix) || !solver.solve(VecX::Ones(matrix.rows()), u).accepted));
    }
  }
}

TEST_CASE("partitions over which modes part by more than a double can hold keep all of them",
          "[linear]") {
  std::mt19937_64 random(42);
  for (const int n : {2, 5}) {
    for (const bool coupled : {false, true}) {
      // Factors of 0.3 to 0.9, 0.57 in the mean: 1e-244 over 1000 intervals, squared between modes.
      const BabdMatrix matrix = testing::random_babd({n, 3000, n / 2, coupled}, random);
      for (const int partitions : {1, 2, 3, 5}) {
        const auto solver = make_linear_solver("parallel_block", {nullptr, partitions});
        solver->analyze(matrix);
        const FactorStatus status = solver->factorize(matrix);
        CAPTURE(n, coupled, partitions, status.message);
        REQUIRE(status.usable);
        CHECK(largest_error(*solver, matrix, random) < 1e-11);
      }
    }
  }
}

TEST_CASE("where row pivoting never exchanges rows, partitions keep their accuracy", "[linear]") {
  // Midpoint rule for x' = (-1/6 1; 1 -1/6) x, due to S. J. Wright. Modes part by e^(2 h) per
  // interval, e^720 over all of them.
  constexpr int intervals = 1200;
  constexpr double h = 0.3;
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
  std::mt19937_64 random(38);
  const VecX exact = testing::random_vector(matrix.rows(), random);
  for (const int partitions : {1, 2, 16, 64}) {
    CheckedSolver solver("parallel_block", {nullptr, partitions});
    CAPTURE(partitions);
    REQUIRE(solver.factorize(matrix));
    VecX u;
    CHECK(solver.solve(right_side(matrix, exact), u).accepted);
    CHECK(solver.report().used == "parallel_block");
    // The condition number is that of the problem, below 100; the residual accepted is 1e-12.
    CHECK((u - exact).cwiseAbs().maxCoeff() < 1e-9);
  }
}

TEST_CASE("auto takes partitions where they are given, or threads and a matrix worth them",
          "[linear]") {
  std::mt19937_64 random(39);
  const Serial executor;
  for (const bool coupled : {false, true}) {
    const BabdMatrix small = testing::random_babd({4, 50, 2, coupled}, random);
    const BabdMatrix large = testing::random_babd({4, 20000, 2, coupled}, random);
    REQUIRE_FALSE(large_enough_for_partitions(small));
    REQUIRE(large_enough_for_partitions(large));
    const auto used = [](const BabdMatrix& matrix, const SolverSetting& setting) {
      CheckedSolver solver("auto", setting);
      REQUIRE(solver.factorize(matrix));
      return solver.report().used;
    };
    const std::string sequential = coupled ? "block_qr" : "block_lu";
    CHECK(used(large, {}) == sequential);
    CHECK(used(small, {&executor, 0}) == sequential);
    CHECK(used(large, {&executor, 0}) == "parallel_block");
    CHECK(used(small, {nullptr, 2}) == "parallel_block");
  }
}

TEST_CASE("where parallel_block gives up, the next in line is told why", "[linear]") {
  std::mt19937_64 random(40);
  BabdMatrix matrix = testing::random_babd({4, 12, 2, false}, random);
  empty_interval(matrix, 7);
  for (const char* name : {"auto", "parallel_block"}) {
    CheckedSolver solver(name, {nullptr, 3});
    CHECK_FALSE(solver.factorize(matrix));
    REQUIRE(solver.report().tried.size() == (name == std::string("auto") ? 3u : 2u));
    CHECK_THAT(solver.report().tried[0], contains_text("parallel_block: zero or non-finite pivot"));
  }
}

TEST_CASE("a residual in chunks has the bits of one taken at once", "[linear]") {
  struct Backwards final : Executor {
    void for_chunks(int count, int chunk, const Body& body) const override {
      for (int begin = (count - 1) / chunk * chunk; begin >= 0; begin -= chunk) {
        body(begin, std::min(count, begin + chunk));
      }
    }
  };
  std::mt19937_64 random(41);
  for (const int intervals : {1, 1023, 1024, 1025, 3000}) {
    const BabdMatrix matrix = testing::random_babd({2, intervals, 1, false}, random);
    const VecX u = testing::random_vector(matrix.rows(), random);
    const VecX right = testing::random_vector(matrix.rows(), random);
    VecX forward, backward;
    const double a = matrix.residual(right, u, forward);
    const double b = matrix.residual(right, u, backward, Backwards());
    CHECK(a == b);
    CHECK(same_bits(forward, backward));
  }
}

TEST_CASE("what conditions do to nodes does not depend on the number of partitions", "[linear]") {
  std::mt19937_64 random(8);
  for (const int n : {2, 3, 5, 8}) {
    for (const int left : {0, n / 2, n}) {
      const BabdMatrix matrix = testing::random_babd({n, 40, left, false}, random);
      const MatX conditions = MatX::Random(n, n);
      const auto chain = make_linear_solver("block_lu");
      chain->analyze(matrix);
      REQUIRE(chain->factorize(matrix).usable);
      const MatX sizes = chain->sizes_by_conditions(conditions, matrix.rows());
      for (const int partitions : {1, 2, 3, 4}) {
        CAPTURE(n, left, partitions);
        SolverSetting setting;
        setting.partitions = partitions;
        const auto solver = make_linear_solver("parallel_block", setting);
        solver->analyze(matrix);
        REQUIRE(solver->factorize(matrix).usable);
        const MatX here = solver->sizes_by_conditions(conditions, matrix.rows());
        CHECK((here - sizes).norm() <= 1e-12 * sizes.norm());
      }
    }
  }
}

}  // namespace daewave
