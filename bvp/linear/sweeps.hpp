#pragma once
// The loop of the sequential regularization: one factorization, one sweep per iterate.

#include <limits>
#include <memory>
#include <string>

#include "bvp/curve/component_sizes.hpp"
#include "bvp/linear/discretization.hpp"
#include "bvp/linear/sweep.hpp"
#include "bvp/options/options.hpp"
#include "bvp/result/solution.hpp"
#include "core/blocks/checked_solver.hpp"
#include "core/threads/executor.hpp"
#include "core/time/waveform.hpp"

namespace daewave::bvp {

/// Where their number is open.
inline constexpr int most_iterates = 12;

/// When sweeping ends.
struct SweepControl {
  int most = 3;          ///< Iterates at most.
  double tolerance = 0;  ///< End when the change is below tolerance (1 + max |B y|); 0: never.
  bool until_stalled = false;  ///< End when the change no longer falls.
  bool conditioning = true;    ///< Estimate it, and dichotomy.
  SolutionSizes sizes{};       ///< Where they are given, changes are measured row by row in them.
  /// Of x and B y, which a number of iterates that was given is held against; 0: none.
  double asked = 0;
  /// What changes before does not count: the layer of a pass that is wanted behind it only.
  double watch_from = -std::numeric_limits<double>::infinity();
  /// End where iterates do nothing more than to shape a layer anew.
  bool stops_in_layer = false;
  bool shoots_back = false;  ///< Where B y_0 is wrong at the begin: else that is advised.
  int earlier = 0;           ///< Iterates that B y_0 comes from, which have shaped what it is off.
};

/// The iterates on a condensed problem, with one factorization for all of them. Problem,
/// discretization and options are kept by reference.
class Sweeps {
 public:
  Sweeps(std::shared_ptr<const LinearDae> problem, const Discretization& discretization,
         const Options& options);

  /// Runs them from a waveform, and fills the report's history, linear solve and seconds.
  ///
  /// @return  values unless the matrix is singular or a number is not finite; the report's
  ///          termination and message tell.
  Solution run(const Waveform& By_0, const SweepControl& control, Report report);

 private:
  /// What iterates leave.
  struct Left {
    double error = 0;                  ///< Of x and B y, in units of their sizes.
    double change = 0, change_at = 0;  ///< Of B y by one more iterate, and where.
  };
  Left left_by_iterates(const SweepControl& control, const IterateReport& last,
                        const SweepValues& values, const VecX& u);
  void tell_exhausted(const SweepControl& control, const Left& left, bool stalled,
                      Report& report) const;

  std::shared_ptr<const LinearDae> problem_;  ///< Kept by solutions for their dense output.
  const Discretization& discretization_;
  const Options& options_;
  Serial serial_;
  const Executor& executor_;
  CheckedSolver solver_;
  bool factorized_ = false;
};

/// Of advice that sweeps give, where that is what comes next.
void leave_out_shooting_back(std::string& advice);

/// Where iterates with alpha1 = 0 change B y the most if B y_0 is wrong at the begin.
double layer_width(const Regularization& regularization);

}  // namespace daewave::bvp
