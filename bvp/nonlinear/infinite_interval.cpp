#include "bvp/nonlinear/infinite_interval.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bvp/curve/lengthened.hpp"
#include "bvp/mesh/mesh_choice.hpp"
#include "bvp/nonlinear/length_decay.hpp"
#include "bvp/nonlinear/settled_beyond.hpp"
#include "bvp/result/with_curve.hpp"
#include "core/error.hpp"
#include "core/report/stopwatch.hpp"

namespace daewave::bvp {

bool is_infinite(const Interval& interval) {
  return interval.begin == -INFINITY || interval.end == INFINITY;
}

namespace {

constexpr double default_length = 10;
/// Of the tolerance, for meshes; truncation has the rest.
constexpr double for_meshes = 0.5;
/// From one length to the next; shorter ones where that has no solution, and where the first has
/// none.
constexpr double longer = 2, longest = 4, least_longer = 1.1, shorter = 0.5;
constexpr int most_shorter = 12, most_lengths = 30;
/// Lengths in units of those at hand that are not tried: the decay is too slow.
constexpr double far_away = 1e3;
/// What lengths change, where a decay has begun.
constexpr double seen_at_all = 0.05;

class Infinite {
 public:
  Infinite(const ProblemFamily& family, const Options& options, const SolveOnFinite& solve)
      : family_(family), given_(options), options_(options), solve_(solve) {
    const BoundaryProblem problem = family.member(family.p);
    interval_ = problem.interval;
    check(problem);
    at_begin_ = std::isinf(interval_.begin);
    at_end_ = std::isinf(interval_.end);
    tolerance_ = wanted_tolerance(options);
    nx_ = problem.equations ? problem.equations->state_size() : 0;
    place(problem);
    options_.truncation.reset();
    options_.tolerance = for_meshes * plain_tolerance(options);
    options_.tolerances = tightened(options.tolerances);
  }

  Solution run() {
    const Stopwatch watch;
    Solution solution = first();
    if (solution.report.usable()) {
      solution = lengthen(std::move(solution));
    } else {
      solution.report.message = fmt::format("on {}: {}", where(), solution.report.message);
      if (may_be_too_long(solution)) {
        solution.report.advice +=
            fmt::format("; or another length to begin with, truncation = {:g}", 2 * length_);
      }
    }
    solution.report.seconds = seconds_;
    solution.report.seconds.total = watch.seconds();
    return solution;
  }

 private:
  static Tolerances tightened(const Tolerances& given) {
    const auto part = [](const OfComponents& of) -> OfComponents {
      if (of.is_open()) return of;
      // Relative ones no more than they may be.
      const VecX values = of.values().unaryExpr(
          [](double value) { return value > 2e-14 ? for_meshes * value : value; });
      if (of.is_each()) return values;
      return values[0];
    };
    return {part(given.relative), part(given.absolute), part(given.carried_relative),
            part(given.carried_absolute)};
  }

  void check(const BoundaryProblem& problem) const {
    if (!(interval_.begin < interval_.end) || interval_.begin == INFINITY ||
        interval_.end == -INFINITY) {
      throw InvalidProblem(fmt::format("interval = [{:g}, {:g}]: must be increasing",
                                       interval_.begin, interval_.end));
    }
    if (options_.mesh) {
      throw InvalidOption(
          "mesh: spans no infinite interval; leave it out, or give the problem a finite interval");
    }
    if (!refines(options_)) {
      throw InvalidOption(
          "intervals: without a tolerance they would be kept, and those of an infinite interval "
          "are refined to one; give tolerance too, and they are the first ones, or leave them out");
    }
    if (problem.singular_term.size() > 0 && std::isinf(interval_.begin)) {
      throw InvalidProblem("singular_term: is of the begin of the interval, which is infinite");
    }
    for (const double t : problem.inside) {
      if (std::isfinite(t)) continue;
      throw InvalidProblem(fmt::format("inside: t = {:g}: must be finite", t));
    }
  }

