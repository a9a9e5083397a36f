// Problems given by functions of batches alone, with sizes known at run time only: every method
// that applies solves them to the same digits as the structs they stand for.

#include <string>
#include <vector>

#include "core/adapt/problem_from_functions.hpp"
#include "core/derivatives/invariant_derivatives.hpp"
#include "ivp/solve.hpp"
#include "problems/al2.hpp"
#include "problems/andrews.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_wheelset.hpp"

using namespace daewave;
using ivp::Method;
using ivp::Options;

namespace {

template <class V>
V at_point(const double* from, int stride, int p, int size) {
  V v(size);
  for (int i = 0; i < size; ++i) v[i] = from[i * stride + p];
  return v;
}

/// A function of batches from one of points.
template <class F>
BatchFunction batch(F f) {
  return [f](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      const MatX value = f(at, p);
      for (int i = 0; i < value.size(); ++i) out[i * at.count + p] = value.data()[i];
    }
  };
}

template <Multibody P>
ProblemFunctions functions_of(const P& problem) {
  using X = typename P::Position;
  constexpr int nq = X::RowsAtCompileTime;
  const auto q = [](const Points& at, int p) { return at_point<X>(at.q, at.stride, p, nq); };
  const auto v = [](const Points& at, int p) { return at_point<X>(at.v, at.stride, p, nq); };
  ProblemFunctions of;
  of.kind = Kind::multibody;
  of.sizes = {.nq = nq, .ny = P::Multiplier::RowsAtCompileTime};
  of.f = batch([=](const Points& at, int p) { return problem.f(q(at, p), v(at, p), at.t[p]); });
  of.M = batch([=](const Points& at, int p) { return problem.M(q(at, p)); });
  of.g = batch([=](const Points& at, int p) { return problem.g(q(at, p), at.t[p]); });
  of.G = batch([=](const Points& at, int p) { return problem.G(q(at, p), at.t[p]); });
  of.g_t = batch([=](const Points& at, int p) { return problem.g_t(q(at, p), at.t[p]); });
  of.curvature = batch(
      [=](const Points& at, int p) { return problem.curvature(q(at, p), v(at, p), at.t[p]); });
  of.energy = [=](const double* x, const double* rate) {
    return problem.energy(X(Eigen::Map<const X>(x)), X(Eigen::Map<const X>(rate)));
  };
  return of;
}

template <SemiExplicitDae P>
ProblemFunctions functions_of(const P& problem) {
  using X = typename P::State;
  constexpr int nx = X::RowsAtCompileTime;
  const auto x = [](const Points& at, int p) { return at_point<X>(at.q, at.stride, p, nx); };
  ProblemFunctions of;
  of.kind = Kind::index_2;
  of.sizes = {.nq = nx, .ny = P::Multiplier::RowsAtCompileTime};
  of.f = batch([=](const Points& at, int p) { return problem.f(x(at, p), at.t[p]); });
  of.B = batch([=](const Points& at, int p) { return problem.B(x(at, p), at.t[p]); });
  of.g = batch([=](const Points& at, int p) { return problem.g(x(at, p), at.t[p]); });
  of.G = batch([=](const Points& at, int p) { return problem.G(x(at, p), at.t[p]); });
  of.g_t = batch([=](const Points& at, int p) { return problem.g_t(x(at, p), at.t[p]); });
  return of;
}

ProblemFunctions functions_of(const problems::Wheelset& problem) {
  const auto z = [](const Points& at, int p) { return at_point<Vec<11>>(at.q, at.stride, p, 11); };
  const auto w = [](const Points& at, int p) { return at_point<Vec<6>>(at.w, at.stride, p, 6); };
  ProblemFunctions of;
  of.kind = Kind::invariants;
  of.sizes = {.nq = 11, .nw = 6, .nh = 4};
  of.f = batch([=](const Points& at, int p) { return problem.f(z(at, p), w(at, p), at.t[p]); });
  of.r = batch([=](const Points& at, int p) { return problem.r(z(at, p), w(at, p), at.t[p]); });
  of.h = batch([=](const Points& at, int p) { return problem.h(z(at, p), at.t[p]); });
  of.r_w = batch([=](const Points& at, int p) {
    AlgebraicJacobian<problems::Wheelset> J;
    algebraic_jacobian(problem, z(at, p), w(at, p), at.t[p], J);
    return J;
  });
  of.H = batch([=](const Points& at, int p) {
    InvariantJacobian<problems::Wheelset> H;
    invariant_jacobian(problem, z(at, p), at.t[p], H);
    return H;
  });
  of.position_invariants = problem.position_invariants();
  of.positions = problem.positions();
  of.start_algebraic = problem.start_algebraic();
  return of;
}

