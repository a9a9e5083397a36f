#include "ivp/global_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "ivp/doors/run_setup.hpp"

namespace daewave::ivp {
namespace {

/// What was given out, at times that are about evenly spread over what was.
class Samples {
 public:
  explicit Samples(int nz) : nz_(nz) {}

  void see(double t, const double* state) {
    if (seen_++ % stride_ != 0) return;
    if (count() == 2 * most) thin();
    if ((seen_ - 1) % stride_ != 0) return;
    times_.push_back(t);
    states_.insert(states_.end(), state, state + nz_);
  }
  /// The state where the run came to is looked at whatever was given out before.
  void see_end(double t, const VecX& state) {
    if (count() > most) thin();
    if (count() > 0 && times_.back() == t) return;
    times_.push_back(t);
    states_.insert(states_.end(), state.data(), state.data() + nz_);
  }

  std::size_t count() const { return times_.size(); }
  double t(std::size_t i) const { return times_[i]; }
  Eigen::Map<const VecX> state(std::size_t i) const {
    return {states_.data() + i * static_cast<std::size_t>(nz_), nz_};
  }

 private:
  static constexpr std::size_t most = 200;

  /// Each second one goes.
  void thin() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count(); i += 2, ++kept) {
      times_[kept] = times_[i];
      std::copy_n(states_.begin() + static_cast<std::ptrdiff_t>(i) * nz_, nz_,
                  states_.begin() + static_cast<std::ptrdiff_t>(kept) * nz_);
    }
    times_.resize(kept);
    states_.resize(kept * static_cast<std::size_t>(nz_));
    stride_ *= 2;
  }

  int nz_;
  long seen_ = 0, stride_ = 1;
  std::vector<double> times_, states_;
};

/// A run to compare with.
struct Second {
  Method method;
  double rtol;
  std::string name;
};

/// Implicit ones are taken for stiff problems, which an explicit second run would not get through.
bool is_implicit(const Method& method) {
  const Formula* formula = formula_of(method);
  if (const auto* srm = std::get_if<Srm>(&method)) formula = &srm->formula;
  if (formula == nullptr) return !std::holds_alternative<SymmetricProjection>(method);
  const auto stepper = formula->stepper;
  return stepper == Stepper::gauss || stepper == Stepper::radau ||
         stepper == Stepper::backward_euler;
}

Second by_radau(const Method& first, double rtol) {
  const Formula* const formula = formula_of(first);
  const int used =
      formula != nullptr && formula->stepper == Stepper::radau ? formula->stages.value_or(3) : 0;
  const int stages = rtol > 1e-10 ? (used == 5 ? 7 : 5) : (used == 7 ? 9 : 7);
  return {ProjectEachStep{.formula = {Stepper::radau, stages}}, rtol,
          fmt::format("projection with radau of {} stages", stages)};
}

/// By the problem's own factorization, where there are velocities: for large systems too.
Second by_explicit(const DaeProblem& problem, Stepper stepper, double rtol) {
  const Onto onto = problem.has_velocity() ? Onto::in_turn : Onto::both;
  return {ProjectEachStep{.onto = onto, .formula = {stepper, {}}}, rtol,
          fmt::format("projection with {}", name_of(stepper))};
}

/// In the order in which they are tried, until one comes through.
std::vector<Second> seconds_for(const DaeProblem& problem, const Options& options) {
  constexpr double part = 1e-3, least = 1e-13, where_fixed = 1e-11;
  constexpr int most_dense = 40;  // Stages of larger systems are solved for all at once, densely.
  const double rtol = options.h ? where_fixed : std::max(least, part * options.rtol);
  const Method& first = options.method;
  const Formula* const formula = formula_of(first);
  const bool small = problem.state_size() <= most_dense;
  std::vector<Second> tried;
  if (problem.kind() != Kind::invariants && !is_reducible(problem)) {
    const auto* srm = std::get_if<Srm>(&first);
    const bool by_dop853 = srm != nullptr && srm->formula.stepper == Stepper::dop853;
    const Stepper other = by_dop853 ? Stepper::dopri5 : Stepper::dop853;
    tried.push_back(
        {Srm{.formula = {other, {}}}, rtol, fmt::format("srm with {}", name_of(other))});
    return tried;
  }
  const bool by_dop853 = formula != nullptr && !std::holds_alternative<Srm>(first) &&
                         formula->stepper.value_or(Stepper::dop853) == Stepper::dop853;
  if (is_implicit(first)) {
    tried.push_back(by_radau(first, rtol));
    tried.push_back({BdfProjection{}, rtol, "bdf-projection"});
  } else {
    tried.push_back(by_explicit(problem, by_dop853 ? Stepper::dopri5 : Stepper::dop853, rtol));
    if (small) tried.push_back(by_radau(first, rtol));
  }
  return tried;
}

