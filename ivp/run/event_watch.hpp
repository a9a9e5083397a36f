#pragma once
// Sign changes of event functions over a step, and where they happen in it.

#include <functional>
#include <vector>

#include "ivp/options/event.hpp"

namespace daewave::ivp {

/// Looks at the functions at the ends of steps: of zeros in one step whose signs cancel, none is
/// seen. A zero at the end of a step belongs to that step; one at the start of a run is none.
class EventWatch {
 public:
  /// State inside a step, theta in [0, 1].
  using Interpolant = std::function<void(double theta, VecX& state)>;

  /// `events` is kept by reference.
  explicit EventWatch(const std::vector<Event>& events);

  bool watches() const { return !events_.empty(); }

  void start(double t, const VecX& state);

  /// What happened in the step from t0 to t1, in its order, up to the first event that stops.
  /// Rising is meant in the direction of integration.
  const std::vector<Occurrence>& step(double t0, double t1, const VecX& end, const Interpolant& at);

  /// The event of an occurrence stops the run.
  bool stops(const Occurrence& occurrence) const;

 private:
  Occurrence locate(int event, double t0, double t1, double after, const VecX& end,
                    const Interpolant& at) const;

  const std::vector<Event>& events_;
  std::vector<double> before_, after_;
  std::vector<Occurrence> found_;
};

}  // namespace daewave::ivp
