#include "bvp/mesh/error_estimate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/not_finite.hpp"

namespace daewave::bvp {
namespace {

/// What the difference tells is taken so much larger.
constexpr double safety = 1.5;
/// Residuals above which a solution tells little of the next one.
constexpr double resolved_hardly = 1e-3;
/// By how much errors are believed to have fallen with the residuals where no residual tells.
constexpr double most_believed = 4;

double ratio(double gap, double residual) { return residual > 0 ? gap / residual : 0; }

/// The largest of those that an interval of the other mesh meets.
VecX on_intervals(const VecX& values, const Mesh& of, const Mesh& mesh) {
  VecX largest = VecX::Zero(mesh.intervals());
  int there = 0;
  for (int i = 0; i < mesh.intervals(); ++i) {
    while (of.node(there + 1) <= mesh.node(i)) ++there;
    largest[i] = values[there];
    for (int j = there + 1; j < of.intervals() && of.node(j) < mesh.node(i + 1); ++j) {
      largest[i] = std::max(largest[i], values[j]);
    }
  }
  return largest;
}

/// Among the intervals that matter: their factors differ.
double largest_ratio(const VecX& gaps, const VecX& residuals) {
  const double most = largest_size(residuals);
  double largest = ratio(largest_size(gaps), most);
  for (Eigen::Index i = 0; i < gaps.size(); ++i) {
    if (residuals[i] > 0.3 * most) largest = std::max(largest, gaps[i] / residuals[i]);
  }
  return largest;
}

}  // namespace

double largest(const IntervalErrors& errors) {
  return std::max(largest_size(errors.x), largest_size(errors.carried));
}

double rounding_of(const Solution& solution) {
  const ConditioningReport& conditioning = solution.report.conditioning;
  return conditioning.available ? conditioning.rounding : 0;
}

IntervalErrors DifferenceEstimate::residuals(const Look& look) const {
  IntervalErrors errors{look.tolerance * limit_of_integral * look.seen.integral,
                        look.tolerance * limit_of_value * look.seen.value};
  if (!controls_carried_) errors.carried.setZero();
  return errors;
}

bool DifferenceEstimate::compare(const Solution& before, const IntervalErrors& local_before,
                                 Solution& now, const IntervalErrors& local, bool kept_away) {
  const CurveDifference gap = difference(before, now, sizes_);
  if (!std::isfinite(gap.x) || !std::isfinite(gap.carried)) return false;
  // The difference has the error of the better solution in it too.
  const double fall = largest(local) > 0 ? largest(local_before) / largest(local) : INFINITY;
  const double gap_of_all = controls_carried_ ? larger(gap.x, gap.carried) : gap.x;
  const bool clear = fall > clear_fall || gap_of_all < 0.1 * tolerance_;
  fell_ = fall > clear_fall;
  const double more = clear ? safety * (fall > clear_fall ? 1 / (1 - 1 / fall) : 1) : 1;
  const auto factor = [&](double told, double ratio) {
    // One that is not clear tells how large a factor is at the least.
    return std::max({1.0, more * ratio, clear ? 0 : told});
  };
  const Told x{gap.x, largest_size(local_before.x)};
  x_factor_ = factor(told_ ? x_factor_ : 1, unearned(x, x_told_, fall) * ratio(x.gap, x.residual));
  // Where ends are known too, residuals fall with one power of the step more than errors of
  // stages.
  const double power = 1.0 / (now.scheme().stages + 1);
  const double lag =
      now.values().curve().has_ends() && fell_ ? std::pow(std::min(fall, 1e12), power) : 1;
  const Told carried{gap.carried, largest_size(local_before.carried)};
  carried_factor_ = factor(told_ ? carried_factor_ : 1,
                           unearned(carried, carried_told_, fall) * lag *
                               largest_ratio(gap.of_interval.carried, local_before.carried));
  x_told_ = x;
  carried_told_ = carried;
  // Residuals at rounding level tell nothing; differences do.
  const bool rounding = !(largest(local_before) > 0);
  told_ = told_ || clear || rounding;
  ErrorEstimate& error = now.report.error;
  error.available = true;
  error.tolerance = tolerance_;
  error.x = error.By = 0;
  raise(error, local);
  // Where no residual tells the differences do, less by as much as x fell.
  const double part = 1 / std::clamp(0.5 * fall, 1.0, most_believed);
  const auto hidden = [&](const VecX& gaps) -> VecX {
    return part * on_intervals(gaps, before.mesh_of_all(), now.mesh_of_all());
  };
  hidden_ = {};
  // Beside times that stages keep away from nothing is looked at, and iterates come to a level.
  if (kept_away) {
    error.x = larger(error.x, part * gap.x);
    hidden_.x = hidden(gap.of_interval.x);
  }
  error.x = larger(error.x, error.iterates);
  if (rounding) error.x = larger(error.x, gap.x);
  error.x = larger(error.x, rounding_of(now));
  x_beyond_doubt_ = error.x;
  // A solution that was not resolved at all tells little of the next one.
  if (largest(local_before) > resolved_hardly) {
    const double doubtful = 1 / std::sqrt(std::max(fall, 1.0));
    error.x = larger(error.x, doubtful * gap.x);
    if (controls_carried_) error.By = larger(error.By, doubtful * gap.carried);
  }
  if (controls_carried_ && !(largest_size(local_before.carried) > 0)) {
    error.By = part * gap.carried;
    hidden_.carried = hidden(gap.of_interval.carried);
  }
  if (rounding) error.By = larger(error.By, gap.carried);
  error.how = fmt::format(
      "residual between the stages, times {:.3g} for x and {:.3g} for what is carried: so much "
      "larger was the difference to another mesh than the residual there{}",
      x_factor_, carried_factor_,
      sizes_.are_given()
          ? fmt::format("; an error of {:g} is as much as the tolerance of its component allows",
                        tolerance_)
          : "");
  return true;
}

/// The part of the fall of residuals that errors may not have shared: where differences did not
/// fall with the residuals before, as where a problem amplifies rounding, they will not now.
double DifferenceEstimate::unearned(const Told& now, const Told& before, double fall) {
  if (!(before.residual > 0) || !(now.residual > 0) || !(fall > 1)) return 1;
  const double expected = std::log(before.residual / now.residual);
  if (std::abs(expected) < std::log(2.0)) return 1;
  const double part = std::log(before.gap / now.gap) / expected;
  constexpr double usual = 0.6;
  return part > usual ? 1 : std::pow(std::min(fall, 1e12), 1 - std::max(part, 0.0));
}

void DifferenceEstimate::raise(ErrorEstimate& error, const IntervalErrors& local) const {
  error.x = larger(error.x, x_factor_ * largest_size(local.x));
  error.By = larger(error.By, carried_factor_ * largest_size(local.carried));
}

bool DifferenceEstimate::is_doubt_alone(const ErrorEstimate& error) const {
  ErrorEstimate beyond_doubt = error;
  beyond_doubt.x = x_beyond_doubt_;
  return controlled(error) > tolerance_ && controlled(beyond_doubt) <= tolerance_;
}

void DifferenceEstimate::settle_doubt(ErrorEstimate& error, double told) const {
  error.x = larger(x_beyond_doubt_, told);
}

void DifferenceEstimate::raise(ErrorEstimate& error, const IntervalErrors& local, double told) {
  if (!(told > error.x)) return;
  error.x = told;
  x_factor_ = std::max(x_factor_, ratio(told, largest_size(local.x)));
}

bool DifferenceEstimate::may_hide_growth(const ConditioningReport& conditioning,
                                         const IntervalErrors& residuals, double much_more) const {
  return conditioning.available && conditioning.influence > much_more * x_factor_ &&
         conditioning.influence * largest_size(residuals.x) > tolerance_;
}

IntervalErrors DifferenceEstimate::weighed(const IntervalErrors& local) const {
  IntervalErrors errors{x_factor_ * local.x, carried_factor_ * local.carried};
  if (hidden_.x.size() > 0) errors.x = errors.x.cwiseMax(hidden_.x);
  if (hidden_.carried.size() > 0) errors.carried = hidden_.carried;
  return errors;
}

double DifferenceEstimate::controlled(const ErrorEstimate& error) const {
  return controls_carried_ ? larger(error.x, error.By) : error.x;
}

}  // namespace daewave::bvp
