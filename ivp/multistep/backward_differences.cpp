#include "ivp/multistep/backward_differences.hpp"

#include <algorithm>

namespace daewave::ivp {
namespace {

using Small = std::array<std::array<double, most_bdf_order>, most_bdf_order>;

/// R(rho), its rows and columns counted from 1 in the formula.
Small change_matrix(double rho, int order) {
  Small R{};
  for (int j = 0; j < order; ++j) {
    double product = 1;
    for (int i = 0; i < order; ++i) {
      product *= (i - (j + 1) * rho) / (i + 1);
      R[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = product;
    }
  }
  return R;
}

}  // namespace

void BackwardDifferences::start(const double* y) {
  std::fill(D_.begin(), D_.end(), 0.0);
  std::copy(y, y + n_, D(0));
}

void BackwardDifferences::rescale(double ratio, int order) {
  const Small R = change_matrix(ratio, order), U = change_matrix(1, order);
  Small change{};
  const auto m = static_cast<std::size_t>(order);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      for (std::size_t l = 0; l < m; ++l) change[i][j] += R[i][l] * U[l][j];
    }
  }
  std::array<double, most_bdf_order> old{};
  for (int e = 0; e < n_; ++e) {
    for (std::size_t i = 0; i < m; ++i) old[i] = D(static_cast<int>(i) + 1)[e];
    for (std::size_t j = 0; j < m; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < m; ++i) sum += old[i] * change[i][j];
      D(static_cast<int>(j) + 1)[e] = sum;
    }
  }
}

void BackwardDifferences::predict(int order, double* predicted, double* past) const {
  const double last = 1 / bdf_gamma[static_cast<std::size_t>(order)];
  std::copy(D(0), D(0) + n_, predicted);
  std::fill(past, past + n_, 0.0);
  for (int j = 1; j <= order; ++j) {
    const double weight = bdf_gamma[static_cast<std::size_t>(j)] * last;
    const double* const Dj = D(j);
    for (int e = 0; e < n_; ++e) {
      predicted[e] += Dj[e];
      past[e] += weight * Dj[e];
    }
  }
}

void BackwardDifferences::advance(int order, const double* d) {
  double* const next = D(order + 2);
  double* const own = D(order + 1);
  for (int e = 0; e < n_; ++e) {
    next[e] = d[e] - own[e];
    own[e] = d[e];
  }
  for (int j = order; j >= 0; --j) {
    double* const Dj = D(j);
    const double* const higher = D(j + 1);
    for (int e = 0; e < n_; ++e) Dj[e] += higher[e];
  }
}

void BackwardDifferences::push(int order, const double* y) {
  for (int e = 0; e < n_; ++e) {
    double difference = y[e];
    for (int j = 0; j <= order; ++j) {
      const double before = D(j)[e];
      D(j)[e] = difference;
      difference -= before;
    }
  }
}

void BackwardDifferences::interpolate(int degree, double s, int first, int count,
                                      double* out) const {
  std::copy(D(0) + first, D(0) + first + count, out);
  double factor = 1;
  for (int j = 1; j <= degree; ++j) {
    factor *= (s + j - 1) / j;
    const double* const Dj = D(j) + first;
    for (int e = 0; e < count; ++e) out[e] += factor * Dj[e];
  }
}

}  // namespace daewave::ivp
