#pragma once
// Expressions as they are written: their text taken apart, before names have a meaning.
//
//   a ? b : c,  a || b,  a && b,  !a,  a < b (<= > >= == !=),  a + b,  a - b,  a * b,  a / b,
//   -a,  a ^ b (or a ** b; from the right, above the sign),  name(a, b),  name, name',  1.5e-3
//
// A name is letters, digits, _ and dots, and perhaps a prime, for a rate: crank.x, crank.x'.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace daewave::models {

/// What is wrong with an expression, and where: `place` counts its bytes from 0.
class ExpressionError : public InvalidProblem {
 public:
  ExpressionError(std::string what, std::size_t place)
      : InvalidProblem(std::move(what)), place_(place) {}
  std::size_t place() const { return place_; }

 private:
  std::size_t place_;
};

/// One operation, with what it is of. Names of operations are those of the functions, or the sign.
struct Syntax {
  enum class Kind { number, name, call, operation };

  Kind kind = Kind::number;
  std::size_t place = 0;  ///< Of the number, the name or the sign, in bytes.
  double value = 0;       ///< Of a number.
  std::string name{};     ///< "crank.x", "sin", "+", "negate", "?".
  std::vector<Syntax> of{};
  int height = 0;  ///< 0 of a number or a name.
};

/// Longer expressions, and those that are nested deeper, are refused.
inline constexpr std::size_t longest_expression = 100'000;
inline constexpr int deepest_expression = 200;   ///< Parentheses and signs in each other.
inline constexpr int highest_expression = 1000;  ///< Operations on each other: terms of a sum.

/// @throws ExpressionError
Syntax parse(std::string_view text);

}  // namespace daewave::models
