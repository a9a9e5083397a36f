// Any text as an expression: a message with a place in it, or operations whose tapes give what the
// operations themselves give, in one lane and in eight, and that can be differentiated.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "models/expression/compiled_tapes.hpp"
#include "models/expression/derivative.hpp"
#include "models/expression/meaning.hpp"
#include "models/expression/substitution.hpp"

namespace {

using namespace daewave;
using namespace daewave::models;

class SomeNames final : public Names {
 public:
  explicit SomeNames(Graph& graph) : graph_(graph) {}
  std::optional<Ref> of(const std::string& name) override {
    for (int i = 0; i < 3; ++i) {
      if (name == known_[static_cast<std::size_t>(i)]) return graph_.variable(i);
    }
    return {};
  }
  std::vector<std::string> known() const override { return known_; }

 private:
  Graph& graph_;
  std::vector<std::string> known_{"t", "x", "a.x'"};
};

/// NaN are one.
bool same(double one, double other) {
  return (std::isnan(one) && std::isnan(other)) || std::memcmp(&one, &other, sizeof one) == 0;
}

void check_tapes(const Graph& graph, const std::vector<Ref>& of) {
  const std::vector<Input> inputs{{From::t, 0}, {From::q, 0}, {From::q, 1}};
  const Tape tape = tape_of(graph, of, inputs);
  const double t[8] = {0.5, 0.25, 0, 1, 2, 3, 4, 5};
  const double q[16] = {1, 0, -1, 2, 0.5, -0.5, 10, 3, 2, 1, 0, -2, 0.1, 5, -3, 7};
  const Points at{8, 8, t, q, nullptr, nullptr};
  std::vector<double> out(8 * of.size());
  const auto run = [&](TapeFunction function, int lanes) {
    std::vector<double> memory(
        static_cast<std::size_t>(tape.registers + 1) * static_cast<std::size_t>(lanes) + 8);
    double* aligned = memory.data();
    while (reinterpret_cast<std::uintptr_t>(aligned) % 64 != 0) ++aligned;
    double* to = aligned + tape.inputs.size() * static_cast<std::size_t>(lanes);
    for (const double number : tape.numbers) to = std::fill_n(to, lanes, number);
    function(tape, at, 0, aligned, out.data(), 8);
  };
  const auto variable = [&](int which) { return which == 0 ? t[0] : q[8 * (which - 1)]; };
  for (const TapeFunctions& functions : {portable_tapes()}) {
    for (const bool wide : {false, true}) {
      run(wide ? functions.eight : functions.one, wide ? 8 : 1);
      for (std::size_t k = 0; k < of.size(); ++k) {
        if (graph.is_number(of[k])) continue;
        if (!same(out[8 * k], value_at(graph, of[k], variable))) std::abort();
      }
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  try {
    Graph graph;
    SomeNames names(graph);
    const Ref of = meaning(parse(text), graph, names);
    if (graph.needed_for({of}).size() > 3000) return 0;
    const Ref by_x = partial_derivative(graph, of, 1);
    check_tapes(graph, {of, by_x});
  } catch (const ExpressionError& error) {
    if (error.place() > text.size() || std::strlen(error.what()) == 0) std::abort();
  }
  return 0;
}
