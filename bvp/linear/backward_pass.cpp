#include "bvp/linear/backward_pass.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "bvp/linear/conditioning.hpp"
#include "core/error.hpp"
#include "core/orthogonal.hpp"
#include "core/report/stopwatch.hpp"
#include "core/stages/constraint_scan.hpp"

namespace daewave::bvp {
namespace {

/// The same DAE seen with time running back, t -> begin + end - t, from a given terminal value.
///
/// Turning the sign of B E C in the regularized equation is the same as regularizing this problem
/// as it stands; schemes that damp then damp in the direction they run.
class ReversedDae final : public LinearDae {
 public:
  ReversedDae(std::shared_ptr<const LinearDae> problem, double end, const VecX& x_end)
      : problem_(std::move(problem)) {
    interval_ = {problem_->interval().begin, end};
    nx_ = problem_->nx();
    ny_ = problem_->ny();
    name_ = problem_->name() + " backward";
    // The constraint gives ny conditions; the others fix x in the null space of C.
    MatX C(ny_, nx_);
    VecX r(ny_);
    problem_->evaluate_constraint(interval_.end, C, r);
    const MatX Q = orthogonal_factor(C.transpose());
    const MatX free = Q.rightCols(nx_ - ny_).transpose();
    boundary_ = initial_conditions(free, free * x_end);
  }

  /// Rounding may not lead out of the interval, where coefficients need not exist.
  double turned(double t) const {
    return std::clamp(interval_.begin + interval_.end - t, interval_.begin, interval_.end);
  }

 protected:
  void fill(const double* t, int count, CoefficientBatch& batch) const override {
    std::vector<double> forward(count);
    for (int i = 0; i < count; ++i) forward[i] = turned(t[i]);
    problem_->evaluate(forward.data(), count, batch);
    const int turned_sign = nx_ * nx_ + nx_ * ny_ + nx_;  // A, B and q come first.
    for (int i = 0; i < count; ++i) {
      double* const values = batch.data(i);
      for (int k = 0; k < turned_sign; ++k) values[k] = -values[k];
    }
  }

  void fill_constraint(double t, double* C, double* r) const override {
    problem_->evaluate_constraint(turned(t), Eigen::Map<MatX>(C, ny_, nx_),
                                  Eigen::Map<VecX>(r, ny_));
  }

