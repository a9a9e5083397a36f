#include "models/problem/state_functions.hpp"

#include <algorithm>

namespace daewave::models {

StateFunctions::StateFunctions(const Graph& graph, const std::vector<Ref>& expressions,
                               const Variables& variables)
    : tape_(tape_of(graph, expressions, variables.inputs())), nq_(variables.nq) {}

VecX StateFunctions::operator()(double t, const VecX& state) const {
  VecX out(count());
  evaluate(t, state.data(), state.data() + nq_, out.data());
  return out;
}

void StateFunctions::evaluate(double t, const double* q, const double* v, double* out) const {
  const Points at{1, 1, &t, q, v, nullptr};
  std::vector<double> registers(static_cast<std::size_t>(tape_.registers) + 1);
  std::copy(tape_.numbers.begin(), tape_.numbers.end(),
            registers.begin() + static_cast<std::ptrdiff_t>(tape_.inputs.size()));
  for (const Output& one : tape_.constant) out[one.output] = tape_.numbers[one.of];
  functions_.one(tape_, at, 0, registers.data(), out, 1);
}

}  // namespace daewave::models
