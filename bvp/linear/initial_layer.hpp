#pragma once
// The layer that iterates leave where B y_0 is wrong: how far off B y may be in it, and what a pass
// from the other end says of it.                                       [AL1] section 3, 4.1
//
// With B y_0 off by e at the begin, iterate s is off by
//
//   e exp(-tau) L_{s-1}(tau),   tau = (t - begin) alpha2 / epsilon,
//
// L being Laguerre polynomials: by e at the begin itself, and nowhere by more than e exp(-tau / 2).

#include <vector>

#include "bvp/linear/backward_pass.hpp"
#include "bvp/linear/linear_values.hpp"

namespace daewave::bvp {

/// Where the pass started.
enum class StartedAt { begin, end };

/// How far B y may be off in each interval by what iterates have left, nx x intervals: in the layer
/// of their start by what the largest change further away tells of it, elsewhere by as much as the
/// last one changed. Needs alpha1 = 0.
MatX left_open(const LinearData& pass, StartedAt started);

/// The largest of column i in units of the sizes; of all columns.
double relative_at(const MatX& errors, int i, const VecX& sizes);
double relative(const MatX& errors, const VecX& sizes);

/// A forward pass, and one that ran back over its first intervals.
class PassesCompared {
 public:
  PassesCompared(const LinearData& forward, const BackwardPass& backward);

  /// How far B y of either may be off, nx x intervals of the backward pass. Of that one: what its
  /// own iterates left, and what its difference to the forward pass further right, where that is
  /// known, is amplified to on the way.
  const MatX& forward_error() const { return forward_error_; }
  const MatX& backward_error() const { return backward_error_; }
  /// Intervals from the begin in which component r is better known by the backward pass.
  const std::vector<int>& better() const { return better_; }
  bool any_better() const;

  /// B y of the backward pass as far as it is better, then of the forward pass; blended over as
  /// much again.
  Waveform spliced(const Solution& forward) const;

 private:
  Solution backward_;
  MatX forward_error_, backward_error_;
  std::vector<int> better_;
};

/// The largest difference of B y to that of a forward pass in any interval beyond what they
/// may be off, in units of the sizes.
double beyond(const LinearData& pass, const LinearData& forward, const MatX& may_be_off);

/// Of each component of B y, in units of which errors are compared with the tolerance: 1 + its
/// largest value where no others are given.
VecX By_sizes(const LinearData& of);

}  // namespace daewave::bvp
