#include "bvp/continuation/follow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bvp/continuation/predicted.hpp"
#include "bvp/nonlinear/solve.hpp"
#include "core/error.hpp"
#include "core/report/stopwatch.hpp"

namespace daewave::bvp {
namespace {

constexpr double open_tolerance = 1e-6;  // Of every solve where none is given.
constexpr double loose_tolerance = 1e-4;
/// Of Newton's method on the way: a step that takes more is too long.
constexpr int newton_iterations = 12;
/// After as many that were taken again, solutions on the way are made less loose.
constexpr int vain_steps = 2;
constexpr double longer = 1.6, shorter = 0.4;
/// Shorter steps than this part of the way are given up.
constexpr double least_step = 1e-3;
/// Meshes are given up early: a shorter step needs fewer intervals.
constexpr int most_intervals = 1 << 16;
constexpr double ten = 10;

int entry_of(const ProblemFamily& family, const Continuation& how) {
  check(family);
  if (how.parameter.empty() && family.p.size() != 1) {
    throw InvalidOption(fmt::format("parameter: the family has {}; name one", family.p.size()));
  }
  const int k = how.parameter.empty() ? 0 : parameter_named(family, how.parameter);
  if (std::find(family.unknown.begin(), family.unknown.end(), k) != family.unknown.end()) {
    throw InvalidOption(
        fmt::format("parameter {}: is unknown in the family, so it has no value to "
                    "be led to; leave it out of `unknown`",
                    parameter_name(family, k)));
  }
  return k;
}

void check(const ProblemFamily& family, int k, const Continuation& how) {
  const auto positive = [](const char* name, const std::optional<double>& value) {
    if (value && !(*value > 0 && std::isfinite(*value))) {
      throw InvalidOption(fmt::format("{} = {:g}: must be > 0 and finite", name, *value));
    }
  };
  positive("first_step", how.first_step);
  positive("loosely", how.loosely);
  if (how.most_steps < 1) {
    throw InvalidOption(fmt::format("most_steps = {}: must be >= 1", how.most_steps));
  }
  const std::string name = parameter_name(family, k);
  if (!std::isfinite(how.to) || how.to == family.p[k]) {
    throw InvalidOption(
        fmt::format("to = {:g}: must be finite and another value than {} = {:g}, "
                    "where the branch begins",
                    how.to, name, family.p[k]));
  }
  if (how.geometric.value_or(false) && how.arclength) {
    throw InvalidOption("geometric: steps by arclength have a length of their own; leave it out");
  }
  if (how.geometric.value_or(false) && !(how.to * family.p[k] > 0)) {
    throw InvalidOption(
        fmt::format("geometric: {} goes from {:g} to {:g}; both must be of one sign", name,
                    family.p[k], how.to));
  }
}

class Follower {
 public:
  Follower(const ProblemFamily& family, const Continuation& how, const Options& options)
      : family_(family), how_(how), options_(options), k_(entry_of(family, how)) {
    check(family, k_, how);
    begin_ = family.p[k_];
    const bool tenfold =
        how.to * begin_ > 0 && std::abs(std::log(how.to / begin_)) >= 0.999 * std::log(ten);
    geometric_ = how.geometric.value_or(!how.arclength && tenfold);
    tolerance_ = options.tolerance.value_or(open_tolerance);
    loosely_ =
        std::max(tolerance_, how.loosely.value_or(how.arclength ? tolerance_ : loose_tolerance));
    branch_.parameter = parameter_name(family, k_);
    for (const int i : family.unknown) branch_.unknown_names.push_back(parameter_name(family, i));
  }

  Branch run() {
    const Stopwatch watch;
    Solution first = solved(begin_, nullptr, loosely_);
    branch_.reached = begin_;
    if (!first.report.usable()) {
      fails(first.report, fmt::format("no solution where the branch begins, {} = {:g}",
                                      branch_.parameter, begin_));
      branch_.report.advice = "begin where the problem is easier, or give a better guess";
      branch_.last = std::move(first);
    } else if (take(begin_, std::move(first), false)) {
      how_.arclength ? by_arclength() : by_parameter();
    }
    Report whole = branch_.last.report;
    whole.termination = branch_.report.termination;
    whole.message = std::move(branch_.report.message);
    whole.advice = std::move(branch_.report.advice);
    branch_.report = std::move(whole);
    branch_.report.seconds.total = watch.seconds();
    return std::move(branch_);
  }

