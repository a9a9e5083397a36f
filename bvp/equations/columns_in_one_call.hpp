#pragma once
// Jacobians by forward differences where calls are dear (core/problem/dear_calls.hpp): all columns
// at all points in one call. Where they are not, a column at a time needs less memory:
// batch_differences.hpp.

#include <functional>
#include <string>
#include <vector>

#include "bvp/equations/iterate_system.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

/// Holds the memory of it.
class ColumnsInOneCall {
 public:
  /// What is differentiated, nx rows; false ends it.
  using Function = std::function<bool(const IteratePoints& at, double* F)>;

  /// As BatchDifferences::columns, with the same increments. @param carried  rows of `before`.
  bool columns(const IteratePoints& at, int nx, const double* F, const VecX& weight,
               const Function& evaluate, double* J, int carried = 0);
  /// The same with what the function is where x is not moved, and at further points, which may be
  /// none; all in the same call.
  bool values_and_columns(const IteratePoints& at, int nx, const VecX& weight,
                          const Function& evaluate, double* F, double* J,
                          const IteratePoints& further, double* F_further);

 private:
  static constexpr int of_none = -1;
  /// Of an entry by a part of `weight`; the second one of an entry is where the first may be lost
  /// in rounding.
  struct Move {
    int entry = 0;
    double weight = 0;
    bool is_second = false;
  };

  void choose_moves(int nx, const VecX& weight);
  bool call(const IteratePoints& at, int nx, int carried, const IteratePoints& further,
            const Function& evaluate);
  void place(const IteratePoints& at, int nx, int carried, const IteratePoints& further);
  void divide(const IteratePoints& at, int nx, const double* F, const VecX& weight,
              double* J) const;

  std::vector<Move> moves_;
  std::size_t all_ = 0;  ///< Points of a call.
  /// Point p of move k at [k * points + p]; then further ones.
  std::vector<double> t_, x_, before_, F_;
};

}  // namespace daewave::bvp