 private:
  std::shared_ptr<const LinearDae> problem_;
};

Mesh turned(const Mesh& mesh) {
  std::vector<double> nodes(mesh.nodes().rbegin(), mesh.nodes().rend());
  for (double& node : nodes) node = mesh.begin() + mesh.end() - node;
  nodes.front() = mesh.begin();
  nodes.back() = mesh.end();
  return Mesh(std::move(nodes));
}

Mesh up_to(const Mesh& mesh, int node) {
  return Mesh({mesh.nodes().begin(), mesh.nodes().begin() + node + 1});
}

/// x moved onto the constraint at t; nothing where the constraint is singular there.
std::optional<VecX> consistent(const LinearDae& problem, double t, const VecX& x,
                               const std::optional<MatX>& along) {
  const int nx = problem.nx(), ny = problem.ny();
  MatX C(ny, nx);
  VecX r(ny);
  problem.evaluate_constraint(t, C, r);
  // In other units a constraint says the same; the squares below would see them twice.
  for (int row = 0; row < ny; ++row) {
    const double largest = C.row(row).cwiseAbs().maxCoeff();
    if (largest == 0) continue;
    C.row(row) /= largest;
    r[row] /= largest;
  }
  const MatX D = along.value_or(C.transpose());
  if (D.rows() != nx || D.cols() != ny) {
    throw InvalidOption(fmt::format("correct_along is {} x {}: must be nx x ny = {} x {}", D.rows(),
                                    D.cols(), nx, ny));
  }
  const Eigen::FullPivLU<MatX> lu(C * D);
  if (!lu.isInvertible()) {
    if (!along) return std::nullopt;
    throw InvalidOption(fmt::format(
        "correct_along: C D is singular at t = {}, so that moving along D cannot meet the "
        "constraint; leave it open or choose another direction",
        t));
  }
  return VecX(x - D * lu.solve(C * x + r));
}

/// The backward solution as a function of forward time.
std::shared_ptr<const LinearValues> turned(const LinearData& backward, const LinearData& forward,
                                           const Mesh& mesh) {
  LinearData data;
  data.problem = forward.problem;
  data.regularization = forward.regularization;
  data.reference = forward.reference;
  data.sizes = forward.sizes;
  data.iterates = backward.iterates;
  data.change = backward.change.rowwise().reverse();
  // Stages mirrored: c of the scheme run backward is 1 - c, and B turned its sign.
  data.curve = time_reversed(
      backward.curve, mesh, [](const VecX& x) { return x; }, -1);
  return std::make_shared<const LinearValues>(std::move(data));
}

}  // namespace

BackwardPass run_back(const LinearData& forward, const Waveform& By_0,
                      const BackwardControl& control, const Options& options, Report report) {
  const int last = control.from > 0 ? control.from : forward.curve.mesh().intervals();
  const Mesh mesh = up_to(forward.curve.mesh(), last);
  const double begin = mesh.begin(), end = mesh.end();
  BackwardPass pass;
  const auto ended = [&](Termination termination, std::string message, std::string advice) {
    report.termination = termination;
    report.message = std::move(message);
    report.advice = std::move(advice);
    pass.solution = Solution(nullptr, std::move(report));
    return std::move(pass);
  };
  report.intervals = mesh.intervals();
  report.smallest_step = mesh.smallest_step();
  report.largest_step = mesh.largest_step();
  const std::optional<VecX> x_end =
      consistent(*forward.problem, end, forward.curve.values().x.col(last), control.correct_along);
  if (!x_end) {
    return ended(
        Termination::refused,
        fmt::format("the constraint is singular at t = {:g}, where the way back begins", end),
        "an interval that ends elsewhere");
  }
  const auto reversed = std::make_shared<const ReversedDae>(forward.problem, end, *x_end);
  report.problem = reversed->name();

  const Serial serial;
  const Executor& executor = options.executor != nullptr ? *options.executor : serial;
  ConstraintScan seen;
  seen.reference = forward.reference;
  const Stopwatch watch;
  const Discretization discretization(
      *reversed,
      {turned(mesh), forward.curve.scheme(), forward.regularization, SingularHandling::automatic},
      seen, executor, options.progress);
  report.seconds.condense += watch.seconds();
  if (!discretization.failure().empty()) {
    return ended(discretization.termination(), discretization.failure(), "");
  }
  report.singular_points = discretization.singular_points();
  ModeGrowth growth = mode_growth(discretization.matrix());
  const double amplification =
      growth.largest < 700 ? std::exp(growth.largest) : std::numeric_limits<double>::infinity();
  if (!(amplification <= control.most_amplification)) {
    return ended(
        Termination::refused,
        fmt::format("the terminal value problem amplifies errors by 10^{:.1f} on the way back from "
                    "t = {:g} to {:g} (limit {:.0e})",
                    growth.largest / std::log(10.0), end, begin, control.most_amplification),
        "the underlying ODE is not stable backward; use a smaller epsilon instead, or alpha1 = 1 "
        "where C B is regular");
  }
  pass.growth.resize(growth.along.size());
  for (std::size_t i = 0; i < growth.along.size(); ++i) {
    pass.growth[i] = growth.along.back() - growth.along[growth.along.size() - 1 - i];
  }
  SweepControl sweeps = control.sweeps;
  sweeps.watch_from = begin + end - control.watched_up_to;
  const Waveform turned_By_0 = Waveform::function(
      [&](double t) -> VecX { return -By_0(reversed->turned(t), forward.problem->nx()); });
  Solution backward =
      Sweeps(reversed, discretization, options).run(turned_By_0, sweeps, std::move(report));
  // Told in forward time; the layer of this pass lies at the end and is known not to matter.
  backward.report.parasitic_growth = 1;
  backward.report.warnings.clear();
  backward.report.advice.clear();
  for (IterateReport& iterate : backward.report.history) {
    iterate.change_at = begin + end - iterate.change_at;
  }
  std::reverse(backward.report.singular_points.begin(), backward.report.singular_points.end());
  for (SingularPoint& point : backward.report.singular_points) point.t = begin + end - point.t;
  pass.solution = backward.has_values() ? Solution(turned(linear_data(backward), forward, mesh),
                                                   std::move(backward.report))
                                        : std::move(backward);
  return pass;
}

}  // namespace daewave::bvp
