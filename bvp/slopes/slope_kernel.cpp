// An interval in each of `lanes` numbers side by side.

#include "bvp/slopes/slope_kernel.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "bvp/slopes/lu_in_lanes.hpp"
#include "bvp/slopes/sparse_slope_kernel.hpp"
#include "core/machine/has_vectors.hpp"

namespace daewave::bvp {
namespace {

constexpr int most_lanes = 8;
constexpr int most_effects = 32;  ///< Of nodes on a slope, at a time.

template <int lanes>
class SlopeKernel {
  using Numbers = typename Registers<lanes>::Numbers;

 public:
  /// `lanes` intervals from the one given on, of which done[e] has no bits where e is wanted.
  /// @param done  null: all are. @return the first interval that is lost; -1 for none.
  using ByRows = int (*)(const SlopePanels& at, int from, const std::int64_t* done);

  /// @param by_rows  as below, compiled by itself: in one function with blocks, registers are
  /// short.
  [[gnu::always_inline]] static inline int eliminate(const SlopePanels& at, ByRows by_rows) {
    int failed = -1;
    for (int first = 0; first < at.width; first += lanes) {
      // The last lanes are some of the ones before once more: of as many there are as many bits.
      const int from = std::max(0, std::min(first, at.width - lanes));
      std::int64_t done[lanes];
      const bool blocks = at.symbolic != nullptr;
      if (blocks && by_blocks(at, from, done)) continue;
      const int lost = by_rows(at, from, blocks ? done : nullptr);
      if (lost >= 0) failed = failed < 0 ? lost : std::min(failed, lost);
    }
    return failed;
  }

  [[gnu::always_inline]] static inline int rows(const SlopePanels& at, int from,
                                                const std::int64_t* done) {
    const int size = at.n * at.stages;
    const int columns = size + (at.of_node != nullptr ? at.n : 0) + 1;
    fill(at, from, size, columns);
    const int lane = LuInLanes<lanes>::factorize(at.work, size, columns);
    if (lane >= 0) return std::min(from + lane, at.width - 1);
    LuInLanes<lanes>::substitute(at.work, size, columns);
    give_out(at, from, size, columns, done);
    return -1;
  }

  [[gnu::always_inline]] static inline void add(int n, const SymbolicSlopes* symbolic, int stages,
                                                int width, const double* nodes, const double* dx,
                                                double* dK) {
    const std::ptrdiff_t panel = static_cast<std::ptrdiff_t>(stages) * width;
    struct Effect {
      const double *node, *dx;
    };
    std::array<Effect, most_effects> effects;
    for (int r = 0; r < n; ++r, dK += panel) {
      for (int first = 0; first < n; first += most_effects) {
        int count = 0;
        for (int c = first; c < std::min(n, first + most_effects); ++c) {
          const int number = node(symbolic, n, r, c);
          if (number == SymbolicSlopes::none) continue;
          effects[count++] = {nodes + number * panel, dx + c * width};
        }
        for (int l = 0; l < stages; ++l) {
          const std::ptrdiff_t row = static_cast<std::ptrdiff_t>(l) * width;
          double* const out = dK + row;
          int i = 0;
          for (; i + lanes <= width; i += lanes) {
            Numbers sum = at(out + i);
            for (int e = 0; e < count; ++e) {
              sum += at(effects[e].node + row + i) * at(effects[e].dx + i);
            }
            at(out + i) = sum;
          }
          for (; i < width; ++i) {
            double sum = out[i];
            for (int e = 0; e < count; ++e) sum += effects[e].node[row + i] * effects[e].dx[i];
            out[i] = sum;
          }
        }
      }
    }
  }

 private:
  using Bits = typename Registers<lanes>::Bits;

  [[gnu::always_inline]] static inline int node(const SymbolicSlopes* symbolic, int n, int r,
                                                int c) {
    return symbolic != nullptr ? symbolic->node(r, c) : r * n + c;
  }