/// What a method needs to be told beside its name, for a short run.
Options options_for(const Method& asked, double h, bool index_2) {
  Options options;
  options.method = asked;
  options.rtol = 1e-7;
  options.every = 0;
  Method& method = options.method;
  if (auto* baumgarte = std::get_if<ivp::Baumgarte>(&method)) {
    *baumgarte = {.alpha1 = index_2 ? 0.0 : 20.0, .alpha0 = 100};
  }
  if (auto* stabilized = std::get_if<ivp::StabilizedOde>(&method)) stabilized->gamma = 5;
  auto* const srm = std::get_if<ivp::Srm>(&method);
  if (srm != nullptr) srm->iterates = 5;
  if (srm != nullptr || std::holds_alternative<ivp::SymmetricProjection>(method)) options.h = h;
  return options;
}

/// Solves both by each method; the arithmetic of a kernel is the same for both.
template <class P>
void compare_by_all_methods(const P& problem, double end, double h,
                            const std::vector<Method>& methods) {
  const VecX start = problem.start();
  const DaeProblemPtr functions = problem_from_functions(functions_of(problem));
  const DaeProblemPtr structs = problem_of(problem);
  for (const Method& method : methods) {
    const Options options = options_for(method, h, SemiExplicitDae<P>);
    CAPTURE(ivp::name_of(method));
    const ivp::Solution of_functions = ivp::solve(*functions, start, {0, end}, options);
    const ivp::Solution of_structs = ivp::solve(*structs, start, {0, end}, options);
    CHECK(of_structs.report.usable());
    CHECK(of_functions.report.termination == of_structs.report.termination);
    REQUIRE(of_functions.t.back() == of_structs.t.back());
    const double size = of_structs.end().cwiseAbs().maxCoeff();
    CHECK((of_functions.end() - of_structs.end()).cwiseAbs().maxCoeff() <= 1e-13 * size);
  }
}

std::vector<Method> methods_of_motion() {
  std::vector<Method> methods;
  for (const Method& method : ivp::all_methods()) methods.push_back(method);
  return methods;
}

}  // namespace

TEST_CASE("A pendulum of functions is solved by every method as the struct", "[problem]") {
  compare_by_all_methods(problems::Pendulum{}, 1, 1e-2, methods_of_motion());
}

TEST_CASE("Seven bodies of functions are solved by every method as the struct", "[problem]") {
  compare_by_all_methods(problems::Andrews{}, 2e-3, 1e-5, methods_of_motion());
}

TEST_CASE("An index 2 problem of functions is solved as the struct", "[problem]") {
  std::vector<Method> methods;
  for (const Method& method : ivp::all_methods()) {
    // Those of two levels are for motions.
    const bool motion = std::holds_alternative<ivp::SBoth>(method) ||
                        std::holds_alternative<ivp::SBoth2>(method) ||
                        std::holds_alternative<ivp::SVel>(method) ||
                        std::holds_alternative<ivp::GaussWindows>(method) ||
                        std::holds_alternative<ivp::SymmetricProjection>(method);
    if (!motion) methods.push_back(method);
  }
  compare_by_all_methods(problems::Al2Example61{}, 0.5, 1e-2, methods);
}

TEST_CASE("A wheelset of functions is solved as the struct", "[problem]") {
  compare_by_all_methods(problems::Wheelset{}, 0.2, 1e-3,
                         {ivp::ProjectEachStep{}, ivp::Underlying{}, ivp::BdfProjection{},
                          ivp::ProjectedInvariants{}, ivp::BdfProjectedInvariants{}});
}
