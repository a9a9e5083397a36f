#pragma once
// Elimination by Householder reflections along a run of intervals, to the right: the panels of
// BlockChain, orthogonally, at two to three times the work. Stable whatever the rows carry, also
// with a border (Wright, 1992); but rows without one that carry a growing mode lose it once it has
// grown beyond 1 / rounding, where pivoted rows keep it.

#include <cstddef>
#include <memory>

#include "core/blocks/interval_chain.hpp"

namespace daewave {

class ReflectionChain final : public IntervalChain {
 public:
  /// @param shape  to the right.
  explicit ReflectionChain(const ChainShape& shape);

  const ChainShape& shape() const { return shape_; }
  int factorize(const BabdMatrix& matrix, double* carry) override;
  void forward(const VecX& right, double* carry, VecX& u) const override;
  void back(const double* far, VecX& u) const override;
  double bytes() const override;

  /// Of an elimination, in multiplications, about.
  static double work_per_interval(const ChainShape& shape);

 private:
  using Panel = Eigen::Map<MatX>;
  std::size_t reflector_entries() const {
    return static_cast<std::size_t>(shape_.rows()) * shape_.size;
  }
  std::size_t upper_entries() const {
    return static_cast<std::size_t>(shape_.size) * shape_.columns();
  }
  Panel reflector(int step) const {
    return {reflectors_.get() + reflector_entries() * step, shape_.rows(), shape_.size};
  }
  Panel upper(int step) const {
    return {upper_.get() + upper_entries() * step, shape_.size, shape_.columns()};
  }
  double* scales(int step) const {
    return scales_.get() + static_cast<std::size_t>(step) * shape_.size;
  }

  ChainShape shape_;
  std::unique_ptr<double[]> reflectors_, scales_, upper_;  // Left as they come, as in BlockChain.
};

}  // namespace daewave
