#pragma once
// Block elimination with row pivoting along a run of intervals, from either end.
//
// Row pivoting within the panel decouples growing from decaying modes (Ascher, Mattheij, Russell,
// section 7.2) where the rows carried are as many as modes that decay along the chain: conditions
// at its begin, for example. Rows that carry all modes, with a border, may grow without bound;
// those are for ReflectionChain.

#include <cstddef>
#include <memory>

#include "core/blocks/interval_chain.hpp"
#include "core/machine/aligned.hpp"

namespace daewave {

class BlockChain final : public IntervalChain {
 public:
  explicit BlockChain(const ChainShape& shape);

  const ChainShape& shape() const { return shape_; }
  int factorize(const BabdMatrix& matrix, double* carry) override;
  void forward(const VecX& right, double* carry, VecX& u) const override;
  void back(const double* far, VecX& u) const override;
  double bytes() const override;

  /// So many right sides side by side, of conditions alone: number c of row r is at r together + c.
  static constexpr int together = 8;
  /// For them; not set to anything.
  static std::unique_ptr<double[]> memory_of_conditions(const ChainShape& shape);
  /// As forward(), where intervals have none. @param u  n rows of each interval, in the order in
  /// which they are eliminated.
  void forward_conditions(double* carry, double* u) const;
  /// As back(). @param far  n rows of the node at its end, and of the border. @param sizes  raised
  /// to the largest size that each row takes; NaN where one is.
  void back_conditions(const double* far, double* u, double* sizes) const;

  /// Of an elimination, in multiplications, about.
  static double work_per_interval(const ChainShape& shape);

 private:
  template <int N, int C, bool Border>
  int factorize_sized(const BabdMatrix& matrix, double* carry);
  template <int N, int C, bool Border>
  void forward_sized(const VecX& right, double* carry, VecX& u) const;
  template <int N, bool Border, bool ToLeft>
  void back_sized(const double* far, VecX& u) const;

  /// The interval of a step along the chain.
  int interval(int step) const {
    return shape_.to_left() ? shape_.end - 1 - step : shape_.first + step;
  }
  std::size_t left_entries() const { return static_cast<std::size_t>(shape_.rows()) * shape_.size; }
  std::size_t right_entries() const {
    return static_cast<std::size_t>(shape_.size) * shape_.columns();
  }

  ChainShape shape_;
  // Not set to zero: that would take as long as the elimination, and touch all of it on the thread
  // that analyzes.
  UnsetVector left_, right_;
  std::unique_ptr<int[]> pivots_;
};

}  // namespace daewave
