#pragma once
// The evaluation of a struct: of one point, whose terms stay where the struct put them, and of a
// batch, in lanes where the struct has them and point by point elsewhere.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/adapt/struct_f_jacobian.hpp"
#include "core/adapt/struct_lanes.hpp"
#include "core/adapt/struct_memory.hpp"
#include "core/adapt/struct_shapes.hpp"
#include "core/adapt/structure_of.hpp"
#include "core/derivatives/invariant_derivatives.hpp"
#include "core/kkt/chain_jacobian.hpp"
#include "core/kkt/sparse_jacobian.hpp"
#include "core/problem/constraint_residual.hpp"
#include "core/problem/dae_problem.hpp"
#include "core/problem/terms.hpp"

namespace daewave::detail {

template <class P>
class StructEvaluation final : public Evaluation {
  using Configuration = ConfigurationOf<P>;
  /// Of index 1, with invariants or without.
  static constexpr bool invariant = InvariantDae<P> || ImplicitEquation<P>;

 public:
  StructEvaluation(std::shared_ptr<const P> problem, const Sizes& sizes,
                   const StructLanes<P>& lanes)
      : problem_(std::move(problem)), sizes_(sizes), make_lanes_(lanes.of_one) {}

  const Terms& evaluate(Ask what, const Points& at) override {
    if (at.count == 1 && at.stride == 1) {
      take(at.q, 1, q_, sizes_.nq);
      if (at.v != nullptr) take(at.v, 1, v_, sizes_.nq);
      if constexpr (invariant) take(at.w, 1, w_, sizes_.nw);
      evaluate_point(what, *at.t, out_);
      return out_;
    }
    if (make_lanes_ == nullptr) return evaluate_batch(what, at);
    // Many ask for single points alone, and lanes of large problems are megabytes.
    if (!in_lanes_) in_lanes_.reset(make_lanes_(*problem_, sizes_));
    return in_lanes_->evaluate(what, at);
  }

 private:
  template <class V>
  static void take(const double* from, int stride, V& to, int size) {
    to.resize(size);
    if constexpr (V::SizeAtCompileTime != Dynamic) {
      for (int i = 0; i < V::SizeAtCompileTime; ++i) to[i] = from[i * stride];
    } else if (stride == 1) {
      std::copy_n(from, size, to.data());
    } else {
      for (int i = 0; i < size; ++i) to[i] = from[i * stride];
    }
  }

  void evaluate_point(Ask what, double t, Terms& out) {
    if constexpr (invariant) {
      f_jacobian_.fill(*problem_, what, out, q_, w_, t);
      evaluate_invariant(what, t, out);
      check_invariant_shapes(what);
    } else if constexpr (OrdinaryEquation<P>) {
      f_jacobian_.fill(*problem_, what, out, q_, v_, t);
      if (!asks(what, Ask::f)) return;
      inv_.f = problem_->f(q_, t);
      check_shape("f", inv_.f, sizes_.nq, 1);
      out.f = inv_.f.data();
    } else {
      f_jacobian_.fill(*problem_, what, out, q_, v_, t);
      fill(what, t);
      check_shapes(what);
      point_to_terms(out);
    }
  }

  /// at_ has what was asked for, or more.
  void fill(Ask what, double t) {
    if constexpr (HasConstraintTerms<P>) {
      if (!asks(what, Ask::M | Ask::f | Ask::curvature)) {
        problem_->constraint_terms(q_, t, at_);
        return;
      }
    }
    if constexpr (HasMultibodyTerms<P> || HasSecondOrderTerms<P>) {
      problem_->terms(q_, v_, t, at_);
    } else if constexpr (HasSemiExplicitTerms<P>) {
      problem_->terms(q_, t, at_);
    } else {
      fill_one_by_one(what, t);
    }
  }

