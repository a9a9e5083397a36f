#pragma once
// Runs of one kind of problem side by side: in each lane a problem, with parameters and a start of
// its own, and all iterates of a step one after the other. Lanes know nothing of each other; one
// that is no longer finite stays so, and the others go on.

#include "core/problem/dae_problem.hpp"
#include "ivp/lanes/lane_run.hpp"

namespace daewave::ivp {

/// @tparam R  a regularized problem in lanes.
/// @tparam Problem  what it is of (core/regularize/lanes_of_problem.hpp).
template <class R, class Problem>
class MembersInLanesOf final : public MembersInLanes {
  using State = typename R::State;
  using Carried = typename R::Carried;
  using T = typename State::Scalar;
  using Iterate = LaneIterate<R>;
  static constexpr int W = T::width;

 public:
  /// @param evaluation  taken over.  @param iterates  1 to most_iterates_in_lanes.
  MembersInLanesOf(Evaluation* evaluation, const Problem& problem, const LaneIterateSizes<R>& sizes,
                   const Regularization& form, const LaneFormula& formula, int iterates,
                   const LaneRescue& rescue, const LaneEnergy& energy)
      : evaluation_(evaluation),
        problem_(problem),
        iterate_(R(problem_, form), sizes, formula, rescue),
        iterates_(iterates),
        energy_of_(energy),
        kept_(sizes.nz(), sizes.nc()) {
    for (LaneState<R>& at : at_) at = kept_;
    for (auto& wave : wave_) {
      for (Carried& y : wave) y.resize(sizes.nc());
    }
    none_.resize(sizes.nc());
  }
  ~MembersInLanesOf() override { delete evaluation_; }
  MembersInLanesOf(const MembersInLanesOf&) = delete;
  MembersInLanesOf& operator=(const MembersInLanesOf&) = delete;

  LaneShape shape() const override {
    return {W, iterate_.nz(), iterate_.nc(), iterate_.formula().points};
  }

  void start(double t, const double* x) override {
    const int nz = iterate_.nz(), nc = iterate_.nc();
    for (int i = 0; i < nc; ++i) none_[i] = T(0);
    for (int s = 0; s < iterates_; ++s) {
      for (int lane = 0; lane < W; ++lane) {
        for (int i = 0; i < nz; ++i) at_[s].x[i].set(lane, x[lane * nz + i]);
      }
      iterate_.evaluate(at_[s].x, T(t), s == 0 ? none_ : at_[s - 1].carried, at_[s].slope,
                        at_[s].carried);
    }
    iterate_.watch(true);
    iterate_.look_at_drift();
    for (int lane = 0; lane < W; ++lane) steps_[lane] = 0;
    position_ = velocity_ = energy_change_ = T(0);
    energy_start_ = energy();
    good_ = (1U << W) - 1;
    least_ = greatest_ = at_[iterates_ - 1].x;
    watch();
    keep();
  }

  void advance(int count, const double* nodes) override {
    const int points = iterate_.formula().points;
    for (int k = 0; k < count && good_ != 0; ++k) {
      const T t(nodes[k]), h(nodes[k + 1] - nodes[k]);
      for (int p = 0; p < points; ++p) wave_[0][p] = none_;
      for (int s = 0; s < iterates_; ++s) {
        iterate_.watch(s + 1 == iterates_);
        iterate_.advance(t, h, at_[s], wave_[s % 2], wave_[(s + 1) % 2]);
      }
      watch();
      for (int lane = 0; lane < W; ++lane) steps_[lane] += good_ >> lane & 1U;
      keep();
    }
  }

  void state(int lane, double* x, double* carried) const override {
    for (int i = 0; i < iterate_.nz(); ++i) x[i] = kept_.x[i][lane];
    for (int i = 0; i < iterate_.nc(); ++i) carried[i] = kept_.carried[i][lane];
  }
  void iterate(int lane, int s, double* x) const override {
    for (int i = 0; i < iterate_.nz(); ++i) x[i] = at_[s - 1].x[i][lane];
  }
  void motion(int lane, double* least, double* greatest) const override {
    for (int i = 0; i < iterate_.nz(); ++i) {
      least[i] = least_[i][lane];
      greatest[i] = greatest_[i][lane];
    }
  }
  void drift(int lane, double& position, double& velocity) const override {
    position = position_[lane];
    velocity = velocity_[lane];
  }
  bool energy(int lane, double& start, double& change) const override {
    start = energy_start_[lane];
    change = energy_change_[lane];
    return energy_of_.evaluate != nullptr;
  }
  long steps(int lane) const override { return steps_[lane]; }

 private:
  T energy() const {
    T all(0);
    if (energy_of_.evaluate == nullptr) return all;
    double z[State::MaxRowsAtCompileTime];
    for (int lane = 0; lane < W; ++lane) {
      for (int i = 0; i < iterate_.nz(); ++i) z[i] = at_[iterates_ - 1].x[i][lane];
      all.set(lane, energy_of_.evaluate(energy_of_.who, lane, z));
    }
    return all;
  }

  /// Drops lanes in which an iterate is not finite.
  void watch() {
    const int nz = iterate_.nz();
    for (int s = 0; s < iterates_; ++s) {
      T sum = at_[s].x[0] + at_[s].slope[0];
      for (int i = 1; i < nz; ++i) sum += at_[s].x[i] + at_[s].slope[i];
      good_ &= finite_in(sum).bits();
    }
  }

  /// State and drift of the lanes that are still good.
  void keep() {
    const int nz = iterate_.nz(), nc = iterate_.nc();
    T good(0);
    for (int lane = 0; lane < W; ++lane) good.set(lane, good_ >> lane & 1U);
    const auto still = good == T(1);
    const LaneState<R>& last = at_[iterates_ - 1];
    for (int i = 0; i < nz; ++i) {
      kept_.x[i] = select(still, last.x[i], kept_.x[i]);
      least_[i] = min(least_[i], kept_.x[i]);
      greatest_[i] = max(greatest_[i], kept_.x[i]);
    }
    for (int i = 0; i < nc; ++i) {
      kept_.carried[i] = select(still, last.carried[i], kept_.carried[i]);
    }
    position_ = select(still, larger(position_, iterate_.position_drift()), position_);
    velocity_ = select(still, larger(velocity_, iterate_.velocity_drift()), velocity_);
    const T change = abs(energy() - energy_start_);
    energy_change_ = select(still, larger(energy_change_, change), energy_change_);
  }

  Evaluation* evaluation_;
  Problem problem_;
  Iterate iterate_;
  int iterates_;
  LaneEnergy energy_of_;
  LaneState<R> kept_;
  State least_, greatest_;
  LaneState<R> at_[most_iterates_in_lanes];
  Carried wave_[2][most_stages], none_;
  T position_, velocity_, energy_start_, energy_change_;
  unsigned good_ = 0;
  long steps_[W];
};

}  // namespace daewave::ivp
