#include "bvp/linear/repaired_sweeps.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "bvp/linear/backward_pass.hpp"
#include "bvp/linear/initial_layer.hpp"
#include "bvp/linear/linear_values.hpp"

namespace daewave::bvp {
namespace {

/// Where iterates that stalled count as settled, where no tolerance was asked.
constexpr double rounding_level = 1e-9;
constexpr int most_rounds = 4;
/// Of what was open before, so that another round is worth it.
constexpr double worth_it = 0.3;

/// Nodes behind the layer: where the forward pass is settled, and where the way back begins.
struct LayerNodes {
  int edge = 0, from = 0;
};

/// @param settled  relative to 1 + the largest B y. @param window  of the layer, from the begin to
///                  where the way back begins.
LayerNodes behind_layer(const LinearData& forward, double settled, double window) {
  const Mesh& mesh = forward.curve.mesh();
  const MatX open = left_open(forward, StartedAt::begin);
  const VecX sizes = By_sizes(forward);
  const int intervals = mesh.intervals();
  const int late = mesh.locate(mesh.begin() + 0.75 * (mesh.end() - mesh.begin()));
  const double least = std::max(settled, 2 * relative_at(open, late, sizes));
  // Modes of other weights decay at rates of their own.
  const Regularization& regularization = forward.regularization;
  const double most = regularization.weight == Weight::inverse
                          ? mesh.begin() + 4 * layer_width(regularization)
                          : mesh.end();
  LayerNodes nodes{1, 0};
  while (nodes.edge < intervals && mesh.node(nodes.edge) < most &&
         relative_at(open, nodes.edge, sizes) > least) {
    ++nodes.edge;
  }
  const double width = mesh.node(nodes.edge) - mesh.begin();
  nodes.from = std::min(nodes.edge + 2, intervals);
  while (nodes.from < intervals && mesh.node(nodes.from) < mesh.begin() + window * width) {
    ++nodes.from;
  }
  return nodes;
}

/// B y of the forward pass behind the layer, and where that would come from were there none: a
/// cubic, since iterates remove what it is off the faster the smoother it is.
Waveform continued(const LinearData& forward, const LayerNodes& nodes) {
  const CollocationCurve& curve = forward.curve;
  const Mesh& mesh = curve.mesh();
  const int k = curve.scheme().stages;
  const auto first = static_cast<Eigen::Index>(nodes.edge) * k;
  const auto last = static_cast<Eigen::Index>(nodes.from) * k - 1;
  const VecX By_end = curve.values().carried.col(last);
  const Eigen::Index points = last - first;
  const int degree = static_cast<int>(std::min<Eigen::Index>(3, points));
  if (degree < 1) return Waveform::constant(By_end);
  const auto time = [&](Eigen::Index stage) {
    return curve.stage_time(static_cast<int>(stage / k), static_cast<int>(stage % k));
  };
  const double end = time(last), unit = end - mesh.node(nodes.edge);
  MatX powers(points, degree), values(points, By_end.size());
  for (Eigen::Index p = 0; p < points; ++p) {
    double power = 1;
    for (int d = 0; d < degree; ++d) powers(p, d) = power *= (time(first + p) - end) / unit;
    values.row(p) = (curve.values().carried.col(first + p) - By_end).transpose();
  }
  const MatX coefficients = Eigen::ColPivHouseholderQR<MatX>(powers).solve(values).transpose();
  return Waveform::function([By_end, coefficients, end, unit, degree](double t) -> VecX {
    VecX By = By_end;
    double power = 1;
    for (int d = 0; d < degree; ++d) By += (power *= (t - end) / unit) * coefficients.col(d);
    return By;
  });
}

class Repair {
 public:
  Repair(const std::shared_ptr<const LinearDae>& problem, const Discretization& discretization,
         const Options& options, const SweepControl& control)
      : discretization_(discretization),
        options_(options),
        control_(control),
        sweeps_(problem, discretization, options) {
    control_.shoots_back = true;
  }