  /// @param done  becomes all bits of the lanes in which no rows have to be exchanged.
  /// @return whether these are all of them.
  [[gnu::always_inline]] static inline bool by_blocks(const SlopePanels& at, int from,
                                                      std::int64_t* done) {
    Bits good = {};
    switch (at.stages) {
      case 3:
        by_blocks_of<3>(at, from, good);
        break;
      case 4:
        by_blocks_of<4>(at, from, good);
        break;
      default:
        by_blocks_of<0>(at, from, good);
    }
    std::int64_t all = -1;
    for (int e = 0; e < lanes; ++e) {
      done[e] = good[e];
      all &= good[e];
    }
    return all != 0;
  }
  template <int stages>
  [[gnu::always_inline]] static inline void by_blocks_of(const SlopePanels& at, int from,
                                                         Bits& good) {
    SparseSlopes<lanes, stages> blocks(*at.symbolic, at.stages, at.work);
    fill(at, from, blocks);
    blocks.solve(at.of_node != nullptr, good);
    give_out(at, from, blocks, good);
  }

  [[gnu::always_inline]] static inline Numbers& at(double* where) {
    return Registers<lanes>::at(where);
  }
  [[gnu::always_inline]] static inline const Numbers& at(const double* where) {
    return Registers<lanes>::at(where);
  }
  /// `lanes` numbers of a row from the one given on; of a row that is shorter its last again.
  [[gnu::always_inline]] static inline void load(const double* row, int from, int width,
                                                 Numbers& to) {
    if (width >= lanes) {
      to = at(row + from);
    } else {
      for (int e = 0; e < lanes; ++e) to[e] = row[std::min(e, width - 1)];
    }
  }
  [[gnu::always_inline]] static inline void store(const Numbers& from, double* row, int first,
                                                  int width, const std::int64_t* done) {
    if (done != nullptr) {
      const int count = std::min(lanes, width);
      for (int e = 0; e < count; ++e) {
        if (done[e] == 0) row[first + e] = from[e];
      }
    } else if (width >= lanes) {
      at(row + first) = from;
    } else {
      for (int e = 0; e < width; ++e) row[e] = from[e];
    }
  }

  /// [I - h A (x) J | J | r].
  [[gnu::always_inline]] static inline void fill(const SlopePanels& of, int from, int size,
                                                 int columns) {
    switch (of.stages) {
      case 1:
        return fill_stages<1>(of, from, size, columns);
      case 2:
        return fill_stages<2>(of, from, size, columns);
      case 3:
        return fill_stages<3>(of, from, size, columns);
      case 4:
        return fill_stages<4>(of, from, size, columns);
      default:
        return fill_stages<0>(of, from, size, columns);
    }
  }
  /// @tparam fixed  number of stages; 0: any.
  template <int fixed>
  [[gnu::always_inline]] static inline void fill_stages(const SlopePanels& of, int from, int size,
                                                        int columns) {
    constexpr int most_stages = 8;
    const int n = of.n, k = fixed > 0 ? fixed : of.stages, m = of.width;
    Numbers h = {}, weight[fixed > 0 ? fixed : most_stages];
    load(of.h, from, m, h);
    for (int j = 0; j < k; ++j) {
      for (int l = 0; l < k; ++l) weight[l] = -of.a[j * k + l] * h;
      for (int r = 0; r < n; ++r) {
        double* const row = of.work + static_cast<std::ptrdiff_t>(j * n + r) * columns * lanes;
        for (int c = 0; c < n; ++c) {
          const int number = of.symbolic != nullptr ? of.symbolic->entry(r, c) : r + c * n;
          Numbers J = {};
          if (number != SymbolicSlopes::none) {
            load(of.J + (static_cast<std::ptrdiff_t>(number) * k + j) * m, from, m, J);
          }
          for (int l = 0; l < k; ++l) at(row + (l * n + c) * lanes) = weight[l] * J;
          if (of.of_node != nullptr) at(row + (size + c) * lanes) = J;
        }
        at(row + (j * n + r) * lanes) += 1.0;
        Numbers right = {};
        load(of.r + static_cast<std::ptrdiff_t>(r * k + j) * m, from, m, right);
        at(row + (columns - 1) * lanes) = right;
      }
    }
  }

