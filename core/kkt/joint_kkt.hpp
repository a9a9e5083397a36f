#pragma once
// The linear system of bodies and joints, loops included: with a JointJacobian G and M block
// diagonal by bodies,
//
//   [ M  G^T ] [ a      ]   [ f ]        S = G M^-1 G^T,  S lambda = G M^-1 f - c,
//   [ G   0  ] [ lambda ] = [ c ]        a = M^-1 (f - G^T lambda),
//
// S is factorized as L D L^T in blocks of joints. Order and fill are those of the pattern of G,
// found once (core/kkt/joint_pattern.hpp). S squares the condition of G, unlike what
// core/kkt/kkt.hpp does: rows are told from dependent ones by the sine of their angle, down to 1e-7
// and no further. What uneven masses lose is won back (core/kkt/refined_solve.hpp).

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/kkt/body_mass.hpp"
#include "core/kkt/joint_jacobian.hpp"
#include "core/kkt/refined_solve.hpp"
#include "core/lost_digits.hpp"
#include "core/types.hpp"

namespace daewave {

/// Interface of NullSpaceKkt for `using Kkt = JointKkt<..>` in a problem. Allocates when a pattern
/// is first seen, only.
///
/// @tparam B, R  of JointJacobian.
/// @tparam Mass  an Eigen diagonal matrix, or BodyMass<B>.
template <int B = 3, int R = B, class Mass = Eigen::DiagonalMatrix<double, Dynamic>>
class JointKkt {
  using Jacobian = JointJacobian<B, R>;
  using End = typename Jacobian::Block;
  using Square = Mat<R, R>;

 public:
  /// Takes G; the other functions may be called after that. No row is ever dropped, so that the
  /// tolerance decides nothing: where rows are dependent weigh() says so. What cannot be answered,
  /// as G is not finite or weigh() was not called or was false, is answered with NaN.
  void eliminate(const Jacobian& G, double /*rank_tolerance*/) {
    if (G.pattern() != G_.pattern()) {
      const auto joints = static_cast<std::size_t>(G.joints());
      const auto blocks = static_cast<std::size_t>(G.pattern() ? G.pattern()->blocks() : 0);
      weighted_.resize(joints, blocks);
      orthogonal_.resize(joints, blocks);
      below_.resize(blocks);
      times_weight_.resize(2 * joints);
      solution_.resize(joints);
      original_.resize(joints);
    }
    G_.take(G);
    finite_ = std::isfinite(G_.sum());
    weighted_.state = orthogonal_.state = State::open;
  }

  /// Factorizes G M^-1 G^T. False where M is not positive definite, G is not finite or a row of G
  /// is, to rounding, a combination of others.
  bool weigh(const Mass& M) {
    weighted_.state = State::singular;
    if (!finite_ || !weights_.invert(M) || !factorize(weights_, weighted_)) return false;
    loses_digits_ = weighted_.cancel && is_uneven(M);
    return true;
  }

  /// All rows, or none where G is not finite.
  int rank() const { return finite_ ? G_.rows() : 0; }
  int free() const { return G_.cols() - rank(); }
  /// Row of G that takes no part, i in [rank, nl).
  int dropped_row(int i) const { return i; }
  /// Costs nothing to be asked for.
  static constexpr bool knows_pivots = true;
  /// After weigh(): the shortest of what rows of G have that the rows eliminated before have not,
  /// in the metric of M^-1 and in the unit of G / sqrt(M). 0 where the elimination failed.
  double smallest_pivot() const {
    return weighted_.state == State::ready ? std::sqrt(weighted_.smallest) : 0;
  }

  /// M a + G^T lambda = f, G a = c; M as given to weigh().
  template <class Position, class Multiplier>
  void solve(const Mass&, const Position& f, const Multiplier& c, Position& a, Multiplier& lambda) {
    if (weighted_.state != State::ready) {
      answer_nothing(G_.cols(), a);
      return answer_nothing(G_.rows(), lambda);
    }
    if (loses_digits_) {
      return refined_(G_, weigher(), substituter(), f, c, a, lambda);
    }
    a = f;
    weights_.apply(a);
    apply(G_, a, lambda);
    lambda -= c;
    substitute(weighted_, lambda);
    apply_transposed(G_, lambda, force_);
    weights_.apply(force_);
    a -= force_;
  }

  /// a = M^-1 G^T (G M^-1 G^T)^-1 c.                                          [ACPR] (5.5)
  template <class Position, class Multiplier>
  void correct(const Mass&, const Multiplier& c, Position& a) {
    if (weighted_.state != State::ready) return answer_nothing(G_.cols(), a);
    if (loses_digits_) return refined_.correct(G_, weigher(), substituter(), c, a);
    multiplier_ = c;
    substitute(weighted_, multiplier_);
    apply_transposed(G_, multiplier_, a);
    weights_.apply(a);
  }

