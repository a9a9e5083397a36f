#include "sparse/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "core/report/stopwatch.hpp"
#include "sparse/regularized_step.hpp"
#include "sparse/run_report.hpp"
#include "sparse/steady.hpp"

namespace daewave::sparse {
namespace {

void add_choices(Report& report, const Options& options, double h) {
  const Options open;
  const auto tell = [&](const char* name, double value, double by_default) {
    const bool given = value != by_default;
    report.choices.push_back({name, fmt::format("{:g}", value), given, given ? "" : "default"});
  };
  report.choices.push_back({"method", "srm", false,
                            "sparse matrices, backward differences of "
                            "order 2, E = I"});
  tell_step(report, options, h);
  tell("epsilon", options.epsilon, open.epsilon);
  tell("iterates", options.iterates, open.iterates);
  tell("alpha1", options.alpha1, open.alpha1);
  tell("alpha2", options.alpha2, open.alpha2);
}

/// Where kappa B G is so many times the rest of the matrix, less than two digits of the rest are
/// left.
constexpr double lost_in_rounding = 1e14;

/// What a run of one step length came to.
class Run {
 public:
  Run(const SparseDae& problem, const Options& options, Solution& solution)
      : problem_(problem),
        options_(options),
        solution_(solution),
        step_(problem, options),
        steady_(options.steady) {}

  void go(const VecX& start, const Interval& interval, double h, long steps) {
    step_.start(start, interval.begin);
    begin_ = start;
    t_begin_ = interval.begin;
    give_out(interval.begin);
    solution_.t = interval.begin;
    solution_.x = start;
    Report& report = solution_.report;
    report.termination = Termination::converged;
    for (long n = 1; n <= steps; ++n) {
      const double t = interval.begin + h * static_cast<double>(n - 1);
      // Steps 1, 2, 4, 8 and so on, and the last one.
      const bool probed = (n & (n - 1)) == 0 || n == steps;
      if (const std::string failure = step_.advance(t, h, probed); !failure.empty()) {
        fail(failure, h);
        break;
      }
      solution_.t = n == steps ? interval.end : t + h;
      record(h);
      solution_.steady = steady_.reached(solution_.rates.back(), solution_.t - interval.begin,
                                         largest_size(step_.x()));
      const bool last = n == steps || solution_.steady;
      if (last || (options_.every > 0 && n % options_.every == 0)) give_out(solution_.t);
      if (probed && !constraint_is_met(t, h)) break;
      if (solution_.steady) break;
      if (options_.progress && !options_.progress({solution_.t, n, steps, solution_.rates.back(),
                                                   solution_.drifts.back().back()})) {
        report.termination = Termination::stopped;
        report.message = fmt::format("stopped at t = {:.6g}", solution_.t);
        break;
      }
    }
    keep();
    if (report.usable() && !solution_.times.empty()) warn_of_noise(h);
  }

  /// Largest |y|; steps of order 1 and those that follow do not count where there are more.
  double size_of_y() const { return size_of_y_; }
  const RegularizedStep& step() const { return step_; }

 private:
  void give_out(double t) {
    if (options_.sink) options_.sink(t, step_.x(), step_.y());
  }

  void fail(const std::string& why, double h) {
    Report& report = solution_.report;
    report.termination = step_.newton_failed() ? Termination::not_converged
                         : why.find("not finite") != std::string::npos
                             ? Termination::diverged
                             : Termination::singular_matrix;
    report.message = why;
    report.advice = problem_.advice(h);
    if (report.advice.empty()) report.advice = fmt::format("take a shorter step than h = {:g}", h);
    if (step_.stiffness() < lost_in_rounding) return;
    // Where the run began, as what was lost has moved x since.
    const double epsilon = epsilon_that_works(begin_, t_begin_, h);
    if (epsilon <= options_.epsilon) return;
    report.message +=
        fmt::format("; epsilon = {:g} leaves the equations to rounding", options_.epsilon);
    report.advice = fmt::format("take epsilon = {:g}", epsilon);
  }

  /// Where y is small beside what rounding of the constraint makes of it, and the forces lose
  /// digits by that too.
  void warn_of_noise(double h) {
    constexpr double part = 0.01, forces_lose_digits = 1e10;
    const double noise = step_.noise_of_y();
    if (step_.stiffness() < forces_lose_digits || !(noise > part * size_of_y_)) return;
    const double epsilon = epsilon_that_works(begin_, t_begin_, h);
    solution_.report.warnings.push_back(fmt::format(
        "y may be off by {:.1e} by rounding, as epsilon = {:g} is too small{}", noise,
        options_.epsilon,
        epsilon > options_.epsilon ? fmt::format("; take epsilon = {:g}", epsilon) : ""));
  }

  bool constraint_is_met(double t, double h) {
    if (step_.contraction() <= 0.5) return true;
    Report& report = solution_.report;
    report.termination = Termination::singular_constraint;
    report.message = fmt::format(
        "iterates do not converge at t = {:.6g}, |g| = {:.1e}: the constraints contradict each "
        "other, or epsilon is too large",
        solution_.t, solution_.drifts.back().back());
    const double epsilon = epsilon_that_works(step_.x_before(), t, h);
    report.advice =
        epsilon > 0 && epsilon < options_.epsilon
            ? fmt::format("take epsilon = {:g}", epsilon)
            : "no epsilon makes them converge; look for two constraints that set one quantity";
    return false;
  }

