#include "models/convert/cpp_expressions.hpp"

#include <fmt/format.h>
#include <cctype>

#include <cmath>
#include <unordered_map>

namespace daewave::models {
namespace {

/// How strongly the outermost operation of a text binds.
enum Strength { choice, comparison, sum, product, sign, atom };

struct Text {
  std::string text;
  Strength strength = atom;
  bool is_truth = false;  ///< Of C++'s type bool.
};

const char* function_of(Operation operation) {
  switch (operation) {
    case Operation::power:
      return "std::pow";
    case Operation::square_root:
      return "std::sqrt";
    case Operation::sine:
      return "std::sin";
    case Operation::cosine:
      return "std::cos";
    case Operation::tangent:
      return "std::tan";
    case Operation::arc_sine:
      return "std::asin";
    case Operation::arc_cosine:
      return "std::acos";
    case Operation::arc_tangent:
      return "std::atan";
    case Operation::arc_tangent_2:
      return "std::atan2";
    case Operation::hyperbolic_sine:
      return "std::sinh";
    case Operation::hyperbolic_cosine:
      return "std::cosh";
    case Operation::hyperbolic_tangent:
      return "std::tanh";
    case Operation::exponential:
      return "std::exp";
    case Operation::logarithm:
      return "std::log";
    case Operation::decimal_logarithm:
      return "std::log10";
    case Operation::binary_logarithm:
      return "std::log2";
    case Operation::cube_root:
      return "std::cbrt";
    case Operation::absolute:
      return "std::abs";
    case Operation::floor:
      return "std::floor";
    case Operation::minimum:
      return "std::min";
    case Operation::maximum:
      return "std::max";
    default:
      return nullptr;
  }
}

class Statements {
 public:
  Statements(const Graph& graph, const std::function<std::string(int)>& variables)
      : graph_(graph), variables_(variables) {}

  std::string all(const std::vector<Assignment>& assignments) {
    std::vector<Ref> outputs;
    for (const Assignment& one : assignments) outputs.push_back(one.value);
    const std::vector<Ref> needed = graph_.needed_for(outputs);
    for (const Ref one : needed) {
      const Node& node = graph_[one];
      const Ref of[] = {node.a, node.b, node.c};
      for (int i = 0; i < operands_of(node.operation); ++i) ++uses_[of[i]];
    }
    for (const Assignment& one : assignments) ++uses_[one.value];
    for (const Ref one : needed) name_or_keep(one);
    for (const Assignment& one : assignments) {
      lines_ += fmt::format("    {} = {};\n", one.to, as_number(known_.at(one.value)).text);
    }
    return std::move(lines_);
  }

 private:
  /// What is used twice, or has become long, gets a name.
  void name_or_keep(Ref one) {
    constexpr std::size_t longest = 80;
    const Node& node = graph_[one];
    Text text = text_of(node);
    const bool named =
        operands_of(node.operation) > 0 && (uses_[one] > 1 || text.text.size() > longest);
    if (named) {
      const std::string name = fmt::format("a{}", ++names_);
      lines_ += fmt::format("    const double {} = {};\n", name, as_number(text).text);
      text = {name};
    }
    known_.emplace(one, std::move(text));
  }

  static std::string within(const Text& of, Strength least) {
    return of.strength < least ? fmt::format("({})", of.text) : of.text;
  }
  static Text as_number(const Text& of) {
    if (!of.is_truth) return of;
    return {within(of, sum) + " ? 1.0 : 0.0", choice};
  }
  static Text as_truth(const Text& of) {
    if (of.is_truth) return of;
    return {within(of, sum) + " != 0.0", comparison, true};
  }

  Text number_at(Ref one) const { return as_number(known_.at(one)); }
  Text binary(const Node& node, const char* operation, Strength strength) const {
    const auto behind = static_cast<Strength>(strength + 1);
    return {within(number_at(node.a), strength) + operation + within(number_at(node.b), behind),
            strength};
  }
  Text compared(const Node& node, const char* operation) const {
    return {within(number_at(node.a), sum) + operation + within(number_at(node.b), sum), comparison,
            true};
  }
  Text joined(const Node& node, const char* operation) const {
    const auto side = [this](Ref one) {
      return fmt::format("({})", as_truth(known_.at(one)).text);
    };
    return {side(node.a) + operation + side(node.b), comparison, true};
  }
  Text call(const Node& node, const char* function) const {
    std::string text = std::string(function) + "(" + number_at(node.a).text;
    if (operands_of(node.operation) > 1) text += ", " + number_at(node.b).text;
    return {text + ")"};
  }

  Text text_of(const Node& node) const {
    switch (node.operation) {
      case Operation::number:
        return {cpp_number(node.value), node.value < 0 || std::signbit(node.value) ? sign : atom};
      case Operation::variable:
        return {variables_(node.a)};
      case Operation::add:
        return binary(node, " + ", sum);
      case Operation::subtract:
        return binary(node, " - ", sum);
      case Operation::multiply:
        return binary(node, " * ", product);
      case Operation::divide:
        return binary(node, " / ", product);
      case Operation::negate:
        // No -- of a sign before a negative number.
        return {fmt::format("-{}", within(number_at(node.a), atom)), sign};
      case Operation::less:
        return compared(node, " < ");
      case Operation::less_equal:
        return compared(node, " <= ");
      case Operation::equal:
        return compared(node, " == ");
      case Operation::both:
        return joined(node, " && ");
      case Operation::either:
        return joined(node, " || ");
      case Operation::opposite:
        return {fmt::format("!({})", as_truth(known_.at(node.a)).text), sign, true};
      case Operation::select:
        return {within(as_truth(known_.at(node.a)), comparison) + " ? " +
                    within(number_at(node.b), comparison) + " : " +
                    within(number_at(node.c), comparison),
                choice};
      case Operation::sign: {
        const std::string of = within(number_at(node.a), sum);
        return {fmt::format("{0} > 0.0 ? 1.0 : {0} < 0.0 ? -1.0 : {0}", of), choice};
      }
      default:
        return call(node, function_of(node.operation));
    }
  }

  const Graph& graph_;
  const std::function<std::string(int)>& variables_;
  std::unordered_map<Ref, int> uses_;
  std::unordered_map<Ref, Text> known_;
  std::string lines_;
  int names_ = 0;
};

}  // namespace

bool is_named_in(const std::string& lines, const std::string& name) {
  const auto is_letter = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (std::size_t at = lines.find(name); at != std::string::npos; at = lines.find(name, at + 1)) {
    const bool begins = at == 0 || !is_letter(lines[at - 1]);
    const std::size_t end = at + name.size();
    if (begins && (end == lines.size() || !is_letter(lines[end]))) return true;
  }
  return false;
}

std::string cpp_number(double value) {
  if (std::isnan(value)) return "std::numeric_limits<double>::quiet_NaN()";
  if (std::isinf(value)) {
    return value > 0 ? "std::numeric_limits<double>::infinity()"
                     : "-std::numeric_limits<double>::infinity()";
  }
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string cpp_statements(const Graph& graph, const std::vector<Assignment>& assignments,
                           const std::function<std::string(int variable)>& variables) {
  return Statements(graph, variables).all(assignments);
}

}  // namespace daewave::models