  void fill_one_by_one(Ask what, double t) {
    static_assert(HasJacobian<P>, "give G(q, t) and g_t(q, t), or use with_autodiff(problem)");
    const P& problem = *problem_;
    if constexpr (HasVelocityConstraint<P>) {
      daewave::evaluate(problem, q_, v_, t, at_);
    } else {
      if (asks(what, Ask::f)) {
        if constexpr (SemiExplicitDae<P>) {
          at_.f = problem.f(q_, t);
        } else {
          at_.f = problem.f(q_, v_, t);
        }
      }
      if constexpr (Multibody<P>) {
        if (asks(what, Ask::M)) at_.M = problem.M(q_);
      } else {
        if (asks(what, Ask::B)) at_.B = problem.B(q_, t);
      }
      if (asks(what, Ask::G)) at_.G = problem.G(q_, t);
      if (asks(what, Ask::g)) at_.position = problem.g(q_, t);
      if (asks(what, Ask::g_t)) at_.g_t = problem.g_t(q_, t);
      if constexpr (HasCurvature<P>) {
        if (asks(what, Ask::curvature)) at_.curvature = problem.curvature(q_, v_, t);
      }
    }
  }

  void check_shapes(Ask what) const {
    const int nq = sizes_.nq, nl = sizes_.nl();
    if (asks(what, Ask::f)) check_shape("f", at_.f, nq, 1);
    if constexpr (Multibody<P>) {
      if (asks(what, Ask::M)) check_shape("M", at_.M, nq, nq);
    } else {
      if (asks(what, Ask::B)) check_shape("B", at_.B, nq, nl);
    }
    if (asks(what, Ask::G)) check_shape("G", at_.G, nl, nq);
    if (asks(what, Ask::g)) check_shape("g", at_.position, nl, 1);
    if (asks(what, Ask::g_t)) check_shape("g_t", at_.g_t, nl, 1);
    if constexpr (!SemiExplicitDae<P> && Reducible<P>) {
      if (asks(what, Ask::curvature)) check_shape("curvature", at_.curvature, nl, 1);
    }
  }

  void point_to_terms(Terms& out) {
    out.f = at_.f.data();
    out.g = at_.position.data();
    out.g_t = at_.g_t.data();
    if constexpr (!SemiExplicitDae<P> && Reducible<P>) out.curvature = at_.curvature.data();
    if constexpr (Multibody<P>) {
      using S = StructureOf<P>;
      if constexpr (S::bodies) {
        out.bodies = &at_.M;
      } else {
        out.M = M_.of(at_.M);
      }
      if constexpr (S::chain) {
        out.chain = chain(at_.G);
      } else if constexpr (S::joints) {
        out.joints = &at_.G;
      } else if constexpr (S::sparse) {
        out.sparse = sparse(at_.G);
      } else {
        out.G = G_.of(at_.G);
      }
    } else {
      out.B = B_.of(at_.B);
      out.G = G_.of(at_.G);
    }
  }

  const SparseJacobian* sparse(const SparseJacobian& G) { return &G; }
  template <class Jacobian>
  const SparseJacobian* sparse(const Jacobian& G) {
    take_columns(G, sparse_);
    return &sparse_;
  }

  ChainJacobian* chain(ChainJacobian& G) { return &G; }
  template <class Jacobian>
  ChainJacobian* chain(const Jacobian& G) {
    chain_.resize(G.bodies());
    for (int i = 0; i < G.bodies(); ++i) {
      chain_.own[i] = G.own[i];
      chain_.before[i] = G.before[i];
    }
    return &chain_;
  }

  /// own_i and before_i, body by body.
  const double* blocks(const ChainJacobian& G) {
    blocks_.resize(4 * static_cast<std::size_t>(G.bodies()));
    for (int i = 0; i < G.bodies(); ++i) {
      double* const of_body = blocks_.data() + 4 * i;
      std::copy_n(G.own[i].data(), 2, of_body);
      std::copy_n(G.before[i].data(), 2, of_body + 2);
    }
    return blocks_.data();
  }