/// Absolute tolerances of the largest values of the whole run: at the start of a piece all
/// velocities may be next to nothing.
std::vector<double> open_atol(double rtol, const Solution& solution) {
  constexpr double least = 0.01, most = 1e-9;
  const VecX size = solution.motion.least.cwiseAbs().cwiseMax(solution.motion.greatest.cwiseAbs());
  const Eigen::Index half = solution.second_order ? size.size() / 2 : size.size();
  std::vector<double> atol;
  for (Eigen::Index i = 0; i < size.size(); ++i) {
    const Eigen::Index from = i < half ? 0 : half, count = i < half ? half : size.size() - half;
    const double kind = size.segment(from, count).maxCoeff();
    const double of = std::max(size[i], kind > 0 ? least * kind : 1);
    atol.push_back(std::max(std::min(most, 0.1 * rtol * of), 1e-300));
  }
  return atol;
}

Options options_of(const Second& second, const Options& first, const Solution& solution,
                   bool needs_w) {
  Options options;
  options.method = second.method;
  options.rtol = second.rtol;
  constexpr double least = 1e-16;
  const double scale = second.rtol / first.rtol;
  if (!first.h && !first.atol_each.empty()) {
    for (const double atol : first.atol_each) {
      options.atol_each.push_back(std::max(least, scale * atol));
    }
  } else if (!first.h && first.atol) {
    options.atol = std::max(least, scale * *first.atol);
  } else {
    options.atol_each = open_atol(second.rtol, solution);
  }
  options.start_tolerance = first.start_tolerance;
  options.rank_tolerance = first.rank_tolerance;
  options.every = 0;
  options.multipliers = needs_w;
  options.monitor = false;
  return options;
}

/// Lets the caller see how far the second run is, of the whole interval.
std::function<bool(const RunProgress&)> progress_of(const Options& options, const Interval& span) {
  if (!options.progress) return {};
  return [&options, span](const RunProgress& piece) {
    RunProgress whole = piece;
    whole.begin = span.begin;
    whole.end = span.end;
    return options.progress(whole);
  };
}

struct Compared {
  std::vector<double> times, errors;  ///< As in Solution.
  std::string failure;                ///< Empty: it came through.
  bool stopped = false;               ///< By the caller: nothing else is to be tried.
};

/// From sample to sample, each a run of its own: between the ends of steps stages interpolate less
/// well than steps end.
Compared compare(const Second& second, const VecX& start, const VecX& w, const Interval& span,
                 const Samples& samples, const Options& first, const Solution& solution,
                 const SolveAgain& solve) {
  Compared result;
  Options options = options_of(second, first, solution, w.size() > 0);
  options.repair_start = first.repair_start;
  options.progress = progress_of(first, span);
  VecX z = start, unknowns = w;
  double t = span.begin;
  const double sign = span.end < span.begin ? -1 : 1;
  for (std::size_t i = 0; i < samples.count(); ++i) {
    const double to = samples.t(i);
    if (sign * (to - t) > 0) {
      const Solution piece = solve(z, unknowns, {t, to}, options);
      if (!piece.report.usable() || piece.t.back() != to) {
        result.failure = piece.report.brief();
        result.stopped = piece.report.termination == Termination::stopped;
        return result;
      }
      z = piece.end();
      if (w.size() > 0 && piece.ny == w.size()) unknowns = piece.multiplier(piece.count() - 1);
      t = to;
      options.repair_start = true;
      options.first_step =
          std::min(piece.report.integration.largest_step, std::abs(span.end - span.begin));
    } else if (to != t) {
      continue;
    }
    const VecX gap = samples.state(i) - z;
    result.times.push_back(to);
    result.errors.insert(result.errors.end(), gap.data(), gap.data() + gap.size());
  }
  return result;
}

/// The largest of the errors relative to what its entry moves; at least a hundredth of the most of
/// its kind, position or velocity, and rounding.
double part_of_motion(const VecX& errors, const Solution& solution) {
  constexpr double least = 0.01, rounding = 1e-10;
  VecX range = solution.motion.range();
  const VecX size = solution.motion.least.cwiseAbs().cwiseMax(solution.motion.greatest.cwiseAbs());
  const Eigen::Index half = solution.second_order ? range.size() / 2 : range.size();
  double part = 0;
  for (Eigen::Index i = 0; i < range.size(); ++i) {
    const Eigen::Index from = i < half ? 0 : half, count = i < half ? half : range.size() - half;
    const double moved = std::max({range[i], least * range.segment(from, count).maxCoeff(),
                                   rounding * (1 + size.maxCoeff())});
    part = larger(part, errors[i] / moved);
  }
  return part;
}

