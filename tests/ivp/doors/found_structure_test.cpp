// Structure that nobody has stated: of mechanisms that are written as dense matrices.

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/user_mechanisms.hpp"
#include "core/adapt/found_structure.hpp"
#include "core/adapt/problem_of.hpp"
#include "core/derivatives/autodiff.hpp"
#include "core/derivatives/differences.hpp"
#include "core/kernels/multibody_kernel.hpp"
#include "ivp/solve.hpp"
#include "problems/chain.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

using bench::Rods;
using Constraints = Structure::Constraints;
using Mass = Structure::Mass;

const ivp::Options sharp{.rtol = 1e-10, .atol = 1e-10};

VecX start_of_rods(int rods) { return problems::Chain{rods}.start(); }

std::string structure_told(const ivp::Solution& solution) {
  for (const Choice& choice : solution.report.choices) {
    if (choice.name == "structure") return choice.value + " | " + choice.reason;
  }
  return {};
}

double distance(const ivp::Solution& a, const ivp::Solution& b) {
  REQUIRE(a.report.usable());
  REQUIRE(b.report.usable());
  return (a.end() - b.end()).lpNorm<Eigen::Infinity>();
}

/// The terms of a problem at a point, dense.
struct AllTerms {
  MatX M, G;
  VecX f, g, g_t, curvature;

  AllTerms(const DaeProblem& problem, const VecX& q, const VecX& v, double t) {
    const StructuredKernel kernel(problem);
    M = kernel.M(q).dense();
    G = kernel.G(q, t).dense();
    f = kernel.f(q, v, t);
    g = kernel.g(q, t);
    g_t = kernel.g_t(q, t);
    curvature = kernel.curvature(q, v, t);
  }
  double gap(const AllTerms& other) const {
    return std::max({(M - other.M).cwiseAbs().maxCoeff(), (G - other.G).cwiseAbs().maxCoeff(),
                     (f - other.f).cwiseAbs().maxCoeff(), (g - other.g).cwiseAbs().maxCoeff(),
                     (g_t - other.g_t).cwiseAbs().maxCoeff(),
                     (curvature - other.curvature).cwiseAbs().maxCoeff()});
  }
};

/// A chain whose functions know numbers only.
struct PlainRods {
  using Position = VecX;
  using Multiplier = VecX;
  problems::Chain chain{8};

  MatX M(const VecX& q) const { return chain.M(q); }
  VecX f(const VecX& q, const VecX& v, double t) const { return chain.f(q, v, t); }
  VecX g(const VecX& q, double t) const { return chain.g(q, t); }
  MatX G(const VecX& q, double t) const {
    const ChainJacobian of = chain.G(q, t);
    MatX all(of.rows(), of.cols());
    VecX column;
    for (int j = 0; j < all.cols(); ++j) {
      apply(of, VecX(VecX::Unit(all.cols(), j)), column);
      all.col(j) = column;
    }
    return all;
  }
  VecX g_t(const VecX& q, double t) const { return chain.g_t(q, t); }
  VecX curvature(const VecX& q, const VecX& v, double t) const { return chain.curvature(q, v, t); }
};

/// The same, known near the start alone.
struct RodsKnownNear : PlainRods {
  VecX start = start_of_rods(8).head(24);

  MatX G(const VecX& q, double t) const {
    if ((q - start).cwiseAbs().maxCoeff() > 1.6) return MatX::Constant(16, 24, NAN);
    return PlainRods::G(q, t);
  }
};

/// The same with a coupling of two coordinates while the first rod is in a narrow range of angles.
struct RodsThatCouple : PlainRods {
  double from = -1.75, to = -1.65;

  MatX M(const VecX& q) const {
    MatX mass = PlainRods::M(q);
    if (q[2] > from && q[2] < to) {
      const double inside = (q[2] - from) * (to - q[2]) / (to - from);
      mass(0, 2) = mass(2, 0) = inside * inside;
    }
    return mass;
  }
};

/// Rods whose force is decided by a value, or whose constraint is.
struct DecidedForce : Rods<> {
  template <class T>
  VecOf<T, Dynamic> f(const VecOf<T, Dynamic>& q, const VecOf<T, Dynamic>& v, T t) const {
    VecOf<T, Dynamic> force = Rods<>::f(q, v, t);
    if (q[2] < -1.5) force[2] = -0.1 * v[2];
    return force;
  }
};
struct DecidedConstraint : Rods<> {
  template <class T>
  VecOf<T, Dynamic> g(const VecOf<T, Dynamic>& q, T t) const {
    VecOf<T, Dynamic> gap = Rods<>::g(q, t);
    if (q[2] < -1.5) gap[0] += (q[2] + 1.5) * (q[2] + 1.5);
    return gap;
  }
};

