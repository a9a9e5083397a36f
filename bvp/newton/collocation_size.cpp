// The size of unknowns of a mesh, which Newton's method and its damping go by.

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "bvp/newton/collocation_equations.hpp"

namespace daewave::bvp {
namespace {

double squared(double x) { return x * x; }

}  // namespace

double CollocationEquations::size(const CollocationUnknowns& d, const VecX& weight) {
  return size_of_gap(d, 0, d, weight);
}

double CollocationEquations::size_of_gap(const CollocationUnknowns& d, double part,
                                         const CollocationUnknowns& e, const VecX& weight) {
  const int intervals = mesh_.intervals();
  VecX& inverse = inverse_weight_;
  inverse = weight.cwiseInverse();
  over_chunks([&](ChunkWorker& worker, int c, Outcome& outcome) {
    const int m = chunks_.width(c), first = chunks_.begin(c);
    const double* a = chunks_.of(d.slopes, n_, c);
    const double* b = chunks_.of(e.slopes, n_, c);
    double* const of_interval = worker.end;
    std::fill_n(of_interval, m, 0.0);
    for (int r = 0; r < n_; ++r) {
      for (int j = 0; j < k_; ++j, a += m, b += m) {
        for (int i = 0; i < m; ++i) of_interval[i] += squared((a[i] - part * b[i]) * inverse[r]);
      }
    }
    for (int i = 0; i < m; ++i) {
      double of_node = 0;
      for (int r = 0; r < n_; ++r) {
        of_node += squared((d.x(r, first + i) - part * e.x(r, first + i)) * inverse[r]);
      }
      outcome.sum += of_node + of_interval[i] * squared(worker.h[i]);
    }
  });
  std::vector<double> sums =
      chunks_.sums([&](int c) { return outcomes_[static_cast<std::size_t>(c)].sum; });
  // The last node is that of the last interval of all.
  const int all = matrix_.all_intervals();
  const bool has_end = share_.first + intervals == all;
  for (int r = 0; has_end && r < n_; ++r) {
    sums.push_back(squared((d.x(r, intervals) - part * e.x(r, intervals)) * inverse[r]));
  }
  double sum = 0;
  for (const double one : share_.joined(std::move(sums))) sum += one;
  return std::sqrt(sum / (n_ * (static_cast<double>(k_ + 1) * all + 1)));
}

}  // namespace daewave::bvp
