// What evaluates tapes on every processor: two numbers at once, as far as the compiler knows how.

#include "core/expression/tape_run.hpp"

namespace daewave::expression {
namespace {

template <class T>
void evaluate_portably(const Tape& tape, const Points& at, int first, double* memory, double* out,
                       int stride) {
  TapeRun<T, Sse2> run(tape, memory);
  run.load(at, first);
  run.run();
  run.store(out, stride, first);
}

template <class T>
void run_one_portably(const Tape* tape, const Run* run, double* memory, std::uint32_t to) {
  TapeRun<T, Sse2>(*tape, memory).run_one(*run, to);
}

}  // namespace

TapeFunctions portable_tapes() {
  return {&evaluate_portably<double>,         &evaluate_portably<Lanes<4, Sse2>>,
          &evaluate_portably<Lanes<8, Sse2>>, &run_one_portably<double>,
          &run_one_portably<Lanes<4, Sse2>>,  &run_one_portably<Lanes<8, Sse2>>};
}

TapeFunctions tape_functions() {
  const TapeFunctions widest = best_of([](auto set) { return compiled_tapes(set); });
  return widest.one != nullptr ? widest : portable_tapes();
}

}  // namespace daewave::expression
