#pragma once
// Windows that go in trains, one by one, as the time loop takes them. Where a train does not get
// on, near dependent constraints or where terms are not smooth, ordinary windows go on for a while.

#include <memory>
#include <string>
#include <vector>

#include "ivp/trains/window_train.hpp"
#include "ivp/windows/window_step.hpp"

namespace daewave::ivp {

class TrainStep final : public NonstiffStep {
 public:
  /// @param system  of the problem, z = (q, v); kept by reference, as the problem is.
  /// @param span    where the run ends; @param most  of lengths.
  TrainStep(ReducedOde& system, const DaeProblem& problem, std::unique_ptr<FlightSweeps> sweeps,
            std::unique_ptr<WindowSweeps> lanes, const Tolerance& tolerance, double end,
            double most);

  bool start(double t, const VecX& z) override;
  double attempt(double h) override;
  bool accept() override;
  double t() const override { return t_; }
  const VecX& state() const override { return z_; }
  void interpolate(double theta, VecX& out) override;
  int dense_degree() const override { return plain_.dense_degree(); }

  bool multiplier(VecX& carried) override;
  bool knows_multiplier_between() const override { return true; }
  bool multiplier_at(double t, const VecX& z, VecX& carried) override {
    return plain_.multiplier_at(t, z, carried);
  }
  Drift drift() override;

  int error_order() const override { return plain_.error_order(); }
  double first_step(double sign, double most) override { return plain_.first_step(sign, most); }
  bool chooses_length() const override { return true; }
  double next_length() const override { return length_; }
  double stiffness() const override;

  std::string failure() const override { return failure_; }
  long evaluations() const override { return train_.evaluations() + plain_.evaluations(); }

 private:
  double by_train(double h);
  double by_plain(double h);

  ReducedOde& system_;
  WindowTrain train_;
  WindowStep plain_;
  double end_, most_;
  double t_ = 0, length_ = 0;
  VecX z_;
  bool by_train_ = false;       ///< The step last accepted was,
  bool trying_train_ = false;   ///< and the one that is tried.
  bool plain_is_here_ = false;  ///< It has begun at t_.
  int plain_left_ = 0;          ///< Steps until a train is tried again.
  int refused_ = 0;
  const Flight* window_ = nullptr;  ///< Last accepted.
  std::vector<WindowPolynomial> pieces_;
  bool has_pieces_ = false;
  std::string failure_;
};

}  // namespace daewave::ivp
