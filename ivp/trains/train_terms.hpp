#pragma once
// Evaluates the problem at all points of all windows in flight, in as few calls as there are
// functions.

#include <memory>
#include <vector>

#include "core/problem/dae_problem.hpp"
#include "ivp/trains/flight.hpp"

namespace daewave::ivp {

class TrainTerms {
 public:
  explicit TrainTerms(const DaeProblem& problem);

  /// Of a state, and what changes around it.
  void at(double t, const VecX& z, KnownTerms& here, TermSlopes& slopes);
  /// Of windows, whose polynomials and ends are known: their nodes, and their ends where asked for.
  /// @param sloped  which of them get slopes of their own, at the fourth node.
  void of(const std::vector<Flight*>& windows, bool ends, const std::vector<bool>& sloped);

  long evaluations() const { return evaluations_; }

 private:
  static constexpr int nodes = WindowFormula::nodes;

  void place(int p, double t, const double* q, const double* v, int step);
  Points points(int count) const;
  void evaluate(int nodes_and_ends, int first_end, int ends, int with_slopes, int all);

  const DaeProblem& problem_;
  std::unique_ptr<Evaluation> of_f_, of_terms_, of_residuals_;
  int nq_, stride_ = 0;
  AlignedVector t_, q_, v_;
  Ask asked_ = Ask::G;  ///< Of terms_.
  const Terms* f_ = nullptr;
  const Terms* terms_ = nullptr;
  const Terms* residuals_ = nullptr;
  KnownTerms mass_;  ///< Where it is constant.
  long evaluations_ = 0;
};

}  // namespace daewave::ivp
