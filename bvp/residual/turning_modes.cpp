#include "bvp/residual/turning_modes.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <optional>
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

/// The stability function R(z) = 1 + z b^T (I - z A)^-1 1 as a quotient of polynomials, by the
/// method of Faddeev and LeVerrier: of a scheme it takes as long as one value by elimination.
class StabilityFunction {
 public:
  explicit StabilityFunction(const Collocation& scheme) {
    const int k = scheme.stages;
    MatX of_power = MatX::Identity(k, k);  // (I - z A)^-1 det(I - z A), of z^j.
    below_.assign(1, 1);
    above_.assign(1, 1);
    for (int j = 1; j <= k; ++j) {
      above_.push_back(scheme.b.dot(of_power.rowwise().sum()));
      of_power = (scheme.a * of_power).eval();
      below_.push_back(-of_power.trace() / j);
      of_power.diagonal().array() += below_.back();
      above_.back() += below_.back();
    }
  }

  std::complex<double> at(std::complex<double> z) const {
    std::complex<double> above = 0, below = 0;
    for (std::size_t j = above_.size(); j-- > 0;) {
      above = above * z + above_[j];
      below = below * z + below_[j];
    }
    return above / below;
  }

 private:
  std::vector<double> above_, below_;  ///< Coefficients of z^j.
};

/// | R(i angle) - exp(i angle) |, of one step after another. Neighbours are often alike.
class Missed {
 public:
  explicit Missed(const Collocation& scheme) : scheme_(scheme) {}
  double in_step(double angle) {
    constexpr double alike = 0.01;
    if (std::abs(angle - angle_) > alike * angle_) {
      angle_ = angle;
      missed_ = angle < small_angle ? 0 : missed(angle);
    }
    return missed_;
  }

 private:
  double missed(double angle) {
    if (!of_scheme_) of_scheme_.emplace(scheme_);
    return std::abs(of_scheme_->at({0, angle}) - std::polar(1.0, angle));
  }

  const Collocation& scheme_;
  std::optional<StabilityFunction> of_scheme_;  ///< Where something turns.
  double angle_ = 0, missed_ = 0;
};

int parts(double angle, double most) {
  return std::max(1, static_cast<int>(std::ceil(std::min(angle / most, 1e9))));
}

}  // namespace

TurningModes::TurningModes(const Mesh& mesh, const Collocation& scheme, int nx,
                           const MeshShare& share)
    : mesh_(mesh), share_(share), first_(share.first) {
  // Eigenvalues of many states cost more than their solution does.
  constexpr double most_work = 5e4;
  constexpr int least_seen = 8;
  const int intervals = share.is_shared() ? share.all : mesh.intervals();
  if (nx > 2) negligible_ = angle_that_misses(scheme, 1e-5 / intervals);
  if (nx > 2) {
    stride_ = static_cast<int>(std::clamp(intervals * std::pow(nx, 3) / most_work, 1.0,
                                          std::max(1.0, 1.0 * intervals / least_seen)));
  }
  rates_.setConstant(mesh.intervals(), -1);
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
  if (!eigenvalues_) eigenvalues_.emplace();
  eigenvalues_->compute(scaled_, false);
  if (eigenvalues_->info() != Eigen::Success) return 0;
  double most = 0;
  for (const std::complex<double>& one : eigenvalues_->eigenvalues()) {
    if (carried(one.real())) most = std::max(most, std::abs(one.imag()));
  }
  return most;
}

VecX TurningModes::angles() const {
  const VecX rates = share_.joined(rates_);
  const Mesh& mesh = share_.is_shared() ? *share_.mesh : mesh_;
  VecX angles = VecX::Zero(mesh.intervals());
  double rate = 0;
  for (int i = 0; i < mesh.intervals(); ++i) {
    if (rates[i] >= 0) rate = rates[i];
    if (rates[i] >= 0 || i % stride_ != 0) angles[i] = rate * mesh.step(i);
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
