#pragma once
// SrmIterate (ivp/srm/srm_iterate.hpp) in lanes: one step of an iterate in each lane, with a time
// and a length of step of its own.

#include "core/lanes/lanes_in_eigen.hpp"
#include "core/machine/flatten.hpp"
#include "core/types.hpp"
#include "ivp/lanes/lane_formula.hpp"

namespace daewave::ivp {

/// Evaluates one lane by scalar code, where G has lost rank: x_s' and y_s. False where it cannot.
struct LaneRescue {
  bool (*evaluate)(void* who, int lane, const double* x, double t, const double* before,
                   double* slope, double* carried) = nullptr;
  void* who = nullptr;
};

template <class R>
struct LaneState {
  LaneState() = default;
  LaneState(int nz, int nc) {
    x.resize(nz);
    slope.resize(nz);
    carried.resize(nc);
  }
  typename R::State x, slope;
  typename R::Carried carried;
};

/// Sizes of the state and of what is carried, of the types of R where these tell.
template <class R>
class LaneIterateSizes {
  static constexpr int nz_ = R::State::RowsAtCompileTime, nc_ = R::Carried::RowsAtCompileTime;

 public:
  LaneIterateSizes(int nz, int nc) : z_(nz), c_(nc) {}
  [[gnu::always_inline]] int nz() const { return nz_ == Dynamic ? z_ : nz_; }
  [[gnu::always_inline]] int nc() const { return nc_ == Dynamic ? c_ : nc_; }

 private:
  int z_, c_;
};

/// @tparam R  a regularized problem in lanes; lost() of its point tells which lanes it cannot do.
template <class R>
class LaneIterate {
 public:
  using State = typename R::State;
  using Carried = typename R::Carried;
  using T = typename State::Scalar;

  LaneIterate(const R& ode, const LaneIterateSizes<R>& sizes, const LaneFormula& formula,
              const LaneRescue& rescue)
      : ode_(ode), sizes_(sizes), formula_(formula), rescue_(rescue) {
    for (State& k : k_) k.resize(nz());
    for (State& row : dense_) row.resize(nz());
    for (State* x : {&x_, &from_, &sum_}) x->resize(nz());
    carried_.resize(nc());
  }

  [[gnu::always_inline]] int nz() const { return sizes_.nz(); }
  [[gnu::always_inline]] int nc() const { return sizes_.nc(); }

  const LaneFormula& formula() const { return formula_; }
  /// Whether drift is watched, at the end of each step.
  void watch(bool watches) { watches_ = watches; }
  /// After an evaluation at the end of a step.
  void look_at_drift() {
    if (watches_) ode_.largest_residuals(position_, velocity_);
  }
  /// Largest |g| and |G v + g_t| there.
  const T& position_drift() const { return position_; }
  const T& velocity_drift() const { return velocity_; }

  /// With the linear algebra inlined: as calls its vectors go through memory, and it takes half as
  /// long again.
  DAEWAVE_FLATTEN void evaluate(const State& x, const T& t, const Carried& before, State& slope,
                                Carried& carried) {
    ode_.evaluate(x, t, before, slope, carried);
    const unsigned lost = ode_.point().lost().bits();
    if (lost != 0) [[unlikely]] {
      rescue(lost, x, t, before, slope, carried);
    }
  }

  /// @param before  y_{s-1} at the points of the step.
  /// @param after   receives y_s there.
  void advance(const T& t, const T& h, LaneState<R>& at, const Carried* before, Carried* after) {
    k_[0] = at.slope;
    for (int i = 1; i < formula_.stages; ++i) {
      combine(at.x, formula_.a[i], h, x_);
      evaluate(x_, t + formula_.c[i] * h, before[formula_.slot[i]], k_[i], carried_);
    }
    if (formula_.points > 1) from_ = at.x;
    combine(at.x, formula_.b, h, at.x);
    evaluate(at.x, t + h, before[0], at.slope, at.carried);
    after[0] = at.carried;
    look_at_drift();
    if (formula_.points > 1) between(t, h, before, at, after);
  }

 private:
  void between(const T& t, const T& h, const Carried* before, const LaneState<R>& to,
               Carried* after) {
    k_[formula_.end_stage] = to.slope;
    dense_[0] = from_;
    dense_[1] = to.x - from_;
    dense_[2] = k_[0] * h - dense_[1];
    dense_[3] = dense_[1] - to.slope * h - dense_[2];
    for (int i = formula_.stages + 1; i < formula_.rows; ++i) {
      combine(from_, formula_.a[i], h, x_);
      evaluate(x_, t + formula_.c[i] * h, before[formula_.slot[i]], k_[i], carried_);
    }
    for (int i = 0; i < formula_.dense_rows; ++i) {
      sum_stages(formula_.dense[i], dense_[4 + i]);
      dense_[4 + i] *= h;
    }
    for (int i = 1; i < formula_.points; ++i) {
      const double theta = formula_.point[i];
      x_ = dense_[3 + formula_.dense_rows];
      for (int j = 3 + formula_.dense_rows; j-- > 0;) {
        x_ = dense_[j] + T(j % 2 == 0 ? theta : 1 - theta) * x_;
      }
      evaluate(x_, t + theta * h, before[i], sum_, after[i]);
    }
  }

  /// out = x + h sum_j a_j k_j; out may be x.
  void combine(const State& x, const LaneFormula::Row& row, const T& h, State& out) const {
    for (int i = 0; i < nz(); ++i) out[i] = x[i] + h * sum_of(row, i);
  }

  void sum_stages(const LaneFormula::Row& row, State& out) const {
    for (int i = 0; i < nz(); ++i) out[i] = sum_of(row, i);
  }

  /// Entry i of sum_j a_j k_j, two terms at a time as in SrmIterate.
  [[gnu::always_inline]] T sum_of(const LaneFormula::Row& row, int i) const {
    T sum = row.coefficient[0] * k_[row.stage[0]][i];
    int j = 1;
    for (; j + 1 < row.count; j += 2) {
      sum += row.coefficient[j] * k_[row.stage[j]][i] +
             row.coefficient[j + 1] * k_[row.stage[j + 1]][i];
    }
    if (j < row.count) sum += row.coefficient[j] * k_[row.stage[j]][i];
    return sum;
  }

  [[gnu::noinline]] void rescue(unsigned lost, const State& x, const T& t, const Carried& before,
                                State& slope, Carried& carried) {
    constexpr int most_nz = State::MaxRowsAtCompileTime, most_nc = Carried::MaxRowsAtCompileTime;
    for (int lane = 0; lane < T::width; ++lane) {
      if ((lost >> lane & 1U) == 0) continue;
      double at[most_nz], given[most_nc], rate[most_nz], left[most_nc];
      for (int i = 0; i < nz(); ++i) at[i] = x[i][lane];
      for (int i = 0; i < nc(); ++i) given[i] = before[i][lane];
      const bool ok = rescue_.evaluate != nullptr &&
                      rescue_.evaluate(rescue_.who, lane, at, t[lane], given, rate, left);
      const double none = std::numeric_limits<double>::quiet_NaN();
      for (int i = 0; i < nz(); ++i) slope[i].set(lane, ok ? rate[i] : none);
      for (int i = 0; i < nc(); ++i) carried[i].set(lane, ok ? left[i] : none);
    }
  }

  R ode_;
  LaneIterateSizes<R> sizes_;
  LaneFormula formula_;
  LaneRescue rescue_;
  State k_[most_stages];
  State dense_[9];
  State x_, from_, sum_;
  Carried carried_;
  bool watches_ = true;
  T position_{0}, velocity_{0};
};

}  // namespace daewave::ivp