  /// Where lengths are counted from, and the first one.
  void place(const BoundaryProblem& problem) {
    if (at_begin_ != at_end_) {
      origin_ = at_end_ ? interval_.begin : interval_.end;
    } else if (!problem.inside.empty()) {
      origin_ = 0.5 * (problem.inside.front() + problem.inside.back());
    }
    length_ = options_.truncation.value_or(default_length);
    for (const std::vector<double>* times : {&problem.inside, &given_.fixed_nodes}) {
      for (const double t : *times) {
        length_ = std::max(length_, 2 * std::abs(t - origin_));
        least_length_ = std::max(least_length_, 1.5 * std::abs(t - origin_));
      }
    }
    if (!options_.from || !options_.from->has_values() || options_.truncation) return;
    // Where it was long enough for that solution the second length is as long as it was.
    const Mesh& mesh = options_.from->mesh_of_all();
    const double there =
        std::max(at_end_ ? mesh.end() - origin_ : 0.0, at_begin_ ? origin_ - mesh.begin() : 0.0);
    if (there > 0) length_ = std::max(there / longer, least_length_);
  }

  Interval part(double length) const {
    return {at_begin_ ? origin_ - length : interval_.begin,
            at_end_ ? origin_ + length : interval_.end};
  }

  /// @param from  null: from what the options have.
  Solution solved(double length, const Solution* from) {
    ProblemFamily cut = family_;
    Options options = options_;
    const Interval interval = part(length);
    if (from != nullptr) {
      options.from = *from;
      options.guess = nullptr;
      options.intervals.reset();
      for (const int i : family_.unknown) cut.p[i] = from->parameters[i];
    }
    if (options.from) options.from = on(interval, *options.from);
    cut.member = [&family = family_, interval](const VecX& p) {
      BoundaryProblem problem = family.member(p);
      problem.interval = interval;
      return problem;
    };
    Solution solution = solve_(cut, options);
    seconds_.add_phases(solution.report.seconds);
    return solution;
  }

  static SharedCurve longer_one(const Solution& solution, const Interval& interval) {
    SharedCurve curve = shared_curve(solution);
    const Growth beyond = growth(curve.curve, curve.share);
    return lengthened(curve, interval, beyond.at_begin, beyond.at_end);
  }

  /// A solution as a guess on a longer interval, or on a part of its own.
  static Solution on(const Interval& interval, const Solution& solution) {
    const CollocationCurve& curve = solution.values().curve();
    if (!curve.has_slopes()) return solution;
    const Mesh& mesh = solution.mesh_of_all();
    const SharedCurve all_of_it = longer_one(
        solution, {std::min(interval.begin, mesh.begin()), std::max(interval.end, mesh.end())});
    std::vector<double> nodes{interval.begin};
    for (const double t : all_of_it.mesh_of_all().nodes()) {
      if (t > interval.begin && t < interval.end) nodes.push_back(t);
    }
    nodes.push_back(interval.end);
    Mesh there(std::move(nodes));
    MeshShare share = share_evenly(all_of_it.share.ranks, there);
    CollocationValues values =
        on_mesh(all_of_it.curve, all_of_it.share, there, share, curve.scheme());
    return with_curve(
        solution, SharedCurve{CollocationCurve(std::move(there), curve.scheme(), std::move(values)),
                              std::move(share)});
  }

  Solution first() {
    Solution solution = solved(length_, nullptr);
    double length = length_;
    for (int times = 0; times < most_shorter && may_be_too_long(solution); ++times) {
      length *= shorter;
      if (length < least_length_) break;
      Solution again = solved(length, nullptr);
      if (again.report.termination == Termination::stopped) return again;
      if (!again.report.usable()) continue;
      length_ = length;
      return again;
    }
    return solution;
  }

  static bool may_be_too_long(const Solution& solution) {
    const Termination ended = solution.report.termination;
    return ended == Termination::not_converged || ended == Termination::singular_matrix ||
           ended == Termination::tolerance_not_met || ended == Termination::diverged;
  }

