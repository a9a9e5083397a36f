#pragma once
// Sweeps with the nodes of a window in SIMD lanes, for files that are compiled for one instruction
// set. With G v' = -curvature eliminated, v' = a + Z u, and Z^T M Z u = Z^T (f - M a): G is never
// multiplied by its transpose, which would square what is small near dependent constraints.

#include <memory>

#include "core/lanes/lane_null_space.hpp"
#include "core/lanes/lanes_in_eigen.hpp"
#include "core/machine/flatten.hpp"
#include "core/regularize/lanes_of_problem.hpp"
#include "ivp/windows/compiled_windows.hpp"

namespace daewave::ivp {

/// @tparam T  Lanes, as many as nodes.  @tparam nq, nl  or both Dynamic.  @tparam diagonal  M.
template <class T, int nq_, int nl_, bool diagonal>
class LaneSweeps final : public WindowSweeps {
  using Problem = LaneMultibody<T, nq_, nl_, diagonal>;
  using Position = typename Problem::Position;
  static constexpr int nodes = WindowFormula::nodes;
  static_assert(T::width == nodes);

 public:
  LaneSweeps(Evaluation* evaluation, const WindowTask& task)
      : evaluation_(evaluation),
        formula_(&window_formula()),
        rank_tolerance_(task.rank_tolerance),
        problem_(*evaluation, task.sizes, true),
        split_(task.sizes.nq, task.sizes.nl()) {
    for (Position* one : {&q_, &v_, &new_, &force_}) one->resize(task.sizes.nq);
  }
  LaneSweeps(const LaneSweeps&) = delete;
  LaneSweeps& operator=(const LaneSweeps&) = delete;

  DAEWAVE_FLATTEN void extend(const double* series, int nq, double begin, double ratio,
                              double* a) const override {
    const T x = T(2 * begin - 1) + T(2 * ratio) * T::load(formula_->c.data());
    T P[nodes];
    P[0] = T(1);
    P[1] = x;
    for (int k = 1; k + 1 < nodes; ++k) {
      P[k + 1] = T((2 * k + 1) / (k + 1.0)) * (x * P[k]) - T(k / (k + 1.0)) * P[k - 1];
    }
    for (int i = 0; i < nq; ++i) {
      const double* const row = series + i * nodes;
      T sum = T(row[nodes - 1]) * P[nodes - 1];
      for (int k = nodes - 1; k-- > 0;) sum += T(row[k]) * P[k];
      sum.store(a + i * nodes);
    }
  }

  DAEWAVE_FLATTEN Sweep sweep(const WindowBegin& from, const double* weight, double* a) override {
    const int nq = problem_.nq();
    const T c = T::load(formula_->c.data());
    const T h = from.h, h2 = from.h * from.h;
    for (int i = 0; i < nq; ++i) {
      const double* const a_i = a + i * nodes;
      T once = T::load(formula_->once[0].data()) * T(a_i[0]);
      T twice = T::load(formula_->twice[0].data()) * T(a_i[0]);
      for (int j = 1; j < nodes; ++j) {
        once += T::load(formula_->once[j].data()) * T(a_i[j]);
        twice += T::load(formula_->twice[j].data()) * T(a_i[j]);
      }
      q_[i] = T(from.q[i]) + c * T(from.h * from.v[i]) + h2 * twice;
      v_[i] = T(from.v[i]) + h * once;
    }
    problem_.terms(q_, v_, T(from.t) + c * h, at_);
    const auto lost = split_.split(at_.G, at_.M, rank_tolerance_);
    Sweep result;
    if (lost.any()) {
      result.evaluated = false;
      return result;
    }
    result.pivot = least_of(split_.smallest_pivot());
    for (int i = 0; i < problem_.nl(); ++i) at_.curvature[i] = -at_.curvature[i];
    split_.particular(at_.curvature, new_);
    split_.apply_mass(new_, force_);
    for (int i = 0; i < nq; ++i) force_[i] = at_.f[i] - force_[i];
    split_.add_free_part(force_, new_);
    T change(0);
    for (int i = 0; i < nq; ++i) {
      double* const a_i = a + i * nodes;
      change = larger(change, abs(T(weight[i]) * (new_[i] - T::load(a_i))));
      new_[i].store(a_i);
    }
    result.change = largest_of(change);
    return result;
  }

 private:
  static double least_of(const T& x) {
    double least = x[0];
    for (int lane = 1; lane < T::width; ++lane) least = x[lane] < least ? x[lane] : least;
    return least;
  }
  /// NaN where one of them is.
  static double largest_of(const T& x) {
    double largest = x[0];
    for (int lane = 1; lane < T::width; ++lane) largest = x[lane] <= largest ? largest : x[lane];
    return largest;
  }

  std::unique_ptr<Evaluation> evaluation_;
  const WindowFormula* formula_;
  double rank_tolerance_;
  Problem problem_;
  MultibodyTerms<Problem> at_;
  LaneNullSpace<T, nq_, nl_, diagonal> split_;
  Position q_, v_, new_, force_;
};

}  // namespace daewave::ivp
