// The elimination kernel against the plain algorithm.

#include "core/blocks/dense_elimination.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/machine/aligned.hpp"
#include "core/types.hpp"
#include "tests/catch.hpp"

using namespace daewave;

namespace {

/// A panel in the kernel's memory: `pivots` square, `outputs` rows below, `right` columns beside.
struct Panel {
  Panel(int pivots_, int outputs_, int right_, unsigned seed)
      : pivots(pivots_), outputs(outputs_), right(right_), stride(padded(pivots_ + right_)) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    values.resize(static_cast<std::size_t>(pivots + outputs) * stride);
    dense = MatX::Zero(pivots + outputs, pivots + right);
    for (int i = 0; i < pivots + outputs; ++i) {
      rows.push_back(values.data() + static_cast<std::size_t>(i) * stride);
      for (int j = 0; j < pivots + right; ++j) rows[i][j] = dense(i, j) = normal(generator);
    }
  }
  double eliminate() { return eliminate_panel(rows.data(), pivots + outputs, pivots, stride); }

  int pivots, outputs, right, stride;
  AlignedVector values;
  std::vector<double*> rows;
  MatX dense;
};

}  // namespace

TEST_CASE("rows below the pivots become the Schur complement", "[dense_elimination]") {
  for (int pivots = 0; pivots <= 40; ++pivots) {
    for (int outputs : {0, 1, 4}) {
      Panel panel(pivots, outputs, 5, 1000 + pivots);
      const MatX M = panel.dense.topLeftCorner(pivots, pivots);
      MatX expected = panel.dense.bottomRightCorner(outputs, 5);
      if (pivots > 0) {
        expected -= panel.dense.bottomLeftCorner(outputs, pivots) *
                    M.fullPivLu().solve(panel.dense.topRightCorner(pivots, 5));
      }
      REQUIRE(panel.eliminate() > 0);
      const double growth = pivots == 0 ? 1 : M.inverse().norm() * M.norm();
      for (int i = 0; i < outputs; ++i) {
        for (int j = 0; j < 5; ++j) {
          INFO(pivots << " pivots, row " << i << ", column " << j);
          CHECK(panel.rows[pivots + i][pivots + j] ==
                Approx(expected(i, j)).margin(1e-14 * growth * (1 + expected.norm())));
        }
      }
    }
  }
}

TEST_CASE("pivot rows hold the upper triangle of the equations", "[dense_elimination]") {
  for (int pivots : {1, 2, 3, 7, 8, 9, 15, 24}) {
    Panel panel(pivots, 0, 1, 77 + pivots);
    const MatX M = panel.dense.leftCols(pivots);
    const VecX expected = M.fullPivLu().solve(panel.dense.col(pivots));
    REQUIRE(panel.eliminate() > 0);
    VecX x(pivots);
    for (int i = pivots - 1; i >= 0; --i) {
      x[i] = panel.rows[i][pivots];
      for (int j = i + 1; j < pivots; ++j) x[i] -= panel.rows[i][j] * x[j];
      x[i] /= panel.rows[i][i];
    }
    const double condition = M.inverse().norm() * M.norm();
    CHECK((x - expected).norm() <= 1e-14 * condition * (1 + expected.norm()));
  }
}

TEST_CASE("a singular panel and one that is not finite give 0", "[dense_elimination]") {
  for (int pivots : {1, 2, 5, 8, 12}) {
    Panel equal(pivots, 1, 2, 5);
    for (int i = 0; i < pivots; ++i) {
      for (int j = 0; j < pivots; ++j) equal.rows[i][j] = i < 2 ? 0.0 : equal.rows[i][j];
    }
    CHECK(equal.eliminate() == 0);
    Panel poisoned(pivots, 1, 2, 6);
    for (int i = 0; i < pivots; ++i) poisoned.rows[i][0] = std::numeric_limits<double>::quiet_NaN();
    CHECK(poisoned.eliminate() == 0);
  }
}

TEST_CASE("the triangle that is left is solved from below, for all columns beside it",
          "[dense_elimination]") {
  for (int pivots = 1; pivots <= 40; ++pivots) {
    for (int right : {1, 5, 12}) {
      Panel panel(pivots, 0, 0, 2000 + pivots);
      // Columns beside the pivots begin on whole vectors.
      const int from = padded(pivots), stride = from + padded(right);
      AlignedVector values(static_cast<std::size_t>(pivots) * stride, 0.0);
      std::vector<double*> rows;
      MatX beside(pivots, right);
      for (int i = 0; i < pivots; ++i) {
        rows.push_back(values.data() + static_cast<std::size_t>(i) * stride);
        for (int j = 0; j < pivots; ++j) rows[i][j] = panel.dense(i, j);
        for (int j = 0; j < right; ++j) {
          rows[i][from + j] = beside(i, j) = std::sin(1.7 * i + j);
        }
      }
      const MatX expected = panel.dense.fullPivLu().solve(beside);
      REQUIRE(eliminate_panel(rows.data(), pivots, pivots, stride) > 0);
      back_substitute(rows.data(), pivots, from, stride);
      const double growth = panel.dense.inverse().norm() * panel.dense.norm();
      for (int i = 0; i < pivots; ++i) {
        for (int j = 0; j < right; ++j) {
          INFO(pivots << " pivots, row " << i << ", column " << j);
          CHECK(rows[i][from + j] ==
                Approx(expected(i, j)).margin(1e-14 * growth * (1 + expected.norm())));
        }
      }
      std::vector<double> weights(static_cast<std::size_t>(pivots));
      for (int i = 0; i < pivots; ++i) weights[static_cast<std::size_t>(i)] = std::cos(0.3 * i);
      AlignedVector sum(static_cast<std::size_t>(stride - from));
      weigh_rows(rows.data(), weights.data(), pivots, from, stride, sum.data());
      for (int j = 0; j < right; ++j) {
        double by_hand = 0;
        for (int i = 0; i < pivots; ++i) {
          by_hand += weights[static_cast<std::size_t>(i)] * rows[i][from + j];
        }
        CHECK(sum[static_cast<std::size_t>(j)] ==
              Approx(by_hand).margin(1e-13 * (1 + expected.norm()) * growth));
      }
    }
  }
}
