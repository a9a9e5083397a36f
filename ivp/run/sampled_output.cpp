#include "ivp/run/sampled_output.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"

namespace daewave::ivp {

SampledOutput::SampledOutput(int nz, int degree, double begin) : nz_(nz), begin_(begin) {
  const double pi = std::acos(-1.0);
  for (int j = 0; j <= degree; ++j) {
    const double sine = std::sin(0.5 * pi * j / degree);
    points_.push_back(j == degree ? 1.0 : sine * sine);
    // Barycentric weights of these points: alternating, half at the ends.
    weights_.push_back((j % 2 == 0 ? 1.0 : -1.0) * (j == 0 || j == degree ? 0.5 : 1.0));
  }
}

SampledOutput::SampledOutput(int nz, int degree, double begin, std::vector<double> ends,
                             std::vector<double> states)
    : SampledOutput(nz, degree, begin) {
  if (states.size() != ends.size() * points_.size() * static_cast<std::size_t>(nz)) {
    throw InvalidOption("dense output: its states are not those of its steps");
  }
  ends_ = std::move(ends);
  states_ = std::move(states);
}

VecX SampledOutput::at(double t) const {
  if (ends_.empty()) return VecX::Constant(nz_, NAN);
  const double sign = ends_.back() < begin_ ? -1 : 1;
  const auto found = std::lower_bound(ends_.begin(), ends_.end(), t, [sign](double end, double at) {
    return sign * end < sign * at;
  });
  const std::size_t step =
      std::min(static_cast<std::size_t>(found - ends_.begin()), ends_.size() - 1);
  const double t0 = step == 0 ? begin_ : ends_[step - 1];
  const double theta = (t - t0) / (ends_[step] - t0);
  const Eigen::Map<const MatX> values(states_.data() + step * points_.size() * nz_, nz_,
                                      static_cast<int>(points_.size()));
  VecX sum = VecX::Zero(nz_);
  double total = 0;
  for (int j = 0; j < values.cols(); ++j) {
    const double distance = theta - points_[j];
    if (distance == 0) return values.col(j);
    const double weight = weights_[j] / distance;
    sum += weight * values.col(j);
    total += weight;
  }
  return sum / total;
}

}  // namespace daewave::ivp
