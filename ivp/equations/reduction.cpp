#include "ivp/equations/reduction.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string_view>

#include "core/error.hpp"

namespace daewave::ivp {

const char* name_of(ReductionKind kind) {
  switch (kind) {
    case ReductionKind::underlying:
      return Underlying::name;
    case ReductionKind::baumgarte:
      return Baumgarte::name;
    case ReductionKind::s_full:
      return SFull::name;
    case ReductionKind::s_both:
      return SBoth::name;
    case ReductionKind::s_both2:
      return SBoth2::name;
    case ReductionKind::s_vel:
      return SVel::name;
    case ReductionKind::s_pos:
      return SPos::name;
    case ReductionKind::stabilized_ode:
      return StabilizedOde::name;
    case ReductionKind::projection:
      return ProjectEachStep::name;
    case ReductionKind::symmetric_projection:
      return SymmetricProjection::name;
    case ReductionKind::local_state_space:
      return LocalStateSpace::name;
  }
  return "unknown";
}

const std::vector<ReductionKind>& all_reductions() {
  static const std::vector<ReductionKind> kinds{ReductionKind::underlying,
                                                ReductionKind::baumgarte,
                                                ReductionKind::s_full,
                                                ReductionKind::s_both,
                                                ReductionKind::s_both2,
                                                ReductionKind::s_vel,
                                                ReductionKind::s_pos,
                                                ReductionKind::stabilized_ode,
                                                ReductionKind::projection,
                                                ReductionKind::symmetric_projection,
                                                ReductionKind::local_state_space};
  return kinds;
}

Correction correction_of(ReductionKind kind) {
  switch (kind) {
    case ReductionKind::underlying:
    case ReductionKind::baumgarte:
    case ReductionKind::symmetric_projection:
    case ReductionKind::local_state_space:
      return {};
    case ReductionKind::stabilized_ode:
      return {true, true, false, 0};
    case ReductionKind::s_full:
      return {true, true, true, 1};
    case ReductionKind::s_both:
      return {true, true, false, 1};
    case ReductionKind::s_both2:
      return {true, true, false, 2};
    case ReductionKind::s_vel:
      return {false, true, false, 1};
    case ReductionKind::s_pos:
      return {true, false, false, 1};
    case ReductionKind::projection:
      return {true, true, false, 1};
  }
  return {};
}

void check_reduction(ReductionKind kind, const Stabilization& stabilization, double rank_tolerance,
                     int index) {
  const auto require = [](bool good, const char* name, double value, const char* rule) {
    if (!good || !std::isfinite(value)) {
      throw InvalidOption(fmt::format("{} = {}: must be {}", name, value, rule));
    }
  };
  require(stabilization.alpha1 >= 0, "alpha1", stabilization.alpha1, ">= 0 and finite");
  require(stabilization.alpha0 >= 0, "alpha0", stabilization.alpha0, ">= 0 and finite");
  require(stabilization.factor > 0 && stabilization.factor < 2, "factor", stabilization.factor,
          "in (0, 2); 1 is nearly the best");
  require(rank_tolerance >= 0 && rank_tolerance < 1, "rank_tolerance", rank_tolerance, "in [0, 1)");
  if (kind == ReductionKind::stabilized_ode) {
    require(stabilization.gamma > 0, "gamma", stabilization.gamma,
            "> 0 and finite with method = stabilized-ode; 1/h for steps of about h");
  }
  if (stabilization.second_step == SecondStep::half_fresh &&
      stabilization.metric != Metric::orthogonal && kind == ReductionKind::s_both2) {
    throw InvalidOption(
        "second_step = half-fresh: keeps (G G^T)^-1, which is not that of the mass; take metric = "
        "orthogonal; or leave second_step open");
  }
  if (kind == ReductionKind::s_vel && index == 2) {
    throw InvalidOption(
        "method = s-vel: a DAE of index 2 has no constraint on velocities; take method = s-pos; or "
        "method = s-both2");
  }
  if (kind == ReductionKind::baumgarte && index == 2 && stabilization.alpha1 != 0) {
    throw InvalidOption(fmt::format(
        "alpha1 = {}: baumgarte of index 2 is g' + alpha0 g = 0; leave alpha1 open, and give "
        "alpha0",
        stabilization.alpha1));
  }
}

void check_in_turn(const Projection& projection) {
  if (projection.energy) {
    throw InvalidOption("energy = true: ties positions to velocities; leave onto open");
  }
  if (projection.metric == ProjectionMetric::weighted) {
    throw InvalidOption(
        "metric = weighted: is of onto = both; leave onto open; or leave metric open");
  }
}

void tell_projection(const Projection& projection, int unknowns, Report& report) {
  // A dense factorization of this size costs more than the step it follows.
  constexpr int many = 200;
  const bool open = projection.onto == Onto::both;
  report.choices.push_back({"onto", name_of(projection.onto), !open, open ? "the default" : ""});
  if (open && unknowns >= many) {
    report.warnings.push_back(fmt::format(
        "projection of {} unknowns at once factorizes a dense matrix after each step; with onto = "
        "in-turn positions and velocities are projected by the problem's own factorization",
        unknowns));
  }
}

std::string EvaluationFailure::text(const char* matrix) const {
  switch (kind) {
    case Kind::none:
      return "";
    case Kind::singular:
      return fmt::format(
          "{} is singular or not finite at t = {:.9g}: rank {} of {} constraints; {}", matrix, t,
          rank, rows,
          matrix == std::string_view("[I B; G 0]") && rank == rows
              ? "B does not reach all rows of G, as where the index is higher"
              : "a motion that G leaves free needs mass");
    case Kind::not_finite:
      return fmt::format("f, G, M or the curvature is not finite at t = {:.9g}", t);
    case Kind::not_finite_after_step:
      return fmt::format("g or G v + g_t is not finite at the end of the step, t = {:.9g}", t);
    case Kind::beside_dependent:
      return "steps would end beside dependent constraints, where none leads over them";
  }
  return "";
}

}  // namespace daewave::ivp
