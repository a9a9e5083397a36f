#pragma once
// The start of a DAE with invariants: w with r = 0, and z on h = 0, as given or as the nearest one.

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "core/problem/constraint_residual.hpp"
#include "ivp/equations/algebraic_unknowns.hpp"
#include "ivp/equations/dae_system_of.hpp"
#include "ivp/equations/projector.hpp"

namespace daewave::ivp {

template <InvariantDae P>
struct InvariantStart {
  typename P::State z;
  typename P::Algebraic w;
  int invariants = 0;  ///< Rows of h.
};

namespace detail {

/// @throws InvalidProblem where w is not determined.
template <InvariantDae P>
typename P::Algebraic algebraic_at(const P& problem, const typename P::State& z,
                                   const typename P::Algebraic& w, double t) {
  AlgebraicUnknowns<P> unknowns(problem);
  unknowns.start(w);
  if (unknowns.solve(z, t)) return unknowns.w();
  throw InvalidProblem("start: " + unknowns.failure() +
                       "; give algebraic unknowns nearer to a solution of r = 0");
}

/// @throws InvalidProblem for sizes that are not the problem's own.
template <InvariantDae P>
void check_sizes(const P& problem, const typename P::State& z, const typename P::Algebraic& w) {
  const auto require = [](const char* what, long given, long own) {
    if (given == own) return;
    throw InvalidProblem(
        fmt::format("start: {} has {} entries, that of the problem has {}", what, given, own));
  };
  if constexpr (HasStart<P>) {
    require("z", z.size(), typename P::State(problem.start()).size());
  }
  if constexpr (HasAlgebraicStart<P>) {
    require("w", w.size(), typename P::Algebraic(problem.start_algebraic()).size());
  }
}

}  // namespace detail

/// @param warnings  gets how far a repair moved z.
/// @throws InvalidProblem for a start off h = 0 by more than start_tolerance, unless repair_start
///         projects it; for h or f that is not finite there, and where r = 0 has no w nearby.
template <InvariantDae P>
InvariantStart<P> consistent_invariant(const P& problem, typename P::State z,
                                       const typename P::Algebraic& w, double t,
                                       const Options& options, std::vector<std::string>& warnings) {
  detail::check_sizes(problem, z, w);
  std::string text;
  if (!all_finite("z", z, t, text)) throw InvalidProblem("start: " + text);
  typename P::Invariant h = problem.h(z, t);
  if (!all_finite("h", h, t, text)) throw InvalidProblem("start: " + text);
  InvariantStart<P> start{z, detail::algebraic_at(problem, z, w, t), static_cast<int>(h.size())};
  const double off = largest_residual(h);
  if (off <= options.start_tolerance) return start;
  if (!options.repair_start) {
    throw InvalidProblem(
        fmt::format("start: |h| = {:.3g} at t = {:.9g} exceeds start_tolerance = {:.3g}; move the "
                    "start to the invariants, or by repair_start = true",
                    off, t, options.start_tolerance));
  }
  Projector projector({}, {});
  projector.start(dae_system_of(problem, z, start.w, t), t, z, options.regularize.rank_tolerance);
  VecX projected = z;
  if (!projector.project(t, projected)) throw InvalidProblem("start: " + projector.failure());
  start.z = projected;
  warnings.push_back(fmt::format("the start was moved to the invariants by {:.3g}, max norm",
                                 largest_residual(typename P::State(start.z - z))));
  start.w = detail::algebraic_at(problem, start.z, start.w, t);
  return start;
}

}  // namespace daewave::ivp