  /// How far the solution on a longer part is from the shorter one, and from what that is beyond.
  double gap(const Solution& before, const Solution& now) const {
    const Mesh& mesh = now.mesh_of_all();
    const SharedCurve all = longer_one(before, {mesh.begin(), mesh.end()});
    SolutionSizes sizes;
    sizes.x = x_sizes();
    return difference(all.curve, all.share, now.values().curve(), now.share(), sizes).x;
  }

  ComponentSizes x_sizes() const {
    const Tolerances of_x{given_.tolerances.relative, given_.tolerances.absolute, {}, {}};
    return sizes_of(of_x, plain_tolerance(given_), nx_, 0).x;
  }

  BoundaryProblem member(const Solution& solution) const {
    VecX p = family_.p;
    for (const int i : family_.unknown) p[i] = solution.parameters[i];
    return family_.member(p);
  }

  Solution lengthen(Solution solution) {
    LengthDecay decay;
    double factor = longer, left_unsettled = 0;
    for (int lengths = 1; lengths < most_lengths; ++lengths) {
      const double next = factor * length_;
      Solution further = solved(next, &solution);
      if (further.report.termination == Termination::stopped) return further;
      if (!further.report.usable()) {
        factor = 1 + 0.5 * (factor - 1);
        if (factor > least_longer) continue;
        return not_longer(std::move(solution), next, further.report);
      }
      decay.see(length_, gap(solution, further));
      const double power = decay.power();
      const double ratio = std::pow(length_ / next, power);
      double left = decay.gap();
      if (power > 0) left *= std::min(1.0, ratio / (1 - ratio));
      length_ = next;
      solution = std::move(further);
      error_ = left;
      const double unsettled = unsettled_length(solution);
      if (left <= for_truncation() && unsettled == 0) {
        return accepted(std::move(solution));
      }
      factor = std::clamp(unsettled / length_, longer, longest);
      // Of exponential decay the power grows with the length, once that is seen at all.
      const bool is_power = decay.gap() < seen_at_all && power < 1.3 * decay.power_before() + 0.1;
      const double needed = power > 0 ? std::pow(left / for_truncation(), 1 / power) : INFINITY;
      if (decay.count() > 2 && is_power && needed > far_away && !decay.rises()) {
        return too_slow(std::move(solution), power, needed * length_, unsettled);
      }
      left_unsettled = unsettled;
    }
    return too_slow(std::move(solution), decay.power(), INFINITY, left_unsettled);
  }

  /// The length up to which what x is taken for beyond does not satisfy the equations; 0: there is
  /// none.
  double unsettled_length(const Solution& solution) const {
    const DaeProblemPtr equations = member(solution).equations;
    const CollocationCurve& curve = solution.values().curve();
    const MeshShare& share = solution.share();
    const Growth beyond_it = growth(curve, share);
    const MatX extents = share.extents(curve.values().x, MatX()).first;
    const bool has_end =
        share.first + curve.mesh().intervals() == solution.mesh_of_all().intervals();
    double most = 0;
    share.together([&] {
      for (const bool at_end : {false, true}) {
        if (!(at_end ? at_end_ && has_end : at_begin_ && share.has_begin())) continue;
        const double beyond = unsettled_beyond(*equations, curve, at_end,
                                               at_end ? beyond_it.at_end : beyond_it.at_begin,
                                               length_, x_sizes(), extents, tolerance_);
        if (beyond > 0) most = std::max(most, length_ + beyond);
      }
    });
    return share.largest(most);
  }

  double for_truncation() const { return (1 - for_meshes) * tolerance_; }

  std::string where() const {
    const Interval interval = part(length_);
    return fmt::format("[{:.6g}, {:.6g}]", interval.begin, interval.end);
  }

