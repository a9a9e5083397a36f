#pragma once
// Elimination of slopes by blocks, where many entries of J vanish, in lanes: the arithmetic of
// SymbolicSlopes for one instruction set. Pivots are not exchanged between components; where one
// is too small in a lane, that lane is left to who exchanges rows (LuInLanes).

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bvp/slopes/lu_in_lanes.hpp"
#include "bvp/slopes/symbolic_slopes.hpp"

namespace daewave::bvp {

/// @tparam fixed  stages; 0: any number.
template <int lanes, int fixed>
class SparseSlopes {
  using Numbers = typename Registers<lanes>::Numbers;
  using Bits = typename Registers<lanes>::Bits;

 public:
  static constexpr std::int64_t bits_of_infinity = 0x7ff0000000000000;

  /// Of numbers without a sign the bits are in their order, infinity and what is none on top.
  [[gnu::always_inline]] static inline void raise(Bits& most, const Numbers& x) {
    const Bits bits = reinterpret_cast<const Bits&>(x) & (INT64_MAX - Bits{});
    const Bits larger = bits > most;
    most = (bits & larger) | (most & ~larger);
  }

  /// @param stages  of which there are `fixed`, where that is not 0.
  [[gnu::always_inline]] inline SparseSlopes(const SymbolicSlopes& of, int stages, double* work)
      : of_(of),
        k_(fixed > 0 ? fixed : stages),
        blocks_(work),
        columns_(work + static_cast<std::ptrdiff_t>(of.blocks()) * k_ * k_ * lanes) {}

  /// Entry (a, b) of a block, and entry a of a column.
  [[gnu::always_inline]] inline Numbers& entry(int block, int a, int b) {
    return Registers<lanes>::at(blocks_ +
                                ((static_cast<std::ptrdiff_t>(block) * k_ + a) * k_ + b) * lanes);
  }
  [[gnu::always_inline]] inline Numbers& column_entry(int row) {
    return Registers<lanes>::at(columns_ + static_cast<std::ptrdiff_t>(row) * lanes);
  }
  [[gnu::always_inline]] inline Numbers& entry(int column, int a) {
    return Registers<lanes>::at(columns_ + (static_cast<std::ptrdiff_t>(column) * k_ + a) * lanes);
  }

  /// After blocks and columns were filled. @param with_nodes  or right sides alone.
  /// @param good  in the lanes where pivots were large enough all bits, else none.
  [[gnu::always_inline]] inline void solve(bool with_nodes, Bits& good) {
    good = ~Bits{};
    // Once in the code, as it is unrolled.
    for (const SymbolicSlopes::Step& step : of_.steps()) {
      const std::vector<int>* const columns[] = {&step.rights, &step.nodes};
      const std::vector<SymbolicSlopes::Product>* const products[] = {&step.of_rights,
                                                                      &step.of_nodes};
      const int kinds = with_nodes ? 2 : 1;
      if (step.diagonal != SymbolicSlopes::none) {
        factorize(step.diagonal, good);
        for (const int block : step.row) divide_block(step.diagonal, block);
        for (int kind = 0; kind < kinds; ++kind) {
          for (const int column : *columns[kind]) divide_column(step.diagonal, column);
        }
      }
      if (!step.of_blocks.empty()) look_at_sizes(step, good);
      for (const auto& product : step.of_blocks) subtract_block(product);
      for (int kind = 0; kind < kinds; ++kind) {
        for (const auto& product : *products[kind]) subtract_column(product);
      }
    }
  }

