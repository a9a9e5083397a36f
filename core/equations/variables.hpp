#pragma once
// The variables of a problem in the graph of its expressions.

#include <vector>

#include "core/expression/tape.hpp"

namespace daewave::expression {

/// t first, then q, v and w; others, such as multipliers, behind them.
struct Variables {
  int nq = 0, nv = 0, nw = 0;

  static constexpr int t = 0;
  int q(int i) const { return 1 + i; }
  int v(int i) const { return 1 + nq + i; }
  int w(int i) const { return 1 + nq + nv + i; }
  int end() const { return 1 + nq + nv + nw; }

  bool is_q(int variable) const { return variable >= q(0) && variable < q(nq); }
  bool is_v(int variable) const { return variable >= v(0) && variable < v(nv); }

  std::vector<Input> inputs() const {
    std::vector<Input> all{{From::t, 0}};
    for (int i = 0; i < nq; ++i) all.push_back({From::q, i});
    for (int i = 0; i < nv; ++i) all.push_back({From::v, i});
    for (int i = 0; i < nw; ++i) all.push_back({From::w, i});
    return all;
  }
};

}  // namespace daewave::expression
