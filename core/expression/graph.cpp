#include "core/expression/graph.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "core/machine/sine_cosine.hpp"

namespace daewave::expression {

double value_of(Operation operation, double a, double b, double c) {
  switch (operation) {
    case Operation::number:
    case Operation::variable:
      return a;
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::negate:
      return -a;
    case Operation::power:
      return std::pow(a, b);
    case Operation::square_root:
      return std::sqrt(a);
    case Operation::sine:
      return sine_cosine(a).sine;
    case Operation::cosine:
      return sine_cosine(a).cosine;
    case Operation::tangent:
      return std::tan(a);
    case Operation::arc_sine:
      return std::asin(a);
    case Operation::arc_cosine:
      return std::acos(a);
    case Operation::arc_tangent:
      return std::atan(a);
    case Operation::arc_tangent_2:
      return std::atan2(a, b);
    case Operation::hyperbolic_sine:
      return std::sinh(a);
    case Operation::hyperbolic_cosine:
      return std::cosh(a);
    case Operation::hyperbolic_tangent:
      return std::tanh(a);
    case Operation::exponential:
      return std::exp(a);
    case Operation::logarithm:
      return std::log(a);
    case Operation::decimal_logarithm:
      return std::log10(a);
    case Operation::binary_logarithm:
      return std::log2(a);
    case Operation::cube_root:
      return std::cbrt(a);
    case Operation::absolute:
      return std::abs(a);
    case Operation::sign:
      return a > 0 ? 1 : a < 0 ? -1 : a;
    case Operation::floor:
      return std::floor(a);
    case Operation::minimum:
      return a <= b ? a : b;
    case Operation::maximum:
      return a >= b ? a : b;
    case Operation::less:
      return a < b ? 1 : 0;
    case Operation::less_equal:
      return a <= b ? 1 : 0;
    case Operation::equal:
      return a == b ? 1 : 0;
    case Operation::both:
      return a != 0 && b != 0 ? 1 : 0;
    case Operation::either:
      return a != 0 || b != 0 ? 1 : 0;
    case Operation::opposite:
      return a == 0 ? 1 : 0;
    case Operation::select:
      return a != 0 ? b : c;
  }
  return 0;
}

// Numbers by their bits: 0 and -0 are two, and what is not a number is itself.
bool operator==(const Node& a, const Node& b) {
  return a.operation == b.operation && a.a == b.a && a.b == b.b && a.c == b.c &&
         std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value);
}

namespace {

std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

std::size_t hash_of(const Node& node) {
  const auto low = [](Ref one) { return std::uint64_t{static_cast<std::uint32_t>(one)}; };
  std::uint64_t hash = (low(node.a) | low(node.b) << 32) * 0x9e3779b97f4a7c15U;
  hash ^= (low(node.c) << 8 | static_cast<std::uint64_t>(node.operation)) ^ bits_of(node.value);
  hash = (hash ^ hash >> 29) * 0xbf58476d1ce4e5b9U;
  return static_cast<std::size_t>(hash ^ hash >> 32);
}

}  // namespace

std::size_t Graph::place_of(const Node& node) const {
  const std::size_t mask = known_.size() - 1;
  std::size_t place = hash_of(node) & mask;
  while (known_[place] >= 0 && !((*this)[known_[place]] == node)) place = (place + 1) & mask;
  return place;
}

/// At least twice as many places as nodes, a power of two.
void Graph::make_room() {
  if (2 * (nodes_.size() + 1) <= known_.size()) return;
  known_.assign(std::max<std::size_t>(1024, 4 * known_.size()), -1);
  nodes_.reserve(known_.size() / 2);
  for (Ref one = 0; one < size(); ++one) known_[place_of((*this)[one])] = one;
}

Ref Graph::add_once(const Node& node) {
  make_room();
  Ref& known = known_[place_of(node)];
  if (known < 0) {
    known = size();
    nodes_.push_back(node);
  }
  return known;
}

Ref Graph::number(double value) {
  const auto made = [&] { return add_once({Operation::number, -1, -1, -1, value}); };
  Ref* const often = bits_of(value) == bits_of(0)   ? &zero_
                     : bits_of(value) == bits_of(1) ? &one_
                                                    : nullptr;
  if (often == nullptr) return made();
  if (*often < 0) *often = made();
  return *often;
}
Ref Graph::variable(int index) { return add_once({Operation::variable, index, -1, -1, 0}); }

Ref Graph::simpler_sum(Ref a, Ref b) {
  if (is_number(a, 0)) return b;
  if (is_number(b, 0)) return a;
  if ((*this)[b].operation == Operation::negate) return subtract(a, (*this)[b].a);
  if ((*this)[a].operation == Operation::negate) return subtract(b, (*this)[a].a);
  return -1;
}

Ref Graph::simpler_difference(Ref a, Ref b) {
  if (is_number(b, 0)) return a;
  if (is_number(a, 0)) return negate(b);
  if (a == b) return number(0);
  if ((*this)[b].operation == Operation::negate) return add(a, (*this)[b].a);
  return -1;
}

