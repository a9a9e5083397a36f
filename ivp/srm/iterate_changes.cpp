#include "ivp/srm/iterate_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/not_finite.hpp"
#include "ivp/srm/iterate_error.hpp"

namespace daewave::ivp {
namespace {

constexpr const char* advice = "more iterates; a smaller epsilon with a shorter h";

/// With so small an epsilon; others may do, and radau damps what steps longer than epsilon do not.
constexpr const char* advice_for_first = "leave epsilon open; or stepper = radau; or more iterates";

/// Entries of a state that are of one kind: positions, velocities, or all.
struct Kind {
  int first, count;
};

std::vector<Kind> kinds_of(const Solution& solution) {
  const int half = solution.nz / 2;
  if (!solution.second_order) return {{0, solution.nz}};
  return {{0, half}, {half, solution.nz - half}};
}

/// Of each entry. One that hardly moves may be wrong by what moves it: the others of its kind.
VecX motion_of(const Solution& solution, const Motion& motion) {
  constexpr double part = 0.1;
  VecX range = motion.range();
  for (const Kind& kind : kinds_of(solution)) {
    auto these = range.segment(kind.first, kind.count);
    these = these.cwiseMax(part * largest_size(these)).eval();
  }
  return range;
}

/// A piece between two restarts may be so short that nothing moves far in it.
Motion motion_so_far(const LastIterates& last, const Solution& solution) {
  Motion motion = solution.motion;
  if (last.before.least.size() == solution.nz) {
    motion.see(last.before.least.data(), solution.nz);
    motion.see(last.before.greatest.data(), solution.nz);
  }
  return motion;
}

/// How wrong each entry may be.
VecX wanted(const LastIterates& last, const Options& options, const Solution& solution) {
  const double size = largest_size(last.x);
  if (!options.h) {
    VecX error(last.x.size());
    for (int i = 0; i < error.size(); ++i) error[i] = hundred_tolerances(options, i, size);
    return error;
  }
  constexpr double share = 1e-3, rounding = 1e-10;
  return share * motion_of(solution, motion_so_far(last, solution)).array() + rounding * size;
}

/// c_s / c_{s-1}, s = 2, 3, ..., m. What iterate 1 changed is not known: without it there would
/// have been no motion.
double rate_of(const std::vector<VecX>& changes, std::size_t s, const VecX& motion) {
  if (s > 2) {
    const double now = largest_size(changes[s - 2]), before = largest_size(changes[s - 3]);
    return now > 0 ? now / before : 0;
  }
  double rate = 0;
  for (int i = 0; i < motion.size(); ++i) {
    if (changes[0][i] > 0) rate = larger(rate, changes[0][i] / motion[i]);
  }
  return rate;
}

/// The second iterate is there for the error of the first.
bool tells_first(const LastIterates& last) { return last.one_suffices && last.changes.size() == 1; }

/// Of the last iterate, entry by entry, with the slower of the last two decays: a fast one after a
/// change of the size of the motion is luck.
VecX estimate(const LastIterates& last, const Solution& solution) {
  if (tells_first(last)) return all_of_change * last.changes.back();
  // Of this piece alone: what iterate 1 changed is not known either where it began.
  const VecX motion = motion_of(solution, solution.motion);
  const std::size_t m = last.changes.size() + 1;
  double rate = rate_of(last.changes, m, motion);
  if (m > 2) rate = larger(rate, rate_of(last.changes, m - 1, motion));
  return last.changes.back() * left_of_change(rate);
}

void exhausted(Report& report, std::string message, const char* way_out) {
  report.termination = Termination::iterates_exhausted;
  report.message = std::move(message);
  report.advice = way_out;
}

std::string allowed_text(const Options& options) {
  return options.h ? "1e-3 of its motion" : "100 times the tolerance";
}

bool changes_suffice(const LastIterates& last, const VecX& allowed, const Options& options,
                     Solution& solution) {
  const VecX error = estimate(last, solution);
  int worst = 0;
  for (int i = 1; i < error.size() && !std::isnan(error[worst]); ++i) {
    if (!(error[i] * allowed[worst] <= error[worst] * allowed[i])) worst = i;
  }
  if (error.size() == 0 || error[worst] <= allowed[worst]) return true;
  exhausted(
      solution.report,
      fmt::format("iterates {} and {} differ by {:.2e} at t = {:.6g}: the error of the last "
                  "is about {:.1e} in entry {} of the state, where {:.1e}, {}, is allowed",
                  last.changes.size(), last.changes.size() + 1, largest_size(last.changes.back()),
                  last.t, error[worst], worst + 1, allowed[worst], allowed_text(options)),
      tells_first(last) ? advice_for_first : advice);
  return false;
}

/// With a fixed h the motion is the measure, which is none where the state has run away and come
/// back.
bool stayed(const LastIterates& last, const Drift& most, const Options& options,
            Solution& solution) {
  constexpr double layer = 100;  // y_0 = 0 is wrong at the start, and what it leaves is damped.
  const IntegrationReport& went = solution.report.integration;
  const bool position = went.drift_position > layer * most.position;
  if (!options.h || (!position && !(went.drift_velocity > layer * most.velocity))) return true;
  exhausted(solution.report,
            fmt::format("the {} was off by {:.2e} on the way to t = {:.6g}: the motion had left "
                        "its constraints",
                        position ? "constraint" : "derivative of the constraint",
                        position ? went.drift_position : went.drift_velocity, last.t),
            "a smaller epsilon with a shorter h");
  return false;
}

/// With controlled steps the tolerance is the measure on the way too; the end alone decides whether
/// iterates have converged.
void warn_of_drift(bool from_zero, const Drift& most, const Options& options, Report& report) {
  const IntegrationReport& went = report.integration;
  const bool position = went.drift_position > most.position;
  if (options.h || (!position && !(went.drift_velocity > most.velocity))) return;
  report.warnings.push_back(fmt::format(
      "the {} was off by {:.1e} on the way, where a state that is right to {} is off by {:.1e}: "
      "states are as wrong there; {}",
      position ? "constraint" : "derivative of the constraint",
      position ? went.drift_position : went.drift_velocity, allowed_text(options),
      position ? most.position : most.velocity,
      from_zero ? "y_0 = 0 may leave an initial layer: take exact_start = 1 where y follows from "
                  "the start, or a smaller epsilon"
                : "take a smaller epsilon"));
}

bool constraints_are_met(const LastIterates& last, const VecX& allowed, const Options& options,
                         Solution& solution) {
  if (!last.drift) return true;
  // Differences are exact to that.
  constexpr double rounding = 1e-12;
  const Drift found = last.drift(last.t, last.x);
  constexpr double all = std::numeric_limits<double>::infinity();
  const Drift most = allowed_drift(last.drift, last.t, last.x, allowed, found, {all, all});
  const auto meets = [](double is, double may) { return is <= may + rounding; };
  if (meets(found.position, most.position) && meets(found.velocity, most.velocity)) {
    const Drift may{most.position + rounding, most.velocity + rounding};
    warn_of_drift(last.from_zero, may, options, solution.report);
    return stayed(last, may, options, solution);
  }
  const bool position = !meets(found.position, most.position);
  exhausted(
      solution.report,
      fmt::format(
          "at t = {:.6g} the {} is off by {:.2e}, where a state that is right to {} is off by "
          "{:.1e}: the iterates have not come to the constraints, however little they change",
          last.t, position ? "constraint" : "derivative of the constraint",
          position ? found.position : found.velocity, allowed_text(options),
          position ? most.position : most.velocity),
      advice);
  return false;
}

}  // namespace

void tell_iterates(const LastIterates& last, const Options& options, Solution& solution) {
  Report& report = solution.report;
  for (std::size_t i = 0; i < last.changes.size(); ++i) {
    IterateReport iterate;
    iterate.iterate = static_cast<int>(i) + 2;
    iterate.change = largest_size(last.changes[i]);
    iterate.change_at = report.integration.reached;
    report.history.push_back(iterate);
  }
  if (report.termination != Termination::converged || report.integration.steps == 0) return;
  const VecX allowed = wanted(last, options, solution);
  if (!constraints_are_met(last, allowed, options, solution)) return;
  if (last.changes.empty()) {
    exhausted(report,
              fmt::format("at t = {:.6g} there is no iterate that the last can be compared with: "
                          "nothing is known of its error, which is O(epsilon) of a single one",
                          last.t),
              "iterates = 2; an event that ends the run needs loops = step-local");
    return;
  }
  if (changes_suffice(last, allowed, options, solution) && !last.apart.empty()) {
    report.warnings.push_back(last.apart);
  }
}

}  // namespace daewave::ivp
