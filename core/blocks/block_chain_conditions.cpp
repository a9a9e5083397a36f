// Right sides of conditions alone, side by side: a row of them is one register, or some.

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/blocks/block_chain.hpp"
#include "core/machine/aligned.hpp"
#include "core/machine/has_vectors.hpp"
#include "core/machine/large_pages.hpp"

namespace daewave {

namespace {

/// Of a chain, as BlockChain keeps them.
struct Factors {
  ChainShape shape;
  const double *left, *right;
  const int* pivots;
};

template <int width>
class ConditionKernel {
  typedef double Vector __attribute__((vector_size(8 * width), may_alias, aligned(8)));
  static constexpr int w = BlockChain::together, parts = w / width;

  /// A row of right sides.
  struct Row {
    Vector part[parts];
  };
  [[gnu::always_inline]] static inline Row& at(double* row) { return *reinterpret_cast<Row*>(row); }
  [[gnu::always_inline]] static inline const Row& at(const double* row) {
    return *reinterpret_cast<const Row*>(row);
  }
  [[gnu::always_inline]] static inline void subtract(double factor, const double* from, Row& sum) {
    for (int p = 0; p < parts; ++p) sum.part[p] -= factor * at(from).part[p];
  }

 public:
  [[gnu::always_inline]] static inline void forward(const Factors& of, double* v, double* carry,
                                                    double* u) {
    const int n = of.shape.size, carried = of.shape.carried, rows = carried + n;
    const double* left = of.left;
    const int* pivots = of.pivots;
    std::copy_n(carry, carried * w, v + n * w);
    for (int step = 0; step < of.shape.intervals(); ++step, left += rows * n, pivots += n) {
      for (int r = 0; r < carried; ++r) at(v + r * w) = at(v + (n + r) * w);
      for (int r = carried; r < rows; ++r) at(v + r * w) = Row{};
      for (int j = 0; j < n; ++j) {
        if (pivots[j] != j) std::swap(at(v + j * w), at(v + pivots[j] * w));
      }
      for (int r = 1; r < rows; ++r) {
        Row sum = at(v + r * w);
        for (int c = 0; c < std::min(r, n); ++c) subtract(left[r * n + c], v + c * w, sum);
        at(v + r * w) = sum;
      }
      for (int r = 0; r < n; ++r, u += w) at(u) = at(v + r * w);
    }
    std::copy_n(v + n * w, carried * w, carry);
  }

  [[gnu::always_inline]] static inline void back(const Factors& of, const double* far, double* u,
                                                 double* sizes) {
    const int n = of.shape.size, trailing = of.shape.columns();
    const double* next = far;
    for (int step = of.shape.intervals() - 1; step >= 0; --step) {
      double* const node = u + static_cast<std::ptrdiff_t>(step) * n * w;
      const double* const left = of.left + static_cast<std::ptrdiff_t>(step) * of.shape.rows() * n;
      const double* const upper = of.right + static_cast<std::ptrdiff_t>(step) * n * trailing;
      for (int r = n - 1; r >= 0; --r) {
        Row sum = at(node + r * w);
        const double* const row = upper + r * trailing;
        if (of.shape.border) {
          for (int c = 0; c < n; ++c) subtract(row[n + c], far + c * w, sum);
        }
        for (int c = n - 1; c >= 0; --c) subtract(row[c], next + c * w, sum);
        for (int c = n - 1; c > r; --c) subtract(left[r * n + c], node + c * w, sum);
        for (int p = 0; p < parts; ++p) {
          const Vector x = sum.part[p] * left[r * n + r];
          at(node + r * w).part[p] = x;
          const Vector size = x < 0 ? -x : x;
          Vector& most = at(sizes + r * w).part[p];
          // What is no number is not smaller, and stays.
          most = ((size <= most) | (most != most)) ? most : size;
        }
      }
      next = node;
    }
  }
};

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void forward_avx2(const Factors& of, double* v, double* carry,
                                              double* u) {
  ConditionKernel<4>::forward(of, v, carry, u);
}
[[gnu::target("avx2,fma")]] void back_avx2(const Factors& of, const double* far, double* u,
                                           double* sizes) {
  ConditionKernel<4>::back(of, far, u, sizes);
}
[[gnu::target("avx512f,avx512dq,avx512vl,fma")]] void forward_avx512(const Factors& of, double* v,
                                                                     double* carry, double* u) {
  ConditionKernel<8>::forward(of, v, carry, u);
}
[[gnu::target("avx512f,avx512dq,avx512vl,fma")]] void back_avx512(const Factors& of,
                                                                  const double* far, double* u,
                                                                  double* sizes) {
  ConditionKernel<8>::back(of, far, u, sizes);
}
#endif

}  // namespace

std::unique_ptr<double[]> BlockChain::memory_of_conditions(const ChainShape& shape) {
  const std::size_t numbers = static_cast<std::size_t>(shape.size) * shape.intervals() * together;
  auto memory = std::make_unique_for_overwrite<double[]>(numbers);
  prefer_large_pages(memory.get(), numbers * sizeof(double));
  return memory;
}

void BlockChain::forward_conditions(double* carry, double* u) const {
  const Factors of{shape_, left_.data(), right_.data(), pivots_.get()};
  AlignedVector v(2 * static_cast<std::size_t>(shape_.size) * together);
#if defined(__x86_64__)
  if (has_avx512()) return forward_avx512(of, v.data(), carry, u);
  if (has_avx2()) return forward_avx2(of, v.data(), carry, u);
#endif
  ConditionKernel<2>::forward(of, v.data(), carry, u);
}

void BlockChain::back_conditions(const double* far, double* u, double* sizes) const {
  const Factors of{shape_, left_.data(), right_.data(), pivots_.get()};
#if defined(__x86_64__)
  if (has_avx512()) return back_avx512(of, far, u, sizes);
  if (has_avx2()) return back_avx2(of, far, u, sizes);
#endif
  ConditionKernel<2>::back(of, far, u, sizes);
}

}  // namespace daewave
