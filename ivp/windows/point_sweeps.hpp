#pragma once
// Sweeps over a window node by node, of any system.

#include <string>

#include "ivp/reduced/reduced_ode.hpp"
#include "ivp/windows/window_sweeps.hpp"

namespace daewave::ivp {

/// The system has z = (q, v), and is kept by reference.
class PointSweeps final : public WindowSweeps {
 public:
  explicit PointSweeps(ReducedOde& system) : system_(system) {}

  Sweep sweep(const WindowBegin& from, const double* weight, double* a) override;
  std::string failure() const override { return system_.failure(); }

 private:
  ReducedOde& system_;
  VecX z_, slope_, new_;
};

}  // namespace daewave::ivp
