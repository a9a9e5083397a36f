#pragma once
// The linear systems of an implicit step, (I - h A (x) J) D = R, as one real and some complex
// systems of the size of the state.                                          [HW2] IV.8

#include <Eigen/LU>

#include "core/types.hpp"
#include "ivp/one_step/stage_transform.hpp"

namespace daewave::ivp {

/// n x n for a state of n, in memory of the same kind: fixed, bounded or Dynamic.
template <class State, class Scalar = double>
using SquareOf =
    Eigen::Matrix<Scalar, State::RowsAtCompileTime, State::RowsAtCompileTime, Eigen::ColMajor,
                  State::MaxRowsAtCompileTime, State::MaxRowsAtCompileTime>;

template <class State>
class StageSolver {
 public:
  using Jacobian = SquareOf<State>;

  /// Memory for a state of n.
  void resize(const StageTransform& scheme, int n) {
    if constexpr (State::RowsAtCompileTime == Dynamic) {
      if (scheme.has_real) {
        real_matrix_.resize(n, n);
        real_ = decltype(real_)(n);
        real_right_.resize(n);
        real_solved_.resize(n);
      }
      if (scheme.pairs > 0) {
        matrix_.resize(n, n);
        right_.resize(n);
        for (int p = 0; p < scheme.pairs; ++p) {
          pair_[p] = PairLu(n);
          solved_[p].resize(n);
        }
      }
    }
  }

  void factorize(const StageTransform& scheme, double h, const Jacobian& J) {
    if (scheme.has_real) {
      real_matrix_ = -h * scheme.mu_real * J;
      real_matrix_.diagonal().array() += 1.0;
      real_.compute(real_matrix_);
    }
    for (int p = 0; p < scheme.pairs; ++p) {
      matrix_ = (-h * scheme.pair[p].mu) * J;
      matrix_.diagonal().array() += Complex(1.0);
      pair_[p].compute(matrix_);
    }
  }

  /// R on entry, D on return: `scheme.stages` states.
  void solve(const StageTransform& scheme, StageRow<State>& R) {
    const int k = scheme.stages;
    if (scheme.has_real) {
      real_right_ = scheme.to_real[0] * R[0];
      for (int j = 1; j < k; ++j) real_right_ += scheme.to_real[j] * R[j];
      real_solved_ = real_.solve(real_right_);
    }
    for (int p = 0; p < scheme.pairs; ++p) {
      right_ = scheme.pair[p].to[0] * R[0];
      for (int j = 1; j < k; ++j) right_ += scheme.pair[p].to[j] * R[j];
      solved_[p] = pair_[p].solve(right_);
    }
    for (int j = 0; j < k; ++j) {
      if (scheme.has_real) {
        R[j] = scheme.from_real[j] * real_solved_;
      } else {
        R[j].setZero();
      }
      for (int p = 0; p < scheme.pairs; ++p) {
        R[j] += (scheme.pair[p].from[j] * solved_[p]).real();
      }
    }
  }

  /// v = (I - h mu_0 J)^-1 v; only with a real eigenvalue.
  void filter(State& v) {
    real_right_ = v;
    v = real_.solve(real_right_);
  }

 private:
  using Complex = std::complex<double>;
  using ComplexMatrix = SquareOf<State, Complex>;
  using ComplexVector = Eigen::Matrix<Complex, State::RowsAtCompileTime, 1, Eigen::ColMajor,
                                      State::MaxRowsAtCompileTime, 1>;
  using PairLu = Eigen::PartialPivLU<ComplexMatrix>;

  Jacobian real_matrix_;
  Eigen::PartialPivLU<Jacobian> real_;
  State real_right_, real_solved_;
  ComplexMatrix matrix_;
  ComplexVector right_;
  std::array<PairLu, 3> pair_;
  std::array<ComplexVector, 3> solved_;
};

}  // namespace daewave::ivp