Ref Graph::simpler_product(Ref a, Ref b) {
  if (is_number(a, 0) || is_number(b, 0)) return number(0);
  if (is_number(a, 1)) return b;
  if (is_number(b, 1)) return a;
  if (is_number(a, -1)) return negate(b);
  if (is_number(b, -1)) return negate(a);
  // The sign outside, where sums take it; into a number where there is one.
  for (const auto& [one, other] : {std::pair{a, b}, std::pair{b, a}}) {
    if ((*this)[one].operation != Operation::negate) continue;
    const Ref inner = (*this)[one].a;
    if (is_number(other)) return multiply(inner, number(-(*this)[other].value));
    return negate(multiply(inner, other));
  }
  return -1;
}

Ref Graph::simpler_quotient(Ref a, Ref b) {
  if (is_number(b, 1)) return a;
  if (is_number(b, -1)) return negate(a);
  if (is_number(a, 0) && !is_number(b, 0)) return number(0);
  if (is_number(b)) {
    // Exact where the divisor is a power of two.
    int exponent = 0;
    const double value = (*this)[b].value;
    if (std::abs(std::frexp(value, &exponent)) == 0.5 && std::abs(exponent) < 1000) {
      return multiply(a, number(1 / value));
    }
  }
  if ((*this)[a].operation == Operation::negate) return negate(divide((*this)[a].a, b));
  return -1;
}

Ref Graph::simpler(Operation operation, Ref a, Ref b, Ref c) {
  switch (operation) {
    case Operation::add:
      return simpler_sum(a, b);
    case Operation::subtract:
      return simpler_difference(a, b);
    case Operation::multiply:
      return simpler_product(a, b);
    case Operation::divide:
      return simpler_quotient(a, b);
    case Operation::negate:
      return (*this)[a].operation == Operation::negate ? (*this)[a].a : -1;
    case Operation::power:
      return is_number(b, 1) ? a : is_number(b, 0) ? number(1) : -1;
    case Operation::select:
      if (is_number(a)) return (*this)[a].value != 0 ? b : c;
      return b == c ? b : -1;
    default:
      return -1;
  }
}

Ref Graph::make(Operation operation, Ref a, Ref b, Ref c) {
  const Ref of[] = {a, b, c};
  bool all_numbers = true;
  for (int i = 0; i < operands_of(operation); ++i) all_numbers = all_numbers && is_number(of[i]);
  if (all_numbers) {
    const auto value = [this](Ref one) { return one < 0 ? 0 : (*this)[one].value; };
    return number(value_of(operation, value(a), value(b), value(c)));
  }
  const Ref simple = simpler(operation, a, b, c);
  if (simple >= 0) return simple;
  const bool commutes = operation == Operation::add || operation == Operation::multiply;
  if (commutes && b < a) std::swap(a, b);
  return add_once({operation, a, b, c, 0});
}

Ref Graph::power(Ref a, Ref b) {
  constexpr double most = 32;
  if (!is_number(b)) return make(Operation::power, a, b);
  const double exponent = (*this)[b].value;
  if (exponent == 0.5) return square_root(a);
  if (exponent != std::round(exponent) || std::abs(exponent) > most) {
    return make(Operation::power, a, b);
  }
  Ref product = number(1), square = a;
  for (int left = static_cast<int>(std::abs(exponent)); left > 0; left /= 2) {
    if (left % 2 == 1) product = multiply(product, square);
    if (left > 1) square = multiply(square, square);
  }
  return exponent < 0 ? divide(number(1), product) : product;
}

std::vector<Ref> Graph::needed_for(const std::vector<Ref>& outputs) const {
  std::vector<char> seen(static_cast<std::size_t>(size()), false);
  std::vector<Ref> open, all;
  const auto visit = [&](Ref one) {
    if (seen[static_cast<std::size_t>(one)]) return;
    seen[static_cast<std::size_t>(one)] = true;
    open.push_back(one);
  };
  for (const Ref output : outputs) visit(output);
  while (!open.empty()) {
    const Ref one = open.back();
    open.pop_back();
    all.push_back(one);
    const Node& node = (*this)[one];
    const Ref of[] = {node.a, node.b, node.c};
    for (int i = 0; i < operands_of(node.operation); ++i) visit(of[i]);
  }
  // What is made later has a higher number.
  constexpr std::size_t few = 16;
  if (few * all.size() < seen.size()) {
    std::sort(all.begin(), all.end());
    return all;
  }
  all.clear();
  for (Ref one = 0; one < size(); ++one) {
    if (seen[static_cast<std::size_t>(one)]) all.push_back(one);
  }
  return all;
}

std::vector<int> Graph::variables_of(Ref of) const {
  std::vector<int> variables;
  for (const Ref one : needed_for({of})) {
    if ((*this)[one].operation == Operation::variable) variables.push_back((*this)[one].a);
  }
  std::sort(variables.begin(), variables.end());
  return variables;
}

}  // namespace daewave::expression
