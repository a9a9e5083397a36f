#pragma once
// What sweeps with the nodes of a window in SIMD lanes have in common, whatever their linear
// algebra: polynomials of windows, states at the nodes, what a sweep changed.

#include "core/lanes/lanes.hpp"
#include "core/machine/flatten.hpp"
#include "ivp/windows/window_sweeps.hpp"

namespace daewave::ivp {

/// @tparam T  Lanes, as many as nodes.
template <class T>
class LaneWindows : public WindowSweeps {
 public:
  LaneWindows() : formula_(&window_formula()) {}

  DAEWAVE_FLATTEN void extend(const double* series, const double* next, int nq, double begin,
                              double ratio, double* a) const override {
    const T x = T(2 * begin - 1) + T(2 * ratio) * T::load(formula_->c.data());
    T P[nodes + 1];
    P[0] = T(1);
    P[1] = x;
    for (int k = 1; k < nodes; ++k) {
      P[k + 1] = T((2 * k + 1) / (k + 1.0)) * (x * P[k]) - T(k / (k + 1.0)) * P[k - 1];
    }
    for (int i = 0; i < nq; ++i) {
      const double* const row = series + i * nodes;
      T sum = T(next[i]) * P[nodes];
      for (int k = nodes; k-- > 0;) sum += T(row[k]) * P[k];
      sum.store(a + i * nodes);
    }
  }

  DAEWAVE_FLATTEN void expand(const double* a, int nq, double* series) const override {
    for (int i = 0; i < nq; ++i) {
      const double* const a_i = a + i * nodes;
      T sum = T::load(formula_->coefficient[0].data()) * T(a_i[0]);
      for (int j = 1; j < nodes; ++j) {
        sum += T::load(formula_->coefficient[j].data()) * T(a_i[j]);
      }
      sum.store(series + i * nodes);
    }
  }

 protected:
  static constexpr int nodes = WindowFormula::nodes;
  static_assert(T::width == nodes);

  [[gnu::always_inline]] T times(const WindowBegin& from) const {
    return T(from.t) + T::load(formula_->c.data()) * T(from.h);
  }

  /// Q and V at the nodes, of accelerations a there.
  [[gnu::always_inline]] void states(const WindowBegin& from, const double* a, T* q, T* v) const {
    const T c = T::load(formula_->c.data());
    const T h = from.h, h2 = from.h * from.h;
    for (int i = 0; i < from.nq; ++i) {
      const double* const a_i = a + i * nodes;
      T once = T::load(formula_->once[0].data()) * T(a_i[0]);
      T twice = T::load(formula_->twice[0].data()) * T(a_i[0]);
      for (int j = 1; j < nodes; ++j) {
        once += T::load(formula_->once[j].data()) * T(a_i[j]);
        twice += T::load(formula_->twice[j].data()) * T(a_i[j]);
      }
      q[i] = T(from.q[i]) + c * T(from.h * from.v[i]) + h2 * twice;
      v[i] = T(from.v[i]) + h * once;
    }
  }

  /// a <- found. @return the largest weighted change; NaN where one is.
  [[gnu::always_inline]] static double take(const T* found, const double* weight, int nq,
                                            double* a) {
    T change(0);
    for (int i = 0; i < nq; ++i) {
      double* const a_i = a + i * nodes;
      change = larger(change, abs(T(weight[i]) * (found[i] - T::load(a_i))));
      found[i].store(a_i);
    }
    double largest = change[0];
    for (int lane = 1; lane < nodes; ++lane) {
      largest = change[lane] <= largest ? largest : change[lane];
    }
    return largest;
  }

 private:
  const WindowFormula* formula_;
};

}  // namespace daewave::ivp
