#pragma once
// The memory that the evaluation of a struct takes, by the kind of problem that it is.

#include <type_traits>

#include "core/adapt/structure_of.hpp"
#include "core/derivatives/invariant_derivatives.hpp"
#include "core/problem/constraint_residual.hpp"

namespace daewave::detail {

/// Entries lie column by column.
template <class T>
concept PlainColumns = std::is_base_of_v<Eigen::PlainObjectBase<T>, T> &&
    std::is_same_v<typename T::Scalar, double> &&
    (!bool(T::IsRowMajor) || bool(T::IsVectorAtCompileTime));

/// Memory that some kinds of problems have no use for.
struct Nothing {};

/// A matrix or vector as one array, in its own memory or in a copy column by column.
template <class T>
class AsColumns {
 public:
  const double* of(const T& value) {
    if constexpr (PlainColumns<T>) {
      return value.data();
    } else if constexpr (is_diagonal_matrix<T>) {
      return value.diagonal().data();
    } else {
      copy_ = value;
      return copy_.data();
    }
  }

 private:
  static constexpr bool has_memory = !PlainColumns<T> && !is_diagonal_matrix<T>;
  std::conditional_t<has_memory, MatX, Nothing> copy_;
};

/// Of problems whose constraints are not differentiated: what is evaluated at a point.
template <class Q>
struct PointMemory {
  using W = Nothing;
  struct Own {};
  using At = TermsOf<Q>;
};
template <InvariantDae Q>
struct PointMemory<Q> {
  using W = typename Q::Algebraic;
  struct Own {
    typename Q::State f;
    typename Q::Algebraic r;
    typename Q::Invariant h;
    AlgebraicJacobian<Q> r_w;
    InvariantJacobian<Q> H;
  };
  using At = Nothing;
};
template <ImplicitEquation Q>
struct PointMemory<Q> {
  using W = typename Q::Algebraic;
  struct Own {
    typename Q::State f;
    typename Q::Algebraic r;
    AlgebraicJacobian<Q> r_w;
  };
  using At = Nothing;
};
template <OrdinaryEquation Q>
struct PointMemory<Q> {
  using W = Nothing;
  struct Own {
    typename Q::State f;
  };
  using At = Nothing;
};

/// Matrices as columns.
template <class Q>
struct Columns {
  using M = Nothing;
  using G = Nothing;
  using B = Nothing;
};
template <Multibody Q>
struct Columns<Q> {
  using S = StructureOf<Q>;
  using M = std::conditional_t<S::bodies, Nothing, AsColumns<MassOf<Q>>>;
  static constexpr bool dense = S::constraints == Structure::Constraints::dense;
  using G = std::conditional_t<dense, AsColumns<JacobianOf<Q>>, Nothing>;
  using B = Nothing;
};
template <class Q>
requires(SemiExplicitDae<Q> || (SecondOrderDae<Q> && !Multibody<Q>)) struct Columns<Q> {
  using M = Nothing;
  using G = AsColumns<JacobianOf<Q>>;
  using B = AsColumns<decltype(TermsOf<Q>::B)>;
};
template <InvariantDae Q>
struct Columns<Q> {
  using M = Nothing;
  using G = AsColumns<AlgebraicJacobian<Q>>;
  using B = AsColumns<InvariantJacobian<Q>>;
};
template <ImplicitEquation Q>
struct Columns<Q> {
  using M = Nothing;
  using G = AsColumns<AlgebraicJacobian<Q>>;
  using B = Nothing;
};

}  // namespace daewave::detail
