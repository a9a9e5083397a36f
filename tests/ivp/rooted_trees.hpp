#pragma once
// Rooted trees, and what the order conditions of a Runge-Kutta formula ask for each of them:
//
//   sum_i b_i Phi_i(tree) = theta^order / gamma(tree).
//
// Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I, II.2.

#include <vector>

#include "core/types.hpp"

namespace daewave::ivp {

struct RootedTree {
  int order = 1;
  double gamma = 1;           ///< Density.
  std::vector<int> children;  ///< Indices of trees, in no increasing order.
};

/// Adds the trees of the given order whose children have indices up to `largest`.
inline void grow(std::vector<RootedTree>& trees, RootedTree tree, int left, int largest) {
  if (left == 0) {
    tree.gamma = tree.order;
    for (int child : tree.children) tree.gamma *= trees[child].gamma;
    trees.push_back(tree);
    return;
  }
  for (int child = largest; child >= 0; --child) {
    if (trees[child].order > left) continue;
    RootedTree larger = tree;
    larger.children.push_back(child);
    grow(trees, larger, left - trees[child].order, child);
  }
}

/// All of them up to an order: 1, 2, 4, 8, 17, 37, 85, 200, 486.
inline std::vector<RootedTree> rooted_trees(int most_order) {
  std::vector<RootedTree> trees{RootedTree{}};
  for (int order = 2; order <= most_order; ++order) {
    RootedTree root;
    root.order = order;
    grow(trees, root, order - 1, static_cast<int>(trees.size()) - 1);
  }
  return trees;
}

/// Phi of all trees; a column for each. A is strictly lower triangular.
inline MatX elementary_weights(const MatX& A, const std::vector<RootedTree>& trees) {
  const int stages = static_cast<int>(A.rows());
  MatX phi = MatX::Ones(stages, static_cast<int>(trees.size()));
  for (int tree = 0; tree < phi.cols(); ++tree) {
    for (int child : trees[tree].children) {
      phi.col(tree).array() *= (A * phi.col(child)).array();
    }
  }
  return phi;
}

}  // namespace daewave::ivp
