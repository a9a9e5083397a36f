#pragma once
// The linear system of constraints in any sparse pattern, loops included: with a SparseJacobian G
// and M diagonal, or block diagonal by bodies,
//
//   [ M  G^T ] [ a      ]   [ f ]        S = G M^-1 G^T,  S lambda = G M^-1 f - c,
//   [ G   0  ] [ lambda ] = [ c ]        a = M^-1 (f - G^T lambda),
//
// S is factorized as L D L^T, row by row. Order and fill are those of the pattern of G, found once
// (core/kkt/sparse_analysis.hpp). S squares the condition of G, unlike what core/kkt/kkt.hpp does:
// rows are told from dependent ones by the sine of their angle, down to 1e-7 and no further. What
// uneven masses lose is won back (core/kkt/refined_solve.hpp).

#include <memory>
#include <vector>

#include "core/kkt/any_mass.hpp"
#include "core/kkt/refined_solve.hpp"
#include "core/kkt/sparse_analysis.hpp"
#include "core/kkt/sparse_jacobian.hpp"
#include "core/types.hpp"

namespace daewave {

namespace detail {

/// S = G W G^T of one pattern and one structure of W, and its factors.
class SparseFactors {
 public:
  /// To be done before anything else. Allocates where the analysis is another than before.
  void use(std::shared_ptr<const SparseAnalysis> analysis);
  const SparseAnalysis* analysis() const { return analysis_.get(); }

  /// False where a row is, to rounding, a combination of others.
  /// @param weights  width^2 for each block of W, or null for W = I, of width 1.
  bool factorize(const SparseJacobian& G, const double* weights);
  /// b <- S^-1 b.
  void solve(VecX& b);
  /// Least entry of D.
  double smallest() const { return smallest_; }
  /// A pivot is a small part of what S has there.
  bool cancel() const { return cancel_; }

 private:
  void form(const SparseJacobian& G, const double* weights);
  /// Columns of row k of L, each before those that depend on it: from [that, rows) of path_.
  int columns_of_row(int k);
  bool eliminate_row(int k);

  std::shared_ptr<const SparseAnalysis> analysis_;
  std::vector<double> values_;         ///< Of S.
  std::vector<double> below_, pivot_;  ///< L below its diagonal, and D.
  std::vector<int> row_below_, end_;   ///< Rows of L, and where a column ends so far.
  std::vector<double> work_;           ///< Of one row, zero between them; of a right side.
  std::vector<int> path_, seen_;
  double smallest_ = 0;
  bool cancel_ = false;
};

}  // namespace detail

/// Interface of AnyKkt. Allocates when a pattern is first seen, only.
class SparseKkt {
 public:
  /// Takes G; the other functions may be called after that. No row is ever dropped, so that the
  /// tolerance decides nothing: where rows are dependent weigh() says so. What cannot be answered,
  /// as G is not finite or weigh() was not called or was false, is answered with NaN.
  void eliminate(const SparseJacobian& G, double rank_tolerance);
  /// Factorizes G M^-1 G^T. False where M is dense or not positive definite, G is not finite or a
  /// row of G is, to rounding, a combination of others.
  bool weigh(const AnyMass& M);

  /// All rows, or none where G is not finite.
  int rank() const { return finite_ ? G_.rows() : 0; }
  int free() const { return G_.cols() - rank(); }
  /// Row of G that takes no part, i in [rank, nl).
  int dropped_row(int i) const { return i; }
  /// Costs nothing to be asked for.
  static constexpr bool knows_pivots = true;
  /// After weigh(): the shortest of what rows of G have that the rows eliminated before have not,
  /// in the metric of M^-1 and in the unit of G / sqrt(M). 0 where the elimination failed.
  double smallest_pivot() const;
  /// What follows from the pattern, in the metric of M; null before the first weigh().
  const SparseAnalysis* analysis() const { return weighted_.analysis(); }

  /// M a + G^T lambda = f, G a = c; M as given to weigh().
  void solve(const AnyMass& M, const VecX& f, const VecX& c, VecX& a, VecX& lambda);
  /// a = M^-1 G^T (G M^-1 G^T)^-1 c.                                          [ACPR] (5.5)
  void correct(const AnyMass& M, const VecX& c, VecX& a);
  /// a = G^T (G G^T)^-1 c. Needs no weigh(). NaN where rows of G are dependent. [ACPR] (5.6)
  void correct_orthogonal(const VecX& c, VecX& a) { correct_orthogonal(c, a, multiplier_); }
  /// The same with a = G^T mu told: mu = (G G^T)^-1 c.
  void correct_orthogonal(const VecX& c, VecX& a, VecX& mu);
  /// The part of v that the constraints forbid, in the metric of M: P v = M^-1 G^T S^-1 G v.
  void forbidden(const VecX& v, VecX& Pv);

 private:
  enum class State { open, singular, ready };
  const std::shared_ptr<const SparseAnalysis>& analysis_of(int width);
  bool invert(const AnyMass& M);
  auto weigher() const {
    return [this](VecX& b) { inverse_.apply(b); };
  }
  auto substituter() {
    return [this](VecX& b) { weighted_.solve(b); };
  }

  SparseJacobian G_;
  bool finite_ = false;
  std::shared_ptr<const SparseAnalysis> by_columns_, by_bodies_;  ///< Null: not asked for yet.
  InverseMass<AnyMass> inverse_;
  std::vector<double> weights_;  ///< M^-1, block by block.
  int width_ = 1;                ///< Of its blocks.
  // In the metric of M, and of W = I: both are asked for at one state.
  detail::SparseFactors weighted_, orthogonal_;
  State weighted_state_ = State::open, orthogonal_state_ = State::open;
  bool loses_digits_ = false;  ///< Solutions in the metric of M have to be refined.
  RefinedSolve refined_;
  VecX force_, multiplier_;
};

}  // namespace daewave
