#pragma once
// Sweeps of Picard's iteration over a window: of accelerations at its nodes, those at the states
// that they lead to, all nodes in one call.
//
//   a_i <- a(t + c_i H, Q_i, V_i),    Q and V of window_formula.hpp

#include <memory>
#include <string>

#include "core/problem/dae_problem.hpp"
#include "ivp/windows/window_formula.hpp"
#include "ivp/windows/window_places.hpp"

namespace daewave::ivp {

/// Where a window begins, and its length, which may be negative; q and v have nq entries.
struct WindowBegin {
  int nq = 0;
  double t = 0, h = 0;
  const double* q = nullptr;
  const double* v = nullptr;
  bool aside = false;  ///< Of a piece for output: what is done with it changes no later window.
};

struct Sweep {
  double change = 0;  ///< The largest |weight_i (a_new - a)_i|; NaN where something is not finite.
  double pivot = 0;   ///< The smallest of G, of all nodes.
  bool evaluated = true;
};

/// A state of a window, and what is found of it.
struct WindowPoint {
  double t = 0;
  const double* z = nullptr;  ///< (q, v), 2 nq.
  double* a = nullptr;        ///< Accelerations, nq.
  double pivot = 0;           ///< The smallest of G.
};

/// Holds the memory of an evaluation: one for each thread.
class WindowSweeps {
 public:
  virtual ~WindowSweeps();

  /// @param weight  of the changes, nq.
  /// @param a       accelerations, entry i at node p at [i * nodes + p]; aligned to 64 bytes.
  virtual Sweep sweep(const WindowBegin& from, const double* weight, double* a) = 0;
  /// What a polynomial says of the nodes of a window that begins at `begin` and is `ratio` long, in
  /// units of its own; Legendre coefficient k of entry i at [i * nodes + k], and one more of each
  /// entry in `next`.
  virtual void extend(const double* series, const double* next, int nq, double begin, double ratio,
                      double* a) const;
  /// And back: the Legendre coefficients of accelerations at the nodes.
  virtual void expand(const double* a, int nq, double* series) const;
  /// The end of a window that was swept, a place inside of it, and those of window_places(), in one
  /// evaluation. @param window  gets what is left there.
  /// @return false where that cannot be done side by side; then nothing is found.
  virtual bool look(WindowCheck& window, WindowPoint& end, WindowPoint& inside);
  /// Directly after look(), with its factorization: brings that end back to the constraints, twice,
  /// as MultibodyEquations::correct() does in the metric of M.               [ACPR] (5.4), (5.5)
  virtual void bring_back(double* z);
  /// Why nothing was evaluated.
  virtual std::string failure() const;
};

/// Lanes have such a kind, size and structure, and this machine has lanes.
bool has_sweeps_in_lanes(const DaeProblem& problem);

/// What a pivot has at least of the largest entry of its row, where coordinates are eliminated in
/// one order for all nodes: so that it rarely changes; and where rounding is all that is wrong.
/// What smaller ones make of it is alike in each period of a motion, and energy drifts: that of a
/// pendulum by 3.5e-13 of its scale in ten thousand periods with the one, by 2e-14 to 1.3e-13 with
/// the other.
constexpr double pivots_of_windows = 0.25, pivots_to_rounding = 0.9;

/// Nodes in SIMD lanes, their terms in one evaluation of a batch; where G loses rank at a node the
/// sweep is not evaluated, and is for PointSweeps.
/// @return null where lanes have no such kind, size or structure.
std::unique_ptr<WindowSweeps> sweeps_in_lanes(const DaeProblem& problem, double rank_tolerance,
                                              double least_pivot = pivots_of_windows);

}  // namespace daewave::ivp
