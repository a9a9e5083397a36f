#pragma once
// A problem of which is counted at how many points f was asked for.

#include <atomic>
#include <memory>
#include <utility>

#include "core/problem/dae_problem.hpp"

namespace daewave::testing {

/// As the problem given, which may be made to forget the derivatives of f.
class CountedProblem final : public DaeProblem {
 public:
  CountedProblem(DaeProblemPtr of, bool knows_f_jacobian)
      : DaeProblem(of->kind(), of->sizes(), structure_of(*of, knows_f_jacobian)),
        of_(std::move(of)) {}

  std::unique_ptr<Evaluation> evaluation() const override {
    return std::make_unique<CountedEvaluation>(of_->evaluation(), calls_);
  }
  std::string name() const override { return of_->name(); }
  std::optional<VecX> start() const override { return of_->start(); }
  std::optional<VecX> start_algebraic() const override { return of_->start_algebraic(); }
  std::optional<Interval> interval() const override { return of_->interval(); }

  long calls_of_f() const { return calls_; }

 private:
  class CountedEvaluation final : public Evaluation {
   public:
    CountedEvaluation(std::unique_ptr<Evaluation> of, std::atomic<long>& calls)
        : of_(std::move(of)), calls_(calls) {}
    const Terms& evaluate(Ask what, const Points& at) override {
      if (asks(what, Ask::f)) calls_ += at.count;
      return of_->evaluate(what, at);
    }

   private:
    std::unique_ptr<Evaluation> of_;
    std::atomic<long>& calls_;
  };

  static Structure structure_of(const DaeProblem& of, bool knows_f_jacobian) {
    Structure structure = of.structure();
    structure.has_f_jacobian = structure.has_f_jacobian && knows_f_jacobian;
    return structure;
  }

  DaeProblemPtr of_;
  mutable std::atomic<long> calls_{0};
};

}  // namespace daewave::testing
