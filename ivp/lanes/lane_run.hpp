#pragma once
// The seam between a run in lanes and the code that is compiled for one instruction set: numbers
// and arrays of them, and virtual functions that are called once for many steps.

#include <cstddef>

#include "core/regularize/regularization.hpp"
#include "ivp/lanes/lane_formula.hpp"
#include "ivp/lanes/lane_iterate.hpp"

namespace daewave::ivp {

/// Of a run whose members are in lanes.
inline constexpr int most_iterates_in_lanes = 16;

/// Energy of a member in the state z; null where it has none.
struct LaneEnergy {
  double (*evaluate)(void* who, int lane, const double* z) = nullptr;
  void* who = nullptr;
};

/// Sizes of what is handed over.
struct LaneShape {
  int lanes = 0;
  int nz = 0;      ///< Of x, or (q, v).
  int nc = 0;      ///< Of what is carried.
  int points = 1;  ///< Of a step, at which it is carried.
};

/// What comes of a step of the last iterate; each an array with one entry per step.
struct LaneSteps {
  double* x = nullptr;       ///< nz.
  double* slope = nullptr;   ///< nz.
  double* after = nullptr;   ///< nc: y_m at the end.
  double* before = nullptr;  ///< points * nc: y_{m-1} at the points.
  double* drift = nullptr;   ///< 2: |g|, |G v + g_t|; null where nobody watches it.
};

/// All iterates of one run, iterate s in a lane of its own, at step k - s while iterate 1 is at k.
class SkewedIterates {
 public:
  virtual ~SkewedIterates();
  virtual LaneShape shape() const = 0;

  /// All iterates at (t, x) with y_0 = y_0(t); gives out one state.
  virtual void start(double t, const double* x, const double* y_0, LaneSteps out) = 0;
  /// Iterate 1 steps from nodes[0] to nodes[1] and so on; nodes may repeat themselves, where it is
  /// done. The last one is m - 1 steps behind.
  /// @param nodes  count + 1.  @param y_0  count * points * nc: at the points of each of its steps.
  virtual void advance(int count, const double* nodes, const double* y_0, LaneSteps out) = 0;
  /// Iterate s at its time: nz and nc.
  virtual void iterate(int s, double* x, double* carried) const = 0;
  /// Number of the first step of iterate s that ended in what is not finite, -1 for the start.
  virtual long first_failure(int s) const = 0;
  static constexpr long no_failure = -1000000;
};

/// Runs of one kind of problem, a run in each lane.
class MembersInLanes {
 public:
  virtual ~MembersInLanes();
  virtual LaneShape shape() const = 0;

  /// @param x  nz numbers for each lane.
  virtual void start(double t, const double* x) = 0;
  /// @param nodes  count + 1.
  virtual void advance(int count, const double* nodes) = 0;
  /// The last iterate of a member, at the end of its last finite step.
  virtual void state(int lane, double* x, double* carried) const = 0;
  /// Iterate s = 1, 2, ... where the last step ended; nz.
  virtual void iterate(int lane, int s, double* x) const = 0;
  /// Least and greatest value so far of each entry of the last iterate; nz.
  virtual void motion(int lane, double* least, double* greatest) const = 0;
  /// Largest |g| and |G v + g_t| so far.
  virtual void drift(int lane, double& position, double& velocity) const = 0;
  /// At the start, and the largest change of it so far; false where the problem has none.
  virtual bool energy(int lane, double& start, double& change) const = 0;
  /// Steps done while all iterates were finite.
  virtual long steps(int lane) const = 0;
};

}  // namespace daewave::ivp
