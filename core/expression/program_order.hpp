#pragma once
// What a tape does, one thing after the other, in an order in which results are used soon: they
// stay in the few registers of a processor. The tape itself has runs of one operation.

#include <cstdint>
#include <vector>

#include "core/expression/tape.hpp"

namespace daewave::expression {

using Value = std::uint32_t;  ///< A register of the tape.

/// One thing to do.
struct Doing {
  enum class What : std::uint8_t { operate, call, output } what;
  Operation operation{};
  Value a = 0, b = 0;     ///< Operands; of an output which value.
  Value to = 0;           ///< The result; of a call the first one; of an output its number.
  std::uint32_t run = 0;  ///< Of a call.
};

/// An operation follows its operands, and those that are wanted first come first. Calls keep the
/// order of the tape.
std::vector<Doing> in_program_order(const Tape& tape);

}  // namespace daewave::expression
