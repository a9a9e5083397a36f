#include "ivp/one_step/stage_transform.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <mutex>
#include <vector>

#include "core/eigenvalues.hpp"
#include "core/error.hpp"
#include "core/kkt/square_lu.hpp"

namespace daewave::ivp {
namespace {

using Complex = Eigen::Matrix<std::complex<double>, Dynamic, Dynamic, Eigen::ColMajor,
                              most_implicit_stages, most_implicit_stages>;

Complex inverse_of(const Complex& T) {
  const Complex one = Complex::Identity(T.rows(), T.cols());
  SquareLu<Complex> factor;
  factor.compute(T);
  Complex inverse = T;
  for (int j = 0; j < T.cols(); ++j) {
    auto column = inverse.col(j);
    factor.solve(one.col(j), column);
  }
  return inverse;
}

void split(const MatX& a, StageTransform& result) {
  const int k = static_cast<int>(a.rows());
  const Eigenvectors eigen = eigenvectors(a);
  const Eigenvalues& mu = eigen.values;
  const Complex T = eigen.vectors;
  const Complex inverse = inverse_of(T);
  for (int i = 0; i < k; ++i) {
    if (mu[i].imag() == 0) {
      result.has_real = true;
      result.mu_real = mu[i].real();
      for (int j = 0; j < k; ++j) {
        result.to_real[j] = inverse(i, j).real();
        result.from_real[j] = T(j, i).real();
      }
    } else if (mu[i].imag() > 0) {
      StageTransform::Pair& pair = result.pair[result.pairs++];
      pair.mu = mu[i];
      for (int j = 0; j < k; ++j) {
        pair.to[j] = inverse(i, j);
        pair.from[j] = 2.0 * T(j, i);
      }
    }
  }
}

/// A^-T (b_hat - b): b_hat takes the weight mu_0 at x and keeps the moments 1/q, q = 1..k.
VecX estimate_weights(const Collocation& scheme, double mu) {
  const int k = scheme.stages;
  MatX powers(k, k);
  for (int q = 0; q < k; ++q) powers.row(q) = scheme.c.array().pow(q).transpose();
  VecX difference = VecX::Zero(k);
  difference[0] = -mu;  // b has all these moments: only that of the weight at x is missing.
  const VecX b = powers.partialPivLu().solve(difference);
  return MatX(scheme.a.transpose()).partialPivLu().solve(b);
}

StageTransform transformed(const Collocation& scheme) {
  if (scheme.starts_at_node()) {
    throw InvalidOption(
        fmt::format("scheme = {}: the stages of an implicit step must not lie at its begin, where "
                    "nothing is unknown; use gauss or radau",
                    name_of(scheme.scheme)));
  }
  const int k = scheme.stages;
  if (k > most_implicit_stages) {
    throw InvalidOption(
        fmt::format("stages = {}: implicit steps have at most {}", k, most_implicit_stages));
  }
  StageTransform result;
  result.stages = k;
  result.order = scheme.order;
  result.ends_at_node = scheme.ends_at_node();
  const VecX d = MatX(scheme.a.transpose()).partialPivLu().solve(scheme.b);
  for (int j = 0; j < k; ++j) {
    result.c[j] = scheme.c[j];
    result.d[j] = result.ends_at_node ? (j == k - 1 ? 1.0 : 0.0) : d[j];
    for (int l = 0; l < k; ++l) result.a[j][l] = scheme.a(j, l);
  }
  split(scheme.a, result);
  if (result.has_real) {
    const VecX e = estimate_weights(scheme, result.mu_real);
    for (int j = 0; j < k; ++j) result.e[j] = e[j];
  }
  return result;
}

}  // namespace

StageTransform stage_transform(const Collocation& scheme) {
  // Eigenvectors cost as much as the start of a solve, and schemes are few.
  struct Known {
    Collocation scheme;
    StageTransform transform;
  };
  static std::mutex mutex;
  static std::vector<Known> known;
  const std::lock_guard<std::mutex> lock(mutex);
  for (const Known& one : known) {
    const Collocation& other = one.scheme;
    if (other.scheme == scheme.scheme && other.stages == scheme.stages && other.c == scheme.c &&
        other.a == scheme.a && other.b == scheme.b && other.order == scheme.order) {
      return one.transform;
    }
  }
  known.push_back({scheme, transformed(scheme)});
  return known.back().transform;
}

std::array<double, static_cast<std::size_t>(most_implicit_stages + 1)> StageTransform::weights_at(
    double theta) const {
  std::array<double, static_cast<std::size_t>(most_implicit_stages + 1)> node{}, weight{};
  for (int j = 0; j < stages; ++j) node[j + 1] = c[j];
  for (int l = 0; l <= stages; ++l) {
    weight[l] = 1;
    for (int j = 0; j <= stages; ++j) {
      if (j != l) weight[l] *= (theta - node[j]) / (node[l] - node[j]);
    }
  }
  return weight;
}

std::array<double, static_cast<std::size_t>(most_implicit_stages + 1)> StageTransform::slopes_at(
    double theta) const {
  std::array<double, static_cast<std::size_t>(most_implicit_stages + 1)> node{}, slope{};
  for (int j = 0; j < stages; ++j) node[j + 1] = c[j];
  for (int l = 0; l <= stages; ++l) {
    for (int m = 0; m <= stages; ++m) {
      if (m == l) continue;
      double product = 1 / (node[l] - node[m]);
      for (int j = 0; j <= stages; ++j) {
        if (j != l && j != m) product *= (theta - node[j]) / (node[l] - node[j]);
      }
      slope[l] += product;
    }
  }
  return slope;
}

namespace {

double distances(const StageTransform& scheme, double theta) {
  double all = theta;
  for (int j = 0; j < scheme.stages; ++j) all *= theta - scheme.c[j];
  return std::abs(all);
}

}  // namespace

double StageTransform::farthest_between() const {
  constexpr int places = 16;
  double farthest = 0.5;
  for (int i = 1; i < places; ++i) {
    const double theta = i / double{places};
    if (distances(*this, theta) > distances(*this, farthest)) farthest = theta;
  }
  return farthest;
}

double StageTransform::end_by_that_at(double theta) const {
  return ends_at_node ? 0 : distances(*this, 1) / distances(*this, theta);
}

double StageTransform::between_by_that_at(double theta) const {
  return distances(*this, farthest_between()) / distances(*this, theta);
}

}  // namespace daewave::ivp
