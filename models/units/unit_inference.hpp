#pragma once
// The unit of an expression, from the units of its names: what is added or compared has one unit,
// what a function is of is a number.

#include <functional>
#include <optional>
#include <string>

#include "models/expression/syntax.hpp"
#include "models/units/unit.hpp"

namespace daewave::models {

/// A number that is written as a factor may have any unit: 2 in 2*t may be 2 rad/s. Then the unit
/// is loose, and nothing is said where it does not fit.
struct InferredUnit {
  Unit unit;
  bool loose = false;
};
/// Empty: not known, and taken to fit. Numbers in a sum or comparison have the unit of the others.
using MaybeUnit = std::optional<InferredUnit>;

class UnitInference {
 public:
  using OfName = std::function<std::optional<Unit>(const std::string& name)>;
  /// @param place  in bytes of the expression. @param what  is wrong.
  using Tell = std::function<void(std::size_t place, const std::string& what)>;

  UnitInference(OfName of_name, Tell tell) : of_name_(std::move(of_name)), tell_(std::move(tell)) {}

  MaybeUnit of(const Syntax& syntax);

 private:
  MaybeUnit of_name(const std::string& name) const;
  MaybeUnit of_operation(const Syntax& at);
  MaybeUnit of_call(const Syntax& at);
  /// Of operands that are to have the same.
  MaybeUnit common(const Syntax& at, std::size_t first, const char* verb);
  MaybeUnit power(const Syntax& at);
  void want_number(const Syntax& function, const Syntax& argument);

  OfName of_name_;
  Tell tell_;
};

}  // namespace daewave::models
