#pragma once
// What the choices of a sequential regularization depend on, seen at the start: the scale of time,
// and |GBE|.

#include <algorithm>
#include <cmath>

#include "core/kkt/oblique.hpp"
#include "core/regularize/regularize_multibody.hpp"
#include "ivp/srm/srm_defaults.hpp"

namespace daewave::ivp {

namespace detail {

/// |GBE| by power iteration, from a start that is no eigenvector of anything.
template <class Multiplier, class Apply>
double size_of(Multiplier c, Apply GBE) {
  double size = 0;
  for (int i = 0; i < c.size(); ++i) c[i] = 1 + 0.3 * std::sin(1.0 + i);
  for (int pass = 0; pass < 30; ++pass) {
    const double norm = c.norm();
    if (!(norm > 0)) break;
    c /= norm;
    GBE(c);
    size = c.norm();
  }
  return size;
}

/// Least real part of the eigenvalues of A, of its largest entry.
double least_eigenvalue(const MatX& A);

/// Root mean square of the singular values of P = B (GB)^-1 G that are not zero.
template <class State, class Multiplier>
double obliqueness(ObliqueSplit<State, Multiplier>& split, const State& x) {
  State unit = x, column = x;
  double sum = 0;
  for (int i = 0; i < x.size(); ++i) {
    unit.setZero();
    unit[i] = 1;
    split.forbidden(unit, column);
    sum += column.squaredNorm();
  }
  return split.rank() > 0 ? std::sqrt(sum / split.rank()) : 1;
}

/// sqrt(|q| / |a|) or |x| / |x'|, whichever motion there is; never more than the interval.
inline double time_scale(double size, double rate, double acceleration, double interval) {
  double scale = std::abs(interval);
  const double unit = size > 0 ? size : 1;
  if (rate > 0) scale = std::min(scale, unit / rate);
  if (acceleration > 0) scale = std::min(scale, std::sqrt(unit / acceleration));
  return scale > 0 ? scale : 1;
}

template <class Point, class P>
SrmStart look_second_order(const P& problem, const StateOf<P>& z, double t, double interval,
                           const Regularization& form) {
  using Position = typename Point::Position;
  using Multiplier = typename Point::Multiplier;
  SrmStart start;
  start.second_order = true;
  start.reducible = Point::reducible;
  Point point(problem, form.rank_tolerance);
  const Position q = z.head(z.size() / 2), v = z.tail(z.size() / 2);
  Position a = q, b = q;
  if (!point.evaluate(q, v, t) || !point.split()) return start;
  point.acceleration(a);
  point.forbidden(a, b);  // Without the curvature term: a scale is all that is wanted.
  a -= b;
  start.time_scale = time_scale(q.norm(), v.norm(), a.norm(), interval);
  if (form.weight != Weight::inverse && point.weigh(form.weight)) {
    Multiplier Ec = point.terms().position;
    start.GBE = size_of(Ec, [&](Multiplier& c) {
      point.weighted(c, Ec);
      point.apply_B(Ec, b);
      point.apply_G(b, c);
    });
  }
  return start;
}

}  // namespace detail

/// Looks at the problem at its start.
template <Dae P>
SrmStart look(const P& problem, const StateOf<P>& z, const Interval& span,
              const Regularization& form) {
  if constexpr (SemiExplicitDae<P>) {
    SrmStart start;
    SemiExplicitTerms<P> at;
    evaluate(problem, z, span.begin, at);
    ObliqueSplit<typename P::State, typename P::Multiplier> split;
    typename P::State slope = at.f, forbidden = at.f;
    if (split.split(at.B, at.G, form.rank_tolerance)) {
      split.forbidden(at.f, forbidden);
      slope -= forbidden;
      split.correct(at.g_t, forbidden);
      slope -= forbidden;
      start.obliqueness = detail::obliqueness(split, slope);
    }
    start.time_scale = detail::time_scale(z.norm(), slope.norm(), 0, span.length());
    if (form.weight != Weight::inverse) {
      const MatX GB = at.G * at.B;
      start.GBE = detail::size_of(at.position, [&](typename P::Multiplier& c) {
        c = form.weight == Weight::identity ? (GB * c).eval() : (GB * (GB.transpose() * c)).eval();
      });
      if (form.weight == Weight::identity) start.least_eigenvalue = detail::least_eigenvalue(GB);
    }
    return start;
  } else {
    return detail::look_second_order<PointOf<P>>(problem, z, span.begin, span.length(), form);
  }
}

}  // namespace daewave::ivp
