#pragma once
// A tape as a program of the processor, made where the tape is: what an interpreter decides for
// each run, and what goes through memory between operations, is decided once. Sums, products and
// roots are instructions; other functions are called, several angles at once as tapes have them.
// Each operation is rounded as the tape's is, so that results have the same bits.

#include <memory>

#include "core/expression/compiled_tapes.hpp"
#include "core/expression/tape.hpp"
#include "core/machine/executable_memory.hpp"

namespace daewave::expression {

class MachineCode {
 public:
  /// What longer tapes would be is fetched more slowly than it is interpreted.
  static constexpr std::size_t most_instructions = 12'000;

  /// @param tape    is kept by reference.
  /// @param points  at once: 1, 4 or 8.
  /// @param stride  of outputs.
  /// @return null where the processor or the system does not let, or the tape is too long.
  static std::unique_ptr<const MachineCode> of(const Tape& tape, Simd simd, int points, int stride,
                                               RunFunction other);

  /// As a TapeFunction, for as many points from the first on.
  /// @param memory  with room_behind() numbers more.
  void run(const Points& at, double* memory, double* out) const;
  /// Whether points lie as the program takes them: as many, without gaps.
  bool takes(const Points& at) const { return at.count == points_ && at.stride == points_; }

  /// What the program needs behind the registers of the tape.
  static constexpr int room_behind = 8;
  /// To be called once for each such memory.
  static void prepare(double* behind_registers);

 private:
  using Function = void (*)(const double* q, const double* v, const double* w, double* memory,
                            double* out);

  MachineCode(const std::vector<std::uint8_t>& code, int points) : pages_(code), points_(points) {}

  ExecutableMemory pages_;
  int points_;
  std::int64_t time_ = -1;  ///< Register of t; -1: the tape does not depend on it.
};

/// The widest whose instructions this processor has, whatever else is compiled; sse2: none here.
Simd machine_code_simd();

}  // namespace daewave::expression
