#include "core/blocks/sparse_columns.hpp"

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "core/blocks/linear_solver.hpp"
#include "core/ranks/mesh_share.hpp"
#include "tests/catch.hpp"
#include "tests/core/random_babd.hpp"

namespace daewave {

namespace {

/// Two intervals of 2 x 2 blocks, with a zero in each part.
BabdMatrix some_matrix() {
  BabdMatrix matrix(2, 2);
  const double S[] = {1, 2, 0, 4, 5, 6, 7, 8}, R[] = {9, 0, 11, 12, 13, 14, 15, 0};
  std::copy(S, S + 8, matrix.S(0));
  std::copy(R, R + 8, matrix.R(0));
  matrix.B0 = MatX{{1, 0}, {0, 0}};
  matrix.B1 = MatX{{0, 0}, {0, 3}};
  return matrix;
}

MatX dense_of(const SparseColumns& columns, int n) {
  MatX dense = MatX::Zero(n, n);
  for (int j = 0; j < n; ++j) {
    for (auto k = columns.starts[static_cast<std::size_t>(j)];
         k < columns.starts[static_cast<std::size_t>(j) + 1]; ++k) {
      dense(columns.rows[static_cast<std::size_t>(k)], j) +=
          columns.values[static_cast<std::size_t>(k)];
    }
  }
  return dense;
}

}  // namespace

TEST_CASE("compressed columns hold each entry of the block matrix, and no zero", "[linear]") {
  SparseColumns columns;
  CHECK(columns.assign(some_matrix()));
  const MatX expected{{1, 2, 9, 0, 0, 0},  {0, 4, 11, 12, 0, 0}, {0, 0, 5, 6, 13, 14},
                      {0, 0, 7, 8, 15, 0}, {1, 0, 0, 0, 0, 0},   {0, 0, 0, 0, 0, 3}};
  CHECK(dense_of(columns, 6) == expected);
  CHECK(columns.starts.size() == 7);
  CHECK(columns.values.size() == static_cast<std::size_t>((expected.array() != 0).count()));
  for (std::size_t j = 0; j < 6; ++j) {
    for (auto k = columns.starts[j] + 1; k < columns.starts[j + 1]; ++k) {
      CHECK(columns.rows[static_cast<std::size_t>(k)] >
            columns.rows[static_cast<std::size_t>(k) - 1]);
    }
  }
}

TEST_CASE("columns are told to have changed where entries come, go or move, not where values do",
          "[linear]") {
  SparseColumns columns;
  BabdMatrix matrix = some_matrix();
  REQUIRE(columns.assign(matrix));
  CHECK_FALSE(columns.assign(matrix));
  matrix.S(0)[0] = 17;
  CHECK_FALSE(columns.assign(matrix));
  CHECK(columns.values[0] == 17);
  matrix.R(1)[3] = 1;  // The last of its column but one.
  CHECK(columns.assign(matrix));
  CHECK_FALSE(columns.assign(matrix));
  matrix.R(1)[3] = 0;
  CHECK(columns.assign(matrix));
  std::swap(matrix.B1(1, 1), matrix.B1(0, 1));
  CHECK(columns.assign(matrix));
  CHECK_FALSE(columns.assign(matrix));
  std::swap(matrix.S(0)[0], matrix.S(0)[2]);  // In one column.
  CHECK(columns.assign(matrix));
  CHECK(columns.assign(BabdMatrix(2, 3)));
  CHECK(columns.values.empty());
}

TEST_CASE("the memory of Eigen's factors grows with them, from that of the matrix on", "[linear]") {
  const auto matrix_of = [](int intervals) {
    std::mt19937_64 random(7);
    return testing::random_babd({.block_size = 3, .intervals = intervals, .left = 2}, random);
  };
  const auto bytes_of = [](const BabdMatrix& matrix) {
    const auto solver = make_linear_solver("eigen");
    solver->analyze(matrix);
    REQUIRE(solver->factorize(matrix).usable);
    return solver->bytes();
  };
  SparseColumns columns;
  columns.assign(matrix_of(20));
  // 24 bytes an entry and its indices in the matrix, 12 in the factors, which have each of them.
  const double entries = static_cast<double>(columns.rows.size());
  CHECK(bytes_of(matrix_of(20)) >= 36 * entries);
  CHECK(bytes_of(matrix_of(40)) == Approx(2 * bytes_of(matrix_of(20))).epsilon(0.1));
}

TEST_CASE("ranks take whole parts, nearest to even shares, and each has one", "[ranks]") {
  CHECK(share_borders({0, 10, 20, 30, 40}, 2) == std::vector<int>{0, 20, 40});
  CHECK(share_borders({0, 10, 20, 30, 40}, 1) == std::vector<int>{0, 40});
  CHECK(share_borders({0, 10, 20, 30, 40}, 4) == std::vector<int>{0, 10, 20, 30, 40});
  CHECK(share_borders({0, 4, 19, 30, 40}, 2) == std::vector<int>{0, 19, 40});
  CHECK(share_borders({0, 4, 12, 29, 40}, 2) == std::vector<int>{0, 12, 40});
  CHECK(share_borders({0, 36, 38, 39, 40}, 3) == std::vector<int>{0, 36, 38, 40});
  CHECK(share_borders({0, 1, 2, 3, 40}, 3) == std::vector<int>{0, 2, 3, 40});
  CHECK_THROWS_WITH(share_borders({0, 10, 20}, 3),
                    contains_text("3 ranks") && contains_text("the 2 partition(s)") &&
                        contains_text("the 20 intervals") && contains_text("partitions = 3"));
}

TEST_CASE("a mesh that is shared with nobody asks nobody", "[ranks]") {
  const MeshShare whole;
  CHECK_FALSE(whole.is_shared());
  CHECK(whole.has_begin());
  CHECK(whole.largest(-3) == -3);
  CHECK(whole.any(true));
  CHECK_FALSE(whole.any(false));
  CHECK(whole.largest_each({1, -2}) == std::vector<double>{1, -2});
  const std::vector<double> first{1, 2}, last{3, 4};
  const auto [begin, end] = whole.ends(first, last);
  CHECK(begin == first);
  CHECK(end == last);
}

}  // namespace daewave
