#include "ivp/one_step/stage_sweeps.hpp"

#include <utility>

namespace daewave::ivp {

StageSweeps::StageSweeps(const Collocation& scheme, bool second_order)
    : collocation_(scheme),
      scheme_(stage_transform(scheme)),
      second_order_(second_order),
      k_(scheme.stages),
      sum_{stage_sum(scheme.stages), stage_sum_alone(scheme.stages)} {
  for (int j = 0; j < k_; ++j) b_[j] = scheme.b[j];
  for (int j = 0; j < k_; ++j) of_q_[j] = (1 - scheme.c[j]) * scheme.b[j];
  if (scheme.scheme != Scheme::radau) make_symmetric();
}

/// Coefficients as rounded satisfy c_j + c_j' = 1, b_j = b_j' and a_ij + a_i'j' = b_j with j' the
/// stage opposite to j, to the last bit: what is left of their rounding errors is the same read
/// backward, and leads nowhere in the long run.
void StageSweeps::make_symmetric() {
  const int last = k_ - 1;
  for (int j = 0; 2 * j <= last; ++j) {
    scheme_.c[j] = 1 - scheme_.c[last - j];
    b_[j] = b_[last - j];
    of_q_[last - j] = b_[j] - of_q_[j];
    if (2 * j == last) scheme_.c[j] = 0.5, of_q_[j] = b_[j] / 2;
  }
  for (int i = 0; i < k_; ++i) {
    for (int j = 0; j < k_; ++j) {
      double& here = scheme_.a[i][j];
      double& opposite = scheme_.a[last - i][last - j];
      if (here >= opposite) opposite = b_[j] - here;  // Exact, by the lemma of Sterbenz.
      if (2 * i == last && 2 * j == last) here = b_[j] / 2;
    }
  }
}

void StageSweeps::start(const VecX& slope) {
  const int size = static_cast<int>(slope.size());
  n_ = second_order_ ? size / 2 : size;
  first_ = size - n_;
  for (auto* row : {&F_, &last_, &V_}) row->fill(slope.tail(n_));
  X_.fill(slope);
  slope_ = slope;
  has_last_ = false;
}

void StageSweeps::predict(double h) {
  if (!has_last_) return;
  const double ratio = h / last_h_;
  // Lengths of equal steps between nodes differ by rounding.
  if (!(std::abs(ratio - ratio_) <= 1e-9)) extrapolate_to(ratio);
  const StageRow<const double*> last = entries_of(last_, k_);
  for (int j = 0; j < k_; ++j) {
    sum_.alone(nullptr, 1, guess_[j].data(), last.data(), n_, F_[j].data());
  }
}

void StageSweeps::form(const VecX& x, double h) {
  const StageRow<const double*> F = entries_of(F_, k_);
  if (!second_order_) {
    for (int j = 0; j < k_; ++j) {
      sum_.with_z(x.data(), h, scheme_.a[j].data(), F.data(), n_, X_[j].data());
    }
    return;
  }
  const StageRow<const double*> V = entries_of(V_, k_);
  for (int j = 0; j < k_; ++j) {
    sum_.with_z(x.data() + n_, h, scheme_.a[j].data(), F.data(), n_, V_[j].data());
  }
  for (int j = 0; j < k_; ++j) {
    sum_.with_z(x.data(), h, scheme_.a[j].data(), V.data(), n_, X_[j].data());
    X_[j].tail(n_) = V_[j];
  }
}

/// F_ of stage j from slope_.
void StageSweeps::take_slope(int j, const VecX& per_size, double& change) {
  const double* const slope = slope_.data() + first_;
  const double* const part_of = per_size.data() + first_;
  double* const F = F_[j].data();
  for (int i = 0; i < n_; ++i) {
    const double part = std::abs(slope[i] - F[i]) * part_of[i];
    change = part <= change ? change : part;  // So NaN stays.
    F[i] = slope[i];
  }
}

void StageSweeps::increment(const VecX& x, double h, VecX& out) {
  const StageRow<const double*> F = entries_of(F_, k_);
  sum_.alone(nullptr, h, b_.data(), F.data(), n_, out.data() + first_);
  if (!second_order_) return;
  // q_new - q = h (v + h sum (1 - c_j) b_j A_j).
  sum_.with_z(x.data() + n_, h, of_q_.data(), F.data(), n_, out.data());
  out.head(n_) *= h;
}

void StageSweeps::accept(double h) {
  std::swap(last_, F_);
  has_last_ = true;
  last_h_ = h;
}

void StageSweeps::interpolate(double theta, const VecX& x, VecX& out) const {
  const auto weight = scheme_.weights_at(theta);
  out = weight[1] * (X_[0] - x);
  for (int j = 1; j < k_; ++j) out += weight[j + 1] * (X_[j] - x);
}

/// Slopes in the next step, `ratio` times as long, of the polynomial through the stages of the
/// last one.
void StageSweeps::extrapolate_to(double ratio) {
  for (int j = 0; j < k_; ++j) {
    const VecX weights = collocation_.interpolation_weights(1 + ratio * scheme_.c[j]);
    for (int l = 0; l < k_; ++l) guess_[j][l] = weights[l];
  }
  ratio_ = ratio;
}

}  // namespace daewave::ivp
