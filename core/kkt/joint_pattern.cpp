#include "core/kkt/joint_pattern.hpp"

#include <fmt/format.h>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <utility>

#include "core/error.hpp"

namespace daewave {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void sort_once(std::vector<int>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/// Ends of joints on each body.
std::vector<std::vector<int>> ends_on_bodies(int bodies, const std::vector<Joint>& joints) {
  std::vector<std::vector<int>> ends(at(bodies));
  for (int j = 0; j < static_cast<int>(joints.size()); ++j) {
    const Joint& joint = joints[at(j)];
    ends[at(joint.first)].push_back(2 * j);
    if (joint.second != Joint::ground) ends[at(joint.second)].push_back(2 * j + 1);
  }
  return ends;
}

}  // namespace

JointPattern::JointPattern(int bodies, std::vector<Joint> joints)
    : bodies_(bodies), joints_(std::move(joints)) {
  check();
  first_row_.push_back(0);
  for (const Joint& joint : joints_) first_row_.push_back(first_row_.back() + joint.rows);
  const auto ends = ends_on_bodies(bodies_, joints_);
  const auto adjacent = neighbours(ends);
  const std::vector<int> joint_at = order(adjacent);
  std::vector<int> place(joints_.size());
  for (int k = 0; k < static_cast<int>(joint_at.size()); ++k) {
    place[at(joint_at[at(k)])] = k;
    columns_.push_back({joint_at[at(k)], 0, 0, 0});
  }
  fill_columns(adjacent, place);
  find_targets();
  find_products(ends, place);
}

void JointPattern::check() const {
  if (bodies_ < 0) throw InvalidProblem(fmt::format("bodies = {}: must be >= 0", bodies_));
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const auto& [rows, first, second] = joints_[j];
    if (rows < 1) throw InvalidProblem(fmt::format("joint {}: rows = {}: must be >= 1", j, rows));
    if (first < 0 || first >= bodies_) {
      throw InvalidProblem(fmt::format(
          "joint {}: first = {}: must be one of the bodies 0 to {}; the ground can be second", j,
          first, bodies_ - 1));
    }
    if (second != Joint::ground && (second < 0 || second >= bodies_)) {
      throw InvalidProblem(
          fmt::format("joint {}: second = {}: must be one of the bodies 0 to {}, or Joint::ground",
                      j, second, bodies_ - 1));
    }
    if (first == second) {
      throw InvalidProblem(
          fmt::format("joint {}: first = second = {}: must be two bodies", j, first));
    }
  }
}

void JointPattern::check_most_rows(int most) const {
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    if (joints_[j].rows > most) {
      throw InvalidProblem(
          fmt::format("joint {}: rows = {}: must be <= {} here; take JointJacobian<B, R> with a "
                      "larger R",
                      j, joints_[j].rows, most));
    }
  }
}

std::vector<std::vector<int>> JointPattern::neighbours(
    const std::vector<std::vector<int>>& ends) const {
  std::vector<std::vector<int>> adjacent(joints_.size());
  for (const std::vector<int>& on_body : ends) {
    for (const int e : on_body) {
      for (const int other : on_body) {
        if (other != e) adjacent[at(e / 2)].push_back(other / 2);
      }
    }
  }
  for (std::vector<int>& of_joint : adjacent) sort_once(of_joint);
  return adjacent;
}

std::vector<int> JointPattern::order(const std::vector<std::vector<int>>& neighbours) const {
  const int n = static_cast<int>(joints_.size());
  std::vector<int> joint_at;
  if (n == 0) return joint_at;
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < n; ++j) {
    entries.emplace_back(j, j, 1.0);
    for (const int k : neighbours[at(j)]) entries.emplace_back(j, k, 1.0);
  }
  Eigen::SparseMatrix<double> graph(n, n);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::AMDOrdering<int>::PermutationType found;
  Eigen::AMDOrdering<int>()(graph, found);
  for (int k = 0; k < n; ++k) joint_at.push_back(found.indices()[k]);
  return joint_at;
}

/// A column has the rows of S in it, and those of the columns eliminated before that have their
/// first block in its row.
void JointPattern::fill_columns(const std::vector<std::vector<int>>& neighbours,
                                const std::vector<int>& place) {
  const int n = static_cast<int>(columns_.size());
  std::vector<std::vector<int>> inherited_from(at(n));
  for (int k = 0; k < n; ++k) {
    Column& column = columns_[at(k)];
    std::vector<int> rows;
    for (const int j : neighbours[at(column.joint)]) {
      if (place[at(j)] > k) rows.push_back(place[at(j)]);
    }
    for (const int c : inherited_from[at(k)]) {
      const Column& before = columns_[at(c)];
      rows.insert(rows.end(), row_of_block_.begin() + before.begin + 1,
                  row_of_block_.begin() + before.end);
    }
    sort_once(rows);
    column.begin = static_cast<int>(row_of_block_.size());
    row_of_block_.insert(row_of_block_.end(), rows.begin(), rows.end());
    column.end = static_cast<int>(row_of_block_.size());
    if (!rows.empty()) inherited_from[at(rows.front())].push_back(k);
  }
}

int JointPattern::block_at(int row, int column) const {
  const auto begin = row_of_block_.begin();
  const Column& in = columns_[at(column)];
  return static_cast<int>(std::lower_bound(begin + in.begin, begin + in.end, row) - begin);
}

void JointPattern::find_targets() {
  for (Column& column : columns_) {
    column.targets = static_cast<int>(targets_.size());
    for (int a = column.begin; a < column.end; ++a) {
      for (int b = column.begin; b < a; ++b) {
        targets_.push_back(block_at(row_of_block_[at(a)], row_of_block_[at(b)]));
      }
    }
  }
}

void JointPattern::find_products(const std::vector<std::vector<int>>& ends,
                                 const std::vector<int>& place) {
  for (const std::vector<int>& on_body : ends) {
    for (const int e : on_body) {
      for (const int other : on_body) {
        const int row = place[at(e / 2)], column = place[at(other / 2)];
        if (row > column) products_.push_back({e, other, block_at(row, column)});
      }
    }
  }
}

}  // namespace daewave
