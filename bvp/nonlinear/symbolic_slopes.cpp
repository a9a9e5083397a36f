#include "bvp/nonlinear/symbolic_slopes.hpp"

#include <cstddef>
#include <utility>

namespace daewave::bvp {

SymbolicSlopes::SymbolicSlopes(int n, int stages, const Pattern& pattern)
    : n_(n),
      stages_(stages),
      block_(static_cast<std::size_t>(n * n), none),
      node_(static_cast<std::size_t>(n * n), none) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      if (pattern[static_cast<std::size_t>(i + j * n)] == 0) continue;
      made_blocks_.push_back({block(i, j), i + j * n, i == j});
      made_nodes_.push_back({node(i, j), i + j * n, false});
    }
  }
  std::vector<bool> done(static_cast<std::size_t>(n), false);
  for (int left = n; left > 0; --left) {
    int next = none;
    double least = 0;
    for (int i = 0; i < n; ++i) {
      if (done[static_cast<std::size_t>(i)]) continue;
      const double of_this = cost(i, done);
      if (next == none || of_this < least) {
        next = i;
        least = of_this;
      }
    }
    done[static_cast<std::size_t>(next)] = true;
    eliminate(next, done);
  }
  substitute_back();
}

double SymbolicSlopes::dense_work() const {
  const double size = static_cast<double>(n_) * stages_;
  return size * size * (size / 3 + n_ + 1);
}

/// Of a pair that was zero so far: zeros, with the unit matrix on the diagonal.
int SymbolicSlopes::block(int i, int j) {
  int& number = block_[static_cast<std::size_t>(i + j * n_)];
  if (number == none) number = block_count_++;
  return number;
}

int SymbolicSlopes::node(int i, int j) {
  int& number = node_[static_cast<std::size_t>(i + j * n_)];
  if (number == none) number = n_ + node_count_++;
  return number;
}

/// Multiplications that the blocks take, if this component is eliminated next.
double SymbolicSlopes::cost(int component, const std::vector<bool>& done) const {
  int right = 0, below = 0;
  for (int i = 0; i < n_; ++i) {
    if (i == component || done[static_cast<std::size_t>(i)]) continue;
    right += block_[static_cast<std::size_t>(component + i * n_)] != none;
    below += block_[static_cast<std::size_t>(i + component * n_)] != none;
  }
  const double k = stages_;
  const bool is_unit = block_[static_cast<std::size_t>(component + component * n_)] == none;
  return k * k * k * (right * below + (is_unit ? 0 : 1.0 / 3 + right)) + k * k * below;
}

/// @param done  this one and those before.
void SymbolicSlopes::eliminate(int component, const std::vector<bool>& done) {
  const double k = stages_, square = k * k, cube = k * square;
  const auto is_after = [&](int i) { return !done[static_cast<std::size_t>(i)]; };
  Step step;
  step.rights = {component};
  order_.push_back(component);
  step.diagonal = block_[static_cast<std::size_t>(component + component * n_)];
  std::vector<int> of_row, of_node_row;
  for (int j = 0; j < n_; ++j) {
    const int right = block_[static_cast<std::size_t>(component + j * n_)];
    if (is_after(j) && right != none) {
      step.row.push_back(right);
      of_row.push_back(j);
    }
    const int column = node_[static_cast<std::size_t>(component + j * n_)];
    if (column != none) {
      step.nodes.push_back(column);
      of_node_row.push_back(j);
    }
  }
  if (step.diagonal != none) {
    work_ += cube / 3 + cube * static_cast<double>(step.row.size()) +
             square * static_cast<double>(step.nodes.size() + 1);
  }
  for (int i = 0; i < n_; ++i) {
    const int left = block_[static_cast<std::size_t>(i + component * n_)];
    if (!is_after(i) || left == none) continue;
    step.below.push_back(left);
    for (std::size_t e = 0; e < of_row.size(); ++e) {
      const int j = of_row[e], blocks_before = block_count_;
      const int target = block(i, j);
      if (block_count_ > blocks_before) made_blocks_.push_back({target, none, i == j});
      step.of_blocks.push_back({left, step.row[e], target});
    }
    for (std::size_t e = 0; e < of_node_row.size(); ++e) {
      const int nodes_before = node_count_;
      const int target = node(i, of_node_row[e]);
      if (node_count_ > nodes_before) made_nodes_.push_back({target, none, false});
      step.of_nodes.push_back({left, step.nodes[e], target});
    }
    step.of_rights.push_back({left, component, i});
  }
  work_ += cube * static_cast<double>(step.of_blocks.size()) +
           square * static_cast<double>(step.of_nodes.size() + step.of_rights.size());
  steps_.push_back(std::move(step));
}

void SymbolicSlopes::substitute_back() {
  Step step;
  for (std::size_t s = order_.size(); s-- > 0;) {
    const int component = order_[s];
    for (std::size_t later = s + 1; later < order_.size(); ++later) {
      const int j = order_[later];
      const int left = block_[static_cast<std::size_t>(component + j * n_)];
      if (left == none) continue;
      step.of_rights.push_back({left, j, component});
      for (int c = 0; c < n_; ++c) {
        const int from = node_[static_cast<std::size_t>(j + c * n_)];
        if (from == none) continue;
        const int nodes_before = node_count_;
        const int target = node(component, c);
        if (node_count_ > nodes_before) made_nodes_.push_back({target, none, false});
        step.of_nodes.push_back({left, from, target});
      }
    }
  }
  work_ += static_cast<double>(stages_) * stages_ *
           static_cast<double>(step.of_nodes.size() + step.of_rights.size());
  steps_.push_back(std::move(step));
}

}  // namespace daewave::bvp
