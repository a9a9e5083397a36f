// A mass that is said to be constant is asked for once, whatever the steps, and a run is the same
// to the last bit.

#include <atomic>
#include <vector>

#include "core/adapt/problem_from_functions.hpp"
#include "core/adapt/problem_of.hpp"
#include "core/error.hpp"
#include "ivp/solve.hpp"
#include "problems/al2.hpp"
#include "tests/catch.hpp"
#include "tests/core/particle_net.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

/// Functions that count how often M is asked for.
struct Counted {
  std::shared_ptr<std::atomic<long>> calls = std::make_shared<std::atomic<long>>(0);
  DaeProblemPtr problem;

  Counted(ProblemFunctions of, bool constant) {
    of.mass_constant = constant;
    of.M = [calls = calls, M = of.M](const Points& at, double* out) {
      ++*calls;
      M(at, out);
    };
    problem = problem_from_functions(std::move(of));
  }
};

ProblemFunctions net_functions() { return testing::functions_of(testing::ParticleNet<>(2)); }

Options fixed_steps(const Method& method, double h) {
  Options options;
  options.method = method;
  options.h = h;
  options.every = 0;
  if (auto* srm = std::get_if<Srm>(&options.method)) srm->iterates = 2;
  return options;
}

/// The mass of a motion that turns with it.
struct TurningMass {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  static constexpr bool mass_constant = true;

  Mat<2, 2> M(const Position& q) const {
    Mat<2, 2> M = Mat<2, 2>::Identity();
    M(1, 1) += q[0] * q[0];
    return M;
  }
  Position f(const Position&, const Position&, double) const { return {0, -1}; }
  Multiplier g(const Position& q, double) const { return Multiplier{(q.squaredNorm() - 1) / 2}; }
  Mat<1, 2> G(const Position& q, double) const { return q.transpose(); }
  Multiplier g_t(const Position&, double) const { return Multiplier{0}; }
  Multiplier curvature(const Position&, const Position& v, double) const {
    return Multiplier{v.squaredNorm()};
  }
  Vec<4> start() const { return {1, 0, 0, 0}; }
  Interval interval() const { return {0, 1}; }
};

/// The same with the mass it has at the start everywhere.
struct RestingMass : TurningMass {
  Mat<2, 2> M(const Position&) const { return Mat<2, 2>(Vec<2>(1, 2).asDiagonal()); }
};

}  // namespace

TEST_CASE("a constant mass is asked for once by what evaluates, not in each step", "[mass]") {
  const Method methods[] = {Underlying{}, SBoth2{}, Srm{}, ProjectEachStep{}};
  for (const Method& method : methods) {
    CAPTURE(name_of(method));
    const Counted constant(net_functions(), true);
    Options few_steps = fixed_steps(method, 1e-2);
    few_steps.seek_way_out = false;
    solve(*constant.problem, few_steps);
    const long of_some = *constant.calls;
    *constant.calls = 0;
    Options many_steps = fixed_steps(method, 1e-4);
    many_steps.seek_way_out = false;
    const Solution many = solve(*constant.problem, many_steps);
    CHECK(many.report.integration.steps >= 1000);
    CHECK(*constant.calls == of_some);
    CHECK(of_some <= 20);
    const Counted asked(net_functions(), false);
    const Solution expected = solve(*asked.problem, fixed_steps(method, 1e-4));
    CHECK(*asked.calls > 1000);
    CHECK(many.end() == expected.end());
    CHECK(many.multipliers == expected.multipliers);
  }
}

TEST_CASE("a struct states that its mass is constant", "[mass]") {
  CHECK(problem_of(RestingMass{})->structure().mass_constant);
  CHECK_FALSE(problem_of(problems::Al2Example64{})->structure().mass_constant);
  const Solution solution = solve(*problem_of(RestingMass{}), {.method = SBoth2{}, .h = 1e-2});
  CHECK(solution.report.usable());
}

TEST_CASE("a mass that is said to be constant and is not is refused", "[mass]") {
  CHECK_THROWS_WITH(solve(*problem_of(TurningMass{}), {.method = SBoth2{}, .h = 1e-2}),
                    contains_text("mass_constant = true, but row 2 of M differs") &&
                        contains_text("leave mass_constant out"));
  ProblemFunctions of = net_functions();
  of.mass_constant = true;
  of.M = [](const Points& at, double* out) {
    for (int i = 0; i < 12 * at.count; ++i) out[i] = 1;
    for (int p = 0; p < at.count; ++p) out[p] += at.q[p] * at.q[p];
  };
  CHECK_THROWS_AS(solve(*problem_from_functions(of), fixed_steps(SBoth2{}, 1e-2)), InvalidProblem);
}

}  // namespace daewave::ivp