  /// The largest epsilon, by powers of ten, with which iterates of a step from t gain two digits
  /// each; 0: there is none.
  double epsilon_that_works(const VecX& x, double t, double h) const {
    for (double stiffness = 1e4; stiffness < lost_in_rounding; stiffness *= 10) {
      Options options = options_;
      const double epsilon = options_.epsilon * step_.stiffness() / stiffness;
      if (!(epsilon > 0) || !std::isfinite(epsilon)) return 0;
      options.epsilon = std::pow(10.0, std::floor(std::log10(epsilon)));
      RegularizedStep step(problem_, options);
      step.start(x, t);
      if (step.advance(t, h, true).empty() && step.contraction() <= 1e-6) return options.epsilon;
    }
    return 0;
  }

  void record(double h) {
    solution_.times.push_back(solution_.t);
    solution_.rates.push_back(step_.moved() / h);
    solution_.drifts.push_back(step_.drifts());
    const double size = largest_size(step_.y());
    size_of_y_ = solution_.times.size() <= 2 ? size : larger(size, size_of_y_);
    std::vector<IterateReport>& history = solution_.report.history;
    history.resize(step_.drifts().size());
    for (std::size_t s = 0; s < history.size(); ++s) {
      history[s].iterate = static_cast<int>(s) + 1;
      if (step_.changes()[s] > history[s].change) {
        history[s].change = step_.changes()[s];
        history[s].change_at = solution_.t;
      }
      history[s].drift = larger(history[s].drift, step_.drifts()[s]);
    }
  }

  void keep() {
    solution_.x = step_.x();
    solution_.y = step_.y();
    Report& report = solution_.report;
    step_.linear().tell(report.linear_solve);
    for (IterateReport& one : report.history) one.residual = report.linear_solve.worst_residual;
    report.seconds.factorize = step_.linear().factorize_seconds();
    report.seconds.solve = step_.linear().solve_seconds();
    report.integration.evaluations = step_.evaluations();
    solution_.matrix_entries = static_cast<double>(step_.linear().matrix().nonZeros());
    solution_.factor_entries = step_.linear().factors().entries();
    solution_.bytes = step_.linear().factors().bytes() + 12 * solution_.matrix_entries;
  }

  const SparseDae& problem_;
  const Options& options_;
  Solution& solution_;
  RegularizedStep step_;
  SteadyWatch steady_;
  double size_of_y_ = 0;
  VecX begin_;
  double t_begin_ = 0;
};

/// To the end of one that is there, in so many steps; nothing is told of it.
Solution run_beside(const SparseDae& problem, const VecX& start, const Interval& interval,
                    Options options, long steps) {
  options.sink = nullptr;
  options.steady = 0;
  Solution other;
  Run(problem, options, other)
      .go(start, interval, interval.length() / static_cast<double>(steps), steps);
  return other;
}

/// Adds some of the difference between two runs, in sizes of x and y of the first one.
void add_difference(const Run& run, double factor, const Solution& a, const Solution& b,
                    ErrorEstimate& error) {
  error.x += factor * run.step().seen().relative(a.x - b.x);
  const double of_y = largest_size(a.y - b.y);
  if (of_y > 0) error.By += factor * of_y / run.size_of_y();
}

void estimate_error(const SparseDae& problem, const Run& run, const VecX& start,
                    const Interval& interval, const Options& options, Solution& solution) {
  const auto n = static_cast<long>(solution.times.size());
  // The first step is of order 1: of few steps it is a large part, and half as many tell less.
  const bool few = n < 8;
  const long steps = few ? 2 * n : n / 2;
  const Interval whole{interval.begin, solution.t};
  const Solution other = run_beside(problem, start, whole, options, steps);
  Options more = options;
  ++more.iterates;
  const Solution iterated = run_beside(problem, start, whole, more, few ? n : steps);
  for (const Solution* const one : {&other, &iterated}) {
    if (one->report.usable()) continue;
    solution.report.warnings.push_back(fmt::format("the error in time is not known: {}, {}",
                                                   one == &iterated ? "with one more iterate"
                                                   : few            ? "with half of the step"
                                                                    : "with twice the step",
                                                   one->report.message));
    return;
  }
  ErrorEstimate& error = solution.report.error;
  error.available = true;
  const double ratio = static_cast<double>(n) / static_cast<double>(steps);
  add_difference(run, few ? 2 : 1 / (ratio * ratio - 1), solution, other, error);
  // Three iterates more leave that contraction; one leaves its third root, and all of them a
  // geometric series.
  add_difference(run, 1 / (1 - std::cbrt(run.step().contraction())), few ? solution : other,
                 iterated, error);
  error.how = fmt::format(
      "{}, and what iterates leave, by one more; beside the largest of the run; of the equations "
      "as they are, not of the grid that they come from",
      few ? "twice the difference to a run with steps half as long"
          : "a third of the difference to a run with steps twice as long");
}

}  // namespace

Solution solve(const SparseDae& problem, const VecX& start, const Interval& interval,
               const Options& options) {
  check(options, interval);
  const Stopwatch watch;
  const ConsistentStart consistent = consistent_start(problem, start, interval.begin);
  const auto steps =
      static_cast<long>(std::max(1.0, std::ceil(interval.length() / options.h - 1e-9)));
  const double h = interval.length() / static_cast<double>(steps);
  Solution solution;
  add_choices(solution.report, options, h);
  Run run(problem, options, solution);
  run.go(consistent.x, interval, h, steps);
  if (options.estimate_error && solution.report.usable()) {
    estimate_error(problem, run, consistent.x, interval, options, solution);
  }
  tell_run(problem, interval, options, consistent, h, solution);
  solution.report.seconds.total = watch.seconds();
  return solution;
}

}  // namespace daewave::sparse
