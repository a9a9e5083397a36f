#pragma once
// Expressions in the order in which a machine evaluates them: runs of one operation each, which
// take nothing from within the run. Who evaluates decides once for each run what is to be done,
// and the processor has many operations in flight.
//
// Registers lie as  inputs, numbers, results;  results in the order of the instructions, but for a
// run of sines: all of them, then all cosines.

#include <cstdint>
#include <memory>
#include <vector>

#include "core/expression/graph.hpp"

namespace daewave::expression {

/// Where a variable is found among points: t, q, v or w of core/problem/dae_problem.hpp.
enum class From : std::uint8_t { t, q, v, w };

struct Input {
  From from = From::t;
  int entry = 0;
};

struct Run {
  Operation operation;
  std::uint32_t begin, end;  ///< Instructions.
  /// The operands of each instruction lie as far behind those of the one before, so that the first
  /// says all: loops over arrays.
  bool in_rows = false;
  std::int32_t step_a = 0, step_b = 0;
};

struct Instruction {
  std::uint32_t a, b, c;  ///< Registers.
};

/// Output `output` is in a register.
struct Output {
  std::uint32_t output, of;
};

struct Tape {
  std::vector<Input> inputs;
  std::vector<double> numbers;
  std::vector<Run> runs;
  std::vector<Instruction> instructions;
  std::vector<Output> varying;   ///< Ascending.
  std::vector<Output> constant;  ///< `of` is one of the numbers.
  int registers = 0;
  int outputs = 0;
};

using TapePtr = std::shared_ptr<const Tape>;

/// @param variables  where each variable of the graph is found.
Tape tape_of(const Graph& graph, const std::vector<Ref>& outputs,
             const std::vector<Input>& variables);

}  // namespace daewave::expression
