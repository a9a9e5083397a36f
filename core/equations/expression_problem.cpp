// A DaeProblem whose terms are tapes, one for each set of terms that is asked for.

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "core/equations/derived_terms.hpp"
#include "core/equations/equations.hpp"
#include "core/equations/structured_jacobian.hpp"
#include "core/expression/compiled_tapes.hpp"
#include "core/expression/machine_code.hpp"
#include "core/lanes/instruction_set.hpp"

namespace daewave::expression {
namespace {

struct Member {
  Ask what;
  const double* Terms::*member;
};
constexpr std::array<Member, 15> members{{{Ask::f, &Terms::f},
                                          {Ask::M, &Terms::M},
                                          {Ask::B, &Terms::B},
                                          {Ask::G, &Terms::G},
                                          {Ask::g, &Terms::g},
                                          {Ask::g_t, &Terms::g_t},
                                          {Ask::curvature, &Terms::curvature},
                                          {Ask::r, &Terms::r},
                                          {Ask::h, &Terms::h},
                                          {Ask::r_w, &Terms::r_w},
                                          {Ask::H, &Terms::H},
                                          {Ask::f_q, &Terms::f_q},
                                          {Ask::f_v, &Terms::f_v},
                                          {Ask::f_w, &Terms::f_w},
                                          {Ask::r_q, &Terms::r_q}}};

/// Terms that are asked for together, as one tape; outputs in the order of `members`.
struct TermsTape {
  using Places = std::array<int, members.size()>;
  Tape tape;
  /// Where the outputs of each member begin; -1: not asked for, or not of this kind.
  Places begin{};
  /// Programs for 1, 4 and 8 points, which all evaluations share.
  struct Code {
    std::atomic<int> evaluated{0};
    std::atomic<const MachineCode*> ready{nullptr};
    std::unique_ptr<const MachineCode> code;
  };
  mutable std::array<Code, 3> codes{};
};

/// What all evaluations of a problem share.
class TermsTapes {
 public:
  explicit TermsTapes(Equations equations)
      : equations_(std::move(equations)), derived_(derive_terms(equations_)) {
    for (const Ask what : {Ask::f, Ask::M, Ask::B, Ask::G, Ask::g, Ask::g_t, Ask::curvature}) {
      if (derived_.of.contains(what)) usual_ = usual_ | what;
    }
    const auto inputs = equations_.variables().inputs();
    if (equations_.energy) energy_ = tape_of(equations_.graph, {*equations_.energy}, inputs);
    if (!equations_.implied.empty()) {
      implied_ = tape_of(equations_.graph, equations_.implied, inputs);
    }
  }

  const Equations& equations() const { return equations_; }
  const DerivedTerms& derived() const { return derived_; }
  const TapeFunctions& functions() const { return functions_; }

  const Tape& energy() const { return energy_; }
  const Tape& implied() const { return implied_; }

  /// Of these terms and no others, which have been asked for so often.
  const TermsTape& of(Ask what, int evaluated) const {
    const std::lock_guard lock(mutex_);
    const bool is_new = !tapes_.contains(what);
    const TermsTape& tape = kept(what);
    for (TermsTape::Code& code : tape.codes) {
      if (is_new) code.evaluated = std::min(evaluated, often);
    }
    return tape;
  }

  /// Of these, and others beside them: what is asked for a few times is not worth a tape of its
  /// own, which takes as long to make as a hundred evaluations.
  const TermsTape& with_others(Ask what) const {
    const std::lock_guard lock(mutex_);
    if (const auto own = tapes_.find(what); own != tapes_.end()) return *own->second;
    return kept(what | usual_);
  }

  /// Of those asked for in with_others(): whether a tape of their own is much less.
  bool is_much_less(Ask what, const TermsTape& with_others) const {
    constexpr double much_less = 0.7;
    const Tape& all = with_others.tape;
    const double operations =
        static_cast<double>(all.inputs.size() + all.numbers.size() + all.instructions.size());
    const auto own = static_cast<double>(equations_.graph.needed_for(outputs_of(what)).size());
    return own < much_less * operations;
  }

  /// The program of a tape for some points at once; null where there is none, or none yet: it is
  /// made when what it saves has been spent on evaluations.
  const MachineCode* code(const TermsTape& of, std::size_t which) const {
    TermsTape::Code& code = of.codes[which];
    if (const MachineCode* const ready = code.ready.load(std::memory_order_acquire)) return ready;
    if (code.evaluated.load(std::memory_order_relaxed) > often ||
        code.evaluated.fetch_add(1, std::memory_order_relaxed) != often) {
      return nullptr;
    }
    constexpr int points[] = {1, 4, 8}, strides[] = {1, 8, 8};
    const RunFunction others[] = {functions_.run_of_one, functions_.run_of_four,
                                  functions_.run_of_eight};
    code.code =
        MachineCode::of(of.tape, machine_code_simd(), points[which], strides[which], others[which]);
    code.ready.store(code.code.get(), std::memory_order_release);
    return code.code.get();
  }

