#pragma once
// DaeProblems of index 2, of second order and with invariants, with the types of their linear
// algebra: what methods are compiled for.

#include <string>

#include "core/kernels/own_evaluation.hpp"
#include "core/problem/terms.hpp"

namespace daewave {

/// x' = f - B y, 0 = g.
template <class X, class L>
class IndexTwoKernel {
 public:
  using State = X;
  using Multiplier = L;
  using Columns = Eigen::Matrix<double, X::RowsAtCompileTime, L::RowsAtCompileTime>;
  using Rows = detail::JacobianFor<L, X>;

  /// The problem is kept by reference.
  explicit IndexTwoKernel(const DaeProblem& problem) : problem_(&problem) {}
  const DaeProblem& erased() const { return *problem_; }

  X f(const X& x, double t) const { return at(Ask::f, x, t).f; }
  Columns B(const X& x, double t) const { return at(Ask::B, x, t).B; }
  L g(const X& x, double t) const { return at(Ask::g, x, t).position; }
  Rows G(const X& x, double t) const { return at(Ask::G, x, t).G; }
  L g_t(const X& x, double t) const { return at(Ask::g_t, x, t).g_t; }

  /// g alone, and G alone, into the memory of `at`.
  void g(const X& x, double t, SemiExplicitTerms<IndexTwoKernel>& at) const {
    fill(Ask::g, x, t, at);
  }
  void G(const X& x, double t, SemiExplicitTerms<IndexTwoKernel>& at) const {
    fill(Ask::G, x, t, at);
  }

  void terms(const X& x, double t, SemiExplicitTerms<IndexTwoKernel>& at) const {
    fill(Ask::f | Ask::B | Ask::G | Ask::g | Ask::g_t, x, t, at);
  }

 private:
  SemiExplicitTerms<IndexTwoKernel> at(Ask what, const X& x, double t) const {
    SemiExplicitTerms<IndexTwoKernel> terms;
    fill(what, x, t, terms);
    return terms;
  }
  void fill(Ask what, const X& x, double t, SemiExplicitTerms<IndexTwoKernel>& to) const {
    const Terms& from = to.own.at(*problem_, what, t, x.data());
    const int nx = problem_->sizes().nq, ny = problem_->sizes().ny;
    if (asks(what, Ask::f)) to.f = Eigen::Map<const X>(from.f, nx);
    if (asks(what, Ask::B)) to.B = Eigen::Map<const Columns>(from.B, nx, ny);
    if (asks(what, Ask::G)) to.G = Eigen::Map<const Rows>(from.G, ny, nx);
    if (asks(what, Ask::g)) to.position = Eigen::Map<const L>(from.g, ny);
    if (asks(what, Ask::g_t)) to.g_t = Eigen::Map<const L>(from.g_t, ny);
  }

  const DaeProblem* problem_;
};

template <class X, class L>
struct SemiExplicitTerms<IndexTwoKernel<X, L>> {
  X f;
  typename IndexTwoKernel<X, L>::Columns B;
  typename IndexTwoKernel<X, L>::Rows G;
  L position, g_t;
  OwnEvaluation own;
};

using AnyIndexTwo = IndexTwoKernel<VecX, VecX>;

class SecondOrderKernel;

template <>
struct SecondOrderTerms<SecondOrderKernel> {
  VecX f;
  MatX B, G;
  VecX position, g_t, curvature;
  OwnEvaluation own;
};

/// x'' = f - B y, 0 = g; sizes known at run time.
class SecondOrderKernel {
 public:
  using Position = VecX;
  using Multiplier = VecX;

  /// The problem is kept by reference.
  explicit SecondOrderKernel(const DaeProblem& problem) : problem_(&problem) {}
  const DaeProblem& erased() const { return *problem_; }

  VecX f(const VecX& x, const VecX& v, double t) const { return at(Ask::f, x, v, t).f; }
  MatX B(const VecX& x, double t) const { return at(Ask::B, x, x, t).B; }
  VecX g(const VecX& x, double t) const { return at(Ask::g, x, x, t).position; }
  MatX G(const VecX& x, double t) const { return at(Ask::G, x, x, t).G; }
  VecX g_t(const VecX& x, double t) const { return at(Ask::g_t, x, x, t).g_t; }
  VecX curvature(const VecX& x, const VecX& v, double t) const {
    return at(Ask::curvature, x, v, t).curvature;
  }

  /// The curvature alone, into the memory of `to`.
  void curvature(const VecX& x, const VecX& v, double t,
                 SecondOrderTerms<SecondOrderKernel>& to) const {
    fill(Ask::curvature, x, v, t, to);
  }

