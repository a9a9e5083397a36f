#pragma once
// Small problems of the same sizes behind one type, so that the solvers are compiled once for all
// of them; a call per evaluation remains.

#include <functional>
#include <utility>

#include "core/problem/terms.hpp"

namespace daewave::catalogue {

/// A DAE of index 2 with nx states and ny constraints.
template <int nx, int ny>
class FixedIndex2 {
 public:
  using State = Vec<nx>;
  using Multiplier = Vec<ny>;
  struct At {
    State f;
    Mat<nx, ny> B;
    Mat<ny, nx> G;
    Multiplier position, g_t;
  };

  template <SemiExplicitDae P>
  explicit FixedIndex2(P problem)
      : evaluate_([problem = std::move(problem)](const State& x, double t, At& at) {
          SemiExplicitTerms<P> terms;
          evaluate(problem, x, t, terms);
          at = {terms.f, terms.B, terms.G, terms.position, terms.g_t};
        }) {}

  State f(const State& x, double t) const { return at(x, t).f; }
  Mat<nx, ny> B(const State& x, double t) const { return at(x, t).B; }
  Multiplier g(const State& x, double t) const { return at(x, t).position; }
  Mat<ny, nx> G(const State& x, double t) const { return at(x, t).G; }
  Multiplier g_t(const State& x, double t) const { return at(x, t).g_t; }

  void terms(const State& x, double t, SemiExplicitTerms<FixedIndex2>& terms) const {
    const At here = at(x, t);
    terms.f = here.f;
    terms.B = here.B;
    terms.G = here.G;
    terms.position = here.position;
    terms.g_t = here.g_t;
  }

 private:
  At at(const State& x, double t) const {
    At at;
    evaluate_(x, t, at);
    return at;
  }

  std::function<void(const State&, double, At&)> evaluate_;
};

/// A multibody system with nq coordinates and ny constraints.
template <int nq, int ny>
class FixedMultibody {
 public:
  using Position = Vec<nq>;
  using Multiplier = Vec<ny>;
  struct At {
    Mat<nq, nq> M;
    Position f;
    Mat<ny, nq> G;
    Multiplier position, g_t, curvature;
  };

  template <Multibody P>
  explicit FixedMultibody(P problem)
      : evaluate_([problem](const Position& q, const Position& v, double t, At& at) {
          MultibodyTerms<P> terms;
          evaluate(problem, q, v, t, terms);
          at = {terms.M, terms.f, terms.G, terms.position, terms.g_t, terms.curvature};
        }) {
    if constexpr (HasEnergy<P>) {
      energy_ = [problem](const Position& q, const Position& v) { return problem.energy(q, v); };
    }
  }

  bool has_energy() const { return static_cast<bool>(energy_); }

  Mat<nq, nq> M(const Position& q) const { return at(q, Position::Zero(), 0).M; }
  Position f(const Position& q, const Position& v, double t) const { return at(q, v, t).f; }
  Multiplier g(const Position& q, double t) const { return at(q, Position::Zero(), t).position; }
  Mat<ny, nq> G(const Position& q, double t) const { return at(q, Position::Zero(), t).G; }
  Multiplier g_t(const Position& q, double t) const { return at(q, Position::Zero(), t).g_t; }
  Multiplier curvature(const Position& q, const Position& v, double t) const {
    return at(q, v, t).curvature;
  }
  /// 0 where the problem has none.
  double energy(const Position& q, const Position& v) const { return energy_ ? energy_(q, v) : 0; }

  void terms(const Position& q, const Position& v, double t,
             MultibodyTerms<FixedMultibody>& terms) const {
    const At here = at(q, v, t);
    terms.M = here.M;
    terms.f = here.f;
    terms.G = here.G;
    terms.position = here.position;
    terms.g_t = here.g_t;
    terms.curvature = here.curvature;
  }

 private:
  At at(const Position& q, const Position& v, double t) const {
    At at;
    evaluate_(q, v, t, at);
    return at;
  }

  std::function<void(const Position&, const Position&, double, At&)> evaluate_;
  std::function<double(const Position&, const Position&)> energy_;
};

}  // namespace daewave::catalogue
