#include "core/start/dependent_rows.hpp"

#include <algorithm>
#include <numeric>

namespace daewave {
namespace {

/// A row of which no more is left is dependent; of the row itself.
constexpr double least_part = 1e-7;
/// Rows of which this much is left are taken first.
constexpr double first_part = 0.1;

}  // namespace

/// Gram-Schmidt in the order of the rows, twice for each. A row of which little is left waits until
/// those of which more is left are taken: of rows that are all in one plane the first two may be
/// nearly parallel.
std::vector<int> dependent_rows(const MatX& G) {
  std::vector<int> waiting(static_cast<std::size_t>(G.rows()));
  std::iota(waiting.begin(), waiting.end(), 0);
  MatX basis(G.cols(), std::min(G.rows(), G.cols()));
  Eigen::Index rank = 0;
  for (double part = first_part; part > 0.5 * least_part; part *= 0.1) {
    std::erase_if(waiting, [&](int i) {
      VecX row = G.row(i).transpose();
      const double size = row.norm();
      for (int pass = 0; pass < 2 && rank > 0; ++pass) {
        const auto known = basis.leftCols(rank);
        row -= known * (known.transpose() * row).eval();
      }
      const double left = row.norm();
      if (!(left > part * size) || rank == basis.cols()) return false;
      basis.col(rank++) = row / left;
      return true;
    });
  }
  return waiting;
}

}  // namespace daewave
