#pragma once
// Windows in flight one behind the other, for problems whose calls are dear: all of them go by a
// model of the terms, at no call, and then the problem is evaluated once at all their nodes and
// ends. Those where it agrees with the model have landed; the others go again, by what is known
// now.
//
// Where terms are linear in Cartesian coordinates, windows land at the first look, however many are
// in flight. Else each look is a step of Newton's method for all windows at once, of which the
// leading ones land first.

#include <deque>
#include <memory>
#include <string>

#include "ivp/trains/flight_sweeps.hpp"
#include "ivp/trains/train_terms.hpp"

namespace daewave::ivp {

class WindowTrain {
 public:
  /// @param sweeps  not null.
  WindowTrain(const DaeProblem& problem, std::unique_ptr<FlightSweeps> sweeps);

  /// Begins at (t, z), which is on the constraints. False where the terms allow no windows.
  /// @param end     where the run ends: no window goes beyond.
  /// @param most    of lengths.
  bool start(double t, const VecX& z, double end, double most);
  bool started() const { return started_; }
  void stop();

  /// The next window that lands; its length is at most `h` where none is in flight. Null where it
  /// does not: failure() tells why.
  const Flight* landed(double h);
  /// That window was taken; what is known of it is kept until the next one is.
  const Flight& take();
  /// The length of the next window, 0 where it is for the caller to say.
  double next_length() const;

  /// The motion in parts of the window last taken, each as accurate as its end; empty where that
  /// was not reached.
  std::vector<WindowPolynomial> pieces(int count);

  long evaluations() const { return terms_.evaluations(); }
  const std::string& failure() const { return failure_; }

 private:
  static constexpr int nodes = WindowFormula::nodes;

  bool extend(double h);
  bool add_window(double h, bool first);
  void look();
  void judge();
  void drop_from(std::size_t first);
  bool again(std::size_t i, const VecX& begin);
  bool is_rounding(double off, double before) const;

  TrainTerms terms_;
  std::unique_ptr<FlightSweeps> sweeps_;
  bool started_ = false;
  double end_ = 0, most_ = 0, sign_ = 1;
  std::deque<Flight> flying_;  ///< The leading landed_ of them have.
  std::size_t landed_ = 0;
  Flight taken_;
  // Where the first window in flight begins.
  double t_ = 0;
  VecX z_;
  KnownTerms here_;
  WindowPolynomial before_;  ///< h is 0 at a start.
  std::shared_ptr<const TermSlopes> slopes_;
  double planned_ = 0;  ///< The length of the next window, 0: not known.
  int reach_ = 2;       ///< Windows that are added at a time.
  int looks_ = 0;       ///< Since a window landed.
  bool linear_ = true;  ///< So far the model was exact.
  std::string failure_;
};

}  // namespace daewave::ivp
