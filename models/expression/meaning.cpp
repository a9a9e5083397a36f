#include "models/expression/meaning.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "core/nearest_names.hpp"

namespace daewave::models {
namespace {

const std::map<std::string, Operation>& simple_functions() {
  static const std::map<std::string, Operation> functions = {
      {"sin", Operation::sine},
      {"cos", Operation::cosine},
      {"tan", Operation::tangent},
      {"asin", Operation::arc_sine},
      {"acos", Operation::arc_cosine},
      {"atan", Operation::arc_tangent},
      {"atan2", Operation::arc_tangent_2},
      {"sinh", Operation::hyperbolic_sine},
      {"cosh", Operation::hyperbolic_cosine},
      {"tanh", Operation::hyperbolic_tangent},
      {"exp", Operation::exponential},
      {"log", Operation::logarithm},
      {"log10", Operation::decimal_logarithm},
      {"log2", Operation::binary_logarithm},
      {"cbrt", Operation::cube_root},
      {"sqrt", Operation::square_root},
      {"abs", Operation::absolute},
      {"sign", Operation::sign},
      {"floor", Operation::floor},
  };
  return functions;
}

void check_arguments(const Syntax& call, std::size_t wanted) {
  if (call.of.size() == wanted) return;
  throw ExpressionError(fmt::format("{}: takes {} argument{}, {} given", call.name, wanted,
                                    wanted == 1 ? "" : "s", call.of.size()),
                        call.place);
}

Ref least_or_most(Operation operation, const Syntax& call, Graph& graph,
                  const std::vector<Ref>& of) {
  if (of.empty()) throw ExpressionError(call.name + ": takes one argument or more", call.place);
  Ref found = of[0];
  for (std::size_t i = 1; i < of.size(); ++i) found = graph.make(operation, found, of[i]);
  return found;
}

/// sqrt(a^2 + b^2), scaled by a power of two where squares would overflow or vanish: elsewhere by
/// 1, which changes no bit.
Ref hypotenuse(Graph& graph, Ref a, Ref b) {
  const auto sum_of_squares = [&](Ref x, Ref y) {
    return graph.add(graph.multiply(x, x), graph.multiply(y, y));
  };
  const Ref plain = sum_of_squares(a, b);
  const Ref large = graph.make(Operation::less, graph.number(1e300), plain),
            small = graph.make(Operation::less, plain, graph.number(1e-280));
  const Ref scale =
      graph.make(Operation::select, large, graph.number(0x1p-600),
                 graph.make(Operation::select, small, graph.number(0x1p+600), graph.number(1)));
  return graph.divide(
      graph.square_root(sum_of_squares(graph.multiply(a, scale), graph.multiply(b, scale))), scale);
}

std::optional<Ref> function(const Syntax& call, Graph& graph, const std::vector<Ref>& of) {
  const auto simple = simple_functions().find(call.name);
  if (simple != simple_functions().end()) {
    check_arguments(call, static_cast<std::size_t>(operands_of(simple->second)));
    return graph.make(simple->second, of[0], of.size() > 1 ? of[1] : -1);
  }
  if (call.name == "min") return least_or_most(Operation::minimum, call, graph, of);
  if (call.name == "max") return least_or_most(Operation::maximum, call, graph, of);
  if (call.name == "hypot") {
    check_arguments(call, 2);
    return hypotenuse(graph, of[0], of[1]);
  }
  return {};
}

[[noreturn]] void unknown_name(const Syntax& at, const Names& names) {
  if (at.name == "t") {
    throw ExpressionError("'t': what is said here is the same at all times", at.place);
  }
  std::vector<std::string> known = names.known();
  known.push_back("pi");
  throw ExpressionError(fmt::format("unknown name '{}'{}", at.name, did_you_mean(at.name, known)),
                        at.place);
}

[[noreturn]] void unknown_function(const Syntax& at, Names& names) {
  if (names.of(at.name)) {
    throw ExpressionError(
        fmt::format("'{}' is no function: write {} * (...) for a product", at.name, at.name),
        at.place);
  }
  throw ExpressionError(
      fmt::format("unknown function '{}'{}", at.name, did_you_mean(at.name, function_names())),
      at.place);
}

Ref operation(const Syntax& at, Graph& graph, const std::vector<Ref>& of) {
  const std::string& sign = at.name;
  if (sign == "negate") return graph.negate(of[0]);
  if (sign == "!") return graph.make(Operation::opposite, of[0]);
  if (sign == "?") return graph.make(Operation::select, of[0], of[1], of[2]);
  if (sign == "^") return graph.power(of[0], of[1]);
  if (sign == ">") return graph.make(Operation::less, of[1], of[0]);
  if (sign == ">=") return graph.make(Operation::less_equal, of[1], of[0]);
  if (sign == "!=") {
    return graph.make(Operation::opposite, graph.make(Operation::equal, of[0], of[1]));
  }
  static const std::map<std::string, Operation> binary = {
      {"+", Operation::add},    {"-", Operation::subtract}, {"*", Operation::multiply},
      {"/", Operation::divide}, {"<", Operation::less},     {"<=", Operation::less_equal},
      {"==", Operation::equal}, {"&&", Operation::both},    {"||", Operation::either},
  };
  return graph.make(binary.at(sign), of[0], of[1]);
}

}  // namespace

std::optional<Ref> Names::call(const Syntax&) { return {}; }

std::optional<Operation> function_named(const std::string& name) {
  const auto found = simple_functions().find(name);
  if (found == simple_functions().end()) return {};
  return found->second;
}

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = {"min", "max", "hypot"};
    for (const auto& [name, operation] : simple_functions()) all.push_back(name);
    return all;
  }();
  return names;
}

Ref meaning(const Syntax& at, Graph& graph, Names& names) {
  if (at.kind == Syntax::Kind::number) return graph.number(at.value);
  if (at.kind == Syntax::Kind::name) {
    if (const std::optional<Ref> found = names.of(at.name)) return *found;
    if (at.name == "pi") return graph.number(std::numbers::pi);
    unknown_name(at, names);
  }
  if (at.kind == Syntax::Kind::call) {
    if (const std::optional<Ref> found = names.call(at)) return *found;
  }
  std::vector<Ref> of;
  for (const Syntax& operand : at.of) of.push_back(meaning(operand, graph, names));
  if (at.kind == Syntax::Kind::operation) return operation(at, graph, of);
  if (const std::optional<Ref> found = function(at, graph, of)) return *found;
  unknown_function(at, names);
}

double number_of(const std::string& text) {
  Graph graph;
  NoNames names;
  return graph[meaning(parse(text), graph, names)].value;
}

}  // namespace daewave::models