  void evaluate_invariant(Ask what, double t, Terms& out) {
    if constexpr (invariant) {
      const P& problem = *problem_;
      constexpr bool together = requires { problem.terms(q_, w_, t, inv_.f, inv_.r); };
      if constexpr (together) {
        if (asks(what, Ask::f) && asks(what, Ask::r)) {
          problem.terms(q_, w_, t, inv_.f, inv_.r);
          what = without(what, Ask::f | Ask::r);
          out.f = inv_.f.data();
          out.r = inv_.r.data();
        }
      }
      if (asks(what, Ask::f)) {
        inv_.f = problem.f(q_, w_, t);
        out.f = inv_.f.data();
      }
      if (asks(what, Ask::r)) {
        inv_.r = problem.r(q_, w_, t);
        out.r = inv_.r.data();
      }
      if constexpr (InvariantDae<P>) {
        if (asks(what, Ask::h)) {
          inv_.h = problem.h(q_, t);
          out.h = inv_.h.data();
        }
      }
      if (asks(what, Ask::r_w)) {
        algebraic_jacobian(problem, q_, w_, t, inv_.r_w);
        out.r_w = G_.of(inv_.r_w);
      }
      if constexpr (InvariantDae<P>) {
        if (asks(what, Ask::H)) {
          invariant_jacobian(problem, q_, t, inv_.H);
          out.H = B_.of(inv_.H);
        }
      }
    }
  }

  void check_invariant_shapes(Ask what) const {
    if constexpr (invariant) {
      const int nq = sizes_.nq, nw = sizes_.nw;
      if (asks(what, Ask::f)) check_shape("f", inv_.f, nq, 1);
      if (asks(what, Ask::r)) check_shape("r", inv_.r, nw, 1);
      if (asks(what, Ask::r_w)) check_shape("dr/dw", inv_.r_w, nw, nw);
      if constexpr (InvariantDae<P>) {
        if (asks(what, Ask::h)) check_shape("h", inv_.h, sizes_.nh, 1);
        if (asks(what, Ask::H)) check_shape("H", inv_.H, sizes_.nh, nq);
      }
    }
  }

  // A batch: points one after the other, what they give laid side by side. Of a chain that is
  // own_i and before_i of its bodies.

  /// One array of a batch.
  struct Array {
    Ask what;
    const double* Terms::*member;
    int size;
  };

  const Terms& evaluate_batch(Ask what, const Points& at) {
    const int nq = sizes_.nq, nl = sizes_.nl(), nw = sizes_.nw, nh = sizes_.nh;
    int mass = nq * nq, jacobian = nq * nl;
    if constexpr (Multibody<P>) {
      if (StructureOf<P>::diagonal) mass = nq;
      if (StructureOf<P>::chain) jacobian = 4 * (nq / 3);
    }
    const Array arrays[] = {{Ask::f, &Terms::f, nq},
                            {Ask::M, &Terms::M, mass},
                            {Ask::B, &Terms::B, nq * nl},
                            {Ask::G, &Terms::G, jacobian},
                            {Ask::g, &Terms::g, nl},
                            {Ask::g_t, &Terms::g_t, nl},
                            {Ask::curvature, &Terms::curvature, nl},
                            {Ask::r, &Terms::r, nw},
                            {Ask::h, &Terms::h, nh},
                            {Ask::r_w, &Terms::r_w, nw * nw},
                            {Ask::H, &Terms::H, nh * nq},
                            {Ask::f_q, &Terms::f_q, nq * nq},
                            {Ask::f_v, &Terms::f_v, nq * nq},
                            {Ask::f_w, &Terms::f_w, nq * nw},
                            {Ask::r_q, &Terms::r_q, nw * nq}};
    Array asked[std::size(arrays)];
    int count = 0;
    std::size_t total = 0;
    for (const Array& array : arrays) {
      if (!asks(what, array.what)) continue;
      asked[count++] = array;
      total += static_cast<std::size_t>(array.size) * at.count;
    }
    if (batch_.size() < total) batch_.resize(total);
    side_by_side_ = Terms{};
    side_by_side_.stride = at.count;
    if constexpr (OrdinaryEquation<P>) {
      if (what == Ask::f) return evaluate_f(at);
    }
    if constexpr (invariant) {
      if (count > 0 && without(what, Ask::f | Ask::r | Ask::r_w) == Ask{}) {
        return evaluate_f_and_r(what, at);
      }
    }
    for (int p = 0; p < at.count; ++p) {
      take(at.q + p, at.stride, q_, nq);
      if (at.v != nullptr) take(at.v + p, at.stride, v_, nq);
      if constexpr (invariant) take(at.w + p, at.stride, w_, nw);
      evaluate_point(what, at.t[p], out_);
      if constexpr (Multibody<P>) {
        if constexpr (StructureOf<P>::chain) out_.G = blocks(*out_.chain);
      }
      double* to = batch_.data();
      for (int a = 0; a < count; ++a) {
        const Array& array = asked[a];
        const double* from = out_.*array.member;
        if (from == nullptr) continue;
        side_by_side_.*array.member = to;
        for (int i = 0; i < array.size; ++i) to[i * at.count + p] = from[i];
        to += static_cast<std::ptrdiff_t>(array.size) * at.count;
      }
    }
    if constexpr (Multibody<P>) {
      if constexpr (StructureOf<P>::chain) out_.G = nullptr;  // Which one point does not have.
    }
    return side_by_side_;
  }

