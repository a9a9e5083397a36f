#pragma once
// L D L^T of a symmetric positive definite matrix in lanes; without branches, as its pivots are
// where they are.

#include "core/lanes/lane_sizes.hpp"
#include "core/lanes/lanes.hpp"

namespace daewave {

/// @tparam T  Lanes.  @tparam fixed  rows, or Dynamic.
template <class T, int fixed>
class LaneCholesky {
 public:
  /// No rows are allowed.
  explicit LaneCholesky(int n = LaneSize<fixed>::most) : n_(n) {}

  /// Entries of the lower half, set before factorize().
  T& operator()(int i, int j) { return L_[i][j]; }

  /// @return lanes in which the matrix is not positive definite.
  [[gnu::always_inline]] typename T::Mask factorize() {
    const int n = n_.value();
    typename T::Mask lost = T(0) < T(0);
    for (int j = 0; j < n; ++j) {
      T d = L_[j][j];
      for (int k = 0; k < j; ++k) d -= L_[j][k] * L_[k][j];
      lost = lost | !(d > T(0));
      const T inverse = 1.0 / d;
      L_[j][j] = inverse;
      for (int i = j + 1; i < n; ++i) {
        T sum = L_[i][j];
        for (int k = 0; k < j; ++k) sum -= L_[i][k] * L_[k][j];
        L_[j][i] = sum;  // D L^T above the diagonal.
        L_[i][j] = sum * inverse;
      }
    }
    return lost;
  }

  /// b <- A^-1 b.
  template <class Vector>
  [[gnu::always_inline]] void solve(Vector& b) const {
    const int n = n_.value();
    for (int i = 1; i < n; ++i) {
      for (int k = 0; k < i; ++k) b[i] -= L_[i][k] * b[k];
    }
    for (int i = n; i-- > 0;) {
      b[i] *= L_[i][i];
      for (int k = i + 1; k < n; ++k) b[i] -= L_[k][i] * b[k];
    }
  }

 private:
  static constexpr int most_ = LaneSize<fixed>::most > 0 ? LaneSize<fixed>::most : 1;
  LaneSize<fixed> n_;
  T L_[most_][most_];
};

}  // namespace daewave
