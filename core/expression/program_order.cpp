#include "core/expression/program_order.hpp"

#include <limits>
#include <utility>

namespace daewave::expression {
namespace {

/// What has been made.
constexpr std::uint32_t no_run = std::numeric_limits<std::uint32_t>::max();

bool is_instruction(Operation operation) {
  switch (operation) {
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::negate:
    case Operation::square_root:
      return true;
    default:
      return false;
  }
}

class Order {
 public:
  explicit Order(const Tape& tape) : tape_(tape) {
    all_.reserve(tape.instructions.size() + tape.varying.size());
    first_result_ = static_cast<Value>(tape.inputs.size() + tape.numbers.size());
    made_by_.assign(static_cast<std::size_t>(tape.registers) - first_result_, Maker{});
    Value to = first_result_;
    for (std::uint32_t r = 0; r < tape.runs.size(); ++r) {
      const Run& run = tape.runs[r];
      begin_of_.push_back(to);
      for (std::uint32_t i = run.begin; i < run.end; ++i) made_by_[to++ - first_result_] = {r, i};
      // Cosines follow.
      if (run.operation == Operation::sine) to += run.end - run.begin;
    }
    for (std::uint32_t r = 0; r < tape.runs.size(); ++r) {
      if (!is_instruction(tape.runs[r].operation)) add_call(r);
    }
    for (const Output& one : tape.varying) {
      want(one.of);
      all_.push_back({Doing::What::output, {}, one.of, 0, one.output, 0});
    }
  }

  std::vector<Doing> take() { return std::move(all_); }

 private:
  struct Maker {
    std::uint32_t run = no_run, instruction = 0;
  };

  Maker& maker(Value of) { return made_by_[of - first_result_]; }
  bool is_open(Value of) { return of >= first_result_ && maker(of).run != no_run; }

  void add_call(std::uint32_t r) {
    const Run& run = tape_.runs[r];
    const int operands = operands_of(run.operation);
    for (std::uint32_t i = run.begin; i < run.end; ++i) {
      const Instruction& one = tape_.instructions[i];
      want(one.a);
      if (operands > 1) want(one.b);
      if (operands > 2) want(one.c);
    }
    all_.push_back({Doing::What::call, run.operation, 0, 0, begin_of_[r], r});
    for (std::uint32_t i = 0; i < run.end - run.begin; ++i) maker(begin_of_[r] + i).run = no_run;
  }

  /// With all that it is made of.
  void want(Value value) {
    if (!is_open(value)) return;
    open_.push_back(value);
    while (!open_.empty()) {
      const Value one = open_.back();
      if (!is_open(one)) {
        open_.pop_back();
        continue;
      }
      const Maker of = maker(one);
      const Operation operation = tape_.runs[of.run].operation;
      const Instruction& instruction = tape_.instructions[of.instruction];
      const bool two = operands_of(operation) > 1;
      const bool open_a = is_open(instruction.a), open_b = two && is_open(instruction.b);
      if (open_b) open_.push_back(instruction.b);
      if (open_a) open_.push_back(instruction.a);
      if (open_a || open_b) continue;
      open_.pop_back();
      maker(one).run = no_run;
      all_.push_back(
          {Doing::What::operate, operation, instruction.a, two ? instruction.b : 0, one, 0});
    }
  }

  const Tape& tape_;
  Value first_result_;
  std::vector<Maker> made_by_;
  std::vector<Value> begin_of_, open_;
  std::vector<Doing> all_;
};

}  // namespace

std::vector<Doing> in_program_order(const Tape& tape) { return Order(tape).take(); }

}  // namespace daewave::expression
