#pragma once
// What constraints come to at a state: how far it is off them, and the range of B.

#include <memory>

#include "core/problem/dae_problem.hpp"
#include "core/problem/foreseen_terms.hpp"

namespace daewave::bvp {

/// Holds the memory of an evaluation: one for each thread. The problem is kept by reference.
class ConstraintValues {
 public:
  explicit ConstraintValues(const DaeProblem& problem)
      : problem_(problem), evaluation_(problem.evaluation()) {}

  /// Entries of residual(): ny of index 2, 2 ny of index 3, none of others.
  int count() const;
  /// g, and of index 3 G v + g_t below it.
  VecX residual(const VecX& x, double t);
  /// r of index 1.
  VecX residual(const VecX& x, const VecX& w, double t);
  /// B, of multibody systems M^-1 G^T: nq x ny. @param state  x, or (q, v).
  MatX B(const VecX& state, double t);
  /// ny x nq.
  MatX G(const VecX& state, double t);
  /// G B, of multibody systems G M^-1 G^T: ny x ny.
  MatX GB(const VecX& state, double t);

  /// What residual() and GB() will be asked for one by one: where calls are dear in one call, known
  /// as long as what is returned lives; elsewhere null.
  /// @param states  columns that are finite. @param times  of each.
  std::unique_ptr<ForeseenTerms> foresee_residuals(const MatX& states, const VecX& times);
  std::unique_ptr<ForeseenTerms> foresee_GB(const MatX& states, const VecX& times);

  bool calls_are_dear() const { return daewave::calls_are_dear(problem_); }
  bool is_multibody() const { return problem_.kind() == Kind::multibody; }

 private:
  const Terms& at(Ask what, const VecX& state, double t);
  std::unique_ptr<ForeseenTerms> foresee(Ask what, const MatX& states, const VecX& times);
  VecX rate(const Terms& terms, const VecX& v) const;
  MatX transposed_jacobian(const Terms& terms) const;

  const DaeProblem& problem_;
  std::unique_ptr<Evaluation> evaluation_;
  std::unique_ptr<Evaluation> ahead_;  ///< Of many states; made where it is needed.
};

}  // namespace daewave::bvp
