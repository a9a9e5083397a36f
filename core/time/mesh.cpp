#include "core/time/mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace daewave {

Mesh::Mesh(std::vector<double> nodes) : nodes_(std::move(nodes)) {
  if (nodes_.size() < 2) {
    throw InvalidProblem(
        fmt::format("mesh of {} node(s): at least 2 nodes make an interval", nodes_.size()));
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!std::isfinite(nodes_[i])) {
      throw InvalidProblem(fmt::format("mesh node {} is {}: must be finite", i, nodes_[i]));
    }
    if (i > 0 && nodes_[i] <= nodes_[i - 1]) {
      throw InvalidProblem(fmt::format(
          "mesh node {} (t = {}) follows node {} (t = {}): nodes must increase strictly; sort them "
          "and remove repeated ones",
          i, nodes_[i], i - 1, nodes_[i - 1]));
    }
  }
}

double Mesh::smallest_step() const {
  double smallest = step(0);
  for (int i = 1; i < intervals(); ++i) smallest = std::min(smallest, step(i));
  return smallest;
}

double Mesh::largest_step() const {
  double largest = step(0);
  for (int i = 1; i < intervals(); ++i) largest = std::max(largest, step(i));
  return largest;
}

int Mesh::locate(double t) const {
  if (!(t >= begin() && t <= end())) {
    throw InvalidOption(fmt::format("t = {}: must be within the mesh [{}, {}]", t, begin(), end()));
  }
  const auto above = std::lower_bound(nodes_.begin(), nodes_.end(), t);
  return std::max(0, static_cast<int>(above - nodes_.begin()) - 1);
}

Mesh Mesh::halved() const {
  std::vector<double> nodes;
  nodes.reserve(2 * nodes_.size());
  for (int i = 0; i < intervals(); ++i) {
    nodes.push_back(node(i));
    const double middle = node(i) + 0.5 * step(i);
    if (middle > node(i) && middle < node(i + 1)) nodes.push_back(middle);
  }
  nodes.push_back(end());
  return Mesh(std::move(nodes));
}

Mesh uniform_mesh(double begin, double end, int intervals) {
  if (!std::isfinite(begin) || !std::isfinite(end) || !(begin < end)) {
    throw InvalidOption(
        fmt::format("mesh on [{}, {}]: must be finite with begin < end", begin, end));
  }
  if (intervals < 1) throw InvalidOption(fmt::format("intervals = {}: must be >= 1", intervals));
  std::vector<double> nodes(static_cast<std::size_t>(intervals) + 1);
  const double length = end - begin;
  for (int i = 0; i < intervals; ++i) nodes[i] = begin + length * i / intervals;
  nodes.back() = end;
  return Mesh(std::move(nodes));
}

Mesh resized(const Mesh& mesh, int intervals) {
  if (intervals < 1) throw InvalidOption(fmt::format("intervals = {}: must be >= 1", intervals));
  std::vector<double> nodes;
  nodes.reserve(static_cast<std::size_t>(intervals) + 1);
  for (int i = 0; i < intervals; ++i) {
    const double position = static_cast<double>(mesh.intervals()) * i / intervals;
    const int left = std::min(static_cast<int>(position), mesh.intervals() - 1);
    const double t = mesh.node(left) + (position - left) * mesh.step(left);
    // Two sides of a jump may have no number between them.
    if (i == 0 || (t > nodes.back() && t < mesh.end())) nodes.push_back(t);
  }
  nodes.push_back(mesh.end());
  return Mesh(std::move(nodes));
}

}  // namespace daewave
