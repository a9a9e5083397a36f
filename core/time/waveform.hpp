#pragma once
// The carried quantity B y over the whole interval: what one iterate leaves for the next.

#include <functional>
#include <memory>

#include "core/time/mesh.hpp"
#include "core/types.hpp"

namespace daewave {

/// B y as a function of t: zero, a constant, a function, or values at stages of a mesh.
class Waveform {
 public:
  /// Zero.
  Waveform() = default;

  /// The same vector at every t; nx.
  static Waveform constant(VecX By);

  /// Any function of t with nx values, in the sign of x' = A x - B y + q.
  static Waveform function(std::function<VecX(double)> By);

  /// The polynomial through stage values on each interval.
  /// @param stages  stage positions in [0, 1], k. @param values  nx x (k intervals), by interval.
  static Waveform at_stages(Mesh mesh, VecX stages, MatX values);

  bool is_zero() const { return !value_; }

  /// @throws InvalidProblem unless the result has nx finite entries.
  VecX operator()(double t, int nx) const;

 private:
  std::function<VecX(double)> value_;
};

}  // namespace daewave
