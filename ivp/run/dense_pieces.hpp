#pragma once
// Dense output of a run with restarts: that of each piece between them.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "ivp/run/solution.hpp"

namespace daewave::ivp {

/// At a restart the state after it.
class DensePieces : public DenseOutput {
 public:
  using Pieces = std::vector<std::shared_ptr<const DenseOutput>>;

  /// @param begins  of the pieces, one for each.
  /// @param sign    -1 where the run goes backward, else 1.
  DensePieces(std::vector<double> begins, Pieces pieces, double sign)
      : begins_(std::move(begins)), pieces_(std::move(pieces)), sign_(sign) {}

  VecX at(double t) const override {
    const auto next = std::upper_bound(
        begins_.begin() + 1, begins_.end(), t,
        [this](double time, double begin) { return sign_ * time < sign_ * begin; });
    return pieces_[static_cast<std::size_t>(next - begins_.begin() - 1)]->at(t);
  }

  const std::vector<double>& begins() const { return begins_; }
  const Pieces& pieces() const { return pieces_; }
  double sign() const { return sign_; }

 private:
  std::vector<double> begins_;
  Pieces pieces_;
  double sign_;
};

}  // namespace daewave::ivp
