#pragma once
// The Jacobian of a planar open chain: body i has the coordinates (x, y) of a point of it and an
// angle, and joint i, two constraints, holds it to body i - 1; joint 0 holds body 0 to the ground.
// G is block bidiagonal, with p_i = (x_i, y_i)
//
//   (G v)_i = p_i' - p_{i-1}' + own_i phi_i' + before_i phi_{i-1}'.

#include <array>
#include <vector>

#include "core/types.hpp"

namespace daewave {

namespace detail {

/// One T for each body: in place where their number is known.
template <class T, int N>
struct PerBody {
  using type = std::array<T, static_cast<std::size_t>(N)>;
};
template <class T>
struct PerBody<T, Dynamic> {
  using type = std::vector<T>;
};

}  // namespace detail

/// 2 n x 3 n, of which the columns of angles are stored; memory and products O(n).
///
/// @tparam N  bodies, >= 1; may be Dynamic.
template <int N>
struct ChainJacobianOf {
  using Columns = typename detail::PerBody<Vec<2>, N>::type;

  Columns own{};     ///< own_i, joint i by the angle of body i.
  Columns before{};  ///< before_i, joint i by that of body i - 1; before_0 is zero.

  ChainJacobianOf() {
    if constexpr (N != Dynamic) before[0].setZero();
  }
  /// @param bodies  N where that is known.
  void resize([[maybe_unused]] int bodies) {
    if constexpr (N == Dynamic) {
      own.resize(static_cast<std::size_t>(bodies), Vec<2>::Zero());
      before.resize(static_cast<std::size_t>(bodies), Vec<2>::Zero());
    }
  }
  int bodies() const {
    if constexpr (N != Dynamic) return N;
    return static_cast<int>(own.size());
  }
  int rows() const { return 2 * bodies(); }
  int cols() const { return 3 * bodies(); }

  /// Entries 2 i, 2 i + 1 of G v. Entry by entry here and below: what was just written in another
  /// width would have to be waited for.
  [[gnu::always_inline]] inline std::array<double, 2> row(int i, const double* v) const {
    const double* const at = v + 3 * i;
    const Vec<2>& turn = own[i];
    double first = at[0] + turn[0] * at[2];
    double second = at[1] + turn[1] * at[2];
    if (i > 0) {
      const Vec<2>& carried = before[i];
      first += carried[0] * at[-1] - at[-3];
      second += carried[1] * at[-1] - at[-2];
    }
    return {first, second};
  }
  /// Entries 3 i, ..., 3 i + 2 of G^T lambda.
  [[gnu::always_inline]] inline std::array<double, 3> column(int i, const double* lambda) const {
    const double* const at = lambda + 2 * i;
    double x = at[0], y = at[1], turn = own[i][0] * at[0] + own[i][1] * at[1];
    if (i + 1 < bodies()) {
      x -= at[2];
      y -= at[3];
      turn += before[i + 1][0] * at[2] + before[i + 1][1] * at[3];
    }
    return {x, y, turn};
  }
};

using ChainJacobian = ChainJacobianOf<Dynamic>;

/// out = G v.
template <int N, class V, class Out>
void apply(const ChainJacobianOf<N>& G, const V& v, Out& out) {
  out.resize(G.rows());
  for (int i = 0; i < G.bodies(); ++i) {
    const auto [first, second] = G.row(i, v.data());
    out[2 * i] = first;
    out[2 * i + 1] = second;
  }
}

/// out = G^T lambda.
template <int N, class L, class Out>
void apply_transposed(const ChainJacobianOf<N>& G, const L& lambda, Out& out) {
  out.resize(G.cols());
  for (int i = 0; i < G.bodies(); ++i) {
    const auto [x, y, turn] = G.column(i, lambda.data());
    out[3 * i] = x;
    out[3 * i + 1] = y;
    out[3 * i + 2] = turn;
  }
}

}  // namespace daewave