  /// The report of the last finite part as that of the whole.
  Solution told(Solution solution) const {
    Truncation truncation;
    truncation.at_begin = at_begin_;
    truncation.at_end = at_end_;
    truncation.error = error_;
    Growth beyond = growth(solution.values().curve(), solution.share());
    const VecX none = VecX::Zero(beyond.at_begin.size());
    truncation.growth_at_begin = at_begin_ ? std::move(beyond.at_begin) : none;
    truncation.growth_at_end = at_end_ ? std::move(beyond.at_end) : none;
    solution.truncation = std::move(truncation);
    Report& report = solution.report;
    ErrorEstimate& error = report.error;
    if (std::isfinite(error_)) error.x += error_;
    error.tolerance = tolerance_;
    error.how += fmt::format(
        "; and {:.1e} of x by truncation to {}, from what another length changed", error_, where());
    for (Choice& choice : report.choices) {
      if (choice.name != "tolerances") continue;
      choice.value = text_of(given_.tolerances, plain_tolerance(given_));
    }
    report.choices.insert(report.choices.begin(),
                          {"truncation", where(), false,
                           fmt::format("of [{:g}, {:g}]: another length changes x by {:.1e}",
                                       interval_.begin, interval_.end, error_)});
    return solution;
  }

  Solution accepted(Solution solution) const {
    solution = told(std::move(solution));
    Report& report = solution.report;
    report.message = fmt::format(
        "error estimate {:.1e} within tolerance {:.1e} on {} intervals of {}, {:.1e} of it by "
        "truncation",
        report.error.x, tolerance_, solution.mesh_of_all().intervals(), where(), error_);
    return solution;
  }

  /// @param unsettled  the length up to which x is off its equations beyond, or 0.
  Solution too_slow(Solution solution, double power, double needed, double unsettled) const {
    solution = told(std::move(solution));
    Report& report = solution.report;
    report.termination = Termination::tolerance_not_met;
    if (error_ <= for_truncation()) {
      report.message = fmt::format(
          "what x is taken for beyond {} is off its equations by more than tolerance {:.1e} as far "
          "as at a length of {:.1e}",
          where(), tolerance_, unsettled);
      report.advice =
          "a looser tolerance; or an interval that ends where the solution tends to a value or to "
          "a line";
      return solution;
    }
    const bool falls = power > 0.01;
    const std::string far =
        std::isfinite(needed) ? fmt::format(", so that a length of {:.1e} would be needed", needed)
                              : "";
    report.message = fmt::format(
        "error of truncation {:.1e} exceeds {:.1e}, its part of the tolerance {:.1e}, on {}: {}{}",
        error_, for_truncation(), tolerance_, where(),
        falls ? fmt::format("it falls like length^-{:.2g}", power) : "it does not fall", far);
    report.advice =
        falls
            ? "a looser tolerance; conditions at the end that have the decay in them, x' = -p x / "
              "t for one like t^-p; or the interval mapped onto a finite one, t = a + s / (1 - s)"
            : "a looser tolerance; or a finite interval: a solution that tends to no value, nor to "
              "a line, is cut at no length";
    return solution;
  }

  Solution not_longer(Solution solution, double next, const Report& because) {
    solution = told(std::move(solution));
    Report& report = solution.report;
    report.termination = because.termination;
    report.message =
        fmt::format("{} is as far as the interval was cut; with a length of {:.4g}: {}", where(),
                    next, because.message);
    report.advice = because.advice;
    return solution;
  }

  const ProblemFamily& family_;
  const Options& given_;
  Options options_;  ///< Of solves on finite parts.
  const SolveOnFinite& solve_;
  Interval interval_;
  bool at_begin_ = false, at_end_ = false;
  double tolerance_ = 0;
  int nx_ = 0;
  double origin_ = 0, length_ = 0, least_length_ = 0;
  double error_ = INFINITY;  ///< Of truncation, as far as it is known.
  Seconds seconds_;          ///< Of all lengths, by phase.
};

}  // namespace

Solution solve_on_infinite(const ProblemFamily& family, const Options& options,
                           const SolveOnFinite& solve) {
  return Infinite(family, options, solve).run();
}

}  // namespace daewave::bvp
