#pragma once
// Points at which g is called once, for several that ask.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/adapt/problem_from_functions.hpp"

namespace daewave {

class LinePoints {
 public:
  void reset(int count, const Sizes& sizes) {
    count_ = count;
    t_.resize(static_cast<std::size_t>(count));
    q_.resize(static_cast<std::size_t>(count) * static_cast<std::size_t>(sizes.nq));
    g_.resize(static_cast<std::size_t>(count) * static_cast<std::size_t>(sizes.ny));
  }
  int count() const { return count_; }
  double* t() { return t_.data(); }
  /// Coordinate i of all points; row i of g.
  double* q(int i) { return q_.data() + static_cast<std::ptrdiff_t>(i) * count_; }
  const double* g(int i) const { return g_.data() + static_cast<std::ptrdiff_t>(i) * count_; }

  /// These points, as the first ones.
  void place(const Points& at) {
    std::copy_n(at.t, at.count, t_.data());
    for (int i = 0; i * count_ < static_cast<int>(q_.size()); ++i) {
      std::copy_n(at.q + static_cast<std::ptrdiff_t>(i) * at.stride, at.count, q(i));
    }
  }
  /// g there, row i at out[i * points].
  void copy_values(int rows, int points, double* out) const {
    for (int i = 0; i < rows; ++i) std::copy_n(g(i), points, out + i * points);
  }

  void call(const ProblemFunctions& of) {
    of.g(Points{count_, count_, t_.data(), q_.data(), nullptr, nullptr}, g_.data());
  }

 private:
  int count_ = 0;
  std::vector<double> t_, q_, g_;
};

}  // namespace daewave
