#pragma once
// RegularizedBatch of one form in lanes, for files that are compiled for one instruction set.

#include <memory>
#include <string>

#include "core/machine/flatten.hpp"
#include "core/regularize/compiled_batches.hpp"

namespace daewave {

/// @tparam R  a regularized problem in lanes; lost() of its point tells which lanes it cannot do.
/// @tparam Problem  LaneMultibody or LaneIndexTwo.
template <class R, class Problem>
class BatchInLanes final : public RescuingBatch {
  using State = typename R::State;
  using Carried = typename R::Carried;
  using T = typename State::Scalar;
  static constexpr int W = T::width;

 public:
  BatchInLanes(Evaluation* evaluation, const Problem& problem, const BatchTask& task, int carried)
      : RescuingBatch(task),
        evaluation_(evaluation),
        problem_(problem),
        ode_(problem_, task.form),
        nq_(task.sizes.nq),
        size_(problem_.state_size()),
        carried_(carried) {
    x_.resize(size_);
    slope_.resize(size_);
    before_.resize(carried_);
    left_.resize(carried_);
  }
  BatchInLanes(const BatchInLanes&) = delete;
  BatchInLanes& operator=(const BatchInLanes&) = delete;

  bool evaluate(const RegularizedPoints& at, double* slope, double* carried, double* drift,
                std::string& failure) override {
    lose_none();
    const double* const v = size_ > nq_ ? at.x + nq_ * at.stride : nullptr;
    const auto evaluated = [&]() -> const Terms& {
      return evaluation_->evaluate(problem_.what(),
                                   Points{at.count, at.stride, at.t, at.x, v, nullptr});
    };
    if (at.count < W) {
      // A register is not filled: each by itself.
      for (int p = 0; p < at.count; ++p) lose(p);
      const Terms* const known = is_dear() ? &evaluated() : nullptr;
      return rescue(at, problem_.what(), known, slope, carried, drift, failure);
    }
    const Terms& all = evaluated();
    for (int first = 0; first < at.count; first += W) {
      // The last ones are some of those before once more.
      const int p = first + W <= at.count ? first : at.count - W;
      problem_.look_at(all, p);
      step(at, p);
      if (drift != nullptr) raise(*drift);
      const unsigned lost = ode_.point().lost().bits() | not_finite();
      store(slope_, slope + p, size_, at.stride);
      store(left_, carried + p, carried_, at.stride);
      if (lost == 0) continue;
      for (int lane = 0; lane < W; ++lane) {
        if ((lost >> lane & 1U) != 0) lose(p + lane);
      }
    }
    return !has_lost() || rescue(at, problem_.what(), &all, slope, carried, nullptr, failure);
  }

 private:
  template <class V>
  [[gnu::always_inline]] static void load(const double* from, V& to, int size, int stride) {
    for (int i = 0; i < size; ++i) to[i] = T::load(from + i * stride);
  }
  template <class V>
  [[gnu::always_inline]] static void store(const V& from, double* to, int size, int stride) {
    for (int i = 0; i < size; ++i) from[i].store(to + i * stride);
  }

  /// With the linear algebra inlined: as calls its vectors go through memory.
  DAEWAVE_FLATTEN void step(const RegularizedPoints& at, int p) {
    load(at.x + p, x_, size_, at.stride);
    load(at.before + p, before_, carried_, at.stride);
    ode_.evaluate(x_, T::load(at.t + p), before_, slope_, left_);
  }
  unsigned not_finite() const {
    T sum = slope_[0] * 0.0;
    for (int i = 1; i < size_; ++i) sum += slope_[i] * 0.0;
    return (!(sum == T(0))).bits();
  }
  void raise(double& drift) {
    T position(0), velocity(0);
    ode_.largest_residuals(position, velocity);
    for (int lane = 0; lane < W; ++lane) {
      raise(drift, position[lane]);
      raise(drift, velocity[lane]);
    }
  }
  /// NaN stays.
  static void raise(double& drift, double by) {
    drift = drift >= by || drift != drift ? drift : by;
  }

  std::unique_ptr<Evaluation> evaluation_;
  Problem problem_;
  R ode_;
  int nq_, size_, carried_;
  State x_, slope_;
  Carried before_, left_;
};

}  // namespace daewave