 private:
  /// The member of a value. @param from  null: from the guess of the problem.
  Solution solved(double value, const Solution* from, double tolerance) {
    ProblemFamily member = family_;
    member.p[k_] = value;
    return solved(std::move(member), from, tolerance);
  }

  Solution solved(ProblemFamily member, const Solution* from, double tolerance) {
    Options options = options_;
    options.tolerance = tolerance;
    if (from != nullptr) {
      for (const int i : family_.unknown) member.p[i] = from->parameters[i];
      options.from = *from;
      options.guess = nullptr;
      options.mesh.reset();
      options.intervals.reset();
      options.max_intervals = std::min(options_.max_intervals.value_or(most_intervals),
                                       std::max(1 << 12, 8 * from->mesh().intervals()));
      if (!options_.newton_iterations && in_vain_ < 2)
        options.newton_iterations = newton_iterations;
    }
    try {
      return solve(member, options);
    } catch (const Error& refusal) {
      // A step may lead to a value that the family does not have; where it begins it must.
      if (from == nullptr) throw;
      Solution none;
      none.report.termination = Termination::not_converged;
      none.report.message = refusal.what();
      return none;
    }
  }

  /// Adds a solution. @return false where the observer stops.
  bool take(double value, Solution solution, bool is_fold) {
    BranchStep step;
    step.value = value;
    step.is_fold = is_fold;
    step.intervals = solution.mesh().intervals();
    step.largest = solution.x_at_nodes().cwiseAbs().rowwise().maxCoeff();
    step.unknowns.resize(static_cast<Eigen::Index>(family_.unknown.size()));
    for (int i = 0; i < step.unknowns.size(); ++i) {
      step.unknowns[i] = solution.parameters[family_.unknown[static_cast<std::size_t>(i)]];
    }
    branch_.steps.push_back(std::move(step));
    const bool goes_on = !how_.observer || how_.observer({value, is_fold, solution});
    if (!is_fold) {
      branch_.last = std::move(solution);
      branch_.reached = value;
    }
    if (goes_on) return true;
    branch_.report.termination = Termination::stopped;
    branch_.report.message =
        fmt::format("stopped by the observer at {} = {:.10g}, after {} step(s)", branch_.parameter,
                    value, taken_);
    return false;
  }

  void fails(const Report& because, const std::string& where) {
    branch_.report.termination = because.termination == Termination::converged
                                     ? Termination::step_too_small
                                     : because.termination;
    branch_.report.message = fmt::format("{}: {}", where, because.message);
    branch_.report.advice = because.advice;
  }

  void reaches_end(const char* how) {
    const auto folds = branch_.folds();
    branch_.report.termination = Termination::converged;
    std::string turned;
    for (const double fold : folds) {
      turned += fmt::format("{}{:.10g}", turned.empty() ? "; turned at " : ", ", fold);
    }
    const std::string again =
        branch_.rejected > 0 ? fmt::format(", {} more were too long", branch_.rejected) : "";
    branch_.report.message =
        fmt::format("{} = {:g} {} in {} step(s){}{}; {}", branch_.parameter, branch_.reached, how,
                    taken_, again, turned, branch_.last.report.message);
  }

  bool is_exhausted() {
    if (taken_ + branch_.rejected < how_.most_steps) return false;
    branch_.report.termination = Termination::too_many_steps;
    branch_.report.message = fmt::format("{} = {:.10g} after the {} steps that were allowed",
                                         branch_.parameter, branch_.reached, how_.most_steps);
    branch_.report.advice = "raise most_steps";
    return true;
  }

  bool is_stopped(const Solution& solution) {
    if (solution.report.termination != Termination::stopped) return false;
    branch_.report.termination = Termination::stopped;
    branch_.report.message =
        fmt::format("stopped on the way from {} = {:.10g}: {}", branch_.parameter, branch_.reached,
                    solution.report.message);
    return true;
  }

