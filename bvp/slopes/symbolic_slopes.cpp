#include "bvp/slopes/symbolic_slopes.hpp"

#include <cstddef>
#include <utility>

namespace daewave::bvp {

double SymbolicSlopes::by_rows(int n, int stages) {
  const double size = static_cast<double>(n) * stages;
  return size * size * (size / 3 + n + 1);
}

std::unique_ptr<const SymbolicSlopes> SymbolicSlopes::where_it_pays(int n, int stages,
                                                                    const Pattern& pattern) {
  constexpr double worthwhile = 0.6;
  std::unique_ptr<SymbolicSlopes> symbolic(new SymbolicSlopes(n, stages, pattern));
  const bool is_full = symbolic->entries_.size() == pattern.size();
  if (is_full || !symbolic->order(worthwhile * by_rows(n, stages))) return nullptr;
  return symbolic;
}

SymbolicSlopes::SymbolicSlopes(int n, int stages, const Pattern& pattern)
    : n_(n), stages_(stages), entry_(pattern.size(), none) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      if (pattern[at(i, j)] == 0) continue;
      entry_[at(i, j)] = static_cast<int>(entries_.size());
      entries_.push_back({i, j});
    }
  }
}

/// @return false where it takes more multiplications than that.
bool SymbolicSlopes::order(double most_work) {
  const auto n = static_cast<std::size_t>(n_);
  block_.assign(n * n, none);
  node_.assign(n * n, none);
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    const auto [i, j] = entries_[e];
    made_blocks_.push_back({block(i, j), static_cast<int>(e), i == j});
    made_nodes_.push_back({column_of(node_of(i, j)), static_cast<int>(e), false});
  }
  std::vector<bool> done(n, false);
  while (order_.size() < n) {
    int next = none;
    double least = 0;
    for (int i = 0; i < n_; ++i) {
      if (done[static_cast<std::size_t>(i)]) continue;
      const double of_this = cost(i, done);
      if (next == none || of_this < least) {
        next = i;
        least = of_this;
      }
    }
    done[static_cast<std::size_t>(next)] = true;
    eliminate(next, done);
    if (work_ > most_work) return false;
  }
  substitute_back();
  return work_ <= most_work;
}

/// Of a pair that was zero so far: zeros, with the unit matrix on the diagonal.
int SymbolicSlopes::block(int i, int j) {
  int& number = block_[at(i, j)];
  if (number == none) number = block_count_++;
  return number;
}

int SymbolicSlopes::node_of(int i, int j) {
  int& number = node_[at(i, j)];
  if (number == none) number = node_count_++;
  return number;
}

/// Multiplications that the blocks take, if this component is eliminated next.
double SymbolicSlopes::cost(int component, const std::vector<bool>& done) const {
  int right = 0, below = 0;
  for (int i = 0; i < n_; ++i) {
    if (i == component || done[static_cast<std::size_t>(i)]) continue;
    right += block_[at(component, i)] != none;
    below += block_[at(i, component)] != none;
  }
  const double k = stages_;
  const bool is_unit = block_[at(component, component)] == none;
  return k * k * k * (right * below + (is_unit ? 0 : 1.0 / 3 + right)) + k * k * below;
}

/// @param done  this one and those before.
void SymbolicSlopes::eliminate(int component, const std::vector<bool>& done) {
  const double k = stages_, square = k * k, cube = k * square;
  const auto is_after = [&](int i) { return !done[static_cast<std::size_t>(i)]; };
  Step step;
  step.rights = {component};
  order_.push_back(component);
  step.diagonal = block_[at(component, component)];
  std::vector<int> of_row, of_node_row;
  for (int j = 0; j < n_; ++j) {
    const int right = block_[at(component, j)];
    if (is_after(j) && right != none) {
      step.row.push_back(right);
      of_row.push_back(j);
    }
    if (node(component, j) != none) {
      step.nodes.push_back(column_of(node(component, j)));
      of_node_row.push_back(j);
    }
  }
  if (step.diagonal != none) {
    work_ += cube / 3 + cube * static_cast<double>(step.row.size()) +
             square * static_cast<double>(step.nodes.size() + 1);
  }
  for (int i = 0; i < n_; ++i) {
    const int left = block_[at(i, component)];
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
      const int target = column_of(node_of(i, of_node_row[e]));
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
      const int left = block_[at(component, j)];
      if (left == none) continue;
      step.of_rights.push_back({left, j, component});
      for (int c = 0; c < n_; ++c) {
        if (node(j, c) == none) continue;
        const int nodes_before = node_count_;
        const int target = column_of(node_of(component, c));
        if (node_count_ > nodes_before) made_nodes_.push_back({target, none, false});
        step.of_nodes.push_back({left, column_of(node(j, c)), target});
      }
    }
  }
  work_ += static_cast<double>(stages_) * stages_ *
           static_cast<double>(step.of_nodes.size() + step.of_rights.size());
  steps_.push_back(std::move(step));
}

}  // namespace daewave::bvp