  /// a = G^T (G G^T)^-1 c. Needs no weigh(). NaN where rows of G are dependent. [ACPR] (5.6)
  template <class Position, class Multiplier>
  void correct_orthogonal(const Multiplier& c, Position& a) {
    correct_orthogonal(c, a, multiplier_);
  }

  /// The same with a = G^T mu told: mu = (G G^T)^-1 c.
  template <class Position, class Multiplier>
  void correct_orthogonal(const Multiplier& c, Position& a, Multiplier& mu) {
    if (orthogonal_.state == State::open) factorize(UnitWeights(), orthogonal_);
    if (orthogonal_.state != State::ready) {
      answer_nothing(G_.cols(), a);
      return answer_nothing(G_.rows(), mu);
    }
    mu = c;
    substitute(orthogonal_, mu);
    apply_transposed(G_, mu, a);
  }

  /// The part of v that the constraints forbid, in the metric of M: P v = M^-1 G^T S^-1 G v.
  template <class Position>
  void forbidden(const Position& v, Position& Pv) {
    if (weighted_.state != State::ready) return answer_nothing(G_.cols(), Pv);
    apply(G_, v, multiplier_);
    if (loses_digits_) {
      return refined_.correct(G_, weigher(), substituter(), multiplier_, Pv);
    }
    substitute(weighted_, multiplier_);
    apply_transposed(G_, multiplier_, Pv);
    weights_.apply(Pv);
  }

 private:
  enum class State { open, singular, ready };
  using Column = JointPattern::Column;
  /// Of S, in the order of the pattern.
  struct Elimination {
    std::vector<Square> inverse;  ///< Of the pivots: D^-1.
    std::vector<Square> factor;   ///< L below its diagonal.
    double smallest = 0;          ///< Of the pivots, by scalars.
    bool cancel = false;          ///< A pivot is a small part of what S has there.
    State state = State::open;

    void resize(std::size_t joints, std::size_t blocks) {
      inverse.resize(joints);
      factor.resize(blocks);
    }
  };
  /// A pivot at most this times its entry of S is rounding: it is left over after a few dozen
  /// subtractions of numbers of that size.
  static constexpr double rounding_ = 64 * std::numeric_limits<double>::epsilon();

