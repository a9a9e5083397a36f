#include "bvp/linear/shooting_back.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>

#include "bvp/linear/conditioning.hpp"
#include "bvp/linear/linear_values.hpp"
#include "bvp/linear/sweeps.hpp"
#include "core/error.hpp"
#include "core/orthogonal.hpp"
#include "core/report/stopwatch.hpp"
#include "core/stages/constraint_scan.hpp"

namespace daewave::bvp {
namespace {

constexpr double default_max_amplification = 1e6;

/// The same DAE seen with time running back, t -> begin + end - t, from a given terminal value.
///
/// Turning the sign of B E C in the regularized equation is the same as regularizing this problem
/// as it stands; schemes that damp then damp in the direction they run.
class ReversedDae final : public LinearDae {
 public:
  ReversedDae(std::shared_ptr<const LinearDae> problem, const VecX& x_end)
      : problem_(std::move(problem)) {
    interval_ = problem_->interval();
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

VecX consistent(const LinearDae& problem, const VecX& x, const std::optional<MatX>& along) {
  const int nx = problem.nx(), ny = problem.ny();
  MatX C(ny, nx);
  VecX r(ny);
  problem.evaluate_constraint(problem.interval().end, C, r);
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
    throw InvalidOption(fmt::format(
        "correct_along: C D is singular at t = {}, so that moving along D cannot meet the "
        "constraint; leave it open or choose another direction",
        problem.interval().end));
  }
  return x - D * lu.solve(C * x + r);
}

/// The backward solution as a function of forward time.
std::shared_ptr<const LinearValues> turned(const Solution& backward, const LinearData& forward) {
  LinearData data = forward;
  // Stages mirrored: c of the scheme run backward is 1 - c, and B turned its sign.
  data.curve = time_reversed(
      backward.values().curve(), forward.curve.mesh(), [](const VecX& x) { return x; }, -1);
  return std::make_shared<const LinearValues>(std::move(data));
}

/// B y of the backward pass in the first quarter of the interval, of the forward solve in the last,
/// and a mixture of both, accurate there, between.
Waveform blended(const Solution& forward, const Solution& backward) {
  const double begin = forward.mesh().begin(), length = forward.mesh().end() - begin;
  return Waveform::function([early = backward.waveform(), late = forward.waveform(), begin, length,
                             nx = forward.nx()](double t) -> VecX {
    const double weight = std::clamp(2 * (t - begin) / length - 0.5, 0.0, 1.0);
    if (weight == 0) return early(t, nx);
    if (weight == 1) return late(t, nx);
    return (1 - weight) * early(t, nx) + weight * late(t, nx);
  });
}

}  // namespace

Solution shoot_back(const Solution& forward, const Options& options,
                    const ShootingBackOptions& shooting) {
  check(options);
  refuse_nonlinear_options(options);
  if (!forward.has_values()) {
    throw InvalidOption("shooting back from a solution without values: " + forward.report.brief());
  }
  const LinearData& data = linear_data(forward);
  if (data.regularization.alpha1 != 0) {
    throw InvalidOption(fmt::format(
        "shooting back from a solution with alpha1 = {}: there is no initial layer to repair, use "
        "the solution as it is",
        data.regularization.alpha1));
  }
  const Stopwatch watch;
  const LinearDae& problem = *data.problem;
  const VecX x_end =
      consistent(problem, data.curve.values().x.rightCols(1), shooting.correct_along);
  // The last stage, as the paper's numbers have it: a value the equations were satisfied with.
  const VecX By_end = data.curve.values().carried.rightCols(1);
  const auto reversed = std::make_shared<const ReversedDae>(data.problem, x_end);
  const ConstraintScan scan = scan_constraint(*reversed);

  Report report;
  report.problem = reversed->name();
  report.nx = problem.nx();
  report.ny = problem.ny();
  const std::string same = "as in the forward solve";
  report.choices = {
      {"scheme", name_of(data.curve.scheme().scheme), false, same},
      {"stages", fmt::format("{}", data.curve.scheme().stages), false, same},
      {"epsilon", fmt::format("{:g}, B E C with its sign turned", data.regularization.epsilon),
       false, same},
      {"iterates", fmt::format("{}", data.iterates), false, same},
      {"terminal value",
       shooting.correct_along ? "made consistent along the given direction"
                              : "made consistent by the shortest correction",
       shooting.correct_along.has_value(),
       "x of the forward solve misses the constraint slightly"}};
  const auto ended = [&](Termination termination, std::string message, std::string advice) {
    report.termination = termination;
    report.message = std::move(message);
    report.advice = std::move(advice);
    report.seconds.total = watch.seconds();
    return Solution(nullptr, report);
  };

  const Serial serial;
  const Executor& executor = options.executor != nullptr ? *options.executor : serial;
  const Discretization discretization(*reversed,
                                      {turned(data.curve.mesh()), data.curve.scheme(),
                                       data.regularization, SingularHandling::automatic},
                                      scan, executor, options.progress);
  if (!discretization.failure().empty()) {
    return ended(discretization.termination(), discretization.failure(), "");
  }
  report.singular_points = discretization.singular_points();
  report.intervals = data.curve.mesh().intervals();
  report.smallest_step = data.curve.mesh().smallest_step();
  report.largest_step = data.curve.mesh().largest_step();
  const double logarithm = mode_growth(discretization.matrix()).largest;
  const double amplification =
      logarithm < 700 ? std::exp(logarithm) : std::numeric_limits<double>::infinity();
  const double most = options.max_amplification.value_or(default_max_amplification);
  if (!(amplification <= most)) {
    return ended(
        Termination::refused,
        fmt::format(
            "the terminal value problem amplifies errors by 10^{:.1f} on the way back from t "
            "= {:g} to {:g} (limit {:.0e})",
            logarithm / std::log(10.0), problem.interval().end, problem.interval().begin, most),
        "the underlying ODE is not stable backward; use a smaller epsilon instead, or alpha1 = 1 "
        "where C B is regular");
  }
  const Waveform By_0 = Waveform::constant(-By_end);
  Solution backward =
      run_sweeps(reversed, discretization, By_0, options,
                 {data.iterates, 0, false, options.conditioning.value_or(true)}, std::move(report));
  backward.report.parasitic_growth = 1;
  backward.report.seconds.total = watch.seconds();
  // Told in forward time; the layer of this pass lies at the end and is known not to matter.
  backward.report.warnings.clear();
  backward.report.advice.clear();
  const double ends = problem.interval().begin + problem.interval().end;
  for (IterateReport& iterate : backward.report.history) {
    iterate.change_at = ends - iterate.change_at;
  }
  for (SingularPoint& point : backward.report.singular_points) point.t = ends - point.t;
  if (!backward.has_values()) return backward;
  Solution in_forward_time(turned(backward, data), std::move(backward.report));
  in_forward_time.fixed_nodes = forward.fixed_nodes;
  return in_forward_time;
}

ShootingBack solve_with_shooting_back(std::shared_ptr<const LinearDae> problem, Options options,
                                      const ShootingBackOptions& shooting) {
  if (!options.alpha1) options.alpha1 = 0;
  ShootingBack result;
  result.forward = solve(problem, options);
  if (!result.forward.has_values()) return result;
  result.backward = shoot_back(result.forward, options, shooting);
  if (!result.backward.report.usable()) {
    result.redone.report.message = "not run: the backward pass gave no B y to start from";
    return result;
  }
  // The mesh the forward solve ended on serves again; its error was estimated there.
  Options again = options;
  again.By_0 =
      shooting.blend ? blended(result.forward, result.backward) : result.backward.waveform();
  again.tolerance.reset();
  again.intervals.reset();
  again.mesh = result.forward.mesh();
  again.fixed_nodes = result.forward.fixed_nodes;
  again.scheme = result.forward.scheme().scheme;
  again.stages = result.forward.scheme().stages;
  again.epsilon = result.forward.regularization().epsilon;
  again.iterates = result.forward.iterates();
  result.redone = solve(problem, again);
  return result;
}

}  // namespace daewave::bvp
