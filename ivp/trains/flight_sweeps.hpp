#pragma once
// Windows by the model of their terms: sweeps over the nodes, the error, and the end brought back
// to the constraints. Nothing of the problem is evaluated.

#include <memory>

#include "core/problem/dae_problem.hpp"
#include "ivp/run/tolerance.hpp"
#include "ivp/trains/flight.hpp"
#include "ivp/trains/motion_at_point.hpp"
#include "ivp/trains/term_model.hpp"
#include "ivp/windows/window_length.hpp"
#include "ivp/windows/window_sweeps.hpp"

namespace daewave::ivp {

class FlightSweeps {
 public:
  /// Null where lanes have no such size.
  static std::unique_ptr<FlightSweeps> of(const DaeProblem& problem, const Tolerance& tolerance,
                                          double rank_tolerance);

  /// What the polynomial of a window says of one that begins at `begin` of it, as long as `ratio`.
  void extend(const WindowPolynomial& from, double begin, double ratio, AlignedVector& a) const;
  /// One sweep by what is known: how much it would change, in units of the tolerance. Negative
  /// where the terms allow none.
  double disagreement(const Flight& window);
  /// Sweeps of window.a until nothing changes. False where they do not converge.
  bool settle(Flight& window, const VecX& begin, const KnownTerms& nodes, const TermSlopes& slopes);
  /// The end, by terms known nearby. False where constraints are dependent there.
  bool finish(Flight& window, const KnownTerms& nearby, const TermSlopes& slopes,
              bool on_constraints);
  /// How far the end is from the constraints as they were evaluated there, in units of the
  /// tolerance; multipliers and drift. Negative where constraints are dependent.
  double land(Flight& window);

  MotionAtPoint& at_point() { return at_point_; }
  double relative_tolerance() const { return tolerance_.relative(); }

 private:
  static constexpr int nodes = WindowFormula::nodes;

  FlightSweeps(const DaeProblem& problem, const Tolerance& tolerance, double rank_tolerance);
  void weigh(Flight& window) const;
  Spectrum spectrum(const Flight& window) const;

  Tolerance tolerance_;
  double rank_tolerance_;
  int nq_;
  TermModel* model_ = nullptr;  ///< Of sweeps_.
  std::unique_ptr<WindowSweeps> sweeps_;
  TermModel end_model_;
  MotionAtPoint at_point_;
  AlignedVector again_;
  VecX position_, velocity_, move_;
};

}  // namespace daewave::ivp
