#include "core/expression/machine_code.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "core/expression/code_writer.hpp"
#include "core/expression/program_order.hpp"

namespace daewave::expression {
namespace {

constexpr int nowhere = -1;
constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max();

Arithmetic arithmetic_of(Operation operation) {
  switch (operation) {
    case Operation::add:
      return Arithmetic::add;
    case Operation::subtract:
      return Arithmetic::subtract;
    case Operation::multiply:
      return Arithmetic::multiply;
    case Operation::divide:
      return Arithmetic::divide;
    case Operation::negate:
      return Arithmetic::exclusive_or;
    default:
      return Arithmetic::root;
  }
}

/// Gives the numbers of a program registers of the processor: those that are used last lose theirs
/// first, and are kept in memory.
class Program {
 public:
  Program(const Tape& tape, std::vector<Doing> all, Simd simd, int points, int stride,
          RunFunction other)
      : tape_(tape),
        all_(std::move(all)),
        points_(points),
        stride_(stride),
        other_(other),
        writer_(std::min(points, simd == Simd::avx512 ? 8 : 4)),
        parts_(points == 1 || simd == Simd::avx512 ? 1 : (points + 3) / 4),
        values_(static_cast<std::size_t>(tape.registers)),
        holds_(static_cast<std::size_t>(writer_.registers() / parts_), never) {
    find_uses();
    writer_.reserve(2 * all_.size() * static_cast<std::size_t>(parts_));
    for (std::size_t v = 0; v < tape.inputs.size() + tape.numbers.size(); ++v) {
      values_[v].in_memory = true;
    }
    writer_.begin();
    for (now_ = 0; now_ < all_.size(); ++now_) {
      const Doing& one = all_[now_];
      switch (one.what) {
        case Doing::What::operate:
          operate(one);
          break;
        case Doing::What::call:
          call(one);
          break;
        case Doing::What::output:
          output(one);
          break;
      }
    }
    writer_.end();
  }

  const std::vector<std::uint8_t>& code() const { return writer_.code(); }

 private:
  struct Place {
    int in = nowhere;        ///< Register of the processor.
    bool in_memory = false;  ///< Where home() says.
    bool in_slot = false;    ///< Of an input: among the registers of the tape too.
    std::uint32_t next = 0;  ///< Among its uses.
    std::uint32_t last = 0;
  };

  template <class F>
  void each_use(const Doing& one, F f) const {
    if (one.what == Doing::What::call) {
      const Run& run = tape_.runs[one.run];
      const int operands = operands_of(run.operation);
      for (std::uint32_t i = run.begin; i < run.end; ++i) {
        const Instruction& of = tape_.instructions[i];
        f(of.a);
        if (operands > 1) f(of.b);
        if (operands > 2) f(of.c);
      }
      return;
    }
    f(one.a);
    if (one.what == Doing::What::operate && operands_of(one.operation) > 1) f(one.b);
  }

  /// When each value is used, one after the other.
  void find_uses() {
    std::vector<std::uint32_t> count(values_.size() + 1, 0);
    for (const Doing& one : all_) each_use(one, [&](Value v) { ++count[v + 1]; });
    for (std::size_t v = 0; v < values_.size(); ++v) {
      count[v + 1] += count[v];
      values_[v].next = values_[v].last = count[v];
    }
    uses_.resize(count.back());
    for (std::uint32_t i = 0; i < all_.size(); ++i) {
      each_use(all_[i], [&](Value v) { uses_[values_[v].last++] = i; });
    }
  }

  std::uint32_t next_use(Value v) const {
    const Place& of = values_[v];
    return of.next < of.last ? uses_[of.next] : never;
  }

  Address slot(Value v) const { return {Base::memory, static_cast<std::int32_t>(v) * points_ * 8}; }
  Address home(Value v) const {
    if (v < tape_.inputs.size()) {
      const Input& input = tape_.inputs[v];
      const std::int32_t offset = input.entry * points_ * 8;
      if (input.from == From::q) return {Base::q, offset};
      if (input.from == From::v) return {Base::v, offset};
      if (input.from == From::w) return {Base::w, offset};
    }
    return slot(v);
  }
  Address part(Address of, int which) const { return {of.base, of.offset + 32 * which}; }

  void load(int to, Address from) {
    for (int p = 0; p < parts_; ++p) writer_.load(to * parts_ + p, part(from, p));
  }
  void store(Address to, int from) {
    for (int p = 0; p < parts_; ++p) writer_.store(part(to, p), from * parts_ + p);
  }

  void keep(int which) {
    const Value v = holds_[which];
    if (v == never) return;
    Place& of = values_[v];
    if (next_use(v) != never && !of.in_memory) {
      store(slot(v), which);
      of.in_memory = true;
    }
    of.in = nowhere;
    holds_[which] = never;
  }

