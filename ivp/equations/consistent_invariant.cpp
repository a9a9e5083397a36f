#include "ivp/equations/consistent_invariant.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/kernels/index_kernels.hpp"
#include "core/not_finite.hpp"
#include "core/start/algebraic_rank.hpp"
#include "core/start/check_invariants.hpp"
#include "ivp/equations/algebraic_unknowns.hpp"
#include "ivp/equations/dae_system_of.hpp"
#include "ivp/equations/projector.hpp"

namespace daewave::ivp {
namespace {

/// @throws InvalidProblem where w is not determined.
VecX algebraic_at(const InvariantKernel& problem, const VecX& z, const VecX& w, double t) {
  AlgebraicUnknowns<InvariantKernel> unknowns(problem);
  unknowns.start(w);
  if (unknowns.solve(z, t)) return unknowns.w();
  throw InvalidProblem("start: " + unknowns.failure() +
                       "; give algebraic unknowns nearer to a solution of r = 0");
}

void check_size(const char* what, long given, long own) {
  if (given == own) return;
  throw InvalidProblem(
      fmt::format("start: {} has {} entries, that of the problem has {}", what, given, own));
}

}  // namespace

InvariantStart consistent_invariant(const DaeProblem& problem, const VecX& z, const VecX& w,
                                    double t, const Options& options,
                                    std::vector<std::string>& warnings) {
  check_size("z", z.size(), problem.sizes().nq);
  check_size("w", w.size(), problem.sizes().nw);
  std::string text;
  if (!all_finite("z", z, t, text)) throw InvalidProblem("start: " + text);
  const InvariantKernel kernel(problem);
  const VecX h = kernel.h(z, t);
  if (!all_finite("h", h, t, text)) throw InvalidProblem("start: " + text);
  InvariantStart start{z, algebraic_at(kernel, z, w, t)};
  if (!determines_algebraic(problem, z, start.w, t)) {
    throw InvalidProblem(fmt::format(
        "start: 0 = r does not determine its {} unknown{} w at t = {:.9g}, nor beside there: dr/dw "
        "is singular. Where an equation says what others say, state another one; where they say "
        "nothing of an unknown, the index is higher: differentiate them",
        start.w.size(), start.w.size() == 1 ? "" : "s", t));
  }
  const double off = largest_size(h);
  if (off <= options.start_tolerance) return start;
  const VecX rounding = left_by_rounding_of_h(kernel, z, t, h);
  if ((h.array().abs() <= rounding.array().max(options.start_tolerance)).all()) return start;
  if (!options.repair_start) {
    throw InvalidProblem(
        fmt::format("start: |h| = {:.3g} at t = {:.9g} exceeds start_tolerance = {:.3g}; move the "
                    "start to the invariants, or by repair_start = true",
                    off, t, options.start_tolerance));
  }
  Projector projector({}, {});
  projector.start(dae_system_of(problem, z, start.w, t), t, z, options.rank_tolerance);
  if (!projector.project(t, start.z)) throw InvalidProblem("start: " + projector.failure());
  warnings.push_back(fmt::format("the start was moved to the invariants by {:.3g}, max norm",
                                 largest_size(start.z - z)));
  start.w = algebraic_at(kernel, start.z, start.w, t);
  return start;
}

}  // namespace daewave::ivp
