#include "bvp/residual/turning_modes.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

namespace daewave::bvp {
namespace {

/// Within an interval modes that decay or grow by more than exp of this tell one end nothing of the
/// other.
constexpr double carried_no_further = 10;
/// Angles that any scheme follows.
constexpr double small_angle = 0.1;

/// By which less than that is missed in a step: the error of R is about (p/2)!^2 / (p! (p+1)!) of
/// angle^(p+1), with the order p.
double angle_that_misses(const Collocation& scheme, double missed) {
  const double p = scheme.order;
  const double half = std::tgamma(0.5 * p + 1);
  const double constant = half * half / (std::tgamma(p + 1) * std::tgamma(p + 2));
  return std::max(small_angle, std::pow(missed / constant, 1 / (p + 1)));
}

/// | R(i angle) - exp(i angle) | of the stability function R.
double missed_in_step(const Collocation& scheme, double angle) {
  if (angle < small_angle) return 0;
  const int k = scheme.stages;
  // u + i v = (I - i angle A)^-1 1, in real numbers: Eigen's complex ones take long to compile.
  MatX matrix = MatX::Identity(2 * k, 2 * k);
  matrix.topRightCorner(k, k) = angle * scheme.a;
  matrix.bottomLeftCorner(k, k) = -angle * scheme.a;
  VecX right = VecX::Zero(2 * k);
  right.head(k).setOnes();
  const VecX stages = matrix.partialPivLu().solve(right);
  const double u = scheme.b.dot(stages.head(k)), v = scheme.b.dot(stages.tail(k));
  return std::hypot(1 - angle * v - std::cos(angle), angle * u - std::sin(angle));
}

/// The same of one step after another. Neighbours are often alike.
class Missed {
 public:
  explicit Missed(const Collocation& scheme) : scheme_(scheme) {}
  double in_step(double angle) {
    constexpr double alike = 0.01;
    if (std::abs(angle - angle_) > alike * angle_) {
      angle_ = angle;
      missed_ = missed_in_step(scheme_, angle);
    }
    return missed_;
  }

 private:
  const Collocation& scheme_;
  double angle_ = 0, missed_ = 0;
};

int parts(double angle, double most) {
  return std::max(1, static_cast<int>(std::ceil(std::min(angle / most, 1e9))));
}

}  // namespace

TurningModes::TurningModes(const Mesh& mesh, const Collocation& scheme, int nx)
    : mesh_(mesh), negligible_(angle_that_misses(scheme, 1e-5 / mesh.intervals())) {
  // Eigenvalues of many states cost more than their solution does.
  constexpr double most_work = 5e4;
  constexpr int least_seen = 8;
  const int intervals = mesh.intervals();
  if (nx > 2) {
    stride_ = static_cast<int>(std::clamp(intervals * std::pow(nx, 3) / most_work, 1.0,
                                          std::max(1.0, 1.0 * intervals / least_seen)));
  }
  rates_.setConstant(intervals, -1);
}

void TurningModes::see(int interval, const MatX& J, const VecX& sizes) {
  rates_[interval] = fastest(J, mesh_.step(interval), sizes);
}

double TurningModes::fastest(const MatX& J, double h, const VecX& sizes) {
  const auto carried = [h](double rate) { return std::abs(rate) * h < carried_no_further; };
  if (J.rows() < 2) return 0;
  if (J.rows() == 2) {
    const double mean = 0.5 * (J(0, 0) + J(1, 1)), gap = 0.5 * (J(0, 0) - J(1, 1));
    const double turns = -(gap * gap + J(0, 1) * J(1, 0));
    return turns > 0 && carried(mean) ? std::sqrt(turns) : 0;
  }
  scaled_ = sizes.cwiseInverse().asDiagonal() * J * sizes.asDiagonal();
  // Imaginary parts are no larger than the skew part.
  if (!(0.5 * h * (scaled_ - scaled_.transpose()).norm() > std::sqrt(2.0) * negligible_)) return 0;
  if (!scaled_.allFinite()) return 0;
  eigenvalues_.compute(scaled_, false);
  if (eigenvalues_.info() != Eigen::Success) return 0;
  double most = 0;
  for (const std::complex<double>& one : eigenvalues_.eigenvalues()) {
    if (carried(one.real())) most = std::max(most, std::abs(one.imag()));
  }
  return most;
}

VecX TurningModes::angles() const {
  VecX angles = VecX::Zero(mesh_.intervals());
  double rate = 0;
  for (int i = 0; i < mesh_.intervals(); ++i) {
    if (rates_[i] >= 0) rate = rates_[i];
    if (rates_[i] >= 0 || !wants(i)) angles[i] = rate * mesh_.step(i);
  }
  return angles;
}

double missed_by(const Collocation& scheme, const VecX& angles) {
  Missed missed(scheme);
  double sum = 0;
  for (const double angle : angles) sum += missed.in_step(angle);
  return sum;
}

Mesh following(const Mesh& mesh, const Collocation& scheme, const VecX& angles, double most,
               int most_intervals) {
  constexpr double first = 3, smaller = 0.8;
  double largest = first;
  Missed of_scheme(scheme);
  const auto missed = [&] {
    double sum = 0;
    for (const double angle : angles) {
      const int count = parts(angle, largest);
      sum += count * of_scheme.in_step(angle / count);
    }
    return sum;
  };
  const auto intervals = [&] {
    double sum = 0;
    for (const double angle : angles) sum += parts(angle, largest);
    return sum;
  };
  while (missed() > most && intervals() <= most_intervals && largest > small_angle) {
    largest *= smaller;
  }
  if (intervals() > most_intervals) return mesh;
  std::vector<double> nodes{mesh.begin()};
  for (int i = 0; i < mesh.intervals(); ++i) {
    const int count = parts(angles[i], largest);
    for (int part = 1; part < count; ++part) {
      nodes.push_back(mesh.node(i) + mesh.step(i) * part / count);
    }
    nodes.push_back(mesh.node(i + 1));
  }
  return Mesh(std::move(nodes));
}

}  // namespace daewave::bvp
