#pragma once
// Of the problems of random_problem.hpp those of second order: B given, or a multibody.

#include <Eigen/LU>
#include <cmath>
#include <utility>

#include "tests/bvp/nonlinear/random_problem.hpp"

namespace daewave::testing {

/// What has velocities. Q does not turn.
struct RandomMotion : RandomData {
  using Position = VecX;
  using Multiplier = VecX;

  VecX accelerations(const VecX& q, const VecX& v, double t) const {
    const VecX at = inner(q, t), rate = inner(v, t);
    const VecX known = values_of(z, t), known_rate = slopes_of(z, t);
    VecX all = seconds_of(z, t) + forces(at, t) - forces(known, t);
    for (int i = 0; i < n; ++i) all[i] += damping[i] * (drag(rate[i]) - drag(known_rate[i]));
    return all;
  }
  template <class T>
  VecOf<T, Dynamic> g(const VecOf<T, Dynamic>& q, T t) const {
    return constraint(q, t);
  }
  VecX q_exact(double t) const { return outer(values_of(z, t), t); }
  VecX z_exact(double t) const {
    VecX all(2 * n);
    all << q_exact(t), outer(slopes_of(z, t), t);
    return all;
  }
  VecX x_exact(double t) const { return z_exact(t); }
  VecX guess(double t) const {
    VecX all = guess_of([&](double s) { return z_exact(s); }, t);
    if (guessed == Guess::line) all.tail(n) = (q_exact(length) - q_exact(0)) / length;
    return all;
  }
  /// Position and velocity where a component decays from, else its position at both ends; mixed:
  /// its velocity at the end.
  VecX conditions(const VecX& left, const VecX& right) const {
    using Both = std::pair<VecX, VecX>;
    const auto known = [&](double t) { return Both(values_of(z, t), slopes_of(z, t)); };
    const auto own = [&](const VecX& state, double t) {
      return Both(inner(VecX(state.head(n)), t), inner(VecX(state.tail(n)), t));
    };
    const Both a = own(left, 0), b = own(right, length), known_a = known(0),
               known_b = known(length);
    VecX all(2 * free());
    for (int i = 0; i < free(); ++i) {
      const auto both = [&](const Both& begin, const Both& end) -> Vec<2> {
        const double first = begin.first[i] + 0.3 * std::sin(begin.first[i]);
        if (decays[static_cast<std::size_t>(i)]) return {first, begin.second[i]};
        if (mixed[static_cast<std::size_t>(i)]) return {first, end.second[i]};
        return {first, end.first[i] + 0.3 * std::sin(end.first[i])};
      };
      all.segment<2>(2 * i) = in_rows[i] * (both(a, b) - both(known_a, known_b));
    }
    return all;
  }

 private:
  static double drag(double v) { return v + 0.3 * std::sin(v); }
};

/// Second order, B given.
struct RandomSecondOrder : RandomMotion {
  VecX f(const VecX& q, const VecX& v, double t) const {
    return outer(accelerations(q, v, t), t) + By_exact(t);
  }
  MatX B(const VecX& q, double t) const { return multipliers(q, t); }
  VecX By_exact(double t) const { return multipliers(q_exact(t), t) * y_of(t); }
};

/// Without a curvature.
struct RandomSecondOrderByHand : RandomSecondOrder {
  MatX G(const VecX& q, double t) const { return constraint_x(q, t); }
  VecX g_t(const VecX& q, double t) const {
    return detail::Autodiff::g_t(static_cast<const RandomSecondOrder&>(*this), q, t);
  }
};

struct RandomSecondOrderWithCurvature : RandomSecondOrderByHand {
  VecX curvature(const VecX& q, const VecX& v, double t) const {
    return detail::Autodiff::curvature(static_cast<const RandomSecondOrder&>(*this), q, v, t);
  }
};

/// M(q) q'' = f(q, v, t) - G^T lambda. Rows of g in units make multipliers in theirs.
struct RandomMultibody : RandomMotion {
  MatX inner_mass(const VecX& q) const {
    const VecX at = inner(q, 0.0);
    MatX M = mass;
    for (int i = 0; i < n; ++i) M(i, i) *= 1 + 0.3 * std::sin(at[(i + 1) % n]);
    return M;
  }
  MatX M(const VecX& q) const {
    const MatX back = Q(0).transpose() * MatX(units.cwiseInverse().asDiagonal());
    return back.transpose() * inner_mass(q) * back;
  }
  VecX f(const VecX& q, const VecX& v, double t) const {
    const VecX inside = inner_mass(q) * accelerations(q, v, t);
    return units.cwiseInverse().asDiagonal() * (Q(0) * inside) + constraint_force(t);
  }
  VecX constraint_force(double t) const {
    return detail::Autodiff::G(*this, q_exact(t), t).transpose() * y_of(t);
  }
  /// B = M^-1 G^T.
  VecX By_exact(double t) const {
    return MatX(M(q_exact(t))).partialPivLu().solve(constraint_force(t));
  }
  VecX y_of(double t) const { return values_of(y, t).cwiseQuotient(rows); }
};

/// Without a curvature.
struct RandomMultibodyByHand : RandomMultibody {
  MatX G(const VecX& q, double t) const { return constraint_x(q, t); }
  VecX g_t(const VecX& q, double t) const {
    return detail::Autodiff::g_t(static_cast<const RandomMultibody&>(*this), q, t);
  }
};

struct RandomMultibodyWithCurvature : RandomMultibodyByHand {
  VecX curvature(const VecX& q, const VecX& v, double t) const {
    return detail::Autodiff::curvature(static_cast<const RandomMultibody&>(*this), q, v, t);
  }
};

}  // namespace daewave::testing
