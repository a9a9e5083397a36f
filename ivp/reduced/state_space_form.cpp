#include "ivp/reduced/state_space_form.hpp"

#include <utility>

namespace daewave::ivp {

bool StateSpaceForm::start(std::unique_ptr<DaeSystem> system, double t, const VecX& z) {
  system_ = std::move(system);
  parameters_ = std::make_unique<LocalParameters>(*system_, how_);
  if (!parameters_->choose(t, z)) return false;
  started_ = true;
  return true;
}

void StateSpaceForm::looks_inside(bool begins) {
  if (!started_) return;
  if (begins) {
    before_look_ = std::make_unique<LocalParameters>(*parameters_);
  } else {
    parameters_ = std::move(before_look_);
  }
}

bool StateSpaceForm::complete(double t, const VecX& z, VecX& out) {
  out = z;
  return parameters_->complete(t, out);
}

}  // namespace daewave::ivp
