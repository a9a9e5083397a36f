#include "large/flow/pressure_correction.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "core/report/stopwatch.hpp"
#include "sparse/run_report.hpp"
#include "sparse/steady.hpp"

namespace daewave::flow {
namespace {

using sparse::CheckedSolve;
using sparse::Solution;
using sparse::SparseMatrix;

class Stepper {
 public:
  Stepper(const FlowProblem& problem, Projection form, const VecX& start, double t)
      : problem_(problem), form_(form), x_(start), before_(start), p_(VecX::Zero(problem.ny())) {
    problem_.e(start, t, e_);
    e_before_ = e_;
    problem_.G(start, t, G_);
    B_ = G_.transpose();
    // The constant of the pressure: one cell is held.
    SparseMatrix poisson = G_ * B_;
    poisson.coeffRef(0, 0) *= 2;
    failure_ = poisson_.factorize(poisson);
  }

  std::string advance(double t, double h) {
    if (!failure_.empty()) return failure_;
    const bool first = steps_ == 0;
    const double beta = (first ? 1 : 1.5) / h;
    if (beta != beta_) {
      SparseMatrix jacobian;
      problem_.f_jacobian(x_, t, jacobian);
      failure_ = momentum_.factorize(beta * problem_.M() - jacobian);
      if (!failure_.empty()) return failure_;
      beta_ = beta;
    }
    // f at u = 0 is what the boundary gives.
    problem_.f(VecX::Zero(problem_.nx()), t + h, right_);
    right_ +=
        first ? VecX(x_ / h + e_) : VecX((2 / h) * x_ - (0.5 / h) * before_ + 2 * e_ - e_before_);
    if (form_ == Projection::rotational) right_ -= B_ * p_;
    momentum_.solve(right_, u_);
    problem_.g(u_, t + h, g_);
    poisson_.solve(beta * g_, phi_);
    u_ -= (B_ * phi_) / beta;
    if (!u_.allFinite()) return fmt::format("a number that is not finite at t = {:.6g}", t + h);
    before_.swap(x_);
    x_.swap(u_);
    e_before_.swap(e_);
    problem_.e(x_, t + h, e_);
    // G is minus the divergence.
    if (form_ == Projection::rotational) {
      p_ += phi_ + problem_.flow().viscosity * g_;
    } else {
      p_ = phi_;
    }
    problem_.g(x_, t + h, g_);
    drift_ = largest_size(g_);
    ++steps_;
    return {};
  }

  const VecX& x() const { return x_; }
  const VecX& p() const { return p_; }
  double drift() const { return drift_; }
  double moved() const { return largest_size(x_ - before_); }

  void tell(Solution& solution) const {
    Report& report = solution.report;
    momentum_.tell(report.linear_solve);
    LinearSolveReport poisson;
    poisson_.tell(poisson);
    report.linear_solve.analyses += poisson.analyses;
    report.linear_solve.factorizations += poisson.factorizations;
    report.linear_solve.solves += poisson.solves;
    report.linear_solve.worst_residual =
        larger(report.linear_solve.worst_residual, poisson.worst_residual);
    report.seconds.factorize = momentum_.factorize_seconds() + poisson_.factorize_seconds();
    report.seconds.solve = momentum_.solve_seconds() + poisson_.solve_seconds();
    solution.matrix_entries = static_cast<double>(momentum_.matrix().nonZeros()) +
                              static_cast<double>(poisson_.matrix().nonZeros());
    solution.factor_entries = momentum_.factors().entries() + poisson_.factors().entries();
    solution.bytes =
        momentum_.factors().bytes() + poisson_.factors().bytes() + 12 * solution.matrix_entries;
  }

 private:
  const FlowProblem& problem_;
  Projection form_;
  SparseMatrix G_, B_;
  CheckedSolve momentum_{sparse::cholesky()}, poisson_{sparse::cholesky()};
  VecX x_, before_, p_, e_, e_before_, right_, u_, g_, phi_;
  double beta_ = 0, drift_ = 0;
  long steps_ = 0;
  std::string failure_;
};

}  // namespace

Solution solve_by_projection(const FlowProblem& problem, const VecX& start,
                             const Interval& interval, const sparse::Options& options,
                             Projection form) {
  sparse::check(options, interval);
  if (!problem.has_explicit()) {
    throw InvalidOption("projection: convection is extrapolated; leave implicit convection out");
  }
  const Stopwatch watch;
  const sparse::ConsistentStart from = sparse::consistent_start(problem, start, interval.begin);
  const auto steps =
      static_cast<long>(std::max(1.0, std::ceil(interval.length() / options.h - 1e-9)));
  const double h = interval.length() / static_cast<double>(steps);
  Solution solution;
  solution.t = interval.begin;
  solution.report.termination = Termination::converged;
  solution.report.choices.push_back(
      {"method", form == Projection::rotational ? "projection" : "projection (Chorin)", true, ""});
  sparse::tell_step(solution.report, options, h);
  sparse::SteadyWatch steady(options.steady);
  Stepper stepper(problem, form, from.x, interval.begin);
  for (long n = 1; n <= steps; ++n) {
    const double t = interval.begin + h * static_cast<double>(n - 1);
    if (const std::string failure = stepper.advance(t, h); !failure.empty()) {
      solution.report.termination = Termination::diverged;
      solution.report.message = failure;
      solution.report.advice = problem.advice(h);
      break;
    }
    solution.t = n == steps ? interval.end : t + h;
    solution.times.push_back(solution.t);
    solution.rates.push_back(stepper.moved() / h);
    solution.drifts.push_back({stepper.drift()});
    solution.steady = steady.reached(solution.rates.back(), solution.t - interval.begin,
                                     largest_size(stepper.x()));
    const bool last = n == steps || solution.steady;
    if (options.sink && (last || (options.every > 0 && n % options.every == 0))) {
      options.sink(solution.t, stepper.x(), stepper.p());
    }
    if (solution.steady) break;
    if (options.progress &&
        !options.progress({solution.t, n, steps, solution.rates.back(), stepper.drift()})) {
      solution.report.termination = Termination::stopped;
      solution.report.message = fmt::format("stopped at t = {:.6g}", solution.t);
      break;
    }
  }
  solution.x = stepper.x();
  solution.y = stepper.p();
  stepper.tell(solution);
  sparse::tell_run(problem, interval, options, from, h, solution);
  solution.report.seconds.total = watch.seconds();
  return solution;
}

}  // namespace daewave::flow
