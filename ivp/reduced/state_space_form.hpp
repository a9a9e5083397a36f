#pragma once
// Local state-space form as what an OdeSystem does before an evaluation and after a step: the
// formula combines slopes of all of z, of which only R q and R v count; the rest follows from the
// constraints and is what the formula predicted for it before.                  [ACPR] section 3.1

#include <memory>
#include <string>

#include "ivp/reduced/local_parameters.hpp"

namespace daewave::ivp {

/// Holds the memory, and R: one for each run.
class StateSpaceForm {
 public:
  explicit StateSpaceForm(const LocalStateSpace& how) : how_(how) {}

  /// Before the first step. @param system  of dae_system_of(). False as LocalParameters::choose().
  bool start(std::unique_ptr<DaeSystem> system, double t, const VecX& z);
  bool started() const { return started_; }

  /// out = the state with the parameters of z.
  bool complete(double t, const VecX& z, VecX& out);
  /// At the end of a step, z being complete.
  bool renew(double t, const VecX& z) { return parameters_->renew(t, z); }
  /// As OdeSystem::looks_inside().
  void looks_inside(bool begins);

  std::string failure() const { return parameters_->failure(); }
  const LocalParameters& parameters() const { return *parameters_; }

 private:
  LocalStateSpace how_;
  std::unique_ptr<DaeSystem> system_;
  std::unique_ptr<LocalParameters> parameters_;
  std::unique_ptr<LocalParameters> before_look_;
  bool started_ = false;
};

}  // namespace daewave::ivp