  /// f alone: nothing is decided at a point.
  const Terms& evaluate_f(const Points& at) {
    double* const to = batch_.data();
    for (int p = 0; p < at.count; ++p) {
      take(at.q + p, at.stride, q_, sizes_.nq);
      inv_.f = problem_->f(q_, at.t[p]);
      check_shape("f", inv_.f, sizes_.nq, 1);
      for (int i = 0; i < inv_.f.size(); ++i) to[i * at.count + p] = inv_.f[i];
    }
    side_by_side_.f = to;
    return side_by_side_;
  }

  /// f, r and dr/dw, those that are asked for, of which Newton's method for w takes many.
  const Terms& evaluate_f_and_r(Ask what, const Points& at) {
    const int nq = sizes_.nq, nw = sizes_.nw, count = at.count;
    double* to = batch_.data();
    const auto place = [&](Ask which, int size) {
      double* const here = asks(what, which) ? to : nullptr;
      if (here != nullptr) to += static_cast<std::ptrdiff_t>(size) * count;
      return here;
    };
    double *const f = place(Ask::f, nq), *const r = place(Ask::r, nw);
    double* const r_w = place(Ask::r_w, nw * nw);
    const auto put = [count](const double* from, auto size, double* column) {
      for (int i = 0; i < size; ++i) column[static_cast<std::ptrdiff_t>(i) * count] = from[i];
    };
    for (int p = 0; p < count; ++p) {
      take(at.q + p, at.stride, q_, nq);
      take(at.w + p, at.stride, w_, nw);
      evaluate_invariant(what, at.t[p], out_);
      check_invariant_shapes(what);
      if (f != nullptr) put(out_.f, inv_.f.size(), f + p);
      if (r != nullptr) put(out_.r, inv_.r.size(), r + p);
      if (r_w != nullptr) put(out_.r_w, inv_.r_w.size(), r_w + p);
    }
    side_by_side_.f = f;
    side_by_side_.r = r;
    side_by_side_.r_w = r_w;
    return side_by_side_;
  }

  std::shared_ptr<const P> problem_;
  Sizes sizes_;
  Configuration q_, v_;
  typename PointMemory<P>::W w_;
  typename PointMemory<P>::At at_;
  typename PointMemory<P>::Own inv_;
  typename Columns<P>::M M_;
  typename Columns<P>::G G_;
  typename Columns<P>::B B_;
  StructFJacobian<P> f_jacobian_;
  ChainJacobian chain_;
  std::vector<double> blocks_;
  SparseJacobian sparse_;
  decltype(StructLanes<P>::of_one) make_lanes_;
  std::unique_ptr<Evaluation> in_lanes_;  ///< From the first batch on.
  Terms out_, side_by_side_;
  std::vector<double> batch_;
};

}  // namespace daewave::detail
