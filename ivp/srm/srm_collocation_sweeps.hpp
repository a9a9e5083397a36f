#pragma once
// Sweeps of a sequential regularization by collocation: the points of a step are its stages, and
// its end.

#include <utility>
#include <vector>

#include "ivp/srm/srm_collocation_step.hpp"
#include "ivp/srm/srm_sweeps.hpp"

namespace daewave::ivp {

/// One iterate by collocation.
template <RegularizedOde R>
class CollocationSweep {
 public:
  using Ode = R;
  using State = typename R::State;
  using Carried = typename R::Carried;

  /// @param ny  entries of what is carried.
  CollocationSweep(R ode, const Collocation& scheme, int ny)
      : ode_(std::move(ode)), scheme_(stage_transform(scheme)), iterate_(scheme_, {}), ny_(ny) {
    for (int j = 0; j < SrmCollocationIterate<R>::points(scheme_); ++j) {
      points_.push_back(j < scheme_.stages ? scheme_.c[static_cast<std::size_t>(j)] : 1.0);
    }
  }

  const std::vector<double>& points() const { return points_; }
  Carried none(const State&, double) const { return Carried::Zero(ny_); }
  bool start(double t, const State& x, const Carried& before, IterateState<R>& at) {
    return iterate_.start(ode_, t, x, before, at);
  }
  bool advance(double t, double h, const IterateState<R>& from, const Carried& left,
               const Carried* before, IterateState<R>& to, Carried* after) {
    if (!iterate_.advance(ode_, {}, t, h, from, left, before, to, after)) return false;
    iterate_.accept(h);
    return true;
  }
  const std::string& failure() const { return iterate_.failure(); }
  long evaluations() const { return iterate_.evaluations(); }

 private:
  R ode_;
  StageTransform scheme_;
  SrmCollocationIterate<R> iterate_;
  std::vector<double> points_;
  int ny_;
};

template <RegularizedOde R>
class SrmCollocationSweeps : public IterateSweeps<CollocationSweep<R>> {
 public:
  /// @param ny  entries of what is carried.
  SrmCollocationSweeps(R ode, const Collocation& scheme, int ny,
                       InitialIterate<typename R::Carried> y_0 = {})
      : IterateSweeps<CollocationSweep<R>>({std::move(ode), scheme, ny}, std::move(y_0)) {}
};

}  // namespace daewave::ivp
