#pragma once
// Whether a run passed a configuration in which constraints become dependent, seen from its nodes
// alone: the smallest pivot of G falls like a straight line to zero there, and rises like another;
// or nearly vanishes at a node. Nodes are left out while the pivot, as fast as it changes, is many
// of them away from zero: a look costs as much as a step.
// For methods that go on without knowing the branch.

#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "core/problem/dae_problem.hpp"
#include "core/report/report.hpp"
#include "ivp/equations/dae_system.hpp"
#include "ivp/reduced/dependence.hpp"

namespace daewave::ivp {

/// Holds the memory: one for each run. The problem is kept by reference.
class SingularTrace {
 public:
  /// @param z  the state at the begin, t.
  SingularTrace(const DaeProblem& problem, const VecX& z, double t);

  int states() const { return system_->nz(); }
  /// The state at the next node.
  void see(double t, const VecX& z);
  /// Where one was passed.
  const std::vector<double>& passed() const { return passed_; }
  /// A run that was said to be converged is not where one was passed: it may have gone on along
  /// another branch.
  void judge(Report& report) const;

 private:
  void look(double t, const VecX& z);
  /// How many nodes from here on need no look.
  int left_out(double change) const;

  /// Three nodes before, three after.
  static constexpr int count = 6;

  std::unique_ptr<DaeSystem> system_;
  Dependence dependence_;
  std::array<double, count> t_{}, pivot_{};
  int seen_ = 0;              ///< Nodes without one left out between them.
  int wait_ = 0, gap_ = 0;    ///< Nodes to leave out; of the last look, those since the one before.
  double change_ = INFINITY;  ///< Of the pivot from node to node, at the last look.
  bool beside_ = false;
  std::vector<double> passed_;
};

}  // namespace daewave::ivp
