#pragma once
// Where on the way the iterates of a sequential regularization were furthest apart, of a run whose
// steps are controlled: their ends alone say nothing of a time at which the multiplier moves fast.

#include <string>
#include <vector>

#include "ivp/options/options.hpp"

namespace daewave::ivp {

class WorstChange {
 public:
  /// @param options  with its tolerances; kept by reference. @param one_suffices  as SrmChoices.
  explicit WorstChange(const Options& options, bool one_suffices = false)
      : options_(options), one_suffices_(one_suffices) {}

  /// @param iterates  x_1, ..., x_m at t; of one nothing is seen, nor of two where one was not
  ///                  foreseen to suffice.
  void see(double t, const std::vector<const VecX*>& iterates);
  /// What is to be warned of; empty where the last iterate was right to 100 times the tolerance.
  std::string text() const;

 private:
  const Options& options_;
  const bool one_suffices_;
  double part_ = 0;  ///< The largest |x_m - x_{m-1}|, of what the error may be.
  double t_ = 0, changed_ = 0, allowed_ = 0;
  int entry_ = 0, iterates_ = 0;
  /// Of all times, and of the iterates before: what they decay by. At one time either may be small
  /// by chance.
  double most_ = 0, most_before_ = 0;
};

}  // namespace daewave::ivp
