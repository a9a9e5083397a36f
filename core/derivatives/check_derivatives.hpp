#pragma once
// Are the derivatives that a problem gives those of its constraints? The first thing to ask of a
// new problem: a wrong entry of G or of the curvature shows as drift, or as nothing at all.
//
//   const DerivativeReport report = check_derivatives(problem, problem.start(), 0);
//   if (!report.ok()) std::cerr << report.text();

#include <algorithm>
#include <concepts>
#include <string>
#include <vector>

#include "core/derivatives/differences.hpp"
#include "core/eigen_memory.hpp"
#include "core/problem/dae.hpp"
#include "core/problem/terms.hpp"

namespace daewave {

/// The entry of one quantity that is off most.
struct DerivativeCheck {
  std::string quantity;  ///< "G", "g_t", "curvature of terms()", ...
  int row = 0;           ///< Counted from 1.
  int column = 0;        ///< Counted from 1; 0 for a vector.
  double given = 0;
  double expected = 0;
  double scale = 1;  ///< What a deviation is compared with: the size of the row.
  bool ok = true;
  std::string text;  ///< What is wrong, where, and the way out; empty when ok.
};

/// What check_derivatives() found at one state.
struct DerivativeReport {
  double t = 0;
  double tolerance = 0;  ///< Of |given - expected| / scale.
  std::vector<DerivativeCheck> checks;

  bool ok() const;
  /// One line per quantity that is wrong; empty when ok.
  std::string text() const;

  /// Adds a check of `given` against `expected`; entries below `least` are not told apart from 0.
  /// @throws InvalidProblem where the shapes differ.
  void compare(const std::string& quantity, const MatX& given, const MatX& expected, double least);
  /// Adds a check that M is symmetric and positive semidefinite, to rounding.
  /// @throws InvalidProblem where M is not square of size nq.
  void compare_mass(const MatX& M, int nq);
};

namespace detail {

/// @throws InvalidProblem
void check_state_size(int given, int expected);

template <class Jacobian, class X>
MatX dense_jacobian(const Jacobian& G, int rows, const X& like) {
  if constexpr (std::convertible_to<Jacobian, MatX>) {
    return G;
  } else if constexpr (requires { G.dense(); }) {
    return G.dense();
  } else {
    const int nx = static_cast<int>(like.size());
    MatX all(rows, nx);
    X unit = X::Zero(nx);
    for (int j = 0; j < nx; ++j) {
      VecX column(rows);
      unit[j] = 1;
      apply(G, unit, column);
      unit[j] = 0;
      all.col(j) = column;
    }
    return all;
  }
}

/// What is expected at a state, and how small an entry is rounding.
struct ExpectedDerivatives {
  MatX G, K;
  VecX g_t, curvature, k, w_curvature;
  double speed = 1;  ///< 1 + max |v|.