/// Rods of which the last joint is stated twice.
struct RedundantRods : Rods<> {
  template <class T>
  VecOf<T, Dynamic> g(const VecOf<T, Dynamic>& q, T t) const {
    const VecOf<T, Dynamic> gap = Rods<>::g(q, t);
    VecOf<T, Dynamic> all(gap.size() + 1);
    for (int i = 0; i < gap.size(); ++i) all[i] = gap[i];
    all[gap.size()] = gap[gap.size() - 1];
    return all;
  }
};

// A matrix of 96 x 96 recorded numbers is more than Eigen puts on the stack.
static_assert(detail::Recordable<WithAutodiff<Rods<16>>>);
static_assert(!detail::Recordable<WithAutodiff<Rods<32>>>);

TEST_CASE("rods written as dense templates are seen to be a chain", "[structures]") {
  const VecX start = start_of_rods(16);
  const DaeProblemPtr problem = problem_of(with_autodiff(Rods<16>()), start);
  CHECK(problem->structure().constraints == Constraints::chain);
  CHECK(problem->structure().mass == Mass::diagonal);
  CHECK(problem->structure().mass_constant);
  const ivp::Solution found = ivp::solve(with_autodiff(Rods<16>()), start, {0, 1}, sharp);
  const ivp::Solution stated = ivp::solve(problems::Chain{16}, start, {0, 1}, sharp);
  CHECK(distance(found, stated) < 1e-8);
  CHECK_THAT(structure_told(found), contains_text("a chain of 16 bodies, M diagonal, M constant"));
  CHECK(structure_told(stated).empty());
}

TEST_CASE("what is seen in templates is what they say, at any state", "[structures]") {
  const VecX start = start_of_rods(5);
  const DaeProblemPtr problem = problem_of(with_autodiff(DecidedForce{{5}}), start);
  const DaeProblemPtr stated = as_stated(*problem);
  REQUIRE(stated);
  CHECK(problem->structure().constraints == Constraints::chain);
  for (const double angle : {-1.2, -1.6}) {  // On both sides of what decides.
    VecX q = VecX::LinSpaced(15, -2, 2.5), v = VecX::LinSpaced(15, 1, -3);
    q[2] = angle;
    CHECK(AllTerms(*problem, q, v, 0.3).gap(AllTerms(*stated, q, v, 0.3)) < 1e-13);
  }
}

TEST_CASE("constraints that are decided by values are taken as they are written", "[structures]") {
  const DaeProblemPtr problem = problem_of(with_autodiff(DecidedConstraint{{5}}), start_of_rods(5));
  CHECK(as_stated(*problem) == nullptr);
}

TEST_CASE("structure of plain functions is found by looking at points", "[structures]") {
  const VecX start = start_of_rods(8);
  const ivp::Solution stated = ivp::solve(problems::Chain{8}, start, {0, 1}, sharp);
  const ivp::Solution found = ivp::solve(PlainRods(), start, {0, 1}, sharp);
  CHECK(distance(found, stated) < 1e-8);
  CHECK_THAT(structure_told(found),
             contains_text("a chain of 8 bodies, M diagonal, M constant: zero"));
  // In batches of points too.
  ivp::Options windows = sharp;
  windows.method = ivp::GaussWindows{};
  CHECK(distance(ivp::solve(PlainRods(), start, {0, 1}, windows), stated) < 1e-8);
}

TEST_CASE("points that are looked at are no farther than one and a half from the start",
          "[structures]") {
  const ivp::Solution found = ivp::solve(RodsKnownNear(), start_of_rods(8), {0, 0.1}, sharp);
  CHECK_THAT(structure_told(found), contains_text("a chain of 8 bodies"));
}

TEST_CASE("an entry that was zero by chance is not lost", "[structures]") {
  const VecX start = start_of_rods(8);
  const DaeProblemPtr dense = problem_of(RodsThatCouple(), start);
  REQUIRE(with_structure_of_points(*dense, start, 0));
  const ivp::Solution solution = ivp::solve(*dense, start, {0, 1}, sharp);
  INFO(solution.report.full());
  REQUIRE(solution.report.usable());
  CHECK_THAT(structure_told(solution), contains_text("as stated | "));
  CHECK_THAT(structure_told(solution), contains_text(" of M was 0 at all states looked at"));
  // Where it is seen at the start nothing is found.
  RodsThatCouple from_the_start;
  from_the_start.from = -3;
  from_the_start.to = 0;
  CHECK_FALSE(with_structure_of_points(*problem_of(from_the_start, start), start, 0));
}

