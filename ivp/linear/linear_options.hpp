#pragma once
// What can be asked of an initial value solve. Everything left open is chosen by the solver.

#include <functional>
#include <optional>

#include "core/regularize/weight.hpp"
#include "core/time/collocation_scheme.hpp"
#include "core/time/mesh.hpp"
#include "core/time/waveform.hpp"
#include "core/types.hpp"

namespace daewave::ivp {

struct LinearOptions {
  std::optional<int> steps{};  ///< Of equal length, >= 1; stores no mesh. Either this or `mesh`.
  std::optional<Mesh> mesh{};  ///< Must span the interval of the problem.

  std::optional<Scheme> scheme{};
  std::optional<int> stages{};  ///< Of the scheme; see stage_range().
  bool explicit_euler = false;  ///< Forward Euler instead of a scheme. With the weight inverse it
                                ///< needs h < 2 (epsilon + alpha1) / alpha2.

  std::optional<double> epsilon{};  ///< > 0.                                  [AL1] (3.15)
  std::optional<double> alpha1{};   ///< >= 0; above 0 needs C_t and r_t.      [AL1] (3.15)
  std::optional<double> alpha2{};   ///< > 0.
  std::optional<Weight> weight{};   ///< E.
  double delta = 1e-6;              ///< Of Weight::shifted.
  std::optional<int> iterates{};    ///< >= 1, settled beforehand; the error is O(epsilon^iterates).

  Waveform By_0{};           ///< Initial iterate B y_0; zero unless given.
  bool exact_start = false;  ///< Take the constant initial_By() for By_0; needs C_t and r_t.
};

/// Checks every value that can be checked without the problem. @throws InvalidOption
void check(const LinearOptions& options);

/// A step that has been done. The vectors live until the observer returns.
struct LinearStep {
  int index;          ///< From 0.
  double t;           ///< Its end.
  const VecX& x;      ///< x of the last iterate at t; nx.
  double t_By;        ///< The last stage; equal to t for radau and lobatto.
  const VecX& By;     ///< B y of the last iterate at t_By; nx.
  const VecX& drift;  ///< max |C x_s + r| at t of each iterate.
};

/// Sees every step in turn, so that a long run need not be stored; return false to stop.
using LinearObserver = std::function<bool(const LinearStep&)>;

}  // namespace daewave::ivp
