#pragma once
// Intervals of a mesh in chunks, and where numbers at their stages lie: what is done for a chunk is
// done for many intervals side by side, and chunks by themselves.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/machine/aligned.hpp"
#include "core/ranks/mesh_share.hpp"

namespace daewave::bvp {

/// Chunks come from the problem, never from the machine: results have the same bits on any number
/// of threads.
class StageChunks {
 public:
  static constexpr int points_in_cache = 128;  ///< Numbers of a batch stay there.

  StageChunks(int stages, int intervals) : StageChunks(stages, {IntervalRange{0, intervals}}) {}
  /// None reaches from one of these ranges, which follow on each other, into the next.
  /// @param points  of a batch, about.
  StageChunks(int stages, const std::vector<IntervalRange>& ranges, int points = points_in_cache)
      : stages_(stages), intervals_(ranges.back().end), size_(padded(points / stages)) {
    for (const IntervalRange& range : ranges) {
      ranges_.push_back(static_cast<int>(begins_.size()));
      for (int i = range.begin; i < range.end; i += size_) begins_.push_back(i);
    }
    ranges_.push_back(static_cast<int>(begins_.size()));
    begins_.push_back(intervals_);
  }

  int stages() const { return stages_; }
  int intervals() const { return intervals_; }
  /// Intervals of a chunk; the last one of a range has what is left.
  int size() const { return size_; }
  int count() const { return static_cast<int>(begins_.size()) - 1; }
  int begin(int chunk) const { return begins_[static_cast<std::size_t>(chunk)]; }
  int width(int chunk) const { return begin(chunk + 1) - begin(chunk); }

  /// The sum over chunks of each range.
  template <class OfChunk>
  std::vector<double> sums(const OfChunk& of_chunk) const {
    std::vector<double> sums;
    sums.reserve(ranges_.size() + 8);  // For some more that are added to them.
    for (std::size_t r = 0; r + 1 < ranges_.size(); ++r) {
      double sum = 0;
      for (int c = ranges_[r]; c < ranges_[r + 1]; ++c) sum += of_chunk(c);
      sums.push_back(sum);
    }
    return sums;
  }

  /// Numbers of all stages, `rows` for each; there are some more, for who reads whole registers.
  ///
  /// Those of a chunk are one after the other: row r of stage j of interval begin + i is at
  /// [(r stages + j) width + i], a batch of stages width points.
  AlignedVector stage_memory(int rows) const { return interval_memory(rows * stages_); }
  std::size_t stage_memory_size(int rows) const {
    return static_cast<std::size_t>(rows) * stages_ * intervals_ + vector_width;
  }
  /// The same, but for those behind the last one not set to zero.
  void make_room(int rows, UnsetVector& values) const {
    values.resize(stage_memory_size(rows));
    std::fill_n(values.end() - vector_width, vector_width, 0.0);
  }
  template <class Numbers>
  auto of(Numbers& values, int rows, int chunk) const -> decltype(values.data()) {
    return values.data() + static_cast<std::ptrdiff_t>(rows) * stages_ * begin(chunk);
  }

  /// Numbers of all intervals in the same way.
  AlignedVector interval_memory(int rows) const {
    return AlignedVector(static_cast<std::size_t>(rows) * intervals_ + vector_width);
  }

  /// From columns of stages, by interval, and back.
  template <class Columns, class Numbers>
  void spread(const Columns& from, Numbers& to) const {
    each(static_cast<int>(from.rows()), [&](std::ptrdiff_t at, int row, int stage) {
      to[static_cast<std::size_t>(at)] = from(row, stage);
    });
  }
  template <class Numbers, class Columns>
  void gather(const Numbers& from, Columns& to) const {
    each(static_cast<int>(to.rows()), [&](std::ptrdiff_t at, int row, int stage) {
      to(row, stage) = from[static_cast<std::size_t>(at)];
    });
  }

 private:
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
  std::vector<int> begins_;  ///< First intervals of chunks, and the end of the last one.
  std::vector<int> ranges_;  ///< First chunks of ranges, and their number.
};

}  // namespace daewave::bvp
