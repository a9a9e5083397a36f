// Compiled once for each instruction set, as CMakeLists.txt says.

#include "core/expression/compiled_tapes.hpp"

#include "core/expression/tape_run.hpp"

namespace daewave::expression {
namespace {

template <class T>
void evaluate(const Tape& tape, const Points& at, int first, double* memory, double* out,
              int stride) {
  TapeRun<T, CompiledSimd> run(tape, memory);
  run.load(at, first);
  run.run();
  run.store(out, stride, first);
}

template <class T>
void run_one(const Tape* tape, const Run* run, double* memory, std::uint32_t to) {
  TapeRun<T, CompiledSimd>(*tape, memory).run_one(*run, to);
}

}  // namespace

TapeFunctions compiled_tapes(CompiledSimd) {
  return {&evaluate<double>, &evaluate<Lanes<4>>, &evaluate<Lanes<8>>,
          &run_one<double>,  &run_one<Lanes<4>>,  &run_one<Lanes<8>>};
}

}  // namespace daewave::expression
