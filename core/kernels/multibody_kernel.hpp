#pragma once
// A multibody DaeProblem with the types of its linear algebra: what methods are compiled for. A
// kernel is a struct of the concept Multibody (core/problem/dae.hpp), of which the library holds a
// few: small fixed sizes, where the size in the type pays, one for each structure that pays in each
// step, and one of any size and structure.

#include <algorithm>
#include <string>

#include "core/kernels/own_evaluation.hpp"
#include "core/kkt/any_kkt.hpp"
#include "core/kkt/kkt.hpp"
#include "core/problem/terms.hpp"

namespace daewave {

namespace detail {

/// Copies what an evaluation gave into the types of a kernel: by the size in the type, where it is,
/// as a call costs more than the copy of a few numbers.
template <class T>
void copy_entries(const double* from, T& to) {
  if constexpr (T::SizeAtCompileTime != Dynamic) {
    std::copy_n(from, static_cast<int>(T::SizeAtCompileTime), to.data());
  } else {
    std::copy_n(from, to.size(), to.data());
  }
}
template <class V>
void take(const double* from, int size, V& to) {
  to.resize(size);
  copy_entries(from, to);
}
template <class M>
void take(const double* from, int rows, int columns, M& to) {
  to.resize(rows, columns);
  copy_entries(from, to);
}

template <int n, int most>
void take_mass(const Terms& from, const DaeProblem& of,
               Eigen::DiagonalMatrix<double, n, most>& to) {
  take(from.M, of.sizes().nq, to.diagonal());
}
/// Whatever the problem's own form is.
template <int n, int m>
void take_mass(const Terms& from, const DaeProblem& of, Mat<n, m>& to) {
  const int nq = of.sizes().nq;
  switch (of.structure().mass) {
    case Structure::Mass::dense:
      return take(from.M, nq, nq, to);
    case Structure::Mass::diagonal:
      to.setZero(nq, nq);
      for (int i = 0; i < nq; ++i) to(i, i) = from.M[i];
      return;
    case Structure::Mass::bodies:
      to.setZero(nq, nq);
      for (int i = 0; i < from.bodies->bodies(); ++i) {
        to.template block<3, 3>(3 * i, 3 * i) = from.bodies->blocks[static_cast<std::size_t>(i)];
      }
  }
}
void take_mass(const Terms& from, const DaeProblem& of, BodyMass<3>& to);
/// In the problem's own form where its constraints have one that goes with it, else dense.
void take_mass(const Terms& from, const DaeProblem& of, AnyMass& to);

template <int n, int m, int order>
void take_jacobian(const Terms& from, const DaeProblem& of,
                   Eigen::Matrix<double, n, m, order>& to) {
  take(from.G, of.sizes().nl(), of.sizes().nq, to);
}
void take_jacobian(const Terms& from, const DaeProblem& of, ChainJacobian& to);
void take_jacobian(const Terms& from, const DaeProblem& of, JointJacobian<3, 2>& to);
void take_jacobian(const Terms& from, const DaeProblem& of, SparseJacobian& to);
void take_jacobian(const Terms& from, const DaeProblem& of, AnyJacobian& to);

}  // namespace detail

/// @tparam X  position. @tparam L  multiplier. @tparam Algebra  with the interface of NullSpaceKkt.
template <class X, class L, class Mass, class Jacobian, class Algebra>
class MultibodyKernel {
 public:
  using Position = X;
  using Multiplier = L;
  using Kkt = Algebra;

  /// The problem is kept by reference.
  explicit MultibodyKernel(const DaeProblem& problem) : problem_(&problem) {}

  const DaeProblem& erased() const { return *problem_; }

  Mass M(const Position& q) const {
    const Position at_rest = Position::Zero(q.size());
    return at(Ask::M, q, at_rest, 0).M;
  }
  Position f(const Position& q, const Position& v, double t) const { return at(Ask::f, q, v, t).f; }
  Multiplier g(const Position& q, double t) const { return constraints(Ask::g, q, t).position; }
  Jacobian G(const Position& q, double t) const { return constraints(Ask::G, q, t).G; }
  Multiplier g_t(const Position& q, double t) const { return constraints(Ask::g_t, q, t).g_t; }
  Multiplier curvature(const Position& q, const Position& v, double t) const {
    return at(Ask::curvature, q, v, t).curvature;
  }

  /// The curvature alone, into the memory of `at`.
  void curvature(const Position& q, const Position& v, double t,
                 MultibodyTerms<MultibodyKernel>& at) const {
    fill(Ask::curvature, q, v, t, at);
  }

  bool has_energy() const { return problem_->structure().has_energy; }
  double energy(const Position& q, const Position& v) const {
    return problem_->energy(q.data(), v.data());
  }

  /// Everything but the curvature where the problem does not know it.
  void terms(const Position& q, const Position& v, double t,
             MultibodyTerms<MultibodyKernel>& at) const {
    const Ask all = Ask::f | Ask::M | Ask::G | Ask::g | Ask::g_t;
    fill(problem_->structure().has_curvature ? all | Ask::curvature : all, q, v, t, at);
  }
  void constraint_terms(const Position& q, double t, MultibodyTerms<MultibodyKernel>& at) const {
    fill(Ask::G | Ask::g | Ask::g_t, q, q, t, at);
  }

