// Programs of tapes against the tapes themselves, to the last bit.

#include "core/expression/machine_code.hpp"

#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "core/equations/equations.hpp"
#include "core/expression/graph.hpp"
#include "core/machine/aligned.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using namespace daewave::expression;

namespace {

constexpr int entries = 5;

std::vector<Input> variables() {
  std::vector<Input> all{{From::t, 0}};
  for (const From from : {From::q, From::v, From::w}) {
    for (int i = 0; i < entries; ++i) all.push_back({from, i});
  }
  return all;
}

/// Operations at random on what is there already: old values stay wanted, more of them than there
/// are registers.
Tape random_tape(unsigned seed, int operations, bool others) {
  std::mt19937 random(seed);
  const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
  Graph graph;
  std::vector<Ref> all;
  for (int i = 0; i < 3 * entries + 1; ++i) all.push_back(graph.variable(i));
  for (const double number : {0.75, -1.5, 3.0}) all.push_back(graph.number(number));
  constexpr Operation common[] = {Operation::add,      Operation::subtract, Operation::multiply,
                                  Operation::multiply, Operation::divide,   Operation::negate};
  constexpr Operation rare[] = {Operation::sine,    Operation::cosine,     Operation::square_root,
                                Operation::less,    Operation::less_equal, Operation::select,
                                Operation::maximum, Operation::arc_tangent};
  for (int k = 0; k < operations; ++k) {
    const auto any = [&] {
      return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
    };
    const Operation which = others && below(4) == 0 ? rare[below(8)] : common[below(6)];
    const Ref a = any(), b = any(), c = any();
    const int operands = operands_of(which);
    all.push_back(graph.make(which, a, operands > 1 ? b : -1, operands > 2 ? c : -1));
  }
  std::vector<Ref> outputs(all.end() - operations / 2, all.end());
  outputs.push_back(all[2]);
  return tape_of(graph, outputs, variables());
}

struct Batch {
  Batch(int count, unsigned seed) : count_(count) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-2, 2);
    for (AlignedVector* one : {&t, &q, &v, &w}) {
      one->resize(static_cast<std::size_t>(one == &t ? count : entries * count));
      for (double& x : *one) x = uniform(random);
    }
  }
  Points points() const { return {count_, count_, t.data(), q.data(), v.data(), w.data()}; }

  int count_;
  AlignedVector t, q, v, w;
};

AlignedVector memory_for(const Tape& tape, int points) {
  const auto count = static_cast<std::size_t>(tape.registers * points);
  AlignedVector memory(count + MachineCode::room_behind, 0);
  auto to = memory.begin() + static_cast<std::ptrdiff_t>(tape.inputs.size()) * points;
  for (const double number : tape.numbers) to = std::fill_n(to, points, number);
  MachineCode::prepare(memory.data() + count);
  return memory;
}

struct Case {
  Simd simd;
  int points;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Simd simd : {Simd::avx2, Simd::avx512}) {
    if (machine_code_simd() < simd) continue;
    for (const int points : {1, 4, 8}) all.push_back({simd, points});
  }
  return all;
}

