#pragma once
// Nonlinear boundary value problems with known solutions, of every index: x = U Q(t) z with units U
// and a rotation Q, where z is known and satisfies
//
//   index 0       z' = z*' + N(z, t) - N(z*, t)
//   index 1       the same with w in N,   0 = r(w, z) - r(w*, z*)
//   index 2       the same less B(z, t) y,   0 = T(z, t) (psi(z) - psi(z*))
//   second order  z'' = ..., with N of z and z';   multibody: M(q) q'' = ..., B = G^T
//
// The first components are free and have a condition at the end they decay from; the others are
// given by the constraint psi_i(z) = z_i + a sin z_i + c sin z_0, which T makes singular at a time:
// a row vanishes, or two rows become dependent.

#include <Eigen/LU>
#include <cmath>
#include <string>
#include <vector>

#include "core/derivatives/autodiff.hpp"
#include "core/derivatives/taylor2.hpp"
#include "tests/bvp/nonlinear/random_curve.hpp"
#include "tests/bvp/nonlinear/random_forces.hpp"

namespace daewave::testing {

inline double number(double t) { return t; }
template <class T>
double number(const T& t) {
  return t.value;
}

/// Where derivatives with respect to t are asked for too; else a number, which costs less.
inline double time_of(double t) { return t; }
template <int N>
double time_of(const Dual<double, N>& t) {
  return t.value;
}
inline Taylor2 time_of(const Taylor2& t) { return t; }

struct RandomData {
  enum class Singular { nowhere, vanishing, constraint_vanishing, dependent, nearly, by_state };
  enum class Guess { none, line, perturbed, tiny };

  int n = 0, m = 0;  ///< Of z, and of y or w.
  double length = 1;
  std::vector<RandomCurve> z, y;  ///< y, or w, without units.
  RandomForces forces;            ///< n rows.
  VecX damping;                   ///< n: of velocities.
  MatX of_w;                      ///< n x m: how w acts on z, of index 1.
  MatX oblique;                   ///< (n - m) x m: how multipliers act on free components.
  VecX bend, tie;                 ///< a and c of psi, or of r; m.
  MatX mass;                      ///< n x n, of the multibody.
  double turn = 0;                ///< Q(t) turns by turn t, or
  double cosine = 1, sine = 0;    ///< where that is 0, by this angle.
  Singular singular = Singular::nowhere;
  int zero_order = 1;
  double zero_at = 0, zero_level = 0;  ///< Of T; of nearly: its least value.
  VecX units, rows, columns, in_rows;  ///< Of x, of constraints, of y, of conditions.
  std::vector<bool> decays, mixed;     ///< Conditions of component i: where, and of what kind.
  Guess guessed = Guess::none;

  Interval interval() const { return {0, length}; }
  int free() const { return n - m; }

  template <class T>
  VecOf<T, Dynamic> turned(VecOf<T, Dynamic> of, const T& t, int by) const {
    if (n == 1) return of;
    const T first = of[0];
    if (turn == 0) {
      of[0] = cosine * first - by * sine * of[n - 1];
      of[n - 1] = by * sine * first + cosine * of[n - 1];
      return of;
    }
    using std::cos, std::sin;
    const auto s = by * sin(turn * time_of(t)), c = cos(turn * time_of(t));
    of[0] = c * first - s * of[n - 1];
    of[n - 1] = s * first + c * of[n - 1];
    return of;
  }
  /// U Q z, and back.
  template <class T>
  VecOf<T, Dynamic> outer(const VecOf<T, Dynamic>& of, const T& t) const {
    VecOf<T, Dynamic> x = turned(of, t, 1);
    for (int i = 0; i < n; ++i) x[i] = units[i] * x[i];
    return x;
  }
  template <class T>
  VecOf<T, Dynamic> inner(VecOf<T, Dynamic> x, const T& t) const {
    for (int i = 0; i < n; ++i) x[i] = x[i] / units[i];
    return turned(x, t, -1);
  }
  MatX Q(double t) const {
    MatX q(n, n);
    q.setIdentity();
    for (int j = 0; j < n; j += std::max(1, n - 1)) q.col(j) = turned(VecX(q.col(j)), t, 1);
    return q;
  }
  /// U Q' z.
  template <class T>
  VecOf<T, Dynamic> with_turning(const VecOf<T, Dynamic>& of, const T& t) const {
    VecOf<T, Dynamic> x = 0.0 * of;
    if (n == 1) return x;
    const double c = turn * std::cos(turn * number(t)), s = turn * std::sin(turn * number(t));
    x[0] = units[0] * (-s * of[0] - c * of[n - 1]);
    x[n - 1] = units[n - 1] * (c * of[0] - s * of[n - 1]);
    return x;
  }

