#pragma once
// P A = L U of a square matrix. For a few rows by plain loops, which are as fast there as what
// Eigen does, which is made for many, and a tenth of it to compile.

#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "core/kkt/dense_factors.hpp"
#include "core/types.hpp"

namespace daewave {

namespace detail {

/// With the interface of DenseLu.
template <class Square>
class PlainLu {
  using Number = typename Square::Scalar;
  static constexpr int most_ = Square::MaxRowsAtCompileTime;

 public:
  void compute(const Square& A) {
    using std::abs;
    lu_ = A;
    const int n = static_cast<int>(A.rows());
    for (int k = 0; k < n; ++k) {
      int pivot = k;
      for (int i = k + 1; i < n; ++i) {
        if (abs(lu_(i, k)) > abs(lu_(pivot, k))) pivot = i;
      }
      row_[static_cast<std::size_t>(k)] = pivot;
      for (int j = 0; j < n && pivot != k; ++j) std::swap(lu_(k, j), lu_(pivot, j));
      for (int i = k + 1; i < n && lu_(k, k) != Number(0); ++i) lu_(i, k) /= lu_(k, k);
      for (int j = k + 1; j < n; ++j) {
        for (int i = k + 1; i < n; ++i) lu_(i, j) -= lu_(i, k) * lu_(k, j);
      }
    }
  }
  const Square& matrixLU() const { return lu_; }

  /// @param x  another vector than c.
  template <class C, class X>
  void solve(const C& c, X& x) const {
    const int n = static_cast<int>(lu_.rows());
    x = c;
    for (int k = 0; k < n; ++k) std::swap(x[k], x[row_[static_cast<std::size_t>(k)]]);
    for (int j = 0; j < n; ++j) {
      for (int i = j + 1; i < n; ++i) x[i] -= lu_(i, j) * x[j];
    }
    for (int j = n; j-- > 0;) {
      x[j] /= lu_(j, j);
      for (int i = 0; i < j; ++i) x[i] -= lu_(i, j) * x[j];
    }
  }

 private:
  Square lu_;
  std::array<int, static_cast<std::size_t>(most_)> row_{};
};

template <class Square, bool bounded>
struct SquareLuTrait {
  using type = PlainLu<Square>;
};
template <class Square>
struct SquareLuTrait<Square, false> {
  using type = DenseLu;
};

}  // namespace detail

/// DenseLu where the matrix can be large.
template <class Square>
using SquareLu =
    typename detail::SquareLuTrait<Square, Square::MaxRowsAtCompileTime != Dynamic>::type;

}  // namespace daewave
