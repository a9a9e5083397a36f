#pragma once
// Expressions with a meaning: operations on numbers, variables and other operations, each there
// once however often it is written. Operands come before what is made of them.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace daewave::expression {

enum class Operation : std::uint8_t {
  number,
  variable,
  add,
  subtract,
  multiply,
  divide,
  negate,
  power,
  square_root,
  sine,
  cosine,
  tangent,
  arc_sine,
  arc_cosine,
  arc_tangent,
  arc_tangent_2,
  hyperbolic_sine,
  hyperbolic_cosine,
  hyperbolic_tangent,
  exponential,
  logarithm,
  decimal_logarithm,
  binary_logarithm,
  cube_root,
  absolute,
  sign,
  floor,
  minimum,
  maximum,
  less,        ///< 1 for yes, 0 for no; of what is not a number: no.
  less_equal,  ///< So are those that follow.
  equal,
  both,
  either,
  opposite,
  select,  ///< The second where the first is not 0, the third elsewhere.
};

/// How many operands it has.
constexpr int operands_of(Operation operation) {
  switch (operation) {
    case Operation::number:
    case Operation::variable:
      return 0;
    case Operation::select:
      return 3;
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::power:
    case Operation::arc_tangent_2:
    case Operation::minimum:
    case Operation::maximum:
    case Operation::less:
    case Operation::less_equal:
    case Operation::equal:
    case Operation::both:
    case Operation::either:
      return 2;
    default:
      return 1;
  }
}

/// What it makes of numbers: as tapes do, to the last bit.
double value_of(Operation operation, double a, double b = 0, double c = 0);

/// An expression of a graph.
using Ref = std::int32_t;

struct Node {
  Operation operation = Operation::number;
  Ref a = -1, b = -1, c = -1;  ///< Operands; of a variable: which one.
  double value = 0;            ///< Of a number.

  friend bool operator==(const Node&, const Node&);
};

class Graph {
 public:
  Ref number(double value);
  Ref variable(int index);
  /// Simplified where that is exact, or moves a zero: x + 0, x * 1, x * 0, -(-x), numbers.
  Ref make(Operation operation, Ref a, Ref b = -1, Ref c = -1);

  Ref add(Ref a, Ref b) { return make(Operation::add, a, b); }
  Ref subtract(Ref a, Ref b) { return make(Operation::subtract, a, b); }
  Ref multiply(Ref a, Ref b) { return make(Operation::multiply, a, b); }
  Ref divide(Ref a, Ref b) { return make(Operation::divide, a, b); }
  Ref negate(Ref a) { return make(Operation::negate, a); }
  /// Products where the exponent is a small integer.
  Ref power(Ref a, Ref b);
  Ref sine(Ref a) { return make(Operation::sine, a); }
  Ref cosine(Ref a) { return make(Operation::cosine, a); }
  Ref square_root(Ref a) { return make(Operation::square_root, a); }

  const Node& operator[](Ref of) const { return nodes_[static_cast<std::size_t>(of)]; }
  Ref size() const { return static_cast<Ref>(nodes_.size()); }
  bool is_number(Ref of) const { return (*this)[of].operation == Operation::number; }
  bool is_number(Ref of, double value) const { return is_number(of) && (*this)[of].value == value; }

  /// All that `outputs` are made of and they themselves, operands first.
  std::vector<Ref> needed_for(const std::vector<Ref>& outputs) const;
  /// Variables that it depends on, ascending.
  std::vector<int> variables_of(Ref of) const;

 private:
  Ref add_once(const Node& node);
  /// Where in known_ a node is, or would be.
  std::size_t place_of(const Node& node) const;
  void make_room();
  Ref simpler(Operation operation, Ref a, Ref b, Ref c);
  Ref simpler_sum(Ref a, Ref b);
  Ref simpler_difference(Ref a, Ref b);
  Ref simpler_product(Ref a, Ref b);
  Ref simpler_quotient(Ref a, Ref b);

  std::vector<Node> nodes_;
  std::vector<Ref> known_;    ///< Of each node by its hash, at the next free place; -1: free.
  Ref zero_ = -1, one_ = -1;  ///< Which derivatives ask for all the time; -1: not made.
};

}  // namespace daewave::expression