  [[gnu::always_inline]] static inline void give_out(const SlopePanels& of, int from, int size,
                                                     int columns, const std::int64_t* done) {
    const int n = of.n, k = of.stages, m = of.width;
    const std::ptrdiff_t stride = static_cast<std::ptrdiff_t>(columns) * lanes;
    Numbers h = {};
    load(of.h, from, m, h);
    for (int r = 0; r < n; ++r) {
      Numbers sum = {};
      for (int l = 0; l < k; ++l) {
        const Numbers& y = at(of.work + (l * n + r) * stride + (columns - 1) * lanes);
        store(y, of.y + static_cast<std::ptrdiff_t>(r * k + l) * m, from, m, done);
        sum += of.b[l] * y;
      }
      const Numbers end = h * sum;
      store(end, of.end + static_cast<std::ptrdiff_t>(r) * m, from, m, done);
      if (of.of_node == nullptr) continue;
      for (int c = 0; c < n; ++c) {
        Numbers moved = {};
        for (int l = 0; l < k; ++l) {
          const int row = l * n + r;
          const Numbers& entry = at(of.work + row * stride + (size + c) * lanes);
          const int number = node(of.symbolic, n, r, c);
          if (number != SymbolicSlopes::none) {
            store(entry, of.nodes + (static_cast<std::ptrdiff_t>(number) * k + l) * m, from, m,
                  done);
          }
          moved += of.b[l] * entry;
        }
        moved *= h;
        const int count = std::min(lanes, m);
        double* const block = of.of_node + static_cast<std::ptrdiff_t>(from) * n * n + r * n + c;
        for (int e = 0; e < count; ++e) {
          if (done == nullptr || done[e] == 0) {
            block[static_cast<std::ptrdiff_t>(e) * n * n] = moved[e];
          }
        }
      }
    }
  }

  template <int stages>
  [[gnu::always_inline]] static inline void fill(const SlopePanels& of, int from,
                                                 SparseSlopes<lanes, stages>& blocks) {
    constexpr int most_stages = 8;
    const int n = of.n, k = stages > 0 ? stages : of.stages, m = of.width;
    Numbers h = {}, weights[stages > 0 ? stages : most_stages];
    load(of.h, from, m, h);
    for (int a = 0; a < k; ++a) {
      for (int b = 0; b < k; ++b) weights[b] = -of.a[a * k + b] * h;
      for (const SymbolicSlopes::Made& made : of.symbolic->made_blocks()) {
        if (made.entry != SymbolicSlopes::none) {
          Numbers J = {};
          load(of.J + static_cast<std::ptrdiff_t>(made.entry * k + a) * m, from, m, J);
          for (int b = 0; b < k; ++b) blocks.entry(made.to, a, b) = weights[b] * J;
        } else {
          for (int b = 0; b < k; ++b) blocks.entry(made.to, a, b) = Numbers{};
        }
        if (made.has_unit) blocks.entry(made.to, a, a) += 1.0;
      }
    }
    for (int a = 0; a < n * k; ++a) {
      load(of.r + static_cast<std::ptrdiff_t>(a) * m, from, m, blocks.column_entry(a));
    }
    if (of.of_node == nullptr) return;
    for (const SymbolicSlopes::Made& made : of.symbolic->made_nodes()) {
      for (int a = 0; a < k; ++a) {
        Numbers& J = blocks.entry(made.to, a);
        if (made.entry != SymbolicSlopes::none) {
          load(of.J + static_cast<std::ptrdiff_t>(made.entry * k + a) * m, from, m, J);
        } else {
          J = Numbers{};
        }
      }
    }
  }