 private:
  static constexpr int often = 200;

  const TermsTape& kept(Ask what) const {
    std::unique_ptr<const TermsTape>& tape = tapes_[what];
    if (!tape) tape = make(what);
    return *tape;
  }

  /// @param begin  of each member, where its outputs are; -1: there are none.
  std::vector<Ref> outputs_of(Ask what, TermsTape::Places* begin = nullptr) const {
    std::vector<Ref> outputs;
    if (begin != nullptr) begin->fill(-1);
    for (std::size_t m = 0; m < members.size(); ++m) {
      const auto found = derived_.of.find(members[m].what);
      if (!asks(what, members[m].what) || found == derived_.of.end()) continue;
      if (begin != nullptr) (*begin)[m] = static_cast<int>(outputs.size());
      outputs.insert(outputs.end(), found->second.begin(), found->second.end());
    }
    return outputs;
  }

  std::unique_ptr<const TermsTape> make(Ask what) const {
    auto made = std::make_unique<TermsTape>();
    made->tape =
        tape_of(equations_.graph, outputs_of(what, &made->begin), equations_.variables().inputs());
    return made;
  }

  Equations equations_;
  DerivedTerms derived_;
  Ask usual_{};  ///< What a solve asks for sooner or later.
  Tape energy_, implied_;
  TapeFunctions functions_ = tape_functions();
  mutable std::mutex mutex_;
  mutable std::map<Ask, std::unique_ptr<const TermsTape>> tapes_;
};

/// Numbers that a register of any set may be loaded from.
class Registers {
 public:
  double* reserve(std::size_t count) {
    if (count > reserved_) {
      memory_.reset(static_cast<double*>(::operator new(count * sizeof(double), line)));
      reserved_ = count;
    }
    return memory_.get();
  }
  double* get() const { return memory_.get(); }

 private:
  static constexpr std::align_val_t line{64};
  struct Release {
    void operator()(double* memory) const { ::operator delete(memory, line); }
  };
  std::unique_ptr<double, Release> memory_;
  std::size_t reserved_ = 0;
};

/// A tape with the memory of one thread.
class TapeMemory {
 public:
  /// @param what  of the tape, which may have more.
  TapeMemory(const TermsTape& of, Ask what, const DerivedTerms& derived)
      : of_(&of), what_(what), jacobian_(derived) {}

  const Terms& evaluate(const TermsTapes& tapes, const Points& at) {
    const int stride = at.count == 1 ? 1 : (at.count + 7) / 8 * 8;
    if (stride != terms_.stride || out_.get() == nullptr) lay_out(stride);
    const TapeFunctions& functions = tapes.functions();
    if (at.count == 1) {
      if (!run_code(tapes, 0, 1, at)) {
        functions.one(tape(), at, 0, registers(0, 1), out_.get(), 1);
      }
      constexpr std::size_t G = 3;
      static_assert(members[G].what == Ask::G);
      if (gives(G)) jacobian_.fill(out_.get() + of_->begin[G], terms_);
      return terms_;
    }
    if ((at.count == 8 && run_code(tapes, 2, 8, at)) ||
        (at.count == 4 && run_code(tapes, 1, 4, at))) {
      return terms_;
    }
    for (int first = 0; first < at.count; first += 8) {
      if (at.count - first <= 4) {
        functions.four(tape(), at, first, registers(1, 4), out_.get(), stride);
      } else {
        functions.eight(tape(), at, first, registers(2, 8), out_.get(), stride);
      }
    }
    return terms_;
  }

 private:
  const Tape& tape() const { return of_->tape; }
  bool gives(std::size_t member) const {
    return of_->begin[member] >= 0 && asks(what_, members[member].what);
  }

  /// By the program of the tape. @return false: there is none.
  bool run_code(const TermsTapes& tapes, std::size_t which, int points, const Points& at) {
    const MachineCode*& code = codes_[which];
    if (code == nullptr) code = tapes.code(*of_, which);
    if (code == nullptr || !code->takes(at)) return false;
    code->run(at, registers(which, points), out_.get());
    return true;
  }

  /// Registers of `lanes` points, with the numbers at their place.
  double* registers(std::size_t which, int lanes) {
    Registers& of = registers_[which];
    if (of.get() != nullptr) return of.get();
    const std::size_t count =
        static_cast<std::size_t>(tape().registers) * static_cast<std::size_t>(lanes);
    double* const memory = of.reserve(count + MachineCode::room_behind);
    MachineCode::prepare(memory + count);
    double* to = memory + tape().inputs.size() * static_cast<std::size_t>(lanes);
    for (const double number : tape().numbers) to = std::fill_n(to, lanes, number);
    return memory;
  }