  double value_at(double part) const {
    if (part >= 1) return how_.to;
    return geometric_ ? begin_ * std::pow(how_.to / begin_, part)
                      : begin_ + part * (how_.to - begin_);
  }

  void by_parameter() {
    const double way =
        geometric_ ? std::abs(std::log(how_.to / begin_)) : std::abs(how_.to - begin_);
    double step = how_.first_step ? *how_.first_step / way
                  : geometric_    ? std::log(ten) / way
                                  : 0.25;
    double part = 0, before_part = 0;
    Solution before;
    bool grows = true;
    while (true) {
      if (is_exhausted()) return;
      // No last step that is a sliver.
      const double left = 1 - part;
      const double next = step >= 0.99 * left ? 1
                          : step > 0.6 * left ? part + left / 2
                                              : part + step;
      // Layers that become thinner are not where a line through two of them is.
      const bool on_line = before.has_values() && !geometric_;
      const Solution from =
          on_line ? predicted(before, branch_.last, (next - part) / (part - before_part))
                  : branch_.last;
      Solution solution = solved(value_at(next), &from, next == 1 ? tolerance_ : loosely_);
      if (is_stopped(solution)) return;
      const double speed = speed_of(solution, next - part);
      if (!solution.report.usable() || leaps(solution, speed)) {
        step = shorter * (next - part);
        grows = false;
        ++branch_.rejected;
        ++in_vain_;
        if (step >= least_step) continue;
        fails(solution.report,
              fmt::format("{} = {:.10g} is the last that was reached, after {} "
                          "step(s); at {:.10g}",
                          branch_.parameter, branch_.reached, taken_, value_at(next)));
        branch_.report.advice =
            "where a branch turns or ends no step is short enough: arclength = true follows it "
            "around a fold";
        return;
      }
      ++taken_;
      in_vain_ = 0;
      last_speed_ = speed;
      before = branch_.last;
      before_part = part;
      step = grows ? longer * (next - part) : next - part;
      grows = true;
      part = next;
      if (!take(value_at(part), std::move(solution), false)) return;
      if (part == 1) return reaches_end("reached");
    }
  }

  /// How far a solution is from the last one, for the part of the way between them.
  double speed_of(const Solution& solution, double part) const {
    if (!solution.report.usable()) return 0;
    const Solution& last = branch_.last;
    if (solution.mesh().begin() != last.mesh().begin() ||
        solution.mesh().end() != last.mesh().end()) {
      return 0;
    }
    return std::sqrt(product(solution, last, solution, last, sizes_of(last))) / part;
  }

  /// Much further than the steps before let expect, it is likely to be one of another branch.
  bool leaps(Solution& solution, double speed) const {
    constexpr double suddenly = 10;
    if (last_speed_ == 0 || speed <= suddenly * last_speed_) return false;
    solution.report.termination = Termination::step_too_small;
    solution.report.message =
        "what is found there is far from the last one, as if on another branch";
    return true;
  }

  /// Loose solutions may lead nowhere: the last one again, less so.
  bool tighten() {
    constexpr double part = 0.03;
    if (loosely_ <= tolerance_) return false;
    loosely_ = std::max(tolerance_, part * loosely_);
    Solution again = solved(branch_.reached, &branch_.last, loosely_);
    if (!again.report.usable()) return false;
    branch_.last = std::move(again);
    in_vain_ = 0;
    return true;
  }

  // By arclength.

  double range() const { return std::abs(how_.to - begin_); }
  double value_of(const Solution& solution) const { return solution.parameters[k_]; }
  double product_of(const Solution& a, const Solution& b, const Solution& c, const Solution& d,
                    const VecX& sizes) const {
    return product(a, b, c, d, sizes) +
           (value_of(a) - value_of(b)) / range() * ((value_of(c) - value_of(d)) / range());
  }