  bool has_energy() const { return problem_->structure().has_energy; }
  double energy(const VecX& x, const VecX& v) const { return problem_->energy(x.data(), v.data()); }

  void terms(const VecX& x, const VecX& v, double t, SecondOrderTerms<SecondOrderKernel>& at) const;

 private:
  SecondOrderTerms<SecondOrderKernel> at(Ask what, const VecX& x, const VecX& v, double t) const;
  void fill(Ask what, const VecX& x, const VecX& v, double t,
            SecondOrderTerms<SecondOrderKernel>& to) const;

  const DaeProblem* problem_;
};

/// What the derivative of (f, r) with respect to (z, w) is made of, and it: nz + nw square.
constexpr Ask index_one_jacobian = Ask::f_q | Ask::f_w | Ask::r_q | Ask::r_w;
void take_index_one_jacobian(const Terms& from, const Sizes& sizes, MatX& J);

/// z' = f(z, w), 0 = r(z, w), 0 = h(z); sizes known at run time. Its own evaluation is that of one
/// thread: a kernel for each.
class InvariantKernel {
 public:
  using State = VecX;
  using Algebraic = VecX;
  using Invariant = VecX;

  /// The problem is kept by reference.
  explicit InvariantKernel(const DaeProblem& problem) : problem_(&problem) {}
  const DaeProblem& erased() const { return *problem_; }

  VecX f(const VecX& z, const VecX& w, double t) const {
    return Eigen::Map<const VecX>(at(Ask::f, z, w, t).f, problem_->sizes().nq);
  }
  VecX r(const VecX& z, const VecX& w, double t) const {
    return Eigen::Map<const VecX>(at(Ask::r, z, w, t).r, problem_->sizes().nw);
  }
  void terms(const VecX& z, const VecX& w, double t, VecX& f, VecX& r) const {
    const Terms& from = at(Ask::f | Ask::r, z, w, t);
    f = Eigen::Map<const VecX>(from.f, problem_->sizes().nq);
    r = Eigen::Map<const VecX>(from.r, problem_->sizes().nw);
  }
  VecX h(const VecX& z, double t) const {
    return Eigen::Map<const VecX>(at(Ask::h, z, none_, t).h, problem_->sizes().nh);
  }
  MatX r_w(const VecX& z, const VecX& w, double t) const {
    const int nw = problem_->sizes().nw;
    return Eigen::Map<const MatX>(at(Ask::r_w, z, w, t).r_w, nw, nw);
  }
  MatX H(const VecX& z, double t) const {
    const Sizes& sizes = problem_->sizes();
    return Eigen::Map<const MatX>(at(Ask::H, z, none_, t).H, sizes.nh, sizes.nq);
  }

  // The same into the caller's memory.

  void f(const VecX& z, const VecX& w, double t, VecX& out) const {
    out = Eigen::Map<const VecX>(at(Ask::f, z, w, t).f, problem_->sizes().nq);
  }
  void r(const VecX& z, const VecX& w, double t, VecX& out) const {
    out = Eigen::Map<const VecX>(at(Ask::r, z, w, t).r, problem_->sizes().nw);
  }
  void h(const VecX& z, double t, VecX& out) const {
    out = Eigen::Map<const VecX>(at(Ask::h, z, none_, t).h, problem_->sizes().nh);
  }
  void r_w(const VecX& z, const VecX& w, double t, MatX& out) const {
    const int nw = problem_->sizes().nw;
    out = Eigen::Map<const MatX>(at(Ask::r_w, z, w, t).r_w, nw, nw);
  }
  void H(const VecX& z, double t, MatX& out) const {
    const Sizes& sizes = problem_->sizes();
    out = Eigen::Map<const MatX>(at(Ask::H, z, none_, t).H, sizes.nh, sizes.nq);
  }

  bool has_f_jacobian() const { return problem_->structure().has_f_jacobian; }
  /// The derivative of (f, r) with respect to (z, w), nz + nw square; false where the problem does
  /// not know it.
  bool jacobian(const VecX& z, const VecX& w, double t, MatX& J) const;

  int position_invariants() const { return problem_->structure().position_invariants; }
  int positions() const { return problem_->structure().positions; }
  std::string failure(const VecX& z, const VecX& w, double t) const {
    return problem_->failure(z, w, t);
  }

 private:
  const Terms& at(Ask what, const VecX& z, const VecX& w, double t) const {
    if (w.size() == 0) none_.setZero(problem_->sizes().nw);
    return own_.at(*problem_, what, t, z.data(), nullptr, w.size() == 0 ? none_.data() : w.data());
  }

  const DaeProblem* problem_;
  mutable OwnEvaluation own_;
  mutable VecX none_;
};

}  // namespace daewave
