// Derivatives of expressions whose parts are shared.

#include "core/expression/derivative.hpp"

#include <cmath>

#include "core/expression/substitution.hpp"
#include "tests/catch.hpp"

namespace daewave::expression {
namespace {

/// An angle turned by as many joints, each by x: cosine and sine of a product of rotations, as
/// kinematics of an arm have it. There are 2^joints ways from the hand to the first joint.
struct Rotation {
  Ref cosine, sine;
};

Rotation turned(Graph& graph, Ref x, int joints) {
  const Ref c = graph.cosine(x), s = graph.sine(x);
  Rotation all{c, s};
  for (int i = 1; i < joints; ++i) {
    const Rotation last = all;
    all.cosine = graph.subtract(graph.multiply(last.cosine, c), graph.multiply(last.sine, s));
    all.sine = graph.add(graph.multiply(last.sine, c), graph.multiply(last.cosine, s));
  }
  return all;
}

}  // namespace

TEST_CASE("derivatives of what is shared sixty times over take no longer", "[expression]") {
  Graph graph;
  const Ref x = graph.variable(0), one = graph.number(1);
  constexpr int joints = 60;
  const Rotation hand = turned(graph, x, joints);
  Derivative along(graph, [one](int) { return one; });
  const Ref rate = along.of(hand.sine), curvature = along.of(rate);
  const auto value = [&](Ref of) { return value_at(graph, of, [](int) { return 0.3; }); };
  const double angle = joints * 0.3;
  CHECK(std::abs(value(hand.sine) - std::sin(angle)) < 1e-13);
  CHECK(std::abs(value(rate) - joints * std::cos(angle)) < 1e-11);
  CHECK(std::abs(value(curvature) + joints * joints * std::sin(angle)) < 1e-9);
  CHECK(std::abs(value(gradients_of(graph, {hand.sine})[0][0].value) - value(rate)) < 1e-11);
  // As many operations as joints, not as ways.
  CHECK(graph.size() < 60 * joints);
}

TEST_CASE("what is needed for expressions comes operands first, each once", "[expression]") {
  Graph graph;
  const Ref x = graph.variable(0);
  // Many that are not needed, before and after.
  for (int i = 0; i < 500; ++i) graph.add(graph.variable(1), graph.number(i + 2));
  const Rotation hand = turned(graph, x, 3);
  for (int i = 0; i < 500; ++i) graph.multiply(graph.variable(2), graph.number(i + 2));
  const Rotation longer = turned(graph, x, 300);
  for (const std::vector<Ref>& outputs : {std::vector<Ref>{hand.sine},
                                          {hand.sine, hand.cosine, hand.sine},
                                          {longer.sine, hand.sine}}) {
    const std::vector<Ref> needed = graph.needed_for(outputs);
    std::vector<char> there(static_cast<std::size_t>(graph.size()), 0);
    for (const Ref each : needed) {
      const Node& node = graph[each];
      const Ref operands[] = {node.a, node.b, node.c};
      for (int i = 0; i < operands_of(node.operation); ++i) CHECK(there[operands[i]]);
      CHECK_FALSE(there[each]);
      there[each] = 1;
    }
    for (const Ref output : outputs) CHECK(there[output]);
    CHECK(graph.variables_of(outputs[0]) == std::vector<int>{0});
  }
  CHECK(graph.needed_for({hand.sine}).size() < 30);
}

}  // namespace daewave::expression
