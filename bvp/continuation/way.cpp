#include "bvp/continuation/way.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bvp/nonlinear/orientation.hpp"
#include "bvp/nonlinear/solve.hpp"
#include "core/error.hpp"
#include "core/ranks/communicator.hpp"

namespace daewave::bvp {
namespace {

constexpr double open_tolerance_of_branch = 1e-6;  // Of every solve where none is given.
constexpr double loose_tolerance = 1e-4;
/// Of Newton's method on the way: a step that takes more is too long.
constexpr int newton_iterations_of_step = 12;
/// After as many that were taken again, it is given its time.
constexpr int vain_steps = 2;
/// Meshes on the way are given up early: a shorter step needs fewer intervals. The last one, to a
/// tighter tolerance than those before, takes as many as it needs.
constexpr int most_intervals_of_step = 1 << 16;

/// The largest size of the parabola through three values side by side, where its vertex is between
/// them; else of the one in the middle.
double largest_between(double left, double middle, double right) {
  const double slope = 0.5 * (right - left), bend = left - 2 * middle + right;
  if (!(std::abs(slope) < std::abs(bend))) return std::abs(middle);
  return std::abs(middle - 0.5 * slope * slope / bend);
}

/// max |x_j| over the interval. All ranks call it.
VecX largest_inside(const Solution& solution) {
  constexpr int parts =
      8;  // Of an interval: a polynomial of some degree is nearly a parabola there.
  const Mesh& mesh = solution.mesh();
  VecX times(parts * mesh.intervals() + 1);
  for (int i = 0; i < mesh.intervals(); ++i) {
    for (int m = 0; m < parts; ++m) times[i * parts + m] = mesh.node(i) + mesh.step(i) * m / parts;
  }
  times[parts * mesh.intervals()] = mesh.end();
  const MatX x = solution.x(times);
  MatX largest = solution.x_at_nodes().cwiseAbs().rowwise().maxCoeff();
  for (int c = 0; c + 1 < x.cols(); ++c) {
    if (c % parts == 0) continue;  // At a node x need not be smooth.
    for (int j = 0; j < x.rows(); ++j) {
      largest(j, 0) = std::max(largest(j, 0), largest_between(x(j, c - 1), x(j, c), x(j, c + 1)));
    }
  }
  return solution.share().extents(largest, MatX()).first.col(0);
}

}  // namespace

Way::Way(const ProblemFamily& family, const Continuation& how, const Options& options, int entry)
    : family_(family),
      how_(how),
      options_(options),
      entry_(entry),
      begin_(family.p[entry]),
      tolerance_(options.tolerance.value_or(open_tolerance_of_branch)),
      loosely_(std::max(tolerance_,
                        how.loosely.value_or(how.arclength ? tolerance_ : loose_tolerance))) {
  branch_.parameter = parameter_name(family, entry);
  for (const int i : family.unknown) branch_.unknown_names.push_back(parameter_name(family, i));
}

/// Where none is found the advice of a solve is to lead the parameter, which is being done.
void Way::advise_on_way(Report& report, double tolerance) const {
  if (report.termination != Termination::not_converged &&
      report.termination != Termination::singular_matrix) {
    return;
  }
  report.advice = tolerance < loosely_
                      ? fmt::format("a looser tolerance: to {:g} there is a solution", loosely_)
                      : "look at the last solution: a branch ends where its solutions grow without "
                        "bound or leave what f is defined for, and no step leads on from where it "
                        "meets another one";
}

Solution Way::solved(double value, const Solution* from, double tolerance) {
  ProblemFamily member = family_;
  member.p[entry_] = value;
  return solved(std::move(member), from, tolerance);
}

Solution Way::solved(ProblemFamily member, const Solution* from, double tolerance) {
  Options options = options_;
  options.tolerance = tolerance;
  options.tolerances = loosened(options_.tolerances, tolerance / tolerance_);
  if (from != nullptr) {
    for (const int i : family_.unknown) member.p[i] = from->parameters[i];
    options.from = *from;
    options.guess = nullptr;
    options.mesh.reset();
    options.intervals.reset();
    if (tolerance >= loosely_) {
      options.max_intervals = std::min(options_.max_intervals.value_or(most_intervals_of_step),
                                       std::max(1 << 12, 8 * from->mesh_of_all().intervals()));
    }
    if (!options_.newton_iterations && in_vain_ < vain_steps) {
      options.newton_iterations = newton_iterations_of_step;
    }
  }
  is_refused_ = false;
  // What functions of the caller's own throw is no refusal.
  bool caller_threw = false;
  const auto watched = [&caller_threw](auto& call) {
    if (!call) return;
    call = [&caller_threw, own = call](const auto& given) {
      try {
        return own(given);
      } catch (...) {
        caller_threw = true;
        throw;
      }
    };
  };
  watched(options.progress);
  watched(options.on_each_mesh);
  try {
    Solution solution = solve(member, options);
    seconds_.add_phases(solution.report.seconds);
    if (from != nullptr) advise_on_way(solution.report, tolerance);
    return solution;
  } catch (const RankFailed&) {
    throw;
  } catch (const Error& refusal) {
    // A step may lead to a value that the family does not have; where it begins it must.
    if (from == nullptr || caller_threw) throw;
    if (options.ranks != nullptr) agree(*options.ranks, refusal.what());
    is_refused_ = true;
    Solution none;
    none.report.termination = Termination::not_converged;
    none.report.message = refusal.what();
    none.report.advice = "end where the family has members, or state those beyond";
    return none;
  }
}

bool Way::is_on_interval_of_last(double value) const {
  VecX p = family_.p;
  p[entry_] = value;
  Interval interval;
  try {
    interval = family_.member(p).interval;
  } catch (const Error&) {
    return true;
  }
  const Mesh& mesh = branch_.last.mesh_of_all();
  return interval.begin == mesh.begin() && interval.end == mesh.end();
}

int Way::orientation(ProblemFamily family, const Solution& at) const {
  return bvp::orientation(std::move(family), options_, at);
}

VecX Way::errors_allowed(Eigen::Index nx) const {
  Tolerances of_x;
  of_x.relative = options_.tolerances.relative;
  of_x.absolute = options_.tolerances.absolute;
  const int n = static_cast<int>(nx);
  if (of_x.is_open()) return VecX::Constant(nx, tolerance_);
  return unit_of(of_x, tolerance_) * sizes_of(of_x, tolerance_, n, 0).x.absolute();
}

void Way::step_taken() {
  ++taken_;
  in_vain_ = 0;
}

void Way::step_rejected() {
  ++branch_.rejected;
  ++in_vain_;
}

void Way::step_taken_back() {
  --taken_;
  step_rejected();
}

bool Way::has_steps_left() const { return taken_ + branch_.rejected < how_.most_steps; }

bool Way::take(double value, Solution solution, bool is_fold) {
  BranchStep step;
  step.value = value;
  step.is_fold = is_fold;
  step.intervals = solution.mesh_of_all().intervals();
  step.largest = largest_inside(solution);
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
  branch_.report.message = fmt::format("stopped by the observer at {} = {:.10g}, after {} step(s)",
                                       branch_.parameter, value, taken_);
  return false;
}

bool Way::begins() {
  Solution first = solved(begin_, nullptr, loosely_);
  branch_.reached = begin_;
  if (first.report.usable()) return take(begin_, std::move(first));
  fails(first.report,
        fmt::format("no solution where the branch begins, {} = {:g}", branch_.parameter, begin_));
  advise("begin where the problem is easier, or give a better guess");
  branch_.last = std::move(first);
  return false;
}

bool Way::is_exhausted() {
  if (has_steps_left()) return false;
  branch_.report.termination = Termination::too_many_steps;
  branch_.report.message = fmt::format("{} = {:.10g} after the {} steps that were allowed",
                                       branch_.parameter, branch_.reached, how_.most_steps);
  advise("raise most_steps");
  return true;
}

bool Way::is_stopped(const Solution& solution) {
  if (solution.report.termination != Termination::stopped) return false;
  branch_.report.termination = Termination::stopped;
  branch_.report.message = fmt::format("stopped on the way from {} = {:.10g}: {}",
                                       branch_.parameter, branch_.reached, solution.report.message);
  return true;
}

void Way::reaches_end(const char* how) {
  branch_.report.termination = Termination::converged;
  std::string turned;
  for (const double fold : branch_.folds()) {
    turned += fmt::format("{}{:.10g}", turned.empty() ? "; turned at " : ", ", fold);
  }
  const std::string again =
      branch_.rejected > 0 ? fmt::format(", {} more were too long", branch_.rejected) : "";
  branch_.report.message =
      fmt::format("{} = {:g} {} in {} step(s){}{}; {}", branch_.parameter, branch_.reached, how,
                  taken_, again, turned, branch_.last.report.message);
}

void Way::fails(const Report& because, const std::string& where) {
  branch_.report.termination = because.termination;
  branch_.report.message = fmt::format("{}: {}", where, because.message);
  branch_.report.advice = because.advice;
}

void Way::fails_after_last(const Report& because, const std::string& beyond) {
  fails(because, fmt::format("{} = {:.10g} is the last that was reached, after {} step(s); {}",
                             branch_.parameter, branch_.reached, taken_, beyond));
}

Branch Way::done() {
  Report whole = branch_.last.report;
  whole.termination = branch_.report.termination;
  whole.message = std::move(branch_.report.message);
  whole.advice = std::move(branch_.report.advice);
  branch_.report = std::move(whole);
  branch_.report.seconds = seconds_;
  return std::move(branch_);
}

}  // namespace daewave::bvp
