#include "core/time/waveform.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace daewave {

Waveform Waveform::constant(VecX By) {
  return function([By = std::move(By)](double) { return By; });
}

Waveform Waveform::function(std::function<VecX(double)> By) {
  Waveform waveform;
  waveform.value_ = std::move(By);
  return waveform;
}

Waveform Waveform::at_stages(Mesh mesh, VecX stages, MatX values) {
  const auto k = stages.size();
  if (values.cols() != k * mesh.intervals()) {
    throw InvalidProblem(
        fmt::format("waveform of {} stage values: {} intervals with {} stages have {}",
                    values.cols(), mesh.intervals(), k, k * mesh.intervals()));
  }
  struct Stored {
    Mesh mesh;
    VecX stages;
    MatX values;
  };
  const auto stored =
      std::make_shared<const Stored>(Stored{std::move(mesh), std::move(stages), std::move(values)});
  return function([stored](double t) {
    const int i = stored->mesh.locate(t);
    const double theta = (t - stored->mesh.node(i)) / stored->mesh.step(i);
    const auto count = stored->stages.size();
    VecX sum = VecX::Zero(stored->values.rows());
    for (Eigen::Index l = 0; l < count; ++l) {
      double weight = 1;
      for (Eigen::Index j = 0; j < count; ++j) {
        if (j == l) continue;
        weight *= (theta - stored->stages[j]) / (stored->stages[l] - stored->stages[j]);
      }
      sum += weight * stored->values.col(i * count + l);
    }
    return sum;
  });
}

VecX Waveform::operator()(double t, int nx) const {
  if (!value_) return VecX::Zero(nx);
  VecX By = value_(t);
  if (By.size() != nx) {
    throw InvalidProblem(fmt::format("initial waveform at t = {} has {} entries: B y has nx = {}",
                                     t, By.size(), nx));
  }
  if (!By.allFinite()) {
    throw InvalidProblem(
        fmt::format("initial waveform at t = {} has an entry that is not finite", t));
  }
  return By;
}

}  // namespace daewave
