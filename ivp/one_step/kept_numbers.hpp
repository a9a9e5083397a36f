#pragma once
// What a step keeps for the next one, as a row of numbers: for checkpoints. Whoever keeps something
// lists it once, each_kept(self, visit), and both directions follow that list.

#include <algorithm>
#include <cassert>
#include <type_traits>
#include <vector>

#include "core/types.hpp"

namespace daewave::ivp {

/// Appends what it visits.
class KeptNumbers {
 public:
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void operator()(const Number& number) { numbers_.push_back(static_cast<double>(number)); }
  template <class Derived>
  void operator()(const Eigen::PlainObjectBase<Derived>& entries) {
    numbers_.insert(numbers_.end(), entries.data(), entries.data() + entries.size());
  }

  VecX all() const {
    return Eigen::Map<const VecX>(numbers_.data(), static_cast<Eigen::Index>(numbers_.size()));
  }

 private:
  std::vector<double> numbers_;
};

/// Puts numbers back, in the order in which they were appended, into what has the same shapes.
class TakenUpNumbers {
 public:
  /// Kept by reference.
  explicit TakenUpNumbers(const VecX& numbers) : numbers_(numbers) {}

  template <class Number>
  requires std::is_arithmetic_v<Number>
  void operator()(Number& number) { number = static_cast<Number>(numbers_[at_++]); }
  template <class Derived>
  void operator()(Eigen::PlainObjectBase<Derived>& entries) {
    assert(at_ + entries.size() <= numbers_.size());
    std::copy_n(numbers_.data() + at_, entries.size(), entries.data());
    at_ += entries.size();
  }

 private:
  const VecX& numbers_;
  Eigen::Index at_ = 0;
};

}  // namespace daewave::ivp
