#pragma once
// Sweeps with the nodes of a window in SIMD lanes, for files that are compiled for one instruction
// set. With G v' = -curvature eliminated, v' = a + Z u, and Z^T M Z u = Z^T (f - M a): G is never
// multiplied by its transpose, which would square what is small near dependent constraints.

#include <memory>

#include "core/lanes/lane_accelerations.hpp"
#include "core/lanes/lane_null_space.hpp"
#include "core/lanes/lanes_in_eigen.hpp"
#include "core/machine/flatten.hpp"
#include "core/regularize/lanes_of_problem.hpp"
#include "ivp/windows/compiled_windows.hpp"
#include "ivp/windows/lane_windows.hpp"

namespace daewave::ivp {

/// @tparam T  Lanes, as many as nodes.  @tparam nq, nl  or both Dynamic.  @tparam diagonal  M.
template <class T, int nq_, int nl_, bool diagonal>
class LaneSweeps final : public LaneWindows<T> {
  using Problem = LaneMultibody<T, nq_, nl_, diagonal>;
  using Position = typename Problem::Position;
  using Multiplier = typename Problem::Multiplier;

 public:
  LaneSweeps(Evaluation* evaluation, const WindowTask& task)
      : evaluation_(evaluation),
        rank_tolerance_(task.rank_tolerance),
        all_at_once_(task.all_at_once),
        problem_(*evaluation, task.sizes, true, false),
        with_residuals_(*evaluation, task.sizes, true, true),
        accelerations_(task.sizes.nq, task.sizes.nl(), task.least_pivot),
        split_(task.sizes.nq, task.sizes.nl()) {
    for (Position* one : {&q_, &v_, &new_, &force_, &move_}) one->resize(task.sizes.nq);
    velocity_.resize(task.sizes.nl());
  }
  LaneSweeps(const LaneSweeps&) = delete;
  LaneSweeps& operator=(const LaneSweeps&) = delete;

  DAEWAVE_FLATTEN Sweep sweep(const WindowBegin& from, const double* weight, double* a) override {
    const int nq = problem_.nq();
    this->states(from, a, q_.data(), v_.data());
    problem_.terms(q_, v_, this->times(from), at_);
    Sweep result;
    if (!in_order(kept_[from.aside ? 1 : 0]) && !each_by_its_own(nq)) {
      result.evaluated = false;
      return result;
    }
    result.pivot = pivot_;
    result.change = this->take(new_.data(), weight, nq, a);
    return result;
  }

  /// In the order in which the nodes were solved.
  DAEWAVE_FLATTEN bool look(WindowCheck& window, WindowPoint& end, WindowPoint& inside) override {
    const Kept& kept = kept_[0];
    if (!all_at_once_ || !kept.order.chosen || !(kept.found > 0)) return false;
    const int nq = problem_.nq();
    this->places(window, end, inside, nq, q_.data(), v_.data(), t_);
    with_residuals_.terms(q_, v_, t_, at_);
    const auto lost =
        accelerations_.solve(at_.G, at_.M, at_.f, at_.curvature, rank_tolerance_, kept.order, new_);
    if (lost.any()) return false;
    // Of a row alone it is the pivot itself; of the least of eight nodes single points have more.
    const T found = accelerations_.smallest_row(), pivot = found * T(kept.pivot / kept.found);
    if (problem_.nl() > 1 && !(found > T(less_ * kept.found)).all()) return false;
    T sum = new_[0];
    for (int i = 1; i < nq; ++i) sum += new_[i];
    if (!finite_in(sum).all()) return false;
    end.pivot = pivot[this->end_lane];
    inside.pivot = pivot[this->inside_lane];
    for (int i = 0; i < nq; ++i) {
      end.a[i] = new_[i][this->end_lane];
      inside.a[i] = new_[i][this->inside_lane];
    }
    window.left = this->left_of(window, nq, new_.data());
    return true;
  }

