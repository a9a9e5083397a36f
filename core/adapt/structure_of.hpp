#pragma once
// What the types of a struct's M and G say of their structure.

#include <type_traits>

#include "core/kkt/body_mass.hpp"
#include "core/kkt/chain_jacobian.hpp"
#include "core/kkt/joint_jacobian.hpp"
#include "core/kkt/sparse_jacobian.hpp"
#include "core/problem/dae_problem.hpp"
#include "core/problem/terms.hpp"

namespace daewave::detail {

template <class T>
inline constexpr bool is_diagonal_matrix = false;
template <class T, int n, int most>
inline constexpr bool is_diagonal_matrix<Eigen::DiagonalMatrix<T, n, most>> = true;
template <class T>
inline constexpr bool is_chain = false;
template <int N>
inline constexpr bool is_chain<ChainJacobianOf<N>> = true;

template <class P>
struct StructureOf {
  using Mass = MassOf<P>;
  using Jacobian = JacobianOf<P>;
  static constexpr bool diagonal = is_diagonal_matrix<Mass>;
  static constexpr bool bodies = std::is_same_v<Mass, BodyMass<3>>;
  static constexpr bool chain = is_chain<Jacobian>;
  static constexpr bool joints = std::is_same_v<Jacobian, JointJacobian<3, 2>>;
  static constexpr bool sparse =
      std::is_same_v<Jacobian, SparseJacobian> || CompressedColumns<Jacobian>;
  static constexpr auto mass = bodies     ? Structure::Mass::bodies
                               : diagonal ? Structure::Mass::diagonal
                                          : Structure::Mass::dense;
  static constexpr auto constraints = chain    ? Structure::Constraints::chain
                                      : joints ? Structure::Constraints::joints
                                      : sparse ? Structure::Constraints::sparse
                                               : Structure::Constraints::dense;
};

}  // namespace daewave::detail
