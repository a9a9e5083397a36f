#pragma once
// Jacobians by forward differences at many points at once: a column of all of them in one call.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "bvp/equations/iterate_system.hpp"
#include "bvp/equations/rows_of_values.hpp"
#include "bvp/statement/forward_differences.hpp"

namespace daewave::bvp {

/// Holds the memory of it.
class BatchDifferences {
 public:
  /// @param F         where x is not moved; nx rows, laid out as x.
  /// @param weight    what counts as a small change of each entry of x, > 0.
  /// @param evaluate  evaluate(IteratePoints, double* F) -> RowsOfValues: where F is, which may be
  ///                  as it was given, laid out as x. Null ends it, for a reason that it has told.
  /// @param J         entry (i, j) at point p is at [(i + j nx) * stride + p].
  /// @param failure   why, where it returns false as F is not finite.
  template <class Evaluate>
  bool columns(const IteratePoints& at, int nx, const double* F, const VecX& weight,
               Evaluate evaluate, double* J, std::string& failure) {
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
      const auto find = [&](double weight_of_column) {
        move(from, at.count, weight_of_column, entry);
        return divide(evaluate(moved, column), F, nx, moved, column, failure);
      };
      if (!find(weight[j])) return false;
      if (weight[j] < otherwise) {
        kept_.assign(column, column + size);
        near_ = taken_;
        if (!find(otherwise)) return false;
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
  bool divide(const RowsOfValues& values, const double* F, int nx, const IteratePoints& at,
              double* column, std::string& failure) const {
    if (values.values == nullptr) return false;
    if (divide_differences(values, F, taken_.data(), nx, at.count, at.stride, column)) return true;
    if (values.values != column) copy_values(values, nx, at.count, at.stride, column);
    all_finite_in("x'", column, nx, at, failure);
    return false;
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