  /// @param good  loses the lanes in which anything is not finite, whose interval rows will tell.
  template <int stages>
  [[gnu::always_inline]] static inline void give_out(const SlopePanels& of, int from,
                                                     SparseSlopes<lanes, stages>& blocks,
                                                     Bits& good) {
    const int n = of.n, k = stages > 0 ? stages : of.stages, m = of.width;
    const int count = std::min(lanes, m);
    Numbers h = {};
    load(of.h, from, m, h);
    Bits most = {};
    for (int r = 0; r < n; ++r) {
      Numbers sum = {};
      for (int l = 0; l < k; ++l) {
        const Numbers& y = blocks.entry(r, l);
        store(y, of.y + static_cast<std::ptrdiff_t>(r * k + l) * m, from, m, nullptr);
        sum += of.b[l] * y;
      }
      const Numbers end = h * sum;
      blocks.raise(most, end);
      store(end, of.end + static_cast<std::ptrdiff_t>(r) * m, from, m, nullptr);
      if (of.of_node == nullptr) continue;
      for (int c = 0; c < n; ++c) {
        Numbers moved = {};
        const int number = node(of.symbolic, n, r, c);
        if (number != SymbolicSlopes::none) {
          for (int l = 0; l < k; ++l) {
            const Numbers& entry = blocks.entry(of.symbolic->column_of(number), l);
            store(entry, of.nodes + (static_cast<std::ptrdiff_t>(number) * k + l) * m, from, m,
                  nullptr);
            moved += of.b[l] * entry;
          }
          moved *= h;
          blocks.raise(most, moved);
        }
        double* const block = of.of_node + static_cast<std::ptrdiff_t>(from) * n * n + r * n + c;
        for (int e = 0; e < count; ++e) block[static_cast<std::ptrdiff_t>(e) * n * n] = moved[e];
      }
    }
    good &= most < blocks.bits_of_infinity - Bits{};
  }
};

int rows_two(const SlopePanels& at, int from, const std::int64_t* done) {
  return SlopeKernel<2>::rows(at, from, done);
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] int rows_avx2(const SlopePanels& at, int from,
                                          const std::int64_t* done) {
  return SlopeKernel<4>::rows(at, from, done);
}
[[gnu::target("avx2,fma")]] int eliminate_avx2(const SlopePanels& at) {
  return SlopeKernel<4>::eliminate(at, rows_avx2);
}
[[gnu::target("avx2,fma")]] void add_avx2(int n, const SymbolicSlopes* symbolic, int stages,
                                          int width, const double* nodes, const double* dx,
                                          double* dK) {
  SlopeKernel<4>::add(n, symbolic, stages, width, nodes, dx, dK);
}

[[gnu::target("avx512f,avx512dq,avx512vl,fma")]] int rows_avx512(const SlopePanels& at, int from,
                                                                 const std::int64_t* done) {
  return SlopeKernel<8>::rows(at, from, done);
}
[[gnu::target("avx512f,avx512dq,avx512vl,fma")]] int eliminate_avx512(const SlopePanels& at) {
  return SlopeKernel<8>::eliminate(at, rows_avx512);
}

[[gnu::target("avx512f,avx512dq,avx512vl,fma")]] void add_avx512(int n,
                                                                 const SymbolicSlopes* symbolic,
                                                                 int stages, int width,
                                                                 const double* nodes,
                                                                 const double* dx, double* dK) {
  SlopeKernel<8>::add(n, symbolic, stages, width, nodes, dx, dK);
}

/// Eight intervals at a time leave no more lanes idle than four do.
bool fills_eight(int width) { return width % 8 == 0 || (width > 8 && width % 8 > 4); }
#endif

}  // namespace

int slope_work(int n, int stages) {
  const int size = n * stages;
  return size * (size + n + 1) * most_lanes;
}

int eliminate_slopes(const SlopePanels& at) {
#if defined(__x86_64__)
  if (has_avx512() && fills_eight(at.width)) return eliminate_avx512(at);
  if (has_avx2()) return eliminate_avx2(at);
#endif
  return SlopeKernel<2>::eliminate(at, rows_two);
}

void add_of_node(int n, const SymbolicSlopes* symbolic, int stages, int width, const double* nodes,
                 const double* dx, double* dK) {
#if defined(__x86_64__)
  if (has_avx512() && fills_eight(width)) {
    return add_avx512(n, symbolic, stages, width, nodes, dx, dK);
  }
  if (has_avx2()) return add_avx2(n, symbolic, stages, width, nodes, dx, dK);
#endif
  SlopeKernel<2>::add(n, symbolic, stages, width, nodes, dx, dK);
}

}  // namespace daewave::bvp
