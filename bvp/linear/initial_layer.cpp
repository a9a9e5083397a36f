#include "bvp/linear/initial_layer.hpp"

#include <algorithm>
#include <cmath>

#include "bvp/curve/component_sizes.hpp"
#include "bvp/mesh/left_by_iterates.hpp"

namespace daewave::bvp {

MatX left_open(const LinearData& pass, StartedAt started) {
  MatX open = pass.change;
  const Mesh& mesh = pass.curve.mesh();
  const Regularization& regularization = pass.regularization;
  const int intervals = mesh.intervals(), s = pass.earlier + pass.iterates;
  const double length = mesh.end() - mesh.begin();
  const auto from_start = [&](int i) {
    return started == StartedAt::begin ? i : intervals - 1 - i;
  };
  const auto distance = [&](int i) {
    return started == StartedAt::begin ? mesh.node(i) - mesh.begin()
                                       : mesh.end() - mesh.node(i + 1);
  };
  if (s == 1) {
    // Changed was all that was wrong; what is left of it lies in the layer, but for one epsilon.
    const double width = regularization.epsilon / regularization.alpha2;
    const VecX most = open.rowwise().maxCoeff();
    for (int i = 0; i < intervals; ++i) {
      open.col(i) = std::min(1.0, std::exp(-distance(i) / width) + width / length) * most;
    }
    return open;
  }
  // Modes of other weights decay at rates of their own.
  const double width =
      regularization.weight == Weight::inverse ? 4 * layer_width(regularization) : length;
  int layer = 0;
  while (layer < intervals && distance(from_start(layer)) <= width) ++layer;
  VecX least = VecX::Zero(open.rows());
  while (layer-- > 0) {
    auto here = open.col(from_start(layer));
    // Closer to the start no less.
    here = least = least.cwiseMax(open_over_change(s) * here);
  }
  return open;
}

double relative_at(const MatX& errors, int i, const VecX& sizes) {
  return errors.col(i).cwiseQuotient(sizes).maxCoeff();
}

double relative(const MatX& errors, const VecX& sizes) {
  return errors.rowwise().maxCoeff().cwiseQuotient(sizes).maxCoeff();
}

VecX By_sizes(const LinearData& of) { return of.sizes.carried.of(of.curve.values().carried); }

namespace {

/// The largest difference at the stages of interval i of `at`, by component.
VecX difference_in(const LinearData& at, const CollocationCurve& other, int i) {
  const CollocationCurve& curve = at.curve;
  const int k = curve.scheme().stages;
  VecX most = VecX::Zero(curve.values().carried.rows());
  for (int j = 0; j < k; ++j) {
    const double theta = curve.scheme().c[j];
    const VecX gap = curve.values().carried.col(static_cast<Eigen::Index>(i) * k + j) -
                     other.carried_in(i, theta);
    most = most.cwiseMax(gap.cwiseAbs());
  }
  return most;
}

}  // namespace

double beyond(const LinearData& pass, const LinearData& forward, const MatX& may_be_off) {
  const VecX sizes = By_sizes(forward);
  double most = 0;
  for (int i = 0; i < may_be_off.cols(); ++i) {
    const VecX more = difference_in(forward, pass.curve, i) - may_be_off.col(i);
    most = std::max(most, more.cwiseQuotient(sizes).maxCoeff());
  }
  return most;
}

PassesCompared::PassesCompared(const LinearData& forward, const BackwardPass& backward)
    : backward_(backward.solution) {
  const VecX sizes = forward.sizes.carried.finite(forward.curve.values().carried);
  const LinearData& back = linear_data(backward.solution);
  const int intervals = back.curve.mesh().intervals();
  forward_error_ = left_open(forward, StartedAt::begin).leftCols(intervals);
  backward_error_ = left_open(back, StartedAt::end);
  // Errors of all components may come to any.
  double amplified = INFINITY;
  for (int i = intervals; i-- > 0;) {
    const double step = std::max(0.0, backward.growth[i + 1] - backward.growth[i]);
    const VecX told = difference_in(forward, back.curve, i) + forward_error_.col(i);
    amplified = std::min(amplified * std::exp(step), told.cwiseQuotient(sizes).maxCoeff());
    backward_error_.col(i) = backward_error_.col(i).cwiseMax(amplified * sizes);
  }
  for (Eigen::Index r = 0; r < sizes.size(); ++r) {
    int here = 0;
    while (here < intervals && backward_error_(r, here) < forward_error_(r, here)) ++here;
    better_.push_back(here);
  }
}

bool PassesCompared::any_better() const {
  return std::any_of(better_.begin(), better_.end(), [](int count) { return count > 0; });
}

Waveform PassesCompared::spliced(const Solution& forward) const {
  const Mesh& mesh = backward_.mesh();
  std::vector<double> from, to;
  for (const int count : better_) {
    const double end = mesh.node(count), again = end + (end - mesh.begin());
    from.push_back(end);
    to.push_back(std::min(again, mesh.end()));
  }
  const double last = *std::max_element(to.begin(), to.end());
  return Waveform::function([late = forward, early = backward_, from, to, last](double t) -> VecX {
    if (t >= last) return late.By(t);
    const VecX a = early.By(t), b = late.By(t);
    VecX sum(a.size());
    for (Eigen::Index r = 0; r < sum.size(); ++r) {
      const double begin = from[static_cast<std::size_t>(r)], end = to[static_cast<std::size_t>(r)];
      const double part =
          end > begin ? std::clamp((t - begin) / (end - begin), 0.0, 1.0) : (t < begin ? 0.0 : 1.0);
      // No kink at either end: iterates remove what is smooth.
      const double weight = part * part * (3 - 2 * part);
      sum[r] = (1 - weight) * a[r] + weight * b[r];
    }
    return sum;
  });
}

}  // namespace daewave::bvp
