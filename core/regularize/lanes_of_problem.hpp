#pragma once
// Problems in lanes, behind the seam of core/problem/dae_problem.hpp: the terms of all lanes are
// one evaluation of a batch. Sizes are those of the type, or known at run time and bounded.

#include "core/lanes/lane_sizes.hpp"
#include "core/lanes/lanes_in_eigen.hpp"
#include "core/problem/dae_problem.hpp"
#include "core/problem/terms.hpp"

namespace daewave {

/// A matrix of lanes where an evaluation left it.
template <class T>
class LaneView {
 public:
  LaneView() = default;
  LaneView(const double* at, int row_step, int column_step)
      : at_(at), row_step_(row_step), column_step_(column_step) {}
  [[gnu::always_inline]] T operator()(int i, int j) const {
    return T::load(at_ + i * row_step_ + j * column_step_);
  }
  LaneView transpose() const { return {at_, column_step_, row_step_}; }

 private:
  const double* at_ = nullptr;
  int row_step_ = 0, column_step_ = 0;
};

namespace detail {

template <class T>
[[gnu::always_inline]] inline const double* numbers_of(const T* lanes) {
  return reinterpret_cast<const double*>(lanes);
}
template <class T, class V>
[[gnu::always_inline]] inline void load(const double* from, int stride, V& to, int size) {
  to.resize(size);
  for (int i = 0; i < size; ++i) to[i] = T::load(from + i * stride);
}

}  // namespace detail

/// A multibody system. @tparam nq, nl  or both Dynamic.  @tparam diagonal_mass  of M.
template <class T, int nq_, int nl_, bool diagonal_mass>
class LaneMultibody {
 public:
  using Position = LaneVector<T, nq_>;
  using Multiplier = LaneVector<T, nl_>;
  using State = LaneVector<T, nq_, 2>;
  using Time = T;
  static constexpr int fixed_nq = nq_, fixed_nl = nl_;
  static constexpr bool diagonal = diagonal_mass;

  /// The evaluation is kept by reference. @param residuals  of positions and velocities, too.
  LaneMultibody(Evaluation& evaluation, const Sizes& sizes, bool curvature, bool residuals = true)
      : evaluation_(&evaluation),
        n_(sizes.nq),
        l_(sizes.nl()),
        what_(asked(curvature, residuals)) {}

  /// What terms() needs. Where it was evaluated for many points, they are those from `point` on.
  Ask what() const { return what_; }
  void look_at(const Terms& all, int point) {
    all_ = &all;
    point_ = point;
  }

  [[gnu::always_inline]] int nq() const { return n_.value(); }
  [[gnu::always_inline]] int nl() const { return l_.value(); }
  [[gnu::always_inline]] int state_size() const { return 2 * nq(); }

  void terms(const Position& q, const Position& v, const T& t,
             MultibodyTerms<LaneMultibody>& at) const {
    constexpr int W = T::width;
    const Terms& from =
        all_ != nullptr
            ? *all_
            : evaluation_->evaluate(
                  what_, Points{W, W, detail::numbers_of(&t), detail::numbers_of(q.data()),
                                detail::numbers_of(v.data()), nullptr});
    const int p = point_;
    detail::load<T>(from.f + p, from.stride, at.f, nq());
    at.M = LaneView<T>(from.M + p, from.stride, nq() * from.stride);
    at.G = LaneView<T>(from.G + p, from.stride, nl() * from.stride);
    if (asks(what_, Ask::g)) {
      detail::load<T>(from.g + p, from.stride, at.position, nl());
      detail::load<T>(from.g_t + p, from.stride, at.g_t, nl());
    }
    if (asks(what_, Ask::curvature)) {
      detail::load<T>(from.curvature + p, from.stride, at.curvature, nl());
    }
  }

 private:
  static Ask asked(bool curvature, bool residuals) {
    Ask all = Ask::f | Ask::M | Ask::G;
    if (residuals) all = all | Ask::g | Ask::g_t;
    return curvature ? all | Ask::curvature : all;
  }

  Evaluation* evaluation_;
  LaneSize<nq_> n_;
  LaneSize<nl_> l_;
  Ask what_;
  const Terms* all_ = nullptr;
  int point_ = 0;
};

/// What was evaluated; M and G until the next time.
template <class T, int nq, int nl, bool diagonal>
struct MultibodyTerms<LaneMultibody<T, nq, nl, diagonal>> {
  LaneVector<T, nq> f;
  LaneView<T> M;  ///< Of a diagonal the first column.
  LaneView<T> G;
  LaneVector<T, nl> position, g_t, curvature;
};

/// A DAE of index 2. @tparam nx, ny  or both Dynamic.
template <class T, int nx_, int ny_>
class LaneIndexTwo {
 public:
  using State = LaneVector<T, nx_>;
  using Multiplier = LaneVector<T, ny_>;
  using Time = T;
  static constexpr int fixed_nx = nx_, fixed_ny = ny_;

  LaneIndexTwo(Evaluation& evaluation, const Sizes& sizes, bool)
      : evaluation_(&evaluation), n_(sizes.nq), l_(sizes.ny) {}

  /// As LaneMultibody.
  Ask what() const { return Ask::f | Ask::B | Ask::G | Ask::g | Ask::g_t; }
  void look_at(const Terms& all, int point) {
    all_ = &all;
    point_ = point;
  }

  [[gnu::always_inline]] int nx() const { return n_.value(); }
  [[gnu::always_inline]] int ny() const { return l_.value(); }
  [[gnu::always_inline]] int state_size() const { return nx(); }

  void terms(const State& x, const T& t, SemiExplicitTerms<LaneIndexTwo>& at) const {
    constexpr int W = T::width;
    const Terms& from =
        all_ != nullptr
            ? *all_
            : evaluation_->evaluate(what(), Points{W, W, detail::numbers_of(&t),
                                                   detail::numbers_of(x.data()), nullptr, nullptr});
    const int p = point_;
    detail::load<T>(from.f + p, from.stride, at.f, nx());
    at.B = LaneView<T>(from.B + p, from.stride, nx() * from.stride);
    at.G = LaneView<T>(from.G + p, from.stride, ny() * from.stride);
    detail::load<T>(from.g + p, from.stride, at.position, ny());
    detail::load<T>(from.g_t + p, from.stride, at.g_t, ny());
  }

 private:
  Evaluation* evaluation_;
  LaneSize<nx_> n_;
  LaneSize<ny_> l_;
  const Terms* all_ = nullptr;
  int point_ = 0;
};

template <class T, int nx, int ny>
struct SemiExplicitTerms<LaneIndexTwo<T, nx, ny>> {
  LaneVector<T, nx> f;
  LaneView<T> B, G;
  LaneVector<T, ny> position, g_t;
};

}  // namespace daewave
