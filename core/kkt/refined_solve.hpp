#pragma once
// Iterative refinement of
//
//   M a + G^T lambda = f,   G a = c
//
// by factors of S = G M^-1 G^T that have lost digits. A light body between two heavy ones has
// entries 1 / its mass in S, which cancel in the elimination to those of the heavy ones. Forces on
// it cancel as well, to what moves it: they are summed in more digits than a double has, and lambda
// is kept with as many.

#include <algorithm>
#include <cstddef>
#include <limits>

#include "core/kkt/any_mass.hpp"
#include "core/kkt/chain_jacobian.hpp"
#include "core/kkt/joint_jacobian.hpp"
#include "core/kkt/sparse_jacobian.hpp"
#include "core/lost_digits.hpp"
#include "core/types.hpp"

namespace daewave {

/// Of any structure.
template <class Mass>
bool is_uneven(const Mass& M) {
  return is_uneven(static_cast<int>(M.rows()), [&M](int j) { return M.diagonal()[j]; });
}
template <int B>
bool is_uneven(const BodyMass<B>& M) {
  return is_uneven(M.rows(),
                   [&M](int j) { return M.blocks[static_cast<std::size_t>(j / B)](j % B, j % B); });
}
inline bool is_uneven(const AnyMass& M) {
  return M.visit([](const auto& of_structure) { return is_uneven(of_structure); });
}

/// visit(row, column, value) of each entry.
template <int N, class Visit>
void each_entry(const ChainJacobianOf<N>& G, Visit visit) {
  for (int i = 0; i < G.bodies(); ++i) {
    for (int k = 0; k < 2; ++k) {
      visit(2 * i + k, 3 * i + k, 1.0);
      visit(2 * i + k, 3 * i + 2, G.own[i][k]);
      if (i == 0) continue;
      visit(2 * i + k, 3 * i - 3 + k, -1.0);
      visit(2 * i + k, 3 * i - 1, G.before[i][k]);
    }
  }
}
template <int B, int R, class Visit>
void each_entry(const JointJacobian<B, R>& G, Visit visit) {
  for (int e = 0; e < 2 * G.joints(); ++e) {
    if (G.body(e) == Joint::ground) continue;
    const int row = G.pattern()->first_row(e / 2), column = B * G.body(e);
    for (int i = 0; i < G.pattern()->joints()[static_cast<std::size_t>(e / 2)].rows; ++i) {
      for (int k = 0; k < B; ++k) visit(row + i, column + k, G.end(e)(i, k));
    }
  }
}
template <class Visit>
void each_entry(const SparseJacobian& G, Visit visit) {
  for (int e = 0; e < G.entries(); ++e) visit(G.place(e).row, G.place(e).column, G[e]);
}

/// Allocates at the first call for a size only. Never inlined: it would be in the way of the code
/// that is there for solutions without it.
class RefinedSolve {
 public:
  /// As M a + G^T lambda = f, G a = c; NaN where it does not converge, as S has no digits left.
  ///
  /// @param weigh       weigh(b): b <- M^-1 b.
  /// @param substitute  substitute(b): b <- S^-1 b, by the factors.
  template <class Jacobian, class Weigh, class Substitute, class Force, class Rate, class Position,
            class Multiplier>
  [[gnu::noinline]] void operator()(const Jacobian& G, const Weigh& weigh,
                                    const Substitute& substitute, const Force& f, const Rate& c,
                                    Position& a, Multiplier& lambda) {
    a_.setZero(f.size());
    lambda_.setZero(c.size());
    double change = std::numeric_limits<double>::infinity(), before = change;
    for (int i = 0; i < most_changes_ && change > rounding_; ++i) {
      before = change;
      sum_residuals(G, f, c);
      // Of M^-1 (f - G^T lambda) - a, and then of the constraints.
      da_ = force_.cast<double>();
      weigh(da_);
      da_ -= a_;
      apply(G, da_, dlambda_);
      dlambda_ -= rate_.cast<double>();
      substitute(dlambda_);
      apply_transposed(G, dlambda_, pushed_);
      weigh(pushed_);
      da_ -= pushed_;
      a_ += da_;
      lambda_ += dlambda_.cast<long double>();
      change = std::max(part_of(da_, a_), part_of(dlambda_, lambda_));
      if (!(change < 0.5 * before)) break;
    }
    const bool converged = std::min(change, before) <= most_left_;
    a = a_;
    lambda = lambda_.cast<double>();
    if (converged) return;
    a.setConstant(std::numeric_limits<double>::quiet_NaN());
    lambda.setConstant(std::numeric_limits<double>::quiet_NaN());
  }

  /// The same for f = 0 and a alone.
  template <class Jacobian, class Weigh, class Substitute, class Rate, class Position>
  void correct(const Jacobian& G, const Weigh& weigh, const Substitute& substitute, const Rate& c,
               Position& a) {
    no_force_.setZero(G.cols());
    (*this)(G, weigh, substitute, no_force_, c, a, multiplier_);
  }

 private:
  using Sum = Eigen::Matrix<long double, Dynamic, 1>;

  static constexpr double rounding_ = 2 * std::numeric_limits<double>::epsilon();
  /// Each change gains three digits or more where S has three left; of one left it takes as many.
  static constexpr int most_changes_ = 20;
  /// Where changes do not get below this, which is less than any run asks for, there is no answer.
  static constexpr double most_left_ = 1e-10;

  /// force_ = f - G^T lambda, rate_ = c - G a.
  template <class Jacobian, class Force, class Rate>
  void sum_residuals(const Jacobian& G, const Force& f, const Rate& c) {
    force_ = f.template cast<long double>();
    rate_ = c.template cast<long double>();
    each_entry(G, [this](int row, int column, long double value) {
      force_[column] -= value * lambda_[row];
      rate_[row] -= value * a_[column];
    });
  }

  template <class Total>
  static double part_of(const VecX& change, const Total& total) {
    const double size = change.size() > 0 ? change.cwiseAbs().maxCoeff() : 0;
    return size == 0 ? 0 : size / static_cast<double>(total.cwiseAbs().maxCoeff());
  }

  Sum force_, rate_, lambda_;
  VecX a_, da_, dlambda_, pushed_, no_force_, multiplier_;
};

}  // namespace daewave
