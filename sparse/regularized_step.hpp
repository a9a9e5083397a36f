#pragma once
// One step of a large sparse problem: backward differences of order 2 of f, extrapolation of e, and
// the iterates of sequential regularization with E = I at its end,
//
//   M D x_s = f(x_s) + 2 e_n - e_{n-1} - B y_s,
//   y_s = y_{s-1} + (alpha1 D g(x_s) + alpha2 g(x_s)) / epsilon,      D u = (3u - 4u_n + u_{n-1}) /
//   2h,
//
// which is (2.12) of [AL2] in its implicit form. All iterates have one matrix,
//
//   beta M - df/dx + kappa B G,    beta = 3 / 2h,    kappa = (alpha1 beta + alpha2) / epsilon,
//
// positive definite where that of x is: there is no saddle point, and no equation of y. The first
// step takes the formula of order 1.

#include <string>
#include <vector>

#include "sparse/checked_solve.hpp"
#include "sparse/options.hpp"
#include "sparse/sizes_seen.hpp"
#include "sparse/sparse_dae.hpp"

namespace daewave::sparse {

/// What formulas remember: of the step before, and of that before it.
struct Past {
  VecX x, g, e, y;
};

class RegularizedStep {
 public:
  /// @param options  are copied.
  RegularizedStep(const SparseDae& problem, const Options& options);

  /// Where a run starts. @param x  on the constraint, to rounding.
  void start(const VecX& x, double t);

  /// From t to t + h. @return empty, or why there is no step, which leaves the state as it was.
  /// @param probe_it  see contraction().
  std::string advance(double t, double h, bool probe_it = false);
  /// What the third of three iterates more would change of y beside the change of the last iterate,
  /// at the end of the last step that was probed, each row in units of its rounding: where that is
  /// not well below 1, no x meets the constraint, or epsilon is too large. 0 where y changed by
  /// rounding.
  double contraction() const { return contraction_; }
  /// kappa B G beside the rest of the matrix, the largest ratio of diagonal entries of the run: 1 /
  /// ratio is what an iterate leaves, and beyond 1 / rounding the matrix has lost the rest.
  double stiffness() const { return stiffness_; }
  /// What rounding of g makes of y at the end of the last step.
  double noise_of_y() const;

  const VecX& x() const { return now_.x; }
  /// Before the last step.
  const VecX& x_before() const { return before_now_.x; }
  const VecX& y() const { return now_.y; }
  /// What x was so far.
  const SizesSeen& seen() const { return seen_; }
  /// Largest |g| and change of y, by iterate, of the last step.
  const std::vector<double>& drifts() const { return drifts_; }
  const std::vector<double>& changes() const { return changes_; }
  /// max |x_n - x_{n-1}| of the last step.
  double moved() const { return moved_; }
  long evaluations() const { return evaluations_; }
  CheckedSolve& linear() { return linear_; }
  bool newton_failed() const { return newton_failed_; }

 private:
  struct Formula {
    double beta = 0, kappa = 0;
    VecX x, g, e;  ///< D x = beta x - this; the same of g; e as extrapolated.
  };
  Formula formula(double h) const;
  std::string factorize(const Formula& by, const VecX& x, double t);
  /// Newton's method from x_, with y_0 in before_; leaves x_, y_, g_.
  std::string iterate(const Formula& by, double t);
  void residual(const Formula& by, double t);
  double relative_change() const;
  bool residual_is_rounding(const Formula& by) const;
  VecX terms_of_g() const;
  VecX terms_of_residual(const Formula& by) const;
  VecX beside_rest(const VecX& values) const;
  VecX rounding_of_y(const Formula& by) const;
  void begin_iterates();
  void probe(const Formula& by, double t);
  void accept(double t);

  const SparseDae& problem_;
  Options options_;
  bool linear_problem_;
  std::optional<SparseMatrix> given_B_;
  SparseMatrix G_, B_, BG_, jacobian_;
  double factorized_beta_ = 0, factorized_kappa_ = 0;
  CheckedSolve linear_;
  Past now_, before_now_;
  int steps_ = 0;

  VecX x_, y_, g_, before_, f_, residual_, correction_;
  VecX change_of_y_;
  VecX rest_;  ///< Sizes of the diagonal of the matrix without kappa B G.
  SizesSeen seen_;
  std::vector<double> drifts_, changes_;
  double moved_ = 0, contraction_ = 0, stiffness_ = 0;
  long evaluations_ = 0;
  bool newton_failed_ = false;
};

}  // namespace daewave::sparse