  template <class T>
  VecOf<T, Dynamic> psi(const VecOf<T, Dynamic>& of) const {
    using std::sin;
    VecOf<T, Dynamic> all(m);
    for (int i = 0; i < m; ++i) {
      const T& own = of[free() + i];
      all[i] = own + bend[i] * sin(own) + tie[i] * sin(of[0]);
    }
    return all;
  }
  MatX psi_z(const VecX& of) const {
    MatX J = MatX::Zero(m, n);
    for (int i = 0; i < m; ++i) {
      J(i, free() + i) = 1 + bend[i] * std::cos(of[free() + i]);
      J(i, 0) += tie[i] * std::cos(of[0]);
    }
    return J;
  }
  /// What vanishes; zero_at is a time, or of by_state that of z_0 = z_0*(zero_at).
  template <class T>
  T zero(const VecOf<T, Dynamic>& of, const T& t) const {
    using std::sin;
    const T s = (t - zero_at) / length;
    if (singular == Singular::nowhere) return T(1);
    if (singular == Singular::by_state) return sin(of[0] - z[0].value(zero_at));
    if (singular == Singular::nearly) return s * s + zero_level;
    return zero_order == 1 ? s : s * s;
  }
  template <class T>
  VecOf<T, Dynamic> constraint(const VecOf<T, Dynamic>& x, const T& t) const {
    const VecOf<T, Dynamic> at = inner(x, t);
    VecOf<T, Dynamic> all = psi(at);
    const auto known = psi(values_of(z, time_of(t)));
    for (int i = 0; i < m; ++i) all[i] -= known[i];
    const T vanishes = zero(at, t);
    if (singular == Singular::dependent) {
      all[m - 1] = vanishes * all[m - 1] + (m > 1 ? T(all[0]) : T(0));
    } else {
      for (int i = 0; i < m; ++i) all[i] = vanishes * all[i];
    }
    for (int i = 0; i < m; ++i) all[i] = rows[i] * all[i];
    return all;
  }
  /// Its derivative with respect to x, where T depends on t alone.
  MatX constraint_x(const VecX& x, double t) const {
    const VecX at = inner(x, t);
    MatX J = psi_z(at);
    const double vanishes = zero(at, t);
    if (singular == Singular::dependent) {
      J.row(m - 1) *= vanishes;
      if (m > 1) J.row(m - 1) += J.row(0);
    } else {
      J *= vanishes;
    }
    return rows.asDiagonal() * J * Q(t).transpose() * units.cwiseInverse().asDiagonal();
  }
  MatX multipliers(const VecX& x, double t) const {
    const VecX at = inner(x, t);
    MatX inside = MatX::Zero(n, m);
    inside.topRows(free()) = (1 + 0.5 * std::sin(at[0])) * oblique;
    inside.bottomRows(m).setIdentity();
    const bool vanish = singular == Singular::vanishing || singular == Singular::nearly ||
                        singular == Singular::by_state;
    if (vanish) inside *= zero(at, t);
    return units.asDiagonal() * Q(t) * inside * columns.asDiagonal();
  }

  VecX y_of(double t) const { return values_of(y, t).cwiseQuotient(columns); }

  /// Of one component at both ends, without units.
  double condition(int i, double here, double there) const {
    return here + 0.3 * std::sin(here) +
           (mixed[static_cast<std::size_t>(i)] ? 0.2 : 0.0) * std::sin(there);
  }

  /// Straight from begin to end, or what is known with a wave on it.
  template <class Exact>
  VecX guess_of(Exact exact, double t) const {
    const VecX left = exact(0.0), right = exact(length);
    switch (guessed) {
      case Guess::none:
        return 0 * left;
      case Guess::tiny:
        return VecX::Constant(left.size(), 1e-80);
      case Guess::line:
        return left + t / length * (right - left);
      default:
        VecX known = exact(t);
        for (Eigen::Index i = 0; i < known.size(); ++i) {
          known[i] *= 1 + 0.1 * std::sin(7 * t / length + static_cast<double>(i));
        }
        return known;
    }
  }
};

/// First order, without constraints.
struct RandomOrdinary : RandomData {
  using State = VecX;

