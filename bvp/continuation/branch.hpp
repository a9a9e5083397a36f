#pragma once
// A branch of solutions of a family, over one of its parameters.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bvp/result/solution.hpp"
#include "core/report/report.hpp"
#include "core/report/table.hpp"

namespace daewave::bvp {

/// A solution on the way.
struct BranchPoint {
  double value = 0;      ///< Of the parameter.
  bool is_fold = false;  ///< Where the parameter turns; found between two points of the branch.
  const Solution& solution;
};

/// How a branch is followed.
struct Continuation {
  /// Its name; may be left out where the family has one parameter alone.
  std::string parameter{};
  double to = 0;  ///< From its value in the family.
  /// The branch is followed around folds, by its length: until the parameter is at `to`, or where
  /// it began, on another part of the branch. Otherwise by the parameter, to `to`.
  bool arclength = false;
  /// By the parameter: steps divide it by a factor. Open: where it stays positive (or negative) and
  /// changes tenfold or more.
  std::optional<bool> geometric{};
  /// The first step, > 0: of the parameter, or ln of a factor. Open: a quarter of the way, or ln
  /// 10; by arclength a fiftieth of the way.
  std::optional<double> first_step{};
  /// The tolerance of solutions on the way; the last one meets that of the options. Open: 1e-4, or
  /// that one where it is larger; by arclength that one.
  std::optional<double> loosely{};
  int most_steps = 500;  ///< Taken or not, >= 1.
  /// Given each solution, the first and folds too; false stops.
  std::function<bool(const BranchPoint& point)> observer{};
};

/// What is kept of a solution on the way.
struct BranchStep {
  double value = 0;
  bool is_fold = false;
  int intervals = 0;
  VecX largest{};   ///< |x_j| over the interval.
  VecX unknowns{};  ///< The unknown parameters of the family.
};

struct Branch {
  std::string parameter{};
  std::vector<std::string> unknown_names{};
  std::vector<BranchStep> steps{};
  /// The last one that was found: where the report is usable that at the end, to the tolerance
  /// asked for.
  Solution last{};
  double reached = 0;  ///< The parameter of it.
  int rejected = 0;    ///< Steps that were taken again, shorter.
  /// How it went as a whole, and why it ended; the rest is that of the last solve.
  Report report{};

  std::vector<double> folds() const;
  /// Columns: the parameter, the largest |x_j|, unknown parameters, intervals, fold (0 or 1).
  Table table() const;
};

}  // namespace daewave::bvp
