#pragma once
// A problem and its options turned into what collocation sees, and what it found turned back.

#include <functional>
#include <memory>
#include <optional>

#include "bvp/equations/extended_state.hpp"
#include "bvp/nonlinear/nonlinear_problem.hpp"
#include "bvp/options/options.hpp"
#include "bvp/result/solution.hpp"
#include "bvp/statement/problem_family.hpp"

namespace daewave::bvp {

/// The memory of a NonlinearProblem.
class Posed {
 public:
  /// @throws InvalidProblem, InvalidOption; see solve().
  Posed(const ProblemFamily& family, const Options& options);

  Posed(const Posed&) = delete;
  Posed& operator=(const Posed&) = delete;

  const NonlinearProblem& problem() const { return posed_; }
  /// Those that were given, with a first mesh where solutions or conditions say one.
  const Options& options() const { return options_; }
  /// A solution of what collocation sees as one of the problem.
  Solution solution(Solution found) const;

 private:
  BoundaryProblem member(const VecX& unknowns) const;
  void check_counts(int own, int constraints) const;
  void take_singular_term();
  void pose_regularity(BoundaryProblem& problem) const;
  void extend();
  void take_guess();
  std::function<VecX(double t)> guess_of_x() const;
  void take_guess_algebraic();
  void take_solution();
  void take_sizes();
  void take_bounds();
  void take_conditions();
  void regularize_constraints();
  MakeSystem system_of(std::function<std::unique_ptr<IterateSystem>(DaeProblemPtr, double)> make,
                       bool reversed) const;
  MakeSystem regularized(const Regularization& form, bool reversed) const;
  VecX turned(const VecX& X) const;
  std::string advice_to_follow() const;

  ProblemFamily family_;
  BoundaryProblem of_;  ///< Of the guess at the unknown parameters.
  Options options_;
  VecX unknowns_;  ///< That guess.
  ExtendedState state_;
  NonlinearProblem posed_;
  std::unique_ptr<TwoPointConditions> conditions_, at_end_, from_end_;
};

}  // namespace daewave::bvp