  /// A register that is free from here on. @param but  is not to be it.
  int take(int but = nowhere) {
    int best = nowhere;
    std::uint32_t latest = 0;
    for (int k = 0; k < static_cast<int>(holds_.size()); ++k) {
      if (k == but) continue;
      if (holds_[k] == never) return k;
      const std::uint32_t next = next_use(holds_[k]);
      if (best == nowhere || next > latest) {
        best = k;
        latest = next;
      }
    }
    keep(best);
    return best;
  }

  void hold(int which, Value v) {
    holds_[which] = v;
    values_[v].in = which;
  }

  int in_register(Value v, int but = nowhere) {
    if (values_[v].in != nowhere) return values_[v].in;
    const int to = take(but);
    load(to, home(v));
    hold(to, v);
    return to;
  }

  /// Of this doing it was used.
  void used(Value v) {
    Place& of = values_[v];
    while (of.next < of.last && uses_[of.next] <= now_) ++of.next;
    if (of.next == of.last && of.in != nowhere) {
      holds_[of.in] = never;
      of.in = nowhere;
    }
  }

  void operate(const Doing& one) {
    Value a = one.a, b = one.b;
    const bool two = operands_of(one.operation) > 1;
    const bool commutes = one.operation == Operation::add || one.operation == Operation::multiply;
    if (commutes && values_[a].in == nowhere && values_[b].in != nowhere) std::swap(a, b);
    const int left = in_register(a, two ? values_[b].in : nowhere);
    const Arithmetic arithmetic = arithmetic_of(one.operation);
    const int right = two ? values_[b].in : left;
    used(a);
    if (two) used(b);
    // Nothing is written before it was read: a register may be of an operand.
    const int to = take();
    for (int p = 0; p < parts_; ++p) {
      const int into = to * parts_ + p, first = left * parts_ + p;
      if (one.operation == Operation::negate) {
        writer_.operate(arithmetic, into, first, sign());
      } else if (right != nowhere) {
        writer_.operate(arithmetic, into, first, right * parts_ + p);
      } else {
        writer_.operate(arithmetic, into, first, part(home(b), p));
      }
    }
    hold(to, one.to);
    used(one.to);
  }

  /// Behind the registers of the tape.
  Address sign() const {
    return {Base::memory, static_cast<std::int32_t>(tape_.registers) * points_ * 8};
  }

  void call(const Doing& one) {
    each_use(one, [this](Value v) { to_slot(v); });
    for (std::size_t k = 0; k < holds_.size(); ++k) {
      const Value v = holds_[k];
      if (v == never) continue;
      used(v);
      keep(static_cast<int>(k));
    }
    each_use(one, [this](Value v) { used(v); });
    const Run& run = tape_.runs[one.run];
    writer_.call(reinterpret_cast<const void*>(other_), &tape_, &run, one.to);
    const std::uint32_t results =
        (run.end - run.begin) * (run.operation == Operation::sine ? 2 : 1);
    for (Value v = one.to; v < one.to + results; ++v) values_[v].in_memory = true;
  }

  /// Who is called looks for operands among the registers of the tape.
  void to_slot(Value v) {
    Place& of = values_[v];
    const bool elsewhere = home(v).base != Base::memory;
    if (elsewhere ? of.in_slot : of.in_memory) return;
    store(slot(v), in_register(v));
    (elsewhere ? of.in_slot : of.in_memory) = true;
  }

  void output(const Doing& one) {
    const int from = in_register(one.a);
    store({Base::out, static_cast<std::int32_t>(one.to) * stride_ * 8}, from);
    used(one.a);
  }

  const Tape& tape_;
  std::vector<Doing> all_;
  int points_, stride_;
  RunFunction other_;
  CodeWriter writer_;
  int parts_;
  std::vector<Place> values_;
  std::vector<std::uint32_t> uses_;
  std::vector<Value> holds_;
  std::uint32_t now_ = 0;
};

}  // namespace

Simd machine_code_simd() {
#if defined(__x86_64__) && defined(__linux__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) return Simd::avx512;
  if (__builtin_cpu_supports("avx2")) return Simd::avx2;
#endif
  return Simd::sse2;
}

std::unique_ptr<const MachineCode> MachineCode::of(const Tape& tape, Simd simd, int points,
                                                   int stride, RunFunction other) {
  if (simd == Simd::sse2 || tape.instructions.size() > most_instructions) return {};
  const Program program(tape, in_program_order(tape), simd, points, stride, other);
  std::unique_ptr<MachineCode> made(new MachineCode(program.code(), points));
  if (made->pages_.get() == nullptr) return {};
  for (std::size_t i = 0; i < tape.inputs.size(); ++i) {
    if (tape.inputs[i].from == From::t) made->time_ = static_cast<std::int64_t>(i);
  }
  return made;
}

void MachineCode::run(const Points& at, double* memory, double* out) const {
  if (time_ >= 0) std::copy_n(at.t, points_, memory + time_ * points_);
  reinterpret_cast<Function>(const_cast<void*>(pages_.get()))(at.q, at.v, at.w, memory, out);
}

void MachineCode::prepare(double* behind_registers) {
  std::fill_n(behind_registers, room_behind, -0.0);
}

}  // namespace daewave::expression