void judge(const Second& second, const Options& options, Solution& solution) {
  constexpr double share = 1e-3, many = 1000;
  const Eigen::Map<const MatX> errors(solution.errors.data(), solution.nz,
                                      static_cast<int>(solution.error_times.size()));
  const VecX largest =
      solution.motion.least.cwiseAbs().cwiseMax(solution.motion.greatest.cwiseAbs());
  const double size = 1 + largest.maxCoeff();
  Eigen::Index entry = 0, where = 0;
  const double most = errors.cwiseAbs().maxCoeff(&entry, &where);
  const double at_end = errors.col(errors.cols() - 1).cwiseAbs().maxCoeff();
  Report& report = solution.report;
  ErrorEstimate& error = report.error;
  error.available = true;
  error.x = most / size;
  error.tolerance = options.accuracy.value_or(0);
  error.how = fmt::format(
      "a second run, by {} to rtol = {:.1e}, compared at {} times: apart by {:.2e} at most, at t = "
      "{:.6g}, and by {:.2e} at the end",
      second.name, second.rtol, errors.cols(), most,
      solution.error_times[static_cast<std::size_t>(where)], at_end);
  const double of_motion = part_of_motion(errors.cwiseAbs().rowwise().maxCoeff(), solution);
  const char* const advice = options.h ? "a shorter h" : "a smaller rtol";
  const auto too_large = [&](const std::string& than) {
    report.termination = Termination::tolerance_not_met;
    report.message = fmt::format("the error of the run is estimated as {:.2e}, {}", error.x, than);
    report.advice = fmt::format(
        "{}, or a shorter run; where that changes nothing the problem enlarges errors beyond any "
        "tolerance",
        advice);
  };
  if (options.accuracy) {
    if (!(error.x <= *options.accuracy)) {
      too_large(
          fmt::format("more than the accuracy of {:.2e} that was asked for", *options.accuracy));
    }
  } else if (!(of_motion <= share)) {
    too_large(fmt::format("{:.2g} of the motion, of which {:g} is allowed", of_motion, share));
  } else if (!options.h && error.x > many * options.rtol) {
    report.warnings.push_back(fmt::format(
        "the error of the run is estimated as {:.2e}, {:.0f} times rtol, which bounds local errors "
        "alone: they add up, or the problem enlarges them",
        error.x, error.x / options.rtol));
  }
}

}  // namespace

bool asks_for_estimate(const Options& options) {
  return options.estimate_error || options.accuracy.has_value();
}

void tell_local_error(const Options& options, Report& report) {
  report.error.how = options.h ? fmt::format(
                                     "h = {:g} is fixed, and no error controlled; ask for "
                                     "it by estimate_error",
                                     *options.h)
                               : fmt::format(
                                     "rtol = {:g} bounds the error of each step, not what "
                                     "they come to; ask for that by estimate_error",
                                     options.rtol);
}

Solution solve_with_estimate(const DaeProblem& problem, const VecX& start, const VecX& w,
                             const Interval& span, const Options& options,
                             const SolveAgain& solve) {
  Options alone = options;
  alone.estimate_error = false;
  alone.accuracy.reset();
  Samples samples(problem.state_size());
  alone.sink = [&](const Output& output) {
    samples.see(output.t, output.state);
    return !options.sink || options.sink(output);
  };
  Solution solution = solve(start, w, span, alone);
  if (!solution.report.usable() || !solution.has_values()) return solution;
  samples.see_end(solution.t.back(), solution.end());
  std::string failures;
  for (const Second& second : seconds_for(problem, options)) {
    Compared compared;
    try {
      compared = compare(second, start, w, span, samples, options, solution, solve);
    } catch (const std::exception& refused) {
      compared.failure = refused.what();
    }
    if (compared.failure.empty() && !compared.times.empty()) {
      solution.error_times = std::move(compared.times);
      solution.errors = std::move(compared.errors);
      judge(second, options, solution);
      return solution;
    }
    failures +=
        fmt::format("{}{}: {}", failures.empty() ? "" : "; ", second.name, compared.failure);
    if (compared.stopped) break;
  }
  solution.report.warnings.push_back("no estimate of the error, as no second run came through: " +
                                     failures);
  if (options.accuracy) {
    solution.report.termination = Termination::tolerance_not_met;
    solution.report.message = "the accuracy asked for could not be looked at; see the warnings";
    solution.report.advice = "leave accuracy out, or another method";
  }
  return solution;
}

}  // namespace daewave::ivp
