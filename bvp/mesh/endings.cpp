#include "bvp/mesh/endings.hpp"

#include <fmt/format.h>

#include <utility>

#include "bvp/mesh/open_conditions.hpp"
#include "core/not_finite.hpp"

namespace daewave::bvp {
namespace {

/// Estimates below it are those of a solution that is resolved.
constexpr double resolved_estimate = 1e-3;
/// Of conditions or residuals: beyond it they are why meshes do not help.
constexpr double far_amplified = 1e8;

double amplification_of(const Solution& solution) {
  const ConditioningReport& conditioning = solution.report.conditioning;
  return conditioning.available ? larger(conditioning.boundary, conditioning.forcing) : 0;
}

double middle_of_worst(const Mesh& mesh, const IntervalErrors& errors) {
  Eigen::Index worst = 0;
  errors.x.cwiseMax(errors.carried).maxCoeff(&worst);
  const int i = static_cast<int>(worst);
  return mesh.node(i) + 0.5 * mesh.step(i);
}

constexpr const char* no_end =
    "look at the problem there: where its right side or its solution has no end no mesh helps; "
    "else "
    "give a mesh that is fine there, or loosen the tolerance";

/// Whether intervals at t have become so short that more of them are no way out.
bool is_finest_at(const Mesh& mesh, double t) {
  constexpr double part = 1e-9;
  return mesh.step(mesh.locate(t)) < part * (mesh.end() - mesh.begin());
}

}  // namespace

Solution Endings::accepted(Solution fine) const {
  fine.report.message =
      fmt::format("error estimate {:.1e} within tolerance {:.1e} on {} intervals, {}",
                  estimate_.controlled(fine.report.error), control_.tolerance,
                  fine.mesh_of_all().intervals(), solver_.spent(fine));
  return fine;
}

Solution Endings::ended(Solution last, const Report& next) {
  last.report.termination = next.termination;
  last.report.message = fmt::format("{}; the values are those of the mesh before, of {} intervals",
                                    next.message, last.mesh_of_all().intervals());
  last.report.advice = next.advice;
  return last;
}

Solution Endings::stopped(Solution last, const std::string& phase) {
  last.report.termination = Termination::stopped;
  last.report.message =
      fmt::format("stopped by the caller while {} on {} intervals, before their error was known",
                  phase, last.mesh_of_all().intervals());
  last.report.advice.clear();
  return last;
}

Solution Endings::not_seen(Solution last, const Look& look) {
  last.report.termination = Termination::tolerance_not_met;
  if (look.failure.empty()) {
    last.report.message = fmt::format(
        "the residual between the stages is {:.1e} times what the tolerance allows, near t = "
        "{:.6g}, on {} intervals: two meshes agree on a solution that neither has resolved there",
        look.seen.worst, look.seen.at, last.mesh_of_all().intervals());
    last.report.advice =
        "give a mesh that is fine there, with a node where a coefficient jumps, or loosen the "
        "tolerance";
  } else {
    last.report.message =
        fmt::format("the solution cannot be checked between its stages: {}", look.failure);
    last.report.advice =
        "make the coefficients finite everywhere in the interval, or give a mesh without a "
        "tolerance";
  }
  return last;
}

Solution Endings::not_finite(Solution last) const {
  return not_met(std::move(last), "the difference to another mesh is not finite",
                 "look at the problem where its solution or its multipliers grow without bound");
}

Solution Endings::residual_remains(Solution last, double excess, const std::string& why) {
  last.report.termination = Termination::tolerance_not_met;
  last.report.message = fmt::format(
      "the error is within the tolerance, the residual {:.1e} times residual_tolerance on {} "
      "intervals: {}",
      excess, last.mesh_of_all().intervals(), why);
  last.report.advice =
      "loosen residual_tolerance, or leave it out: the tolerance is that of errors";
  return last;
}

Solution Endings::too_many_meshes(Solution last, int meshes) const {
  return not_met(std::move(last), fmt::format("after {} meshes", meshes),
                 "loosen the tolerance, or give a mesh that is fine where the solution is steep");
}

Solution Endings::limit_reached(Solution last, const IntervalErrors& local,
                                const std::string& beyond_memory) const {
  const double t = middle_of_worst(last.mesh_of_all(), estimate_.weighed(local));
  if (!beyond_memory.empty()) {
    return not_met(std::move(last),
                   fmt::format("{}, and the most of it is near t = {:.6g}", beyond_memory, t),
                   "loosen the tolerance, give a mesh that is fine where the solution is steep, or "
                   "free some memory");
  }
  const bool helps = !is_finest_at(last.mesh_of_all(), t);
  return not_met(
      std::move(last),
      fmt::format("the limit of {} intervals is reached, with the most of it near t = {:.6g}",
                  control_.max_intervals, t),
      helps ? "raise max_intervals, loosen the tolerance, or give a mesh that is fine where the "
              "solution is steep"
            : no_end);
}

Solution Endings::rounding_amplified(Solution last) const {
  const ConditioningReport conditioning = last.report.conditioning;
  return not_met(std::move(last),
                 fmt::format("rounding alone is amplified to {:.1e} (conditioning {:.0e} of the "
                             "conditions, {:.0e} of the right side)",
                             conditioning.rounding, conditioning.boundary, conditioning.forcing),
                 "boundary conditions that determine the solution better, at the ends that its "
                 "modes grow towards: those at hand hardly tell it from others; or a looser "
                 "tolerance");
}

Solution Endings::amplified(const Report& before, Solution last) const {
  return OpenConditions::differ(before, last.report)
             ? OpenConditions::not_determined(std::move(last))
             : rounding_amplified(std::move(last));
}

Solution Endings::carried_in_rounding(Solution last, double rounding, double at) const {
  last.report.error.By = larger(last.report.error.By, rounding);
  const double advised = 3 * rounding;
  return not_met(
      std::move(last),
      fmt::format("rounding of times alone makes {:.1e} of B y near t = "
                  "{:.6g}, where x is steep and steps are short",
                  rounding, at),
      fmt::format("a tolerance of {:.0e} or more, or one for each component, with larger "
                  "ones for B y; or times from an origin near there",
                  advised));
}

Solution Endings::in_vain(Solution last, const IntervalErrors& local, bool at_rounding) const {
  const std::string in_vain = "finer meshes no longer reduce it";
  if (const double amplified = amplification_of(last); amplified > far_amplified) {
    const bool damps = last.has_values() && last.scheme().damps();
    return not_met(std::move(last),
                   fmt::format("{}, errors are amplified by {:.0e}", in_vain, amplified),
                   fmt::format("conditions at the end of the interval for what grows with t; or a "
                               "shorter interval{}",
                               damps ? "" : ", or scheme = radau"));
  }
  if (at_rounding || estimate_.controlled(last.report.error) < resolved_estimate) {
    return not_met(std::move(last), in_vain,
                   "loosen the tolerance: rounding, or the conditioning of the problem, limits the "
                   "accuracy");
  }
  const double t = middle_of_worst(last.mesh_of_all(), estimate_.weighed(local));
  return not_met(std::move(last), fmt::format("{}, the most of it near t = {:.6g}", in_vain, t),
                 no_end);
}

Solution Endings::not_met(Solution last, const std::string& why, std::string advice) const {
  ErrorEstimate& error = last.report.error;
  double at = 0;
  if (error.available) error.By = larger(error.By, solver_.rounding_of_carried(last, at));
  // Iterates that have not settled are told before meshes.
  if (last.report.termination == Termination::iterates_exhausted) advice = last.report.advice;
  last.report.termination = Termination::tolerance_not_met;
  const double estimate = estimate_.controlled(error);
  const std::string told =
      !error.available ? "no error estimate for"
      : estimate <= control_.tolerance
          ? fmt::format("error estimate {:.1e} is not sure enough for", estimate)
          : fmt::format("error estimate {:.1e} exceeds", estimate);
  last.report.message = fmt::format("{} tolerance {:.1e} on {} intervals: {}", told,
                                    control_.tolerance, last.mesh_of_all().intervals(), why);
  if (error.iterates > control_.tolerance) {
    last.report.message += fmt::format("; iterates may still change x by {:.1e}", error.iterates);
  }
  last.report.advice = std::move(advice);
  if (const std::string danger = solver_.danger(last.mesh_of_all()); !danger.empty()) {
    last.report.message = fmt::format("the error estimate on {} intervals cannot be believed: {}",
                                      last.mesh_of_all().intervals(), danger);
    last.report.advice = control_.danger_advice;
  }
  return last;
}

}  // namespace daewave::bvp
