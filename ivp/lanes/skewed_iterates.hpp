#pragma once
// The iterates of a sequential regularization in lanes: iterate s takes step k - s while iterate 1
// takes step k, so that what one leaves at the points of a step moves up by one lane, and is there
// when the next one comes.                                                  [AL1] 4.2, [AL2]
//
// Iterates stand in the uppermost lanes. Lanes below them, and iterates before their first step or
// after their last one, take steps of length 0: they stay where they are, to the last bit.

#include "core/problem/dae_problem.hpp"
#include "ivp/lanes/lane_run.hpp"

namespace daewave::ivp {

/// @tparam R  a regularized problem in lanes (core/regularize/regularize_index3.hpp).
/// @tparam Problem  what it is of (core/regularize/lanes_of_problem.hpp).
template <class R, class Problem>
class SkewedIteratesOf final : public SkewedIterates {
  using State = typename R::State;
  using Carried = typename R::Carried;
  using T = typename State::Scalar;
  using Iterate = LaneIterate<R>;
  static constexpr int W = T::width;

 public:
  /// @param evaluation  taken over.  @param iterates  1 to the number of lanes.
  SkewedIteratesOf(Evaluation* evaluation, const Problem& problem, const LaneIterateSizes<R>& sizes,
                   const Regularization& form, const LaneFormula& formula, int iterates,
                   const LaneRescue& rescue)
      : evaluation_(evaluation),
        problem_(problem),
        iterate_(R(problem_, form), sizes, formula, rescue),
        first_(W - iterates),
        at_(sizes.nz(), sizes.nc()) {
    for (Carried& y : before_) y.resize(sizes.nc());
    for (Carried& y : after_) y.resize(sizes.nc());
    for (int lane = 0; lane < W; ++lane) {
      is_first_.set(lane, lane == first_ ? 1 : 0);
      failed_[lane] = no_failure;
    }
  }

  ~SkewedIteratesOf() override { delete evaluation_; }
  SkewedIteratesOf(const SkewedIteratesOf&) = delete;
  SkewedIteratesOf& operator=(const SkewedIteratesOf&) = delete;

  LaneShape shape() const override {
    return {W, iterate_.nz(), iterate_.nc(), iterate_.formula().points};
  }

  void start(double t, const double* x, const double* y_0, LaneSteps out) override {
    const int nz = iterate_.nz(), nc = iterate_.nc();
    iterate_.watch(out.drift != nullptr);
    t_ = t;
    h_ = T(0);
    for (int i = 0; i < nz; ++i) at_.x[i] = x[i];
    for (int i = 0; i < nc; ++i) at_.carried[i] = y_0[i];
    for (int s = first_; s < W; ++s) {
      Carried before;
      before.resize(nc);
      for (int i = 0; i < nc; ++i) before[i] = lifted(at_.carried[i], y_0[i]);
      iterate_.evaluate(at_.x, t_, before, at_.slope, at_.carried);
      for (int p = 0; p < iterate_.formula().points; ++p) before_[p] = before;
    }
    for (int p = 0; p < most_stages; ++p) after_[p] = at_.carried;
    iterate_.look_at_drift();
    ticks_ = 0;
    for (int lane = 0; lane < W; ++lane) failed_[lane] = no_failure;
    look();
    give(0, iterate_.formula().points, out);
  }

  void advance(int count, const double* nodes, const double* y_0, LaneSteps out) override {
    const int points = iterate_.formula().points, nc = iterate_.nc();
    iterate_.watch(out.drift != nullptr);
    for (int k = 0; k < count; ++k) {
      t_ = lifted(t_, nodes[k]);
      h_ = lifted(h_, nodes[k + 1] - nodes[k]);
      for (int p = 0; p < points; ++p) {
        for (int i = 0; i < nc; ++i) {
          before_[p][i] = lifted(after_[p][i], y_0[(k * points + p) * nc + i]);
        }
      }
      iterate_.advance(t_, h_, at_, before_, after_);
      ++ticks_;
      look();
      give(k, points, out);
    }
  }

  void iterate(int s, double* x, double* carried) const override {
    const int nz = iterate_.nz(), nc = iterate_.nc();
    const int lane = first_ + s - 1;
    for (int i = 0; i < nz; ++i) x[i] = at_.x[i][lane];
    for (int i = 0; i < nc; ++i) carried[i] = at_.carried[i][lane];
  }

  long first_failure(int s) const override { return failed_[first_ + s - 1]; }

 private:
  /// What is handed to the next iterate; the first one is given what is new.
  [[gnu::always_inline]] T lifted(const T& from, double fresh) const {
    return select(is_first_ == T(1), T(fresh), moved_up(from, fresh));
  }

  /// Notes which iterates have become other than finite.
  void look() {
    T sum = at_.x[0] + at_.slope[0];
    for (int i = 1; i < iterate_.nz(); ++i) sum += at_.x[i] + at_.slope[i];
    const unsigned good = finite_in(sum).bits();
    if (good == (1U << W) - 1) return;
    for (int lane = first_; lane < W; ++lane) {
      if ((good >> lane & 1U) != 0 || failed_[lane] != no_failure) continue;
      const long step = ticks_ - 1 - (lane - first_);
      failed_[lane] = step < -1 ? -1 : step;
    }
  }

  void give(int k, int points, const LaneSteps& out) const {
    const int nz = iterate_.nz(), nc = iterate_.nc();
    constexpr int last = W - 1;
    for (int i = 0; i < nz; ++i) out.x[k * nz + i] = at_.x[i][last];
    for (int i = 0; i < nz; ++i) out.slope[k * nz + i] = at_.slope[i][last];
    for (int i = 0; i < nc; ++i) out.after[k * nc + i] = at_.carried[i][last];
    for (int p = 0; p < points; ++p) {
      for (int i = 0; i < nc; ++i) {
        out.before[(k * points + p) * nc + i] = before_[p][i][last];
      }
    }
    if (out.drift == nullptr) return;
    out.drift[2 * k] = iterate_.position_drift()[last];
    out.drift[2 * k + 1] = iterate_.velocity_drift()[last];
  }

  Evaluation* evaluation_;
  Problem problem_;
  Iterate iterate_;
  int first_;      ///< Lane of iterate 1.
  T is_first_{0};  ///< 1 there.
  T t_, h_;
  LaneState<R> at_;
  Carried before_[most_stages], after_[most_stages];
  long ticks_ = 0;
  long failed_[W];
};

}  // namespace daewave::ivp
