#pragma once
// What a sequential regularization uses where the options leave it open, and why.
//
// The constraints are damped at the rate alpha2 |GBE| / epsilon, and an explicit formula is stable
// up to h rate <= s (2 for Heun's, 3.3 for dopri5). So h and epsilon go together, and iterates make
// up for an epsilon that is not small: the error is O(epsilon^iterates).            [AL2] 2.2
// Implicit formulas are stable with any h; there the steps need not resolve what is damped.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/regularize/regularize_index2.hpp"
#include "core/regularize/regularize_multibody.hpp"
#include "core/report/report.hpp"
#include "ivp/options/options.hpp"
#include "ivp/srm/srm_formula.hpp"

namespace daewave::ivp {

/// All a run needs to know, and who chose it.
struct SrmChoices {
  RegularizedForm form{};
  int iterates = 3;
  double largest_step = 0;  ///< Of stability at the start; the step control cares for the rest.
  std::vector<Choice> choices{};
};

/// What the choices depend on, at the start.
struct SrmStart {
  bool second_order = false;
  bool multibody = false;
  bool reducible = false;
  double time_scale = 1;  ///< On which the solution changes, > 0; in the problem's unit of time.
  double GBE = 1;         ///< |GBE| of the weight asked for.
};

/// The variant and the weight; the rest needs |GBE|, which depends on them.
/// @throws InvalidOption where the problem has no such variant, or numbers are wrong.
SrmChoices choose_form(const SrmStart& start, const Options& options);

/// epsilon, iterates and the largest step, for the formula used.
/// @throws InvalidOption where a given h is not stable for a given epsilon.
void choose_numbers(const SrmStart& start, const Options& options, const SrmFormula& formula,
                    SrmChoices& chosen);

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
                           const RegularizedForm& form) {
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
              const RegularizedForm& form) {
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
    }
    start.time_scale = detail::time_scale(z.norm(), slope.norm(), 0, span.length());
    if (form.weight != Weight::inverse) {
      const MatX GB = at.G * at.B;
      start.GBE = detail::size_of(at.position, [&](typename P::Multiplier& c) {
        c = form.weight == Weight::identity ? (GB * c).eval() : (GB * (GB.transpose() * c)).eval();
      });
    }
    return start;
  } else {
    return detail::look_second_order<PointOf<P>>(problem, z, span.begin, span.length(), form);
  }
}

/// Everything that options.regularize leaves open.
/// @throws InvalidOption as above.
template <Dae P>
SrmChoices choose_srm(const P& problem, const StateOf<P>& z, const Interval& span,
                      const Options& options, const SrmFormula& formula) {
  SrmStart kind;
  kind.second_order = !SemiExplicitDae<P>;
  kind.multibody = Multibody<P>;
  kind.reducible = Reducible<P>;
  SrmChoices chosen = choose_form(kind, options);
  SrmStart start = look(problem, z, span, chosen.form);
  choose_numbers(start, options, formula, chosen);
  return chosen;
}

}  // namespace daewave::ivp
