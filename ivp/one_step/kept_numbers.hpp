#pragma once
// What a step keeps for the next one, as a row of numbers: for checkpoints. Whoever keeps something
// lists it once, each_kept(self, visit), and both directions follow that list.

#include <vector>

#include "core/types.hpp"

namespace daewave::ivp {

/// Appends what it visits.
class KeptNumbers {
 public:
  void operator()(double number) { numbers_.push_back(number); }
  void operator()(const VecX& entries) { append(entries.data(), entries.size()); }
  void operator()(const MatX& entries) { append(entries.data(), entries.size()); }

  VecX all() const;

 private:
  void append(const double* entries, Eigen::Index count);

  std::vector<double> numbers_;
};

/// Puts numbers back, in the order in which they were appended, into what has the same shapes.
class TakenUpNumbers {
 public:
  /// Kept by reference.
  explicit TakenUpNumbers(const VecX& numbers) : numbers_(numbers) {}

  void operator()(double& number) { number = numbers_[at_++]; }
  void operator()(int& number) { number = static_cast<int>(numbers_[at_++]); }
  void operator()(bool& truth) { truth = numbers_[at_++] != 0; }
  void operator()(VecX& entries) { take(entries.data(), entries.size()); }
  void operator()(MatX& entries) { take(entries.data(), entries.size()); }

 private:
  void take(double* entries, Eigen::Index count);

  const VecX& numbers_;
  Eigen::Index at_ = 0;
};

}  // namespace daewave::ivp
