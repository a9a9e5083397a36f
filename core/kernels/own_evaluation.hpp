#pragma once
// The evaluation that a kernel's terms own: made when it is first needed, never shared by a copy.

#include <memory>

#include "core/problem/dae_problem.hpp"

namespace daewave {

class OwnEvaluation {
 public:
  OwnEvaluation() = default;
  OwnEvaluation(const OwnEvaluation&) {}
  OwnEvaluation(OwnEvaluation&&) = default;
  OwnEvaluation& operator=(const OwnEvaluation&) { return *this; }
  OwnEvaluation& operator=(OwnEvaluation&&) = default;

  const Terms& at(const DaeProblem& problem, Ask what, double t, const double* q,
                  const double* v = nullptr, const double* w = nullptr) {
    if (!evaluation_) evaluation_ = problem.evaluation();
    return evaluation_->evaluate(what, Points{1, 1, &t, q, v, w});
  }

 private:
  std::unique_ptr<Evaluation> evaluation_;
};

}  // namespace daewave