 private:
  /// Four: as large may be what rows are multiplied by, or what is in the row of a unit pivot. What
  /// is subtracted from another row is then no larger than so many times what it, or the pivot's
  /// row, has. The bound that exchanged rows have too (LuInLanes).
  static constexpr std::int64_t bits_of_moderate = 0x4010000000000000;
  /// L U in place without exchanges; diagonals are left inverted.
  [[gnu::always_inline]] inline void factorize(int block, Bits& good) {
    // Where a pivot vanishes its inverse is infinite.
    Bits factors = {}, inverses = {};
    for (int j = 0; j < k_; ++j) {
      const Numbers inverse = 1.0 / entry(block, j, j);
      raise(inverses, inverse);
      entry(block, j, j) = inverse;
      for (int r = j + 1; r < k_; ++r) {
        const Numbers factor = entry(block, r, j) * inverse;
        entry(block, r, j) = factor;
        raise(factors, factor);
        for (int c = j + 1; c < k_; ++c) entry(block, r, c) -= factor * entry(block, j, c);
      }
    }
    good &= (factors <= bits_of_moderate - Bits{}) & (inverses < bits_of_infinity - Bits{});
  }

  /// D^-1 times another block.
  [[gnu::always_inline]] inline void divide_block(int diagonal, int block) {
    for (int j = 0; j < k_; ++j) {
      for (int r = j + 1; r < k_; ++r) {
        const Numbers factor = entry(diagonal, r, j);
        for (int c = 0; c < k_; ++c) entry(block, r, c) -= factor * entry(block, j, c);
      }
    }
    for (int j = k_; j-- > 0;) {
      const Numbers inverse = entry(diagonal, j, j);
      for (int c = 0; c < k_; ++c) entry(block, j, c) *= inverse;
      for (int r = 0; r < j; ++r) {
        const Numbers factor = entry(diagonal, r, j);
        for (int c = 0; c < k_; ++c) entry(block, r, c) -= factor * entry(block, j, c);
      }
    }
  }
  [[gnu::always_inline]] inline void divide_column(int diagonal, int column) {
    for (int j = 0; j < k_; ++j) {
      for (int r = j + 1; r < k_; ++r) entry(column, r) -= entry(diagonal, r, j) * entry(column, j);
    }
    for (int j = k_; j-- > 0;) {
      entry(column, j) *= entry(diagonal, j, j);
      for (int r = 0; r < j; ++r) entry(column, r) -= entry(diagonal, r, j) * entry(column, j);
    }
  }

  /// Whether what is subtracted from the rows below is of the size of what is there.
  [[gnu::always_inline]] inline void look_at_sizes(const SymbolicSlopes::Step& step, Bits& good) {
    Bits most[2] = {};
    const std::vector<int>* const blocks[] = {&step.row, &step.below};
    // Below a pivot that is no unit matrix entries are not yet divided by it.
    const int kinds = step.diagonal != SymbolicSlopes::none ? 1 : 2;
    for (int kind = 0; kind < kinds; ++kind) {
      for (const int block : *blocks[kind]) raise_to(block, most[kind]);
    }
    const Bits bound = bits_of_moderate - Bits{};
    good &= kinds == 1 ? most[0] <= bound : (most[0] <= bound) | (most[1] <= bound);
  }
  [[gnu::always_inline]] inline void raise_to(int block, Bits& most) {
    for (int a = 0; a < k_; ++a) {
      for (int b = 0; b < k_; ++b) raise(most, entry(block, a, b));
    }
  }

  [[gnu::always_inline]] inline void subtract_block(const SymbolicSlopes::Product& of) {
    for (int a = 0; a < k_; ++a) {
      for (int b = 0; b < k_; ++b) {
        Numbers sum = entry(of.target, a, b);
        for (int c = 0; c < k_; ++c) sum -= entry(of.left, a, c) * entry(of.right, c, b);
        entry(of.target, a, b) = sum;
      }
    }
  }
  [[gnu::always_inline]] inline void subtract_column(const SymbolicSlopes::Product& of) {
    for (int a = 0; a < k_; ++a) {
      Numbers sum = entry(of.target, a);
      for (int c = 0; c < k_; ++c) sum -= entry(of.left, a, c) * entry(of.right, c);
      entry(of.target, a) = sum;
    }
  }

  const SymbolicSlopes& of_;
  int k_;
  double *blocks_, *columns_;
};

}  // namespace daewave::bvp