  DAEWAVE_FLATTEN void bring_back(double* z) override {
    const int nq = problem_.nq();
    correct_by(at_.G, at_.position, at_.g_t);
    const auto residual = evaluation_->evaluate(
        Ask::G | Ask::g | Ask::g_t,
        Points{T::width, T::width, detail::numbers_of(&t_), detail::numbers_of(q_.data()),
               detail::numbers_of(v_.data()), nullptr});
    detail::load<T>(residual.g, residual.stride, at_.position, problem_.nl());
    detail::load<T>(residual.g_t, residual.stride, at_.g_t, problem_.nl());
    correct_by(LaneView<T>(residual.G, residual.stride, problem_.nl() * residual.stride),
               at_.position, at_.g_t);
    for (int i = 0; i < nq; ++i) {
      z[i] = q_[i][this->end_lane];
      z[nq + i] = v_[i][this->end_lane];
    }
  }

 private:
  static double least_of(const T& x) {
    return LaneWindows<T>::most_of(x, [](double a, double b) { return b < a ? b : a; });
  }

  using Accelerations = LaneAccelerations<T, nq_, nl_, diagonal>;
  /// Pivots found in another order stand for those of full choice where they have changed no more.
  static constexpr double less_ = 0.7, more_ = 1.4;
  /// What is kept from sweep to sweep: the order of the coordinates, and the smallest pivot of G
  /// beside what was found in that order where it was last looked at.
  struct Kept {
    typename Accelerations::Order order;
    double found = 0, pivot = 0;
  };

  /// With coordinates in one order, which is chosen anew where it is not good for a node.
  bool in_order(Kept& kept) {
    if (!kept.order.chosen) accelerations_.choose(at_.G, at_.M, T::width / 2, kept.order);
    for (int tries = 0; tries < 2; ++tries) {
      const auto lost = accelerations_.solve(at_.G, at_.M, at_.f, at_.curvature, rank_tolerance_,
                                             kept.order, new_);
      if (!lost.any()) return look_at_pivots(kept);
      accelerations_.choose(at_.G, at_.M, __builtin_ctz(lost.bits()), kept.order);
      kept.found = 0;
    }
    return false;
  }

  /// Another order has other pivots: where they have changed they are looked at as elsewhere, with
  /// full choice in each row.
  bool look_at_pivots(Kept& kept) {
    const double found = least_of(accelerations_.smallest_row());
    if (!(found > less_ * kept.found && found < more_ * kept.found)) {
      kept.found = kept.pivot = found;
      if (problem_.nl() > 1) {
        if (split_.split(at_.G, at_.M, rank_tolerance_).any()) return false;
        kept.pivot = least_of(split_.smallest_pivot());
      }
    }
    pivot_ = kept.pivot * (found / kept.found);
    return true;
  }

  /// (q_, v_) -= F h, with what was factorized where the end was looked at.
  template <class MatrixG>
  [[gnu::always_inline]] void correct_by(const MatrixG& G, const Multiplier& g,
                                         const Multiplier& g_t) {
    const int nq = problem_.nq();
    for (int i = 0; i < problem_.nl(); ++i) {
      velocity_[i] = g_t[i];
      for (int j = 0; j < nq; ++j) velocity_[i] += G(i, j) * v_[j];
    }
    accelerations_.correct(g, velocity_, kept_[0].order, new_, move_);
    for (int i = 0; i < nq; ++i) {
      q_[i] -= new_[i];
      v_[i] -= move_[i];
    }
  }

  /// With the pivots of each node.
  bool each_by_its_own(int nq) {
    if (split_.split(at_.G, at_.M, rank_tolerance_).any()) return false;
    pivot_ = least_of(split_.smallest_pivot());
    for (int i = 0; i < problem_.nl(); ++i) at_.curvature[i] = -at_.curvature[i];
    split_.particular(at_.curvature, new_);
    split_.apply_mass(new_, force_);
    for (int i = 0; i < nq; ++i) force_[i] = at_.f[i] - force_[i];
    split_.add_free_part(force_, new_);
    return true;
  }

  std::unique_ptr<Evaluation> evaluation_;
  double rank_tolerance_;
  bool all_at_once_;
  Problem problem_, with_residuals_;
  MultibodyTerms<Problem> at_;
  Accelerations accelerations_;
  Kept kept_[2]{};  ///< Of windows, and of what is looked at aside.
  LaneNullSpace<T, nq_, nl_, diagonal> split_;
  double pivot_ = 0;
  T t_{};
  Position q_, v_, new_, force_, move_;
  Multiplier velocity_;
};

}  // namespace daewave::ivp
