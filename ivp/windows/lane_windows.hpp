#pragma once
// What sweeps with the nodes of a window in SIMD lanes have in common, whatever their linear
// algebra: polynomials of windows, states at the nodes, what a sweep changed.

#include <limits>

#include "core/lanes/lanes.hpp"
#include "core/machine/flatten.hpp"
#include "ivp/windows/window_sweeps.hpp"

namespace daewave::ivp {

/// @tparam T  Lanes, as many as nodes.
template <class T>
class LaneWindows : public WindowSweeps {
 public:
  LaneWindows() : formula_(&window_formula()), places_(&window_places()) {}

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
      // Of nodes in pairs, one of each in a sum of its own: half as many wait for each other.
      T once = T::load(formula_->once[0].data()) * T(a_i[0]);
      T twice = T::load(formula_->twice[0].data()) * T(a_i[0]);
      T once_odd = T::load(formula_->once[1].data()) * T(a_i[1]);
      T twice_odd = T::load(formula_->twice[1].data()) * T(a_i[1]);
      for (int j = 2; j < nodes; j += 2) {
        once += T::load(formula_->once[j].data()) * T(a_i[j]);
        twice += T::load(formula_->twice[j].data()) * T(a_i[j]);
        once_odd += T::load(formula_->once[j + 1].data()) * T(a_i[j + 1]);
        twice_odd += T::load(formula_->twice[j + 1].data()) * T(a_i[j + 1]);
      }
      once += once_odd;
      twice += twice_odd;
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
    // Numbers that are none would be lost in the comparisons.
    if (!(change == change).all()) return std::numeric_limits<double>::quiet_NaN();
    return most_of(change, [](double x, double y) { return x > y ? x : y; });
  }

  /// Of the lanes that which `more` chooses, by halves: one after the other would be waited for.
  template <class More>
  [[gnu::always_inline]] static double most_of(const T& x, const More& more) {
    return more(more(more(x[0], x[4]), more(x[2], x[6])), more(more(x[1], x[5]), more(x[3], x[7])));
  }

  /// Lanes of two of them: the end of a window, and a place inside that is not window_places()'s.
  static constexpr int end_lane = WindowPlaces::end, inside_lane = WindowPlaces::begin;

  /// States and times at the places of a window, and of the two points in their lanes.
  [[gnu::always_inline]] void places(const WindowCheck& window, const WindowPoint& end,
                                     const WindowPoint& inside, int nq, T* q, T* v, T& t) const {
    const T theta = T::load(places_->theta.data());
    const T h = window.h, h2 = window.h * window.h;
    for (int i = 0; i < nq; ++i) {
      const double* const L = window.series + i * nodes;
      T once = T::load(places_->once[0].data()) * T(L[0]);
      T twice = T::load(places_->twice[0].data()) * T(L[0]);
      for (int k = 1; k < nodes; ++k) {
        once += T::load(places_->once[k].data()) * T(L[k]);
        twice += T::load(places_->twice[k].data()) * T(L[k]);
      }
      const double v_begin = window.begin[nq + i];
      q[i] = T(window.begin[i]) + theta * T(window.h * v_begin) + h2 * twice;
      v[i] = T(v_begin) + h * once;
      q[i].set(end_lane, end.z[i]);
      v[i].set(end_lane, end.z[nq + i]);
      q[i].set(inside_lane, inside.z[i]);
      v[i].set(inside_lane, inside.z[nq + i]);
    }
    t = T(window.t) + theta * h;
    t.set(end_lane, end.t);
    t.set(inside_lane, inside.t);
  }

  /// What is left of accelerations found there.
  [[gnu::always_inline]] double left_of(const WindowCheck& window, int nq, const T* found) const {
    T largest(0);
    for (int i = 0; i < nq; ++i) largest = larger(largest, abs(found[i]));
    const T cut_off =
        T(rounding_of_largest * most_of(largest, [](double x, double y) { return x > y ? x : y; }));
    T most(0);
    for (int i = 0; i < nq; ++i) {
      const double* const L = window.series + i * nodes;
      T value = T::load(places_->value[0].data()) * T(L[0]);
      for (int k = 1; k < nodes; ++k) value += T::load(places_->value[k].data()) * T(L[k]);
      T missed = found[i] - value;
      missed.set(WindowPlaces::begin, window.missed[i]);
      T left = T::load(places_->left[0].data()) * T(missed[0]);
      for (int j = 1; j < nodes; ++j) left += T::load(places_->left[j].data()) * T(missed[j]);
      most = larger(most, T(window.weight[i]) * (abs(left) - cut_off));
    }
    return most_of(most, [](double x, double y) { return x > y ? x : y; });
  }

 private:
  const WindowFormula* formula_;
  const WindowPlaces* places_;
};

}  // namespace daewave::ivp
