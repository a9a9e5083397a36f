#include "ivp/equations/reduction.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace daewave::ivp {

Correction correction_of(Method method) {
  switch (method) {
    case Method::underlying:
    case Method::baumgarte:
    case Method::symmetric_projection:
    case Method::local_state_space:
      return {};
    case Method::stabilized_ode:
      return {true, true, false, 0};
    case Method::s_full:
      return {true, true, true, 1};
    case Method::s_both:
      return {true, true, false, 1};
    case Method::s_both2:
      return {true, true, false, 2};
    case Method::s_vel:
      return {false, true, false, 1};
    case Method::s_pos:
      return {true, false, false, 1};
    case Method::projection:
      return {true, true, false, 1};
    case Method::projected_invariants:
    case Method::bdf_projection:
    case Method::bdf_projected_invariants:
    case Method::dcbdf:
    case Method::dcbdf_bdf:
    case Method::adams_moulton:
    case Method::bdf:
    case Method::srm:
      break;
  }
  throw InvalidOption(fmt::format(
      "method = {}: reduces no index; here underlying, baumgarte, stabilized-ode or an s- method",
      name_of(method)));
}

void check_reduction(Method method, const Stabilization& stabilization, double rank_tolerance,
                     int index) {
  correction_of(method);
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
  if (method == Method::stabilized_ode) {
    require(stabilization.gamma > 0, "gamma", stabilization.gamma,
            "> 0 and finite with method = stabilized-ode; 1/h for steps of about h");
  }
  if (stabilization.second_step == SecondStep::half_fresh &&
      stabilization.metric != Metric::orthogonal && method == Method::s_both2) {
    throw InvalidOption(
        "second_step = half-fresh: keeps (G G^T)^-1, that of metric = orthogonal; with metric = "
        "mass take second_step = frozen");
  }
  if (method == Method::s_vel && index == 2) {
    throw InvalidOption(
        "method = s-vel: a DAE of index 2 has no constraint on velocities; take s-pos or s-both2");
  }
  if (method == Method::baumgarte && index == 2 && stabilization.alpha1 != 0) {
    throw InvalidOption(
        fmt::format("alpha1 = {}: baumgarte of index 2 is g' + alpha0 g = 0; take alpha0",
                    stabilization.alpha1));
  }
}

void check_in_turn(const Projection& projection) {
  if (projection.energy) {
    throw InvalidOption(
        "projection.energy = true: ties positions to velocities; take onto = both with it");
  }
  if (projection.metric == Projection::Metric::weighted) {
    throw InvalidOption(
        "projection.metric = weighted: is of onto = both; take orthogonal or mass with in-turn");
  }
}

void tell_projection(const Projection& projection, int unknowns, Report& report) {
  // A dense factorization of this size costs more than the step it follows.
  constexpr int many = 200;
  const bool open = projection.onto == Projection::Onto::both;
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
          "{} is singular or not finite at t = {:.9g}: rank {} of {} constraints; a motion that G "
          "leaves free needs mass",
          matrix, t, rank, rows);
    case Kind::not_finite:
      return fmt::format("f, G, M or the curvature is not finite at t = {:.9g}", t);
    case Kind::not_finite_after_step:
      return fmt::format("g or G v + g_t is not finite at the end of the step, t = {:.9g}", t);
  }
  return "";
}

}  // namespace daewave::ivp
