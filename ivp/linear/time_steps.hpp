#pragma once
// Where the steps are, without storing N nodes when they are equally long.

#include "core/time/mesh.hpp"
#include "core/types.hpp"

namespace daewave::ivp {

/// Steps of equal length, at the nodes of uniform_mesh(), or those of a mesh of the caller.
class TimeSteps {
 public:
  TimeSteps(const Interval& interval, int count) : interval_(interval), count_(count) {}

  /// `mesh` is kept by reference.
  explicit TimeSteps(const Mesh& mesh)
      : interval_{mesh.begin(), mesh.end()}, count_(mesh.intervals()), mesh_(&mesh) {}

  int count() const { return count_; }

  /// Begin of step i, 0 <= i <= count.
  double node(int i) const {
    if (mesh_ != nullptr) return mesh_->node(i);
    return i == count_ ? interval_.end : interval_.begin + interval_.length() * i / count_;
  }

  double length(int i) const { return node(i + 1) - node(i); }

 private:
  Interval interval_;
  int count_;
  const Mesh* mesh_ = nullptr;
};

}  // namespace daewave::ivp