  /// The solution on the plane through `guess` across the secant from a to b, the parameter
  /// unknown.
  Solution on_plane(const Solution& guess, const Solution& a, const Solution& b, const VecX& sizes,
                    double tolerance) {
    const double length = std::sqrt(product_of(b, a, b, a, sizes));
    const double of_value = (value_of(b) - value_of(a)) / (range() * range() * length);
    const VecX weights =
        sizes.cwiseAbs2().cwiseInverse() / (static_cast<double>(sizes.size()) * length);
    ProblemFamily plane = family_;
    plane.p[k_] = value_of(guess);
    plane.unknown.push_back(k_);
    plane.member = [this, guess, a, b, of_value, weights](const VecX& p) {
      BoundaryProblem problem = family_.member(p);
      const auto integrand = problem.integrand;
      const auto further = problem.further_conditions;
      const double off = of_value * (p[k_] - value_of(guess));
      const double interval = problem.interval.length();
      problem.integrand = [=](const VecX& x, double t) {
        const VecX secant = (b.x(t) - a.x(t)).cwiseProduct(weights);
        const double here = (x - guess.x(t)).dot(secant) / interval;
        if (!integrand) return VecX{{here}};
        const VecX others = integrand(x, t);
        VecX all(others.size() + 1);
        all << others, here;
        return all;
      };
      problem.further_conditions = [=](const Observed& of) {
        const Eigen::Index last = of.integrals.size() - 1;
        const double on = of.integrals[last] + off;
        if (!further) return VecX{{on}};
        Observed without = of;
        without.integrals.conservativeResize(last);
        const VecX others = further(without);
        VecX all(others.size() + 1);
        all << others, on;
        return all;
      };
      return problem;
    };
    return solved(std::move(plane), &guess, tolerance);
  }

  void check_interval(double value) const {
    ProblemFamily member = family_;
    member.p[k_] = value;
    const Interval interval = member.member(member.p).interval;
    const Mesh& mesh = branch_.last.mesh();
    if (interval.begin == mesh.begin() && interval.end == mesh.end()) return;
    throw InvalidOption(
        fmt::format("arclength: the interval depends on {0}, so that it cannot be unknown; leave "
                    "arclength out, or state the problem on [0, 1] with {0} in its equations",
                    branch_.parameter));
  }

  void by_arclength() {
    Solution before = branch_.last;
    // A first step by the parameter gives the direction.
    double first = how_.first_step ? std::min(0.5, *how_.first_step / range()) : 0.02;
    check_interval(begin_ + first * (how_.to - begin_));
    while (true) {
      if (is_exhausted()) return;
      const double value = begin_ + first * (how_.to - begin_);
      Solution solution = solved(value, &before, loosely_);
      if (is_stopped(solution)) return;
      if (solution.report.usable()) {
        ++taken_;
        in_vain_ = 0;
        if (!take(value, std::move(solution), false)) return;
        break;
      }
      ++branch_.rejected;
      ++in_vain_;
      first *= 0.1;
      if (first < least_step) {
        return fails(solution.report, fmt::format("no solution beside {} = {:g}, at {:.10g}",
                                                  branch_.parameter, begin_, value));
      }
    }
    double step = 0;  // 0: as long as the last.
    while (true) {
      if (is_exhausted()) return;
      const VecX sizes = sizes_of(branch_.last);
      const double last_length =
          std::sqrt(product_of(branch_.last, before, branch_.last, before, sizes));
      if (step == 0) step = longer * last_length;
      const Solution guess = predicted(before, branch_.last, step / last_length);
      Solution next = on_plane(guess, before, branch_.last, sizes, loosely_);
      if (is_stopped(next)) return;
      double cosine = -1;
      if (next.report.usable()) {
        const double ahead = product_of(next, branch_.last, next, branch_.last, sizes);
        cosine = product_of(next, branch_.last, branch_.last, before, sizes) /
                 (std::sqrt(ahead) * last_length);
      }
      constexpr double too_curved = 0.8, straight = 0.98, curved = 0.94;
      if (!(cosine > too_curved)) {
        ++branch_.rejected;
        ++in_vain_;
        step *= shorter;
        if (step >= least_step) continue;
        return fails(next.report,
                     fmt::format("{} = {:.10g} is the last that was reached, after {} step(s); "
                                 "beyond it",
                                 branch_.parameter, branch_.reached, taken_));
      }
      ++taken_;
      in_vain_ = 0;
      if (is_outside(value_of(next))) return ends_at_border(next);
      const bool turns =
          (value_of(next) - value_of(branch_.last)) * (value_of(branch_.last) - value_of(before)) <
          0;
      if (turns && !find_fold(before, branch_.last, next, sizes)) return;
      before = branch_.last;
      const double value = value_of(next);
      if (!take(value, std::move(next), false)) return;
      step *= cosine > straight ? longer : cosine > curved ? 1 : 0.6;
      step = std::min(step, longest_step);
    }
  }