TEST_CASE("a mass that was constant by chance is looked at with every force", "[structures]") {
  const VecX start = start_of_rods(8);
  const DaeProblemPtr dense = problem_of(RodsThatCouple(), start);
  const DaeProblemPtr found = with_structure_of_points(*dense, start, 0);
  REQUIRE(found);
  const auto evaluation = found->evaluation();
  const double t = 0.1;
  VecX q = start.head(24);
  const VecX v = start.tail(24);
  const Points at{1, 1, &t, q.data(), v.data()};
  CHECK_NOTHROW(evaluation->evaluate(Ask::f, at));
  q[2] = -1.7;
  CHECK_THROWS_WITH(evaluation->evaluate(Ask::f, at), contains_text("of M was 0"));
}

TEST_CASE("a run that is made again as it was stated gives each row out once", "[structures]") {
  const VecX start = start_of_rods(8);
  const DaeProblemPtr dense = problem_of(RodsThatCouple(), start);
  for (const bool at_times : {false, true}) {
    ivp::Options options = sharp;
    if (at_times) options.times = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
    std::vector<double> seen;
    options.sink = [&](const ivp::Output& output) {
      seen.push_back(output.t);
      return true;
    };
    const ivp::Solution solution = ivp::solve(*dense, start, {0, 1}, options);
    CHECK_THAT(structure_told(solution), contains_text("as stated | "));
    REQUIRE(seen.size() > 8);
    CHECK(seen.back() == solution.t.back());
    CHECK(std::adjacent_find(seen.begin(), seen.end(), std::greater_equal<>()) == seen.end());
  }
}

TEST_CASE("a run that cannot be made again goes as it was stated", "[structures]") {
  const VecX start = start_of_rods(8);
  ivp::Options options = sharp;
  bool seen = false;
  options.events = {{.function = [](double t, const VecX&) { return t - 0.5; },
                     .change =
                         [&](double, const VecX& z) {
                           seen = true;
                           return z;
                         }}};
  const DaeProblemPtr dense = problem_of(RodsThatCouple(), start);
  const ivp::Solution solution = ivp::solve(*dense, start, {0, 1}, options);
  CHECK(solution.report.usable());
  CHECK(structure_told(solution).empty());
  CHECK(seen);
  options.reset = [&] { seen = false; };
  CHECK_THAT(structure_told(ivp::solve(*dense, start, {0, 1}, options)),
             contains_text("as stated | "));
  CHECK(seen);
}

TEST_CASE("checkpoints are refused, and fail, as where no structure was found", "[structures]") {
  const VecX start = start_of_rods(8);
  const DaeProblemPtr problem = problem_of(with_autodiff(Rods{{8}}), start);
  REQUIRE(problem->structure().constraints != Constraints::dense);
  ivp::Options options = sharp;
  options.checkpoints.seconds = 0;
  options.checkpoints.steps = 5;
  options.checkpoints.mark = "eight";
  std::shared_ptr<const Checkpoint> at;
  ivp::Options saving = options;
  saving.checkpoints.save = [&at](const Checkpoint& one) {
    if (!at) at = std::make_shared<const Checkpoint>(one);
  };
  REQUIRE(ivp::solve(*problem, start, {0, 1}, saving).report.usable());
  REQUIRE(at);
  options.checkpoints.resume = at;
  const ivp::Solution rest = ivp::solve(*problem, start, {0, 1}, options);
  REQUIRE(rest.report.usable());
  CHECK(rest.t.front() == at->t);
  const auto refused = [&](const ivp::Options& asked, const char* what) {
    CHECK_THROWS_WITH(ivp::solve(*problem, start, {0, 1}, asked), contains_text(what));
  };
  ivp::Options other = options;
  other.checkpoints.mark = "nine";
  refused(other, "checkpoints.resume");
  other = options;
  other.rtol = 1e-9;
  refused(other, "checkpoints.resume");
  other = options;
  other.dense = true;
  refused(other, "checkpoints");
  // The run is not made again without them.
  int saves = 0;
  other = saving;
  other.checkpoints.save = [&saves](const Checkpoint&) {
    ++saves;
    throw FileError("cp.txt: no space left");
  };
  refused(other, "no space left");
  CHECK(saves == 1);
}

TEST_CASE("rows that depend on others are given back to dense linear algebra", "[structures]") {
  const VecX start = start_of_rods(20);
  const DaeProblemPtr problem = problem_of(with_autodiff(RedundantRods{{20}}), start);
  CHECK(problem->structure().constraints != Constraints::dense);
  const ivp::Solution solution = ivp::solve(*problem, start, {0, 0.5}, sharp);
  CHECK(distance(solution, ivp::solve(problems::Chain{20}, start, {0, 0.5}, sharp)) < 1e-8);
  CHECK_THAT(structure_told(solution), contains_text("as stated | "));
}

}  // namespace
}  // namespace daewave