 private:
  MultibodyTerms<MultibodyKernel> at(Ask what, const Position& q, const Position& v,
                                     double t) const {
    MultibodyTerms<MultibodyKernel> terms;
    fill(what, q, v, t, terms);
    return terms;
  }
  MultibodyTerms<MultibodyKernel> constraints(Ask what, const Position& q, double t) const {
    return at(what, q, Position::Zero(q.size()), t);
  }

  void fill(Ask what, const Position& q, const Position& v, double t,
            MultibodyTerms<MultibodyKernel>& to) const {
    if (to.has_mass) what = without(what, Ask::M);
    const Terms& from = to.own.at(*problem_, what, t, q.data(), v.data());
    const Sizes& sizes = problem_->sizes();
    const int nq = sizes.nq, nl = sizes.nl();
    if (asks(what, Ask::f)) detail::take(from.f, nq, to.f);
    if (asks(what, Ask::M)) {
      detail::take_mass(from, *problem_, to.M);
      to.has_mass = problem_->structure().mass_constant;
    }
    if (asks(what, Ask::G)) detail::take_jacobian(from, *problem_, to.G);
    if (asks(what, Ask::g)) detail::take(from.g, nl, to.position);
    if (asks(what, Ask::g_t)) detail::take(from.g_t, nl, to.g_t);
    if (asks(what, Ask::curvature) && from.curvature != nullptr) {
      detail::take(from.curvature, nl, to.curvature);
    }
  }

  const DaeProblem* problem_;
};

template <class X, class L, class Mass, class Jacobian, class Algebra>
struct MultibodyTerms<MultibodyKernel<X, L, Mass, Jacobian, Algebra>> {
  Mass M;
  X f;
  Jacobian G;
  L position, g_t, curvature;
  bool has_mass = false;  ///< M is constant, and there.
  OwnEvaluation own;
};

/// nq and nl in the type.
template <int nq, int nl>
using SmallMultibody =
    MultibodyKernel<Vec<nq>, Vec<nl>, Mat<nq, nq>, detail::JacobianFor<Vec<nl>, Vec<nq>>,
                    NullSpaceKkt<Vec<nq>, Vec<nl>>>;
template <int nq, int nl>
using SmallDiagonalMultibody =
    MultibodyKernel<Vec<nq>, Vec<nl>, Eigen::DiagonalMatrix<double, nq>,
                    detail::JacobianFor<Vec<nl>, Vec<nq>>, NullSpaceKkt<Vec<nq>, Vec<nl>>>;

/// Sizes known at run time, dense.
using AnyMultibody = MultibodyKernel<VecX, VecX, MatX, MatX, NullSpaceKkt<VecX, VecX>>;
using AnyDiagonalMultibody =
    MultibodyKernel<VecX, VecX, DiagonalMass, MatX, NullSpaceKkt<VecX, VecX>>;

/// Structure known at run time too. What is done once for a run is compiled for this one; steps of
/// a chain of 16 bodies, or of 10 coordinates, take 4 to 7 % longer than in types of their
/// structure.
using StructuredKernel = MultibodyKernel<VecX, VecX, AnyMass, AnyJacobian, AnyKkt>;

class VelocityKernel;

template <>
struct MultibodyTerms<VelocityKernel> : MultibodyTerms<AnyMultibody> {};

/// With constraints on velocities, whose rows follow those of g everywhere.
class VelocityKernel : public AnyMultibody {
 public:
  using VelocityMultiplier = VecX;
  using AnyMultibody::AnyMultibody;

  VecX w(const VecX& q, const VecX& v, double t) const {
    return (AnyMultibody::G(q, t) * v + AnyMultibody::g_t(q, t)).tail(erased().sizes().nk);
  }
  VecX g(const VecX& q, double t) const { return AnyMultibody::g(q, t).head(erased().sizes().ny); }
  MatX G(const VecX& q, double t) const {
    return AnyMultibody::G(q, t).topRows(erased().sizes().ny);
  }
  MatX K(const VecX& q, double t) const {
    return AnyMultibody::G(q, t).bottomRows(erased().sizes().nk);
  }
  VecX g_t(const VecX& q, double t) const {
    return AnyMultibody::g_t(q, t).head(erased().sizes().ny);
  }
  VecX k(const VecX& q, double t) const {
    return AnyMultibody::g_t(q, t).tail(erased().sizes().nk);
  }
  VecX curvature(const VecX& q, const VecX& v, double t) const {
    return AnyMultibody::curvature(q, v, t).head(erased().sizes().ny);
  }
  VecX w_curvature(const VecX& q, const VecX& v, double t) const {
    return AnyMultibody::curvature(q, v, t).tail(erased().sizes().nk);
  }

  void curvature(const VecX& q, const VecX& v, double t, MultibodyTerms<VelocityKernel>& at) const;
  void terms(const VecX& q, const VecX& v, double t, MultibodyTerms<VelocityKernel>& at) const;
};

}  // namespace daewave
