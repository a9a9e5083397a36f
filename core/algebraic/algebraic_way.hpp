#pragma once
// 0 = r(z, w, t) of a DAE of index 1 on the straight way from one state to another.

#include <memory>

#include "core/algebraic/root_follower.hpp"
#include "core/problem/dae_problem.hpp"

namespace daewave {

/// A state, and the time at which it is.
struct StateAt {
  VecX z;
  double t = 0;
};

class AlgebraicWay final : public RootWay {
 public:
  /// @param problem  of Kind::invariants; kept by reference.
  AlgebraicWay(const DaeProblem& problem, StateAt from, StateAt to);

  bool residual(double theta, const VecX& w, VecX& r) override;
  bool jacobian(double theta, const VecX& w, MatX& J) override;
  /// By steps that are halved until |r| falls.
  bool solve(double theta, VecX& w) override;

 private:
  const Terms& evaluate(Ask what, double theta, const VecX& w);

  std::unique_ptr<Evaluation> evaluation_;
  int nw_;
  StateAt from_, to_;
  double t_ = 0;
  VecX z_;
};

}  // namespace daewave