  void lay_out(int stride) {
    terms_ = Terms{};
    terms_.stride = stride;
    const auto outputs = static_cast<std::size_t>(std::max(1, tape().outputs));
    double* const out = out_.reserve(outputs * static_cast<std::size_t>(stride));
    for (std::size_t m = 0; m < members.size(); ++m) {
      // Of many points a chain is laid out as its expressions are, four for each body.
      const bool structured = members[m].what == Ask::G && jacobian_.is_structured() &&
                              (stride == 1 || !jacobian_.is_chain());
      if (!gives(m) || structured) continue;
      terms_.*members[m].member = out + static_cast<std::ptrdiff_t>(of_->begin[m]) * stride;
    }
    for (const Output& one : tape().constant) {
      std::fill_n(out + static_cast<std::ptrdiff_t>(one.output) * stride, stride,
                  tape().numbers[one.of]);
    }
  }

  const TermsTape* of_;
  Ask what_;
  std::array<Registers, 3> registers_;
  std::array<const MachineCode*, 3> codes_{};
  Registers out_;
  StructuredJacobian jacobian_;
  Terms terms_;
};

class TapeEvaluation final : public Evaluation {
 public:
  explicit TapeEvaluation(std::shared_ptr<const TermsTapes> tapes) : tapes_(std::move(tapes)) {}

  const Terms& evaluate(Ask what, const Points& at) override {
    for (Kept& one : kept_) {
      if (one.what != what) continue;
      if (one.with_others != nullptr) leave_others(one);
      return one.memory->evaluate(*tapes_, at);
    }
    const TermsTape& tape = tapes_->with_others(what);
    kept_.push_back({what, memory_of(tape, what), &tape, 0});
    return kept_.back().memory->evaluate(*tapes_, at);
  }

 private:
  struct Kept {
    Ask what;
    std::unique_ptr<TapeMemory> memory;
    const TermsTape* with_others;  ///< Null: the tape is its own.
    int evaluated;
  };

  std::unique_ptr<TapeMemory> memory_of(const TermsTape& tape, Ask what) const {
    return std::make_unique<TapeMemory>(tape, what, tapes_->derived());
  }

  /// When a tape of its own saves more than it costs.
  void leave_others(Kept& one) const {
    constexpr int few = 40, many = 1000;
    ++one.evaluated;
    const bool now = (one.evaluated == few && tapes_->is_much_less(one.what, *one.with_others)) ||
                     one.evaluated == many;
    if (!now) return;
    one.memory = memory_of(tapes_->of(one.what, one.evaluated), one.what);
    one.with_others = nullptr;
  }

  std::shared_ptr<const TermsTapes> tapes_;
  std::vector<Kept> kept_;
};

class ExpressionProblem final : public DaeProblem {
 public:
  explicit ExpressionProblem(std::shared_ptr<const TermsTapes> tapes)
      : DaeProblem(tapes->equations().kind, tapes->derived().sizes, tapes->derived().structure),
        tapes_(std::move(tapes)) {}

  std::unique_ptr<Evaluation> evaluation() const override {
    return std::make_unique<TapeEvaluation>(tapes_);
  }
  int lanes() const override {
    const Simd simd = best_simd();
    return !supported(simd) ? 1 : simd == Simd::avx512 ? 8 : simd == Simd::avx2 ? 4 : 2;
  }

  std::string name() const override { return equations().name; }
  std::vector<std::string> state_names() const override { return equations().state_names; }
  double energy(const double* q, const double* v) const override {
    double out = 0;
    values_of(tapes_->energy(), q, v, 0, &out);
    return out;
  }
  double implied(const double* q, const double* v, double t) const override {
    VecX out(equations().implied.size());
    if (out.size() == 0) return 0;
    values_of(tapes_->implied(), q, v, t, out.data());
    return out.lpNorm<Eigen::Infinity>();
  }
  std::string implied_names() const override { return equations().implied_names; }
  std::optional<VecX> start() const override { return equations().start; }
  std::optional<VecX> start_algebraic() const override { return equations().start_algebraic; }
  std::optional<Interval> interval() const override { return equations().interval; }

  ProblemExpressions expressions() const { return {&tapes_->equations(), &tapes_->derived()}; }

 private:
  const Equations& equations() const { return tapes_->equations(); }

  /// At one point, by itself.
  void values_of(const Tape& tape, const double* q, const double* v, double t, double* out) const {
    const Points at{1, 1, &t, q, v, nullptr};
    std::vector<double> registers(static_cast<std::size_t>(tape.registers) + 1);
    std::copy(tape.numbers.begin(), tape.numbers.end(),
              registers.begin() + static_cast<std::ptrdiff_t>(tape.inputs.size()));
    for (const auto& constant : tape.constant) out[constant.output] = tape.numbers[constant.of];
    tapes_->functions().one(tape, at, 0, registers.data(), out, 1);
  }

  std::shared_ptr<const TermsTapes> tapes_;
};

}  // namespace

ProblemExpressions expressions_of(const DaeProblem& problem) {
  const auto* const ours = dynamic_cast<const ExpressionProblem*>(&problem);
  return ours == nullptr ? ProblemExpressions{} : ours->expressions();
}

DaeProblemPtr problem_of(Equations equations) {
  return std::make_shared<const ExpressionProblem>(
      std::make_shared<const TermsTapes>(std::move(equations)));
}

}  // namespace daewave::expression
