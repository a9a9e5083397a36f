#pragma once
// The energy as one more invariant, phi(z) - phi(z_0) = 0, with its gradient by differences.
//                                                                             [Eich] (2.2), (2.3)

#include <cmath>

#include "core/types.hpp"

namespace daewave::ivp {

class EnergyRow {
 public:
  /// False where it is not finite.
  template <class Energy>
  bool start(Energy energy, const VecX& z) {
    at_start_ = energy(z);
    moved_ = z;
    return std::isfinite(at_start_);
  }

  template <class Energy>
  double change(Energy energy, const VecX& z) const {
    return energy(z) - at_start_;
  }

  /// Central differences, to about ten digits, in the last row of H: what Gauss-Newton needs.
  template <class Energy>
  void gradient(Energy energy, const VecX& z, MatX& H) {
    moved_ = z;
    for (int i = 0; i < z.size(); ++i) {
      const double step = 6e-6 * (1 + std::abs(z[i]));
      moved_[i] = z[i] + step;
      const double up = energy(moved_);
      moved_[i] = z[i] - step;
      H(H.rows() - 1, i) = (up - energy(moved_)) / (2 * step);
      moved_[i] = z[i];
    }
  }

 private:
  double at_start_ = 0;
  VecX moved_;
};

}  // namespace daewave::ivp