  bool is_outside(double value) const {
    return (value - how_.to) * (how_.to - begin_) >= 0 ||
           (value - begin_) * (how_.to - begin_) <= 0;
  }

  /// The parameter passes an end of its range between the last solution and the next.
  void ends_at_border(const Solution& next) {
    const bool at_end = (value_of(next) - how_.to) * (how_.to - begin_) >= 0;
    const double value = at_end ? how_.to : begin_;
    const double way = value_of(next) - value_of(branch_.last);
    const Solution guess =
        predicted(branch_.last, next, (value - value_of(next)) / (way == 0 ? 1 : way));
    Solution last = solved(value, &guess, tolerance_);
    if (is_stopped(last)) return;
    if (!last.report.usable()) {
      return fails(last.report, fmt::format("{} = {:.10g} is the last that was reached, after {} "
                                            "step(s); at {:.10g}",
                                            branch_.parameter, branch_.reached, taken_, value));
    }
    if (take(value, std::move(last), false)) {
      reaches_end(at_end ? "reached"
                         : "where it began reached again, on another part of the branch,");
    }
  }

  /// Where the parameter is largest or least between three solutions: vertices of parabolas over
  /// the length along their secant. @return false where the observer stops.
  bool find_fold(const Solution& before, const Solution& last, const Solution& next,
                 const VecX& sizes) {
    constexpr int most = 6;
    const double length = std::sqrt(product_of(next, before, next, before, sizes));
    struct Place {
      double s, value;
    };
    const auto place_of = [&](const Solution& solution) {
      return Place{product_of(solution, last, next, before, sizes) / length, value_of(solution)};
    };
    std::array<Place, 3> places{place_of(before), {0, value_of(last)}, place_of(next)};
    Solution fold;
    for (int i = 0; i < most; ++i) {
      const auto [a, b, c] = places;
      const double left = (b.value - a.value) / (b.s - a.s),
                   right = (c.value - b.value) / (c.s - b.s);
      const double bend = (right - left) / (c.s - a.s);
      const double s = 0.5 * (a.s + b.s) - 0.5 * left / bend;
      if (!(s > a.s && s < c.s) || std::abs(s - b.s) < 1e-6 * length) break;
      const Solution& beside = s > 0 ? next : before;
      const Solution guess = predicted(beside, last, -s / place_of(beside).s);
      Solution found = on_plane(guess, before, next, sizes, tolerance_);
      if (!found.report.usable()) break;
      const Place at = place_of(found);
      const bool is_beyond = (at.value - b.value) * bend <= 0;
      const double change = std::abs(at.value - b.value);
      if (is_beyond) {
        fold = std::move(found);
        places = at.s < b.s ? std::array{a, at, b} : std::array{b, at, c};
      } else {
        places = at.s < b.s ? std::array{at, b, c} : std::array{a, b, at};
      }
      if (change <= 0.1 * tolerance_ * (std::abs(at.value) + range())) break;
    }
    if (!fold.has_values()) fold = last;
    const double at = value_of(fold);
    return take(at, std::move(fold), true);
  }

  static constexpr double longest_step = 0.5;

  const ProblemFamily& family_;
  const Continuation& how_;
  const Options& options_;
  int k_;
  double begin_ = 0, tolerance_, loosely_;
  bool geometric_ = false;
  double last_speed_ = 0;        ///< Of the last step that was taken; 0: not known.
  int taken_ = 0, in_vain_ = 0;  ///< in_vain_: steps rejected since the last one taken.
  Branch branch_;
};

}  // namespace

Branch follow(const ProblemFamily& family, const Continuation& how, const Options& options) {
  return Follower(family, how, options).run();
}

}  // namespace daewave::bvp