  template <class T>
  VecOf<T, Dynamic> f(const VecOf<T, Dynamic>& x, T t) const {
    const double s = number(t);
    const VecOf<T, Dynamic> at = inner(x, T(s));
    const VecX known = values_of(z, s), rest = slopes_of(z, s) - forces(known, s);
    VecOf<T, Dynamic> slope = forces(at, s);
    for (int i = 0; i < n; ++i) slope[i] += rest[i];
    return outer(slope, T(s)) + with_turning(at, T(s));
  }
  MatX by_state(const VecX& x, double t) const {
    const MatX q = Q(t);
    MatX turning(n, n);
    for (int j = 0; j < n; ++j) {
      turning.col(j) = with_turning(VecX(q.transpose().col(j)), t);
    }
    return (units.asDiagonal() * q * forces.jacobian(inner(x, t), t) * q.transpose() + turning) *
           units.cwiseInverse().asDiagonal();
  }
  VecX x_exact(double t) const { return outer(values_of(z, t), t); }
  VecX guess(double t) const {
    return guess_of([&](double s) { return x_exact(s); }, t);
  }
  VecX conditions(const VecX& left, const VecX& right) const {
    const int count = static_cast<int>(decays.size());
    const VecX a = inner(left, 0.0), b = inner(right, length);
    const VecX known_a = values_of(z, 0.0), known_b = values_of(z, length);
    VecX all(count);
    for (int i = 0; i < count; ++i) {
      all[i] = decays[static_cast<std::size_t>(i)]
                   ? condition(i, a[i], b[i]) - condition(i, known_a[i], known_b[i])
                   : condition(i, b[i], a[i]) - condition(i, known_b[i], known_a[i]);
      all[i] *= in_rows[i];
    }
    return all;
  }
};

struct RandomOrdinaryByHand : RandomOrdinary {
  MatX f_x(const VecX& x, double t) const { return by_state(x, t); }
};

/// Index 1.
struct RandomImplicit : RandomOrdinary {
  using Algebraic = VecX;

  template <class T>
  VecOf<T, Dynamic> f(const VecOf<T, Dynamic>& x, const VecOf<T, Dynamic>& w, T t) const {
    using std::sin;
    const double s = number(t);
    const VecX known = values_of(y, s);
    VecOf<T, Dynamic> more(n);
    for (int i = 0; i < n; ++i) {
      more[i] = T(0);
      for (int j = 0; j < m; ++j) {
        more[i] += of_w(i, j) * (sin(w[j] * columns[j]) - std::sin(known[j]));
      }
    }
    return RandomOrdinary::f(x, t) + outer(more, T(s));
  }
  template <class T>
  VecOf<T, Dynamic> r(const VecOf<T, Dynamic>& x, const VecOf<T, Dynamic>& w, T t) const {
    using std::sin;
    const double s = number(t);
    const VecOf<T, Dynamic> at = inner(x, T(s));
    const VecX known = values_of(y, s), known_z = values_of(z, s);
    VecOf<T, Dynamic> all(m);
    for (int i = 0; i < m; ++i) {
      const T own = w[i] * columns[i];
      all[i] =
          rows[i] * (own + bend[i] * sin(own) + tie[i] * sin(at[0]) -
                     (known[i] + bend[i] * std::sin(known[i]) + tie[i] * std::sin(known_z[0])));
    }
    return all;
  }
  MatX r_w(const VecX&, const VecX& w, double) const {
    VecX diagonal(m);
    for (int i = 0; i < m; ++i) {
      diagonal[i] = rows[i] * columns[i] * (1 + bend[i] * std::cos(w[i] * columns[i]));
    }
    return diagonal.asDiagonal();
  }
  VecX guess_algebraic(double t) const {
    return guess_of([&](double s) { return y_of(s); }, t);
  }
};

/// Index 2.
struct RandomIndexTwo : RandomOrdinary {
  using Multiplier = VecX;

  template <class T>
  VecOf<T, Dynamic> f(const VecOf<T, Dynamic>& x, T t) const {
    const double s = number(t);
    const VecX By = By_exact(s);
    VecOf<T, Dynamic> all = RandomOrdinary::f(x, t);
    for (int i = 0; i < n; ++i) all[i] += By[i];
    return all;
  }
  MatX B(const VecX& x, double t) const { return multipliers(x, t); }
  template <class T>
  VecOf<T, Dynamic> g(const VecOf<T, Dynamic>& x, T t) const {
    return constraint(x, t);
  }
  VecX By_exact(double t) const { return multipliers(x_exact(t), t) * y_of(t); }
};

struct RandomIndexTwoByHand : RandomIndexTwo {
  MatX f_x(const VecX& x, double t) const { return by_state(x, t); }
  MatX G(const VecX& x, double t) const { return constraint_x(x, t); }
  VecX g_t(const VecX& x, double t) const {
    return detail::Autodiff::g_t(static_cast<const RandomIndexTwo&>(*this), x, t);
  }
};

}  // namespace daewave::testing
