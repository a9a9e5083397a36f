#pragma once
// The stages of a collocation formula by fixed-point iteration: a sweep evaluates the problem at
// all stages of the one before.
//
//   X_j = x + h sum_l a_jl F_l;   with x = (q, v) only the accelerations are iterated,
//   V_j = v + h sum_l a_jl A_l,  Q_j = q + h sum_l a_jl V_l,
//
// which takes half as many sweeps: what an acceleration changes comes back by h^2. For problems
// that are not stiff. Sweeps start from the polynomial through the stages of the step before.

#include <algorithm>
#include <cmath>

#include "core/time/collocation_scheme.hpp"
#include "core/types.hpp"
#include "ivp/one_step/stage_transform.hpp"

namespace daewave::ivp {

template <class State, bool second_order>
class StageSweeps {
  static constexpr int rows_ = State::RowsAtCompileTime, most_ = State::MaxRowsAtCompileTime;
  static constexpr int half(int n) { return n == Dynamic || !second_order ? n : n / 2; }

 public:
  /// What is iterated: v' of x = (q, v), x' otherwise.
  using Slope = Eigen::Matrix<double, half(rows_), 1, Eigen::ColMajor, half(most_), 1>;

  explicit StageSweeps(const Collocation& scheme)
      : collocation_(scheme), scheme_(stage_transform(scheme)), k_(scheme.stages) {
    for (int j = 0; j < k_; ++j) b_[j] = scheme.b[j];
    for (int j = 0; j < k_; ++j) of_q_[j] = (1 - scheme.c[j]) * scheme.b[j];
    if (scheme.scheme != Scheme::radau) make_symmetric();
  }

  /// Begins anew: the slope is all that is known.
  void start(const State& slope) {
    sum_ = tail(slope);
    for (auto* row : {&F_, &last_, &V_}) row->fill(sum_);
    X_.fill(slope);
    slope_ = slope;
    has_last_ = false;
  }

  /// The first guess of a step of h.
  void predict(double h) {
    if (!has_last_) return;
    const double ratio = h / last_h_;
    // Lengths of equal steps between nodes differ by rounding.
    if (!(std::abs(ratio - ratio_) <= 1e-9)) extrapolate_to(ratio);
    for (int j = 0; j < k_; ++j) {
      sum_ = guess_[j][0] * last_[0];
      for (int l = 1; l < k_; ++l) sum_ += guess_[j][l] * last_[l];
      F_[j] = sum_;
    }
  }

  /// One sweep for a step of h from x.
  /// @param slope  slope(j, X, F) -> bool: F = F(X, t + c_j h).
  /// @param per_size  1 / size of the components of the state, of which changes are parts.
  /// @param change out: the largest |h dF| / size of what is iterated.
  template <class Evaluate>
  bool sweep(const State& x, double h, const State& per_size, Evaluate slope, double& change) {
    form(x, h);
    change = 0;
    const auto part_of = tail(per_size);
    for (int j = 0; j < k_; ++j) {
      if (!slope(j, X_[j], slope_)) return false;
      sum_ = tail(slope_);
      for (int i = 0; i < sum_.size(); ++i) {
        const double part = std::abs(sum_[i] - F_[j][i]) * part_of[i];
        change = part <= change ? change : part;  // So NaN stays.
      }
      F_[j] = sum_;
    }
    change *= std::abs(h);
    return true;
  }

  /// x_new - x of the slopes swept last.
  void increment(const State& x, double h, State& out) {
    sum_ = b_[0] * F_[0];
    for (int j = 1; j < k_; ++j) sum_ += b_[j] * F_[j];
    if constexpr (second_order) {
      moved_ = of_q_[0] * F_[0];
      for (int j = 1; j < k_; ++j) moved_ += of_q_[j] * F_[j];
      const auto n = sum_.size();
      for (int i = 0; i < n; ++i) {
        out[i] = h * (x[n + i] + h * moved_[i]);
        out[n + i] = h * sum_[i];
      }
    } else {
      out = h * sum_;
    }
  }

  /// The step swept last is taken.
  void accept(double h) {
    std::swap(last_, F_);
    has_last_ = true;
    last_h_ = h;
  }

  /// x(t + theta h) - x(t) of the step swept last, from x.
  void interpolate(double theta, const State& x, State& out) const {
    const auto weight = scheme_.weights_at(theta);
    out = weight[1] * (X_[0] - x);
    for (int j = 1; j < k_; ++j) out += weight[j + 1] * (X_[j] - x);
  }

  const StageTransform& scheme() const { return scheme_; }

 private:
  /// Coefficients as rounded satisfy c_j + c_j' = 1, b_j = b_j' and a_ij + a_i'j' = b_j with j' the
  /// stage opposite to j, to the last bit: what is left of their rounding errors is the same read
  /// backward, and leads nowhere in the long run.
  void make_symmetric() {
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

  static auto tail(const State& x) {
    if constexpr (second_order) {
      return x.tail(Eigen::fix<half(rows_)>(static_cast<int>(x.size() / 2)));
    } else {
      return x.head(Eigen::fix<rows_>(static_cast<int>(x.size())));
    }
  }

  void form(const State& x, double h) {
    if constexpr (second_order) {
      const auto v = tail(x);
      const auto n = v.size();
      for (int j = 0; j < k_; ++j) {
        sum_ = scheme_.a[j][0] * F_[0];
        for (int l = 1; l < k_; ++l) sum_ += scheme_.a[j][l] * F_[l];
        V_[j] = v + h * sum_;
      }
      for (int j = 0; j < k_; ++j) {
        sum_ = scheme_.a[j][0] * V_[0];
        for (int l = 1; l < k_; ++l) sum_ += scheme_.a[j][l] * V_[l];
        for (int i = 0; i < n; ++i) X_[j][i] = x[i] + h * sum_[i];
        for (int i = 0; i < n; ++i) X_[j][n + i] = V_[j][i];
      }
    } else {
      for (int j = 0; j < k_; ++j) {
        sum_ = scheme_.a[j][0] * F_[0];
        for (int l = 1; l < k_; ++l) sum_ += scheme_.a[j][l] * F_[l];
        X_[j] = x + h * sum_;
      }
    }
  }

  /// Slopes in the next step, `ratio` times as long, of the polynomial through the stages of the
  /// last one.
  void extrapolate_to(double ratio) {
    for (int j = 0; j < k_; ++j) {
      const VecX weights = collocation_.interpolation_weights(1 + ratio * scheme_.c[j]);
      for (int l = 0; l < k_; ++l) guess_[j][l] = weights[l];
    }
    ratio_ = ratio;
  }

  Collocation collocation_;
  StageTransform scheme_;
  int k_;
  StageRow<double> b_{}, of_q_{};  ///< Weights of the end: of v or x, and of h v in q.
  StageRow<StageRow<double>> guess_{};
  StageRow<State> X_;
  StageRow<Slope> F_, V_, last_;
  State slope_;
  Slope sum_, moved_;
  bool has_last_ = false;
  double last_h_ = 1;
  double ratio_ = 0;  ///< Of guess_.
};

}  // namespace daewave::ivp