  template <class Vector>
  static void answer_nothing(int size, Vector& x) {
    x.setConstant(size, std::numeric_limits<double>::quiet_NaN());
  }
  auto weigher() const {
    return [this](VecX& b) { weights_.apply(b); };
  }
  auto substituter() {
    return [this](VecX& b) { substitute(weighted_, b); };
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  const JointPattern& pattern() const { return *G_.pattern(); }
  int rows_of(const Column& column) const { return pattern().joints()[at(column.joint)].rows; }

  /// Of S = G W G^T.
  template <class Weights>
  bool factorize(const Weights& W, Elimination& S) {
    S.state = State::ready;
    S.smallest = G_.joints() > 0 ? INFINITY : 1;
    S.cancel = false;
    if (G_.joints() == 0) return true;
    if (!finite_) return fails(S);
    form(W, S);
    for (int k = 0; k < G_.joints(); ++k) {
      const Column& column = pattern().columns()[at(k)];
      if (!invert_pivot(S.inverse[at(k)], original_[at(k)], rows_of(column), S)) return fails(S);
      eliminate_column(column, S.inverse[at(k)], S);
    }
    return true;
  }
  static bool fails(Elimination& S) {
    S.state = State::singular;
    return false;
  }

  /// The joint's own block of S; ones where it has fewer rows than blocks have.
  Square diagonal_of(const Column& column) const {
    const int e = 2 * column.joint;
    Square S = times_weight_[at(e)].lazyProduct(G_.end(e).transpose());
    if (G_.body(e + 1) != Joint::ground) {
      S += times_weight_[at(e + 1)].lazyProduct(G_.end(e + 1).transpose());
    }
    for (int i = rows_of(column); i < R; ++i) S(i, i) = 1;
    return S;
  }

  /// In S.inverse, which pivots become first, and below_.
  template <class Weights>
  void form(const Weights& W, Elimination& S) {
    for (int e = 0; e < 2 * G_.joints(); ++e) {
      const int body = G_.body(e);
      if (body != Joint::ground) W.times(G_.end(e), body, times_weight_[at(e)]);
    }
    for (int k = 0; k < G_.joints(); ++k) {
      S.inverse[at(k)] = diagonal_of(pattern().columns()[at(k)]);
      original_[at(k)] = S.inverse[at(k)].diagonal();
    }
    for (Square& block : below_) block.setZero();
    for (const auto& [lower, upper, block] : pattern().products()) {
      below_[at(block)] += times_weight_[at(lower)].lazyProduct(G_.end(upper).transpose());
    }
  }

  /// pivot <- pivot^-1; false where an entry of D in its L D L^T is rounding of what S had there.
  static bool invert_pivot(Square& pivot, const Vec<R>& original, int rows, Elimination& S) {
    if constexpr (R == 2) return invert_pair(pivot, original, rows, S);
    Square L = Square::Identity(), inverse = Square::Identity();
    Vec<R> d, scale;
    for (int j = 0; j < R; ++j) {
      d[j] = pivot(j, j);
      for (int k = 0; k < j; ++k) d[j] -= L(j, k) * L(j, k) * d[k];
      if (!(d[j] > rounding_ * original[j] && d[j] < INFINITY)) return false;
      if (j < rows) S.smallest = std::min(S.smallest, d[j]);
      S.cancel |= d[j] < cancelled * original[j];
      scale[j] = 1 / d[j];
      for (int i = j + 1; i < R; ++i) {
        double sum = pivot(i, j);
        for (int k = 0; k < j; ++k) sum -= L(i, k) * L(j, k) * d[k];
        L(i, j) = scale[j] * sum;
      }
    }
    for (int j = 0; j < R; ++j) {
      for (int i = j + 1; i < R; ++i) {
        for (int k = j; k < i; ++k) inverse(i, j) -= L(i, k) * inverse(k, j);
      }
    }
    L = scale.asDiagonal() * inverse;
    pivot = inverse.transpose().lazyProduct(L);
    return true;
  }

  /// The same for pins, with one division to wait for.
  static bool invert_pair(Square& pivot, const Vec<R>& original, int rows, Elimination& S) {
    const double a = pivot(0, 0), b = pivot(1, 0), c = pivot(1, 1);
    const double determinant = a * c - b * b;
    const double scale = 1 / determinant;
    if (!(a > rounding_ * original[0] && determinant > rounding_ * original[1] * a &&
          determinant < INFINITY)) {
      return false;
    }
    S.smallest = std::min(S.smallest, rows < 2 ? a : std::min(a, determinant / a));
    S.cancel |= determinant < cancelled * (original[0] * original[1]);
    pivot(0, 0) = scale * c;
    pivot(0, 1) = pivot(1, 0) = -scale * b;
    pivot(1, 1) = scale * a;
    return true;
  }

  /// L of the column, and what it takes from the blocks at its rows.
  void eliminate_column(const Column& column, const Square& inverse, Elimination& S) {
    const int* const row = pattern().row_of_block().data();
    const int* target = pattern().targets().data() + column.targets;
    for (int a = column.begin; a < column.end; ++a) {
      const Square L = below_[at(a)].lazyProduct(inverse);
      S.factor[at(a)] = L;
      for (int b = column.begin; b < a; ++b, ++target) {
        below_[at(*target)] -= L.lazyProduct(below_[at(b)].transpose());
      }
      S.inverse[at(row[a])] -= L.lazyProduct(below_[at(a)].transpose());
    }
  }

  /// b <- S^-1 b.
  template <class Multiplier>
  void substitute(const Elimination& S, Multiplier& b) {
    if (G_.joints() == 0) return;
    const std::vector<Column>& columns = pattern().columns();
    const int* const row = pattern().row_of_block().data();
    const int n = G_.joints();
    for (int k = 0; k < n; ++k) {
      const int first = pattern().first_row(columns[at(k)].joint), rows = rows_of(columns[at(k)]);
      for (int i = 0; i < R; ++i) solution_[at(k)][i] = i < rows ? b[first + i] : 0;
    }
    for (int k = 0; k < n; ++k) {
      const Vec<R> y = solution_[at(k)];
      for (int a = columns[at(k)].begin; a < columns[at(k)].end; ++a) {
        solution_[at(row[a])] -= S.factor[at(a)].lazyProduct(y);
      }
    }
    for (int k = n - 1; k >= 0; --k) {
      Vec<R> x = S.inverse[at(k)].lazyProduct(solution_[at(k)]);
      for (int a = columns[at(k)].begin; a < columns[at(k)].end; ++a) {
        x -= S.factor[at(a)].transpose().lazyProduct(solution_[at(row[a])]);
      }
      solution_[at(k)] = x;
      const int first = pattern().first_row(columns[at(k)].joint), rows = rows_of(columns[at(k)]);
      for (int i = 0; i < rows; ++i) b[first + i] = x[i];
    }
  }

  Jacobian G_;
  bool finite_ = false, loses_digits_ = false;  ///< Solutions in the metric of M are refined.
  BodyWeights<B, Mass> weights_;
  std::vector<End> times_weight_;  ///< J_e W, by ends.
  std::vector<Square> below_;      ///< S below its diagonal, and what is left of it.
  std::vector<Vec<R>> original_;   ///< The diagonal of S.
  std::vector<Vec<R>> solution_;
  VecX force_, multiplier_;
  Elimination weighted_, orthogonal_;
  RefinedSolve refined_;
};

}  // namespace daewave
