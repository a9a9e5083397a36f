#pragma once
// The null space of G in lanes, and the mass matrix on it: each a is some solution of G a = c and a
// part that constraints leave free, a = a_c + Z u, with Z^T M Z factorized.

#include "core/column_weights.hpp"
#include "core/lanes/lane_cholesky.hpp"
#include "core/lanes/lane_elimination.hpp"

namespace daewave {

/// @tparam T  Lanes.  @tparam nq, nl  columns and rows of G, or Dynamic.
/// @tparam diagonal  M, whose entries then are those of a first column.
template <class T, int nq_, int nl_, bool diagonal>
class LaneNullSpace {
 public:
  using Position = LaneVector<T, nq_>;
  using Mask = typename T::Mask;

  explicit LaneNullSpace(int nq = nq_, int nl = nl_)
      : nq_given_(nq), nl_given_(nl), elimination_(nl, nq), reduced_(nq - nl) {
    for (int i = 0; i < most_free_; ++i) {
      Z_[i].resize(nq);
      MZ_[i].resize(nq);
    }
  }

  /// @param M  kept by reference until the next time.
  /// @return lanes in which G has not full rank, or M is not positive definite there.
  template <class MatrixG, class MatrixM>
  [[gnu::always_inline]] Mask split(const MatrixG& G, const MatrixM& M, double rank_tolerance) {
    load_mass(M);
    T weight[most_];
    const bool uneven = uneven_in_any() && weigh_columns_of_lanes(weight);
    Mask lost = elimination_.eliminate(G, rank_tolerance, uneven ? weight : nullptr);
    for (int j = 0; j < free(); ++j) {
      elimination_.null_space(j, Z_[j]);
      apply_mass(Z_[j], MZ_[j]);
    }
    for (int j = 0; j < free(); ++j) {
      for (int i = j; i < free(); ++i) reduced_(i, j) = product(Z_[i], MZ_[j]);
    }
    return lost | reduced_.factorize();
  }

  /// The smallest pivot of G.
  T smallest_pivot() const { return elimination_.smallest_pivot(); }

  /// Some a with G a = c.
  template <class C>
  [[gnu::always_inline]] void particular(const C& c, Position& a) const {
    elimination_.particular(c, a);
  }
  /// G^T lambda = f, of an f in the range of G^T.
  template <class C>
  [[gnu::always_inline]] void transposed(const Position& f, C& lambda) const {
    elimination_.transposed(f, lambda);
  }
  /// a += Z (Z^T M Z)^-1 Z^T f.
  [[gnu::always_inline]] void add_free_part(const Position& f, Position& a) const {
    T u[most_free_];
    for (int j = 0; j < free(); ++j) u[j] = product(Z_[j], f);
    move(u, a);
  }
  /// a -= Z (Z^T M Z)^-1 Z^T M a.
  [[gnu::always_inline]] void remove_free_part(Position& a) const {
    T u[most_free_];
    for (int j = 0; j < free(); ++j) u[j] = -product(MZ_[j], a);
    move(u, a);
  }
  /// Ma = M a.
  [[gnu::always_inline]] void apply_mass(const Position& a, Position& Ma) const {
    const int nq = nq_given_.value();
    if constexpr (diagonal) {
      for (int i = 0; i < nq; ++i) Ma[i] = M_[i] * a[i];
    } else {
      for (int i = 0; i < nq; ++i) {
        T sum = M_[i * nq] * a[0];
        for (int j = 1; j < nq; ++j) sum += M_[i * nq + j] * a[j];
        Ma[i] = sum;
      }
    }
  }

 private:
  static constexpr int difference_ = lane_difference(nq_, nl_);
  static constexpr int most_free_ =
      LaneSize<difference_>::most > 0 ? LaneSize<difference_>::most : 1;
  static constexpr int most_ = LaneSize<nq_>::most;

  [[gnu::always_inline]] int free() const { return nq_given_.value() - nl_given_.value(); }

  template <class MatrixM>
  [[gnu::always_inline]] void load_mass(const MatrixM& M) {
    const int nq = nq_given_.value();
    for (int i = 0; i < nq; ++i) {
      if constexpr (diagonal) {
        M_[i] = M(i, 0);
      } else {
        for (int j = 0; j < nq; ++j) M_[i * nq + j] = M(i, j);
      }
    }
  }
  [[gnu::always_inline]] const T& mass_of(int i) const {
    return M_[diagonal ? i : i * nq_given_.value() + i];
  }
  [[gnu::always_inline]] bool uneven_in_any() const {
    T lightest = mass_of(0), heaviest = lightest;
    for (int i = 1; i < nq_given_.value(); ++i) {
      lightest = min(lightest, mass_of(i));
      heaviest = max(heaviest, mass_of(i));
    }
    return (heaviest > most_even * lightest).any();
  }
  /// Each lane by its own masses: its bits are the same beside any others.
  [[gnu::noinline]] bool weigh_columns_of_lanes(T* weight) const {
    const int nq = nq_given_.value();
    double of_lane[most_];
    bool any = false;
    for (int j = 0; j < nq; ++j) weight[j] = T(1);
    for (int lane = 0; lane < T::width; ++lane) {
      const auto mass = [&](int j) { return mass_of(j)[lane]; };
      if (!weigh_columns(nq, mass, of_lane)) continue;
      any = true;
      for (int j = 0; j < nq; ++j) weight[j].set(lane, of_lane[j]);
    }
    return any;
  }
  [[gnu::always_inline]] T product(const Position& a, const Position& b) const {
    T sum = a[0] * b[0];
    for (int i = 1; i < nq_given_.value(); ++i) sum += a[i] * b[i];
    return sum;
  }
  /// a += Z (Z^T M Z)^-1 u.
  [[gnu::always_inline]] void move(T* u, Position& a) const {
    reduced_.solve(u);
    for (int j = 0; j < free(); ++j) {
      for (int i = 0; i < nq_given_.value(); ++i) a[i] += u[j] * Z_[j][i];
    }
  }

  LaneSize<nq_> nq_given_;
  LaneSize<nl_> nl_given_;
  LaneElimination<T, nl_, nq_, true> elimination_;
  T M_[diagonal ? most_ : most_ * most_];
  Position Z_[most_free_], MZ_[most_free_];
  LaneCholesky<T, difference_> reduced_;
};

}  // namespace daewave
