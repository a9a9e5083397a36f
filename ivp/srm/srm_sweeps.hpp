#pragma once
// All iterates of a sequential regularization, sweep by sweep: for iterates { for steps }. Keeps
// the waveform of y at the points of every step; the same functions advance a step as in the
// step-local order, and the bits are the same.

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ivp/srm/srm_step.hpp"

namespace daewave::ivp {

/// Steps of given lengths. Memory: steps + 1 times x, and steps times the y of the points.
class SrmSweeps {
 public:
  SrmSweeps(std::unique_ptr<RegularizedOde> ode, const SrmFormula& formula,
            InitialIterate y_0 = {});

  /// Runs `iterates` sweeps from (t, x) over `steps`; false where something is not finite or cannot
  /// be evaluated, and failure() tells what: there are no results then.
  /// @param goes_on  asked after each step with the part that is done of all sweeps; false stops.
  ///                 Empty: not asked.
  bool run(double t, const VecX& x, const std::vector<double>& steps, int iterates,
           const std::function<bool(double part)>& goes_on = {});

  /// What each step takes of memory.
  double bytes_per_step() const;
  /// goes_on() has said no.
  bool stopped() const { return stopped_; }

  /// t, and x and y of the last sweep, at node i.
  double t(int i) const { return t_[static_cast<std::size_t>(i)]; }
  Eigen::Map<const VecX> x(int i) const;
  Eigen::Map<const VecX> carried(int i) const;
  /// |x_s - x_{s-1}| where the sweeps end, s = 2, 3, ...
  const std::vector<VecX>& changes() const { return changes_; }
  int count() const { return static_cast<int>(t_.size()); }
  const std::string& failure() const { return failure_; }
  long evaluations() const { return iterate_->evaluations(); }

 private:
  void prepare(double t, const VecX& x, const std::vector<double>& steps);
  bool sweep(const VecX& x, bool last, const std::function<bool(double part)>& goes_on);
  void keep(std::size_t node, const VecX& x);

  std::unique_ptr<RegularizedOde> ode_;
  std::unique_ptr<SrmIterate> iterate_;
  InitialIterate y_0_;
  std::vector<double> steps_, t_, x_;
  /// y_{s-1}, and y_s where the sweep has been, at the begin and at the points of all steps.
  std::vector<double> wave_;
  std::array<IterateState, 2> at_;
  VecX end_;  ///< Of the sweep before.
  std::vector<VecX> changes_;
  std::vector<VecX> before_, after_;  ///< Of a step.
  std::string failure_;
  bool stopped_ = false;
};

}  // namespace daewave::ivp
