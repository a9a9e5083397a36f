#pragma once
// Jacobians by forward differences at many points at once: a column of all of them in one call.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "bvp/equations/iterate_system.hpp"
#include "bvp/statement/forward_differences.hpp"

namespace daewave::bvp {

/// Holds the memory of it.
class BatchDifferences {
 public:
  /// @param F         where x is not moved; nx rows, laid out as x.
  /// @param weight    what counts as a small change of each entry of x, > 0.
  /// @param evaluate  evaluate(IteratePoints, double* F) -> bool; false ends it.
  /// @param J         entry (i, j) at point p is at [(i + j nx) * stride + p].
  template <class Evaluate>
  bool columns(const IteratePoints& at, int nx, const double* F, const VecX& weight,
               Evaluate evaluate, double* J) {
    const auto size = static_cast<std::size_t>(nx) * static_cast<std::size_t>(at.stride);
    x_.assign(at.x, at.x + size);
    taken_.resize(static_cast<std::size_t>(at.stride));
    IteratePoints moved = at;
    moved.x = x_.data();
    const double otherwise = otherwise_moved(weight);
    for (int j = 0; j < nx; ++j) {
      const double* const from = at.x + static_cast<std::ptrdiff_t>(j) * at.stride;
      double* const entry = x_.data() + static_cast<std::ptrdiff_t>(j) * at.stride;
      double* const column = J + static_cast<std::ptrdiff_t>(j) * nx * at.stride;
      move(from, at.count, weight[j], entry);
      if (!evaluate(moved, column)) return false;
      divide(F, nx, at, column);
      if (weight[j] < otherwise) {
        kept_.assign(column, column + size);
        near_ = taken_;
        move(from, at.count, otherwise, entry);
        if (!evaluate(moved, column)) return false;
        divide(F, nx, at, column);
        keep_seen(F, nx, at, column);
      }
      std::copy_n(from, at.count, entry);
    }
    return true;
  }

 private:
  void move(const double* from, int count, double weight, double* to) {
    for (int p = 0; p < count; ++p) {
      to[p] = from[p] + difference_step(from[p], weight);
      taken_[static_cast<std::size_t>(p)] = to[p] - from[p];
    }
  }
  void divide(const double* F, int nx, const IteratePoints& at, double* column) const {
    for (int i = 0; i < nx; ++i) {
      double* const entries = column + static_cast<std::ptrdiff_t>(i) * at.stride;
      const double* const base = F + static_cast<std::ptrdiff_t>(i) * at.stride;
      for (int p = 0; p < at.count; ++p) {
        entries[p] = (entries[p] - base[p]) / taken_[static_cast<std::size_t>(p)];
      }
    }
  }
  /// Entries of kept_, of the smaller step, where they are more than rounding of F.
  void keep_seen(const double* F, int nx, const IteratePoints& at, double* column) const {
    for (int i = 0; i < nx; ++i) {
      for (int p = 0; p < at.count; ++p) {
        const auto e = static_cast<std::size_t>(i) * static_cast<std::size_t>(at.stride) +
                       static_cast<std::size_t>(p);
        if (exceeds_rounding(kept_[e] * near_[static_cast<std::size_t>(p)], F[e])) {
          column[e] = kept_[e];
        }
      }
    }
  }

  std::vector<double> x_, taken_, near_, kept_;
};

}  // namespace daewave::bvp
