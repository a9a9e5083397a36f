#pragma once
// The error of a solution, from its residual and from the difference to another solution, which
// tells what such residuals become as errors.

#include <utility>

#include "bvp/mesh/mesh_choice.hpp"
#include "bvp/residual/unresolved.hpp"
#include "bvp/result/solution.hpp"

namespace daewave::bvp {

/// The larger one of both.
double largest(const IntervalErrors& errors);

/// What rounding alone may make of x, where that was probed; else 0.
double rounding_of(const Solution& solution);

class DifferenceEstimate {
 public:
  /// By how much residuals have to fall for the difference to be the error of the former solution.
  static constexpr double clear_fall = 3;

  DifferenceEstimate(double tolerance, SolutionSizes sizes, bool controls_carried)
      : tolerance_(tolerance), sizes_(std::move(sizes)), controls_carried_(controls_carried) {}

  /// Iterates that had not settled were off by more than their mesh tells.
  static bool settled_since(const Solution& before, const Solution& now) {
    return before.report.termination == Termination::iterates_exhausted &&
           now.report.termination == Termination::converged;
  }

  /// What was seen of a solution as errors of its intervals, were they as large as the residuals.
  IntervalErrors residuals(const Look& look) const;

  /// Learns what residuals become as errors, and says in the report what `now` has. False where the
  /// difference is not finite.
  /// @param kept_away  from times beside which nothing is looked at.
  bool compare(const Solution& before, const IntervalErrors& residuals_before, Solution& now,
               const IntervalErrors& residuals, bool kept_away);

  /// Whether nothing but doubts of the difference, as the former solution was not resolved, are
  /// above the tolerance; and what x has without them, where its error is told otherwise.
  bool is_doubt_alone(const ErrorEstimate& error) const;
  void settle_doubt(ErrorEstimate& error, double told) const;

  /// Where more was looked at than an estimate was made of.
  void raise(ErrorEstimate& error, const IntervalErrors& residuals) const;
  /// Where an error of x is told otherwise. Small residuals that do much are lost beside others,
  /// and what they do in two solutions that are alike.
  void raise(ErrorEstimate& error, const IntervalErrors& residuals, double told);

  /// Whether small residuals, which differences of solutions do not tell beside large ones, may be
  /// more than the tolerance as errors: where the problem enlarges some of them so much more.
  bool may_hide_growth(const ConditioningReport& conditioning, const IntervalErrors& residuals,
                       double much_more) const;

  /// Residuals as the errors that they become.
  IntervalErrors weighed(const IntervalErrors& residuals) const;

  /// Of what the tolerance is for.
  double controlled(const ErrorEstimate& error) const;

  bool told() const { return told_; }  ///< By a difference, not guessed.
  bool fell() const { return fell_; }  ///< Residuals, clearly, with the last mesh.
  void forget_mesh() { hidden_ = {}; }
  /// All that was told.
  void forget() { *this = DifferenceEstimate(tolerance_, std::move(sizes_), controls_carried_); }

 private:
  /// The difference of two solutions, and the residual of the former.
  struct Told {
    double gap = 0, residual = 0;
  };
  static double unearned(const Told& now, const Told& before, double fall);

  double tolerance_;
  SolutionSizes sizes_;
  bool controls_carried_;
  /// Of errors over residuals. Before anything is told: errors of stages are not seen between them.
  double x_factor_ = 1, carried_factor_ = 10;
  IntervalErrors hidden_;       ///< Of the last mesh, what residuals do not tell; else empty.
  double x_beyond_doubt_ = 0;   ///< Of the last mesh.
  Told x_told_, carried_told_;  ///< By the last difference.
  bool told_ = false, fell_ = false;
};

}  // namespace daewave::bvp
