#pragma once
// A regularized problem (core/regularize/regularized_ode.hpp) at many points at once: its terms by
// one evaluation of a batch, its linear algebra in SIMD lanes, compiled for each instruction set.

#include <memory>
#include <string>

#include "core/problem/dae_problem.hpp"
#include "core/regularize/regularized_ode.hpp"

namespace daewave {

/// Points in structure of arrays: entry i of x at point p is x[i * stride + p].
struct RegularizedPoints {
  int count = 0, stride = 0;
  const double* t = nullptr;
  const double* x = nullptr;
  const double* before = nullptr;
};

/// The same as its problem sees them.
Points points_of(const DaeProblem& problem, const RegularizedPoints& at);

/// Holds the memory of an evaluation: one for each thread.
class RegularizedBatch {
 public:
  virtual ~RegularizedBatch();

  /// x_s' and y_s, laid out as x. @param drift  where it is not null, raised to the largest |g|
  /// and, of index 3, |G v + g_t|.
  /// @return false where a point cannot be evaluated; `failure` tells why, and they have no
  /// meaning.
  virtual bool evaluate(const RegularizedPoints& at, double* slope, double* carried, double* drift,
                        std::string& failure) = 0;
};

/// The problem in the form of `ode`, which is kept for points that lanes cannot do: where G loses
/// rank. Both must outlive it.
/// @return null where lanes have no such kind, size or form.
std::unique_ptr<RegularizedBatch> regularized_batch(const DaeProblem& problem, RegularizedOde& ode);

}  // namespace daewave
