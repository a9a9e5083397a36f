#pragma once
// Intervals of a mesh in chunks, and where numbers at their stages lie: what is done for a chunk is
// done for many intervals side by side, and chunks by themselves.

#include <algorithm>
#include <cstddef>

#include "core/machine/aligned.hpp"

namespace daewave::bvp {

/// Chunks come from the problem, never from the machine: results have the same bits on any number
/// of threads.
class StageChunks {
 public:
  StageChunks(int stages, int intervals)
      : stages_(stages), intervals_(intervals), size_(padded(points / stages)) {}

  int stages() const { return stages_; }
  int intervals() const { return intervals_; }
  /// Intervals of a chunk; the last one has what is left.
  int size() const { return size_; }
  int count() const { return (intervals_ + size_ - 1) / size_; }
  int begin(int chunk) const { return chunk * size_; }
  int width(int chunk) const { return std::min(size_, intervals_ - begin(chunk)); }

  /// Numbers of all stages, `rows` for each; there are some more, for who reads whole registers.
  ///
  /// Those of a chunk are one after the other: row r of stage j of interval begin + i is at
  /// [(r stages + j) width + i], a batch of stages width points.
  AlignedVector stage_memory(int rows) const { return interval_memory(rows * stages_); }
  double* of(AlignedVector& values, int rows, int chunk) const {
    return values.data() + static_cast<std::ptrdiff_t>(rows) * stages_ * begin(chunk);
  }
  const double* of(const AlignedVector& values, int rows, int chunk) const {
    return values.data() + static_cast<std::ptrdiff_t>(rows) * stages_ * begin(chunk);
  }

  /// Numbers of all intervals in the same way.
  AlignedVector interval_memory(int rows) const {
    return AlignedVector(static_cast<std::size_t>(rows) * intervals_ + vector_width);
  }

  /// From columns of stages, by interval, and back.
  template <class Columns>
  void spread(const Columns& from, AlignedVector& to) const {
    each(static_cast<int>(from.rows()), [&](std::ptrdiff_t at, int row, int stage) {
      to[static_cast<std::size_t>(at)] = from(row, stage);
    });
  }
  template <class Columns>
  void gather(const AlignedVector& from, Columns& to) const {
    each(static_cast<int>(to.rows()), [&](std::ptrdiff_t at, int row, int stage) {
      to(row, stage) = from[static_cast<std::size_t>(at)];
    });
  }

 private:
  static constexpr int points = 128;  ///< Of a batch, about: its numbers stay in the cache.

  template <class F>
  void each(int rows, F f) const {
    for (int c = 0; c < count(); ++c) {
      const std::ptrdiff_t base = static_cast<std::ptrdiff_t>(rows) * stages_ * begin(c);
      const int m = width(c);
      for (int r = 0; r < rows; ++r) {
        for (int j = 0; j < stages_; ++j) {
          for (int i = 0; i < m; ++i) {
            f(base + static_cast<std::ptrdiff_t>(r * stages_ + j) * m + i, r,
              (begin(c) + i) * stages_ + j);
          }
        }
      }
    }
  }

  int stages_, intervals_, size_;
};

}  // namespace daewave::bvp