/// Numbers of outputs whose bits differ. What is not a number may be another one.
int different(const Tape& tape, const Case& of, unsigned seed) {
  const int stride = of.points == 1 ? 1 : 8;
  const Batch batch(of.points, seed);
  const TapeFunctions functions = portable_tapes();
  const auto size = static_cast<std::size_t>(tape.outputs * stride);
  AlignedVector wanted(size, 0), found(size, 0), memory = memory_for(tape, of.points);
  const TapeFunction interpret = of.points == 1   ? functions.one
                                 : of.points == 4 ? functions.four
                                                  : functions.eight;
  interpret(tape, batch.points(), 0, memory.data(), wanted.data(), stride);
  const RunFunction other = of.points == 1   ? functions.run_of_one
                            : of.points == 4 ? functions.run_of_four
                                             : functions.run_of_eight;
  const auto code = MachineCode::of(tape, of.simd, of.points, stride, other);
  REQUIRE(code);
  REQUIRE(code->takes(batch.points()));
  memory = memory_for(tape, of.points);
  code->run(batch.points(), memory.data(), found.data());
  int count = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const bool same =
        std::bit_cast<std::uint64_t>(wanted[i]) == std::bit_cast<std::uint64_t>(found[i]);
    if (!same && !(wanted[i] != wanted[i] && found[i] != found[i])) ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("programs of tapes have the bits of the tapes", "[expression]") {
  for (const Case& of : cases()) {
    for (unsigned seed = 1; seed <= 40; ++seed) {
      INFO(name_of(of.simd) << ", " << of.points << " points, seed " << seed);
      for (const int operations : {3, 40, 400}) {
        CHECK(different(random_tape(seed, operations, false), of, seed) == 0);
        CHECK(different(random_tape(seed, operations, true), of, seed) == 0);
      }
    }
  }
}

TEST_CASE("a tape that is too long has no program", "[expression]") {
  const Tape tape = random_tape(1, 40, false);
  const RunFunction other = portable_tapes().run_of_one;
  CHECK_FALSE(MachineCode::of(tape, Simd::sse2, 1, 1, other));
  Tape longer = tape;
  longer.instructions.resize(MachineCode::most_instructions + 1);
  CHECK_FALSE(MachineCode::of(longer, Simd::avx2, 1, 1, other));
}

TEST_CASE("points with gaps between them, or fewer, are not for the program", "[expression]") {
  for (const Case& of : cases()) {
    const Tape tape = random_tape(2, 40, false);
    const auto code = MachineCode::of(tape, of.simd, of.points, of.points == 1 ? 1 : 8, nullptr);
    REQUIRE(code);
    Points at = Batch(of.points, 1).points();
    CHECK(code->takes(at));
    ++at.stride;
    CHECK_FALSE(code->takes(at));
    --at.stride;
    ++at.count;
    CHECK_FALSE(code->takes(at));
  }
}

TEST_CASE("a problem evaluated often gives the bits that it gave at first", "[expression]") {
  Equations equations;
  equations.nq = 3;
  Graph& graph = equations.graph;
  const Variables of = equations.variables();
  const Ref t = graph.variable(Variables::t);
  std::vector<Ref> q, v;
  for (int i = 0; i < 3; ++i) {
    q.push_back(graph.variable(of.q(i)));
    v.push_back(graph.variable(of.v(i)));
    equations.M.push_back(graph.number(1 + i));
  }
  for (int i = 0; i < 3; ++i) {
    equations.f.push_back(graph.subtract(graph.sine(graph.multiply(q[i], t)),
                                         graph.multiply(v[i], graph.cosine(v[(i + 1) % 3]))));
  }
  equations.g = {graph.subtract(graph.add(graph.multiply(q[0], q[0]), graph.multiply(q[1], q[2])),
                                graph.square_root(graph.add(graph.number(2), graph.sine(t))))};
  const DaeProblemPtr problem = problem_of(std::move(equations));
  constexpr Ask what = Ask::f | Ask::G | Ask::g | Ask::g_t | Ask::curvature;
  for (const int count : {1, 3, 4, 8, 11}) {
    const auto evaluation = problem->evaluation();
    const Batch batch(count, 7);
    const auto bits = [&] {
      const Terms& terms = evaluation->evaluate(what, batch.points());
      std::vector<std::uint64_t> all;
      const auto add = [&](const double* from, int rows) {
        for (int i = 0; i < rows; ++i) {
          for (int p = 0; p < count; ++p) {
            all.push_back(std::bit_cast<std::uint64_t>(from[i * terms.stride + p]));
          }
        }
      };
      add(terms.f, 3);
      add(terms.G, 3);
      add(terms.g, 1);
      add(terms.g_t, 1);
      add(terms.curvature, 1);
      return all;
    };
    const std::vector<std::uint64_t> first = bits();
    for (int k = 0; k < 300; ++k) REQUIRE(bits() == first);
  }
}