  Solution run(const Waveform& By_0, const Report& report) {
    SweepControl first = control_;
    first.stops_in_layer = !given();
    Solution best = sweeps_.run(By_0, first, report);
    if (!leaves_layer(best)) return best;
    double open =
        relative(left_open(linear_data(best), StartedAt::begin), By_sizes(linear_data(best)));
    // Its own start on the way back should not reach the layer, nor should what that amplifies.
    constexpr double windows[] = {3, 2, 1.4};
    std::size_t window = 0;
    std::string why_not;
    int earlier = 0;
    for (int round = 0; round < most_rounds;) {
      const LinearData& forward = linear_data(best);
      const LayerNodes nodes = behind_layer(forward, settled(), windows[window]);
      const BackwardPass pass =
          back(forward, nodes, round == 0 ? continued(forward, nodes) : best.waveform());
      if (pass.solution.report.termination == Termination::stopped) return stopped(best);
      std::optional<PassesCompared> compared;
      if (pass.ran()) compared.emplace(forward, pass);
      if (!compared || !compared->any_better()) {
        why_not = pass.ran() ? "B y of the pass back is nowhere found to be better"
                             : pass.solution.report.message;
        if (++window < std::size(windows)) continue;
        if (!compared) break;
        // Then the forward pass may go on by itself.
      }
      Report again = report;
      again.seconds = best.report.seconds;
      SweepControl control = first;
      control.conditioning = false;
      control.earlier = earlier;
      Solution redone = sweeps_.run(compared->spliced(best), control, std::move(again));
      if (!redone.has_values()) {
        why_not = redone.report.message;
        break;
      }
      redone.report.conditioning = best.report.conditioning;
      const LinearData& found = linear_data(redone);
      const double now = std::max(relative(left_open(found, StartedAt::begin), By_sizes(found)),
                                  beyond(found, forward, left_open(forward, StartedAt::begin)));
      if (!(now < open)) {
        why_not =
            fmt::format("B y may be off by {:.1e} of its size after it, {:.1e} before", now, open);
        break;
      }
      const bool worth_more = now < worth_it * open;
      open = now;
      earlier += pass.solution.iterates() + redone.iterates();
      best = std::move(redone);
      why_not.clear();
      ++round;
      if (window == std::size(windows)) break;
      if (best.report.usable() || best.report.termination == Termination::stopped || !worth_more) {
        break;
      }
    }
    if (!why_not.empty() && !best.report.usable()) {
      best.report.warnings.push_back("shooting back: " + why_not);
      best.report.advice = "a smaller epsilon, or alpha1 = 1 where C B is regular";
      if (!discretization_.setting().scheme.damps()) {
        best.report.advice = "scheme radau, which damps what iterates leave; " + best.report.advice;
      }
    }
    return best;
  }

 private:
  /// The number of iterates.
  bool given() const { return control_.tolerance == 0 && !control_.until_stalled; }

  /// Relative to 1 + the largest B y.
  double settled() const {
    const Regularization& regularization = discretization_.setting().regularization;
    const double still_off = std::max(1.0, regularization.epsilon / regularization.alpha2);
    const double tolerance = std::max(control_.tolerance, control_.asked);
    return (tolerance > 0 ? tolerance : rounding_level) / still_off;
  }

  /// The iterates have not settled, and change B y the most beside the begin.
  bool leaves_layer(const Solution& solution) const {
    if (!solution.has_values()) return false;
    if (solution.report.termination == Termination::stopped) return false;
    const LinearData& data = linear_data(solution);
    const bool open = given()
                          ? relative(left_open(data, StartedAt::begin), By_sizes(data)) > settled()
                          : solution.report.termination == Termination::iterates_exhausted;
    if (!open) return false;
    const Mesh& mesh = discretization_.mesh();
    const Regularization& regularization = discretization_.setting().regularization;
    // Modes of other weights decay at rates of their own.
    const double width = regularization.weight == Weight::inverse
                             ? layer_width(regularization)
                             : 0.5 * (mesh.end() - mesh.begin());
    // Where steps are longer than the layer each iterate moves it by one of them at the most.
    const double steps = mesh.node(std::min(solution.iterates(), mesh.intervals())) - mesh.begin();
    return solution.report.history.back().change_at - mesh.begin() <= std::max(width, steps);
  }

  BackwardPass back(const LinearData& forward, const LayerNodes& nodes, const Waveform& By_0) {
    BackwardControl control;
    control.from = nodes.from;
    control.most_amplification = options_.max_amplification.value_or(default_max_amplification);
    control.watched_up_to = forward.curve.mesh().node(nodes.edge);
    control.sweeps = control_;
    control.sweeps.conditioning = false;
    control.sweeps.asked = 0;
    Report report;
    return run_back(forward, By_0, control, options_, std::move(report));
  }

  static Solution stopped(Solution solution) {
    solution.report.termination = Termination::stopped;
    solution.report.message = "stopped by the caller while shooting back";
    return solution;
  }

  const Discretization& discretization_;
  const Options& options_;
  SweepControl control_;
  Sweeps sweeps_;
};

}  // namespace

Solution run_repaired(const std::shared_ptr<const LinearDae>& problem,
                      const Discretization& discretization, const Waveform& By_0,
                      const Options& options, const SweepControl& control, const Report& report) {
  return Repair(problem, discretization, options, control).run(By_0, report);
}

}  // namespace daewave::bvp
