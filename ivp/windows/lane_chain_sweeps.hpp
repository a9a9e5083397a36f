#pragma once
// Sweeps over windows of open chains with the nodes in SIMD lanes, for files that are compiled for
// one instruction set. Any number of bodies; time and memory are linear in it.

#include <limits>
#include <memory>

#include "core/lanes/lane_chain.hpp"
#include "core/problem/dae_problem.hpp"
#include "core/regularize/lanes_of_problem.hpp"
#include "ivp/windows/compiled_windows.hpp"
#include "ivp/windows/lane_windows.hpp"

namespace daewave::ivp {

/// @tparam T  Lanes, as many as nodes.
template <class T>
class LaneChainSweeps final : public LaneWindows<T> {
 public:
  LaneChainSweeps(Evaluation* evaluation, const WindowTask& task)
      : evaluation_(evaluation),
        mass_constant_(task.mass_constant),
        all_at_once_(task.all_at_once),
        chain_(task.sizes.nq / 3),
        q_(task.sizes.nq),
        v_(task.sizes.nq),
        new_(task.sizes.nq),
        move_(task.sizes.nq),
        residual_(2 * task.sizes.nl()) {}
  LaneChainSweeps(const LaneChainSweeps&) = delete;
  LaneChainSweeps& operator=(const LaneChainSweeps&) = delete;

  DAEWAVE_FLATTEN Sweep sweep(const WindowBegin& from, const double* weight, double* a) override {
    this->states(from, a, q_.data(), v_.data());
    const Terms& at = terms(this->times(from), Ask::f | Ask::G | Ask::curvature);
    Sweep result;
    if (at.stride != T::width || chain_.solve(at.f, at.G, at.curvature, new_.data()).any()) {
      result.evaluated = false;
      return result;
    }
    result.pivot = never_dependent;
    result.change = this->take(new_.data(), weight, from.nq, a);
    return result;
  }

  DAEWAVE_FLATTEN bool look(WindowCheck& window, WindowPoint& end, WindowPoint& inside) override {
    if (!all_at_once_) return false;
    const int nq = 3 * chain_.bodies();
    this->places(window, end, inside, nq, q_.data(), v_.data(), t_);
    const Terms& at = terms(t_, Ask::f | Ask::G | Ask::curvature | Ask::g | Ask::g_t);
    if (at.stride != T::width || chain_.solve(at.f, at.G, at.curvature, new_.data()).any()) {
      return false;
    }
    T sum(0);
    for (int i = 0; i < nq; ++i) sum += new_[i];
    if (!finite_in(sum).all()) return false;
    end.pivot = inside.pivot = never_dependent;
    for (int i = 0; i < nq; ++i) {
      end.a[i] = new_[i][this->end_lane];
      inside.a[i] = new_[i][this->inside_lane];
    }
    window.left = this->left_of(window, nq, new_.data());
    looked_ = &at;
    return true;
  }

  DAEWAVE_FLATTEN void bring_back(double* z) override {
    correct_by(*looked_);
    correct_by(evaluate(t_, Ask::G | Ask::g | Ask::g_t));
    const int nq = 3 * chain_.bodies();
    for (int i = 0; i < nq; ++i) {
      z[i] = q_[i][this->end_lane];
      z[nq + i] = v_[i][this->end_lane];
    }
  }

 private:
  /// The pivot of rows of a chain.
  static constexpr double never_dependent = std::numeric_limits<double>::infinity();

  const Terms& evaluate(const T& t, Ask what) {
    constexpr int W = T::width;
    return evaluation_->evaluate(what,
                                 Points{W, W, detail::numbers_of(&t), detail::numbers_of(q_.data()),
                                        detail::numbers_of(v_.data()), nullptr});
  }

  /// And M, where it is not known.
  const Terms& terms(const T& t, Ask what) {
    const bool with_mass = !(mass_constant_ && weighed_);
    const Terms& at = evaluate(t, with_mass ? what | Ask::M : what);
    if (with_mass && at.stride == T::width) {
      chain_.set_mass(at.M);
      weighed_ = true;
    }
    return at;
  }

  /// (q_, v_) -= F h, with what was factorized where the end was looked at.
  [[gnu::always_inline]] void correct_by(const Terms& at) {
    T *const position = residual_.data(), *const velocity = position + 2 * chain_.bodies();
    for (int i = 0; i < 2 * chain_.bodies(); ++i) position[i] = T::load(at.g + i * T::width);
    chain_.moves(at.G, at.g_t, v_.data(), velocity);
    chain_.correct(at.G, {position, velocity}, {new_.data(), move_.data()});
    for (int i = 0; i < 3 * chain_.bodies(); ++i) {
      q_[i] -= new_[i];
      v_[i] -= move_[i];
    }
  }

  std::unique_ptr<Evaluation> evaluation_;
  bool mass_constant_, all_at_once_, weighed_ = false;
  LaneChain<T> chain_;
  const Terms* looked_ = nullptr;
  T t_{};
  LaneArray<T> q_, v_, new_, move_;
  LaneArray<T> residual_;  ///< Of positions, and behind them of velocities.
};

}  // namespace daewave::ivp
