#pragma once
// Dense output of any step: its interpolant is a polynomial, kept by its values at Chebyshev
// points.

#include <vector>

#include "ivp/run/solution.hpp"

namespace daewave::ivp {

class SampledOutput : public DenseOutput {
 public:
  /// @param degree  of the interpolants, >= 1: degree + 1 states of nz are stored for each step.
  SampledOutput(int nz, int degree, double begin);
  /// The same with steps: their ends, and nz for each point of each of them.
  SampledOutput(int nz, int degree, double begin, std::vector<double> ends,
                std::vector<double> states);

  /// Points theta_j in [0, 1], the ends among them.
  const std::vector<double>& points() const { return points_; }

  /// A step to t; then the states at its points, by add().
  void add_step(double t) { ends_.push_back(t); }
  void add(const double* state) { states_.insert(states_.end(), state, state + nz_); }

  VecX at(double t) const override;

  int nz() const { return nz_; }
  int degree() const { return static_cast<int>(points_.size()) - 1; }
  double begin() const { return begin_; }
  const std::vector<double>& ends() const { return ends_; }
  const std::vector<double>& states() const { return states_; }

 private:
  int nz_;
  double begin_;
  std::vector<double> points_, weights_;
  std::vector<double> ends_;    ///< t of the ends of steps.
  std::vector<double> states_;  ///< nz for each point of each step.
};

}  // namespace daewave::ivp
