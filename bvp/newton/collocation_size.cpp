// The size of unknowns of a mesh, which Newton's method and its damping go by.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "bvp/newton/collocation_equations.hpp"
#include "bvp/newton/stage_kernel.hpp"

namespace daewave::bvp {
namespace {

double squared(double x) { return x * x; }

}  // namespace

double CollocationEquations::size(const CollocationUnknowns& d, const VecX& weight) {
  return size_of_gap(d, 0, d, weight);
}

double CollocationEquations::size_of_gap(const CollocationUnknowns& d, double part,
                                         const CollocationUnknowns& e, const VecX& weight) {
  inverse_ = weight.cwiseInverse();
  over_chunks([&](ChunkWorker& worker, int c, Outcome& outcome) {
    outcome.sum = squares(d, part, e, c, worker);
  });
  return root_of_squares(d, part, e);
}

/// Of a chunk, by inverse_.
double CollocationEquations::squares(const CollocationUnknowns& d, double part,
                                     const CollocationUnknowns& e, int chunk,
                                     const ChunkWorker& worker) const {
  const int m = chunks_.width(chunk), first = chunks_.begin(chunk);
  const double* const a = chunks_.of(d.slopes, n_, chunk);
  const double* const b = chunks_.of(e.slopes, n_, chunk);
  double* const of_interval = worker.end;
  std::fill_n(of_interval, m, 0.0);
  for (int r = 0; r < n_; ++r) {
    const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(r) * k_ * m;
    add_squares(a + row, b + row, part, inverse_[r], k_, m, of_interval);
  }
  double sum = 0;
  for (int i = 0; i < m; ++i) {
    double of_node = 0;
    for (int r = 0; r < n_; ++r) {
      of_node += squared((d.x(r, first + i) - part * e.x(r, first + i)) * inverse_[r]);
    }
    sum += of_node + of_interval[i] * squared(worker.h[i]);
  }
  return sum;
}

/// From what squares() has left in the outcomes of chunks.
double CollocationEquations::root_of_squares(const CollocationUnknowns& d, double part,
                                             const CollocationUnknowns& e) {
  const int intervals = mesh_.intervals();
  std::vector<double> sums =
      chunks_.sums([&](int c) { return outcomes_[static_cast<std::size_t>(c)].sum; });
  // The last node is that of the last interval of all.
  const int all = matrix_.all_intervals();
  const bool has_end = share_.first + intervals == all;
  for (int r = 0; has_end && r < n_; ++r) {
    sums.push_back(squared((d.x(r, intervals) - part * e.x(r, intervals)) * inverse_[r]));
  }
  double sum = 0;
  for (const double one : share_.joined(std::move(sums))) sum += one;
  return std::sqrt(sum / (n_ * (static_cast<double>(k_ + 1) * all + 1)));
}

}  // namespace daewave::bvp