  static double largest(const MatX& A) { return A.size() > 0 ? A.cwiseAbs().maxCoeff() : 0.0; }
  /// A thousandth of what an entry of G or K moves; where all vanish, what rounding leaves of
  /// differences of a g of size one, divided by the tolerance.
  double least() const { return std::max(1e-4, 1e-3 * std::max(largest(G), largest(K))); }
};

template <class P>
ExpectedDerivatives expected_derivatives(const P& problem, const ConfigurationOf<P>& q,
                                         const ConfigurationOf<P>& v, double t) {
  ExpectedDerivatives expected;
  expected.G = Differences::G(problem, q, t);
  expected.g_t = Differences::g_t(problem, q, t);
  expected.speed = 1 + ExpectedDerivatives::largest(v);
  if constexpr (!SemiExplicitDae<P>) expected.curvature = Differences::curvature(problem, q, v, t);
  if constexpr (HasVelocityConstraint<P>) {
    const ConfigurationOf<P> rest = ConfigurationOf<P>::Zero(q.size());
    expected.K = Differences::K(problem, q, t);
    expected.k = problem.w(q, rest, t);
    expected.w_curvature = Differences::w_curvature(problem, q, v, t);
  }
  return expected;
}

/// The members G, g_t, curvature, K, k, w_curvature.
template <class P>
void check_members(const P& problem, const ConfigurationOf<P>& q, const ConfigurationOf<P>& v,
                   double t, const ExpectedDerivatives& expected, DerivativeReport& report) {
  const double least = expected.least(), bend = least * expected.speed * expected.speed;
  report.compare("G", dense_jacobian(problem.G(q, t), static_cast<int>(expected.g_t.size()), q),
                 expected.G, least);
  report.compare("g_t", VecX(problem.g_t(q, t)), expected.g_t, least);
  if constexpr (GivesCurvature<P>)
    if (is_reducible(problem)) {
      report.compare("curvature", VecX(problem.curvature(q, v, t)), expected.curvature, bend);
    }
  if constexpr (HasVelocityConstraint<P>) {
    report.compare("w, to be linear in v,", VecX(problem.w(q, v, t)), expected.K * v + expected.k,
                   least * expected.speed);
    if constexpr (GivesK<P>) report.compare("K", MatX(problem.K(q, t)), expected.K, least);
    if constexpr (Givesk<P>) report.compare("k", VecX(problem.k(q, t)), expected.k, least);
    if constexpr (GivesWCurvature<P>)
      if (is_reducible(problem)) {
        report.compare("w_curvature", VecX(problem.w_curvature(q, v, t)), expected.w_curvature,
                       bend);
      }
  }
}

/// What terms() of index 3 says, with the rows of w below those of g.
template <class P, class Terms>
void check_terms(const P& problem, const ConfigurationOf<P>& q, const ConfigurationOf<P>& v,
                 double t, const Terms& at, const ExpectedDerivatives& expected,
                 DerivativeReport& report) {
  const int ny = static_cast<int>(expected.g_t.size()), nk = static_cast<int>(expected.k.size());
  const auto stacked = [&](const MatX& top, const MatX& bottom) -> MatX {
    if (nk == 0) return top;
    MatX both(ny + nk, top.cols());
    both << top, bottom;
    return both;
  };
  const double least = expected.least();
  const auto f = [&] {
    if constexpr (SemiExplicitDae<P>) {
      return VecX(problem.f(q, t));
    } else {
      return VecX(problem.f(q, v, t));
    }
  }();
  report.compare("f of terms()", at.f, f, 0);
  report.compare("g of terms()", at.position, stacked(VecX(problem.g(q, t)), VecX::Zero(nk)),
                 least);
  report.compare("G of terms()", dense_jacobian(at.G, ny + nk, q), stacked(expected.G, expected.K),
                 least);
  report.compare("g_t of terms()", at.g_t, stacked(expected.g_t, expected.k), least);
  if constexpr (requires { at.curvature; })
    if (is_reducible(problem)) {
      report.compare("curvature of terms()", at.curvature,
                     stacked(expected.curvature, expected.w_curvature),
                     least * expected.speed * expected.speed);
    }
}

}  // namespace detail

/// Compares G, g_t, curvature, K, k and w_curvature, and what terms() says, with differences of g
/// and w at one state; that w is linear in v, that M is symmetric and positive semidefinite.
///
/// Choose a state where nothing vanishes by chance, and v != 0; it need not be consistent.
/// @param state      x, or (q, v).
/// @param tolerance  relative to the size of the row; 1e-6 is above the error of the differences
///                   where g varies on a scale of one.
/// @throws InvalidProblem where shapes do not fit.
template <Dae P>
DerivativeReport check_derivatives(const P& problem, const StateOf<P>& state, double t,
                                   double tolerance = 1e-6) {
  static_assert(HasJacobian<P>, "give G and g_t, or use with_autodiff(problem)");
  using X = ConfigurationOf<P>;
  DerivativeReport report;
  report.t = t;
  report.tolerance = tolerance;
  if constexpr (SemiExplicitDae<P>) {
    const auto expected = detail::expected_derivatives(problem, state, state, t);
    detail::check_members(problem, state, state, t, expected, report);
    if constexpr (HasSemiExplicitTerms<P>) {
      SemiExplicitTerms<P> at;
      evaluate(problem, state, t, at);
      detail::check_terms(problem, state, state, t, at, expected, report);
      report.compare("B of terms()", at.B, MatX(problem.B(state, t)), 0);
    }
  } else {
    const int nq = static_cast<int>(state.size()) / 2;
    detail::check_state_size(static_cast<int>(state.size()), 2 * nq);
    const X q = state.head(nq), v = state.tail(nq);
    const auto expected = detail::expected_derivatives(problem, q, v, t);
    detail::check_members(problem, q, v, t, expected, report);
    if constexpr (Multibody<P>) {
      report.compare_mass(problem.M(q) * MatX::Identity(nq, nq), nq);
      if constexpr (HasMultibodyTerms<P>) {
        MultibodyTerms<P> at;
        evaluate(problem, q, v, t, at);
        detail::check_terms(problem, q, v, t, at, expected, report);
        report.compare("M of terms()", at.M * MatX::Identity(nq, nq),
                       problem.M(q) * MatX::Identity(nq, nq), 0);
      }
    } else if constexpr (HasSecondOrderTerms<P>) {
      SecondOrderTerms<P> at;
      evaluate(problem, q, v, t, at);
      detail::check_terms(problem, q, v, t, at, expected, report);
      report.compare("B of terms()", at.B, MatX(problem.B(q, t)), 0);
    }
  }
  return report;
}

/// The same, but a deviation throws.
/// @throws InvalidProblem with the text of the report.
void require_ok(const DerivativeReport& report);

}  // namespace daewave
