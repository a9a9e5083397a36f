// Branches of solutions and problems on infinite intervals, on meshes that ranks share.

#include <cmath>
#include <limits>
#include <vector>

#include "bvp/solve.hpp"
#include "problems/boundary_motion.hpp"
#include "problems/similarity_flows.hpp"
#include "tests/bvp/bratu.hpp"
#include "tests/catch.hpp"
#include "tests/parallel/whole_of_ranks.hpp"

using namespace daewave;
using daewave::testing::Bratu;
using daewave::testing::BratuOfIndex1;
using daewave::testing::Whole;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// y'' = y + y^3 - exp(-t^2) on the whole line, y to 0.
struct Hump {
  using State = Vec<2>;
  Interval interval() const { return {-infinite, infinite}; }
  State f(const State& x, double t) const {
    return {x[1], x[0] + std::pow(x[0], 3) - std::exp(-t * t)};
  }
  Vec<2> conditions(const State& left, const State& right) const { return {left[0], right[0]}; }
};

template <class P>
bvp::ProblemFamily family_of(double P::*parameter, const char* name, double value) {
  return {.member =
              [parameter](const VecX& p) {
                P problem;
                problem.*parameter = p[0];
                return bvp::boundary_problem_of(problem);
              },
          .p = VecX{{value}},
          .names = {name}};
}

/// What ranks found on a branch: the last solution, and what each told of the way.
struct WholeBranch {
  Whole last;
  bvp::Branch told;
};

WholeBranch over_ranks(int size, const bvp::ProblemFamily& family, const bvp::Continuation& how,
                       const bvp::Options& options) {
  std::vector<bvp::Branch> branches(static_cast<std::size_t>(size));
  Whole whole = testing::over_ranks(size, [&](const Communicator& ranks) {
    bvp::Options mine = options;
    mine.ranks = &ranks;
    bvp::Branch& branch = branches[static_cast<std::size_t>(ranks.rank())];
    branch = bvp::follow(family, how, mine);
    bvp::Solution last = branch.last;
    last.report = branch.report;
    return last;
  });
  for (const bvp::Branch& branch : branches) {
    REQUIRE(branch.steps.size() == branches[0].steps.size());
    for (std::size_t i = 0; i < branch.steps.size(); ++i) {
      CHECK(branch.steps[i].largest == branches[0].steps[i].largest);
    }
  }
  return {std::move(whole), std::move(branches[0])};
}

/// The same bits on any number of ranks, all along the branch; near what one machine finds.
bvp::Branch check_branch(const bvp::ProblemFamily& family, const bvp::Continuation& how,
                         const bvp::Options& options, int least_intervals) {
  const WholeBranch one = over_ranks(1, family, how, options);
  INFO(one.told.report.full());
  REQUIRE(one.told.report.usable());
  CHECK(static_cast<int>(one.last.nodes.size()) > least_intervals);
  for (const int size : {2, 7}) {
    const WholeBranch many = over_ranks(size, family, how, options);
    CAPTURE(size, many.told.report.brief());
    testing::check_same_bits(many.last, one.last);
    CHECK(many.told.rejected == one.told.rejected);
    REQUIRE(many.told.steps.size() == one.told.steps.size());
    for (std::size_t i = 0; i < one.told.steps.size(); ++i) {
      CHECK(many.told.steps[i].value == one.told.steps[i].value);
      CHECK(many.told.steps[i].largest == one.told.steps[i].largest);
      CHECK(many.told.steps[i].intervals == one.told.steps[i].intervals);
      CHECK(many.told.steps[i].is_fold == one.told.steps[i].is_fold);
    }
    CHECK(many.told.last.parameters == one.told.last.parameters);
  }
  bvp::Options without = options;
  without.partitions.reset();
  const bvp::Branch alone = bvp::follow(family, how, without);
  REQUIRE(alone.report.usable());
  CHECK(alone.steps.size() == one.told.steps.size());
  CHECK(alone.folds().size() == one.told.folds().size());
  for (std::size_t i = 0; i < std::min(alone.steps.size(), one.told.steps.size()); ++i) {
    const double tolerance = 10 * options.tolerance.value_or(1e-6);
    CHECK(std::abs(alone.steps[i].value - one.told.steps[i].value) <
          tolerance * (1 + std::abs(alone.steps[i].value)));
    const VecX off = (alone.steps[i].largest - one.told.steps[i].largest).cwiseAbs();
    CHECK((off.array() < 1e-3 * (1 + alone.steps[i].largest.array())).all());
  }
  return one.told;
}

Whole check_solved(const bvp::BoundaryProblem& problem, const bvp::Options& options) {
  const Whole found = testing::check_any_ranks(problem, options);
  CHECK(found.report.usable());
  return found;
}

/// More than partitions for seven ranks need.
constexpr int shared = 7 * 64;

}  // namespace

TEST_CASE("branches over a parameter have the same bits on any number of ranks",
          "[ranks][continuation]") {
  const auto bratu = family_of(&Bratu::e, "e", 1);
  check_branch(bratu, {.to = 3}, {.tolerance = 3e-6, .scheme = Scheme::gauss, .stages = 1}, shared);
  // Small meshes, which each rank has.
  check_branch(bratu, {.to = 3}, {.tolerance = 1e-6}, 3);
}

TEST_CASE("what is carried along a branch is handed on by ranks",
          "[ranks][continuation][index-1]") {
  check_branch(family_of(&BratuOfIndex1::e, "e", 1), {.to = 2},
               {.tolerance = 1e-7, .scheme = Scheme::gauss, .stages = 2}, shared);
  const bvp::ProblemFamily pendulum{.member =
                                        [](const VecX& p) {
                                          problems::PendulumBetween problem;
                                          problem.t_end = p[0];
                                          return bvp::boundary_problem_of(problem);
                                        },
                                    .p = VecX{{0.3}},
                                    .names = {"t-end"}};
  // Its interval becomes longer.
  check_branch(pendulum, {.to = 0.45}, {.tolerance = 1e-7, .stages = 2}, 64);
}

TEST_CASE("ranks follow a branch around its fold", "[ranks][continuation][arclength]") {
  const auto bratu = family_of(&Bratu::e, "e", 3.4);
  // Meshes are small, and each rank has its own part of them even so.
  bvp::Options options{.tolerance = 1e-6, .stages = 2};
  options.partitions = 7;
  const bvp::Branch around = check_branch(bratu, {.to = 4, .arclength = true}, options, 7);
  REQUIRE(around.folds().size() == 1);
  CHECK(std::abs(around.folds()[0] - 3.513830719) < 1e-5);
  // Each rank has all of them.
  check_branch(bratu, {.to = 4, .arclength = true}, {.tolerance = 1e-5}, 3);
}

TEST_CASE("multipliers of a branch by arclength are handed on by ranks",
          "[ranks][continuation][arclength][index-1]") {
  bvp::Options options{.tolerance = 1e-4, .stages = 2};
  options.partitions = 7;
  check_branch(family_of(&BratuOfIndex1::e, "e", 3.4), {.to = 4, .arclength = true}, options, 7);
}

TEST_CASE("infinite intervals have the same bits on any number of ranks", "[ranks][infinite]") {
  const bvp::BoundaryProblem wedge = bvp::boundary_problem_of(problems::WedgeFlow{});
  const Whole half = check_solved(wedge, {.tolerance = 1e-9, .scheme = Scheme::gauss, .stages = 2});
  CHECK(static_cast<int>(half.nodes.size()) > shared);
  check_solved(wedge, {.tolerance = 1e-6});
  const bvp::Solution alone = bvp::solve(wedge, {.tolerance = 1e-9, .stages = 2});
  REQUIRE(alone.report.usable());
  CHECK(alone.mesh().end() == half.nodes.back());
  // f'' at the wall.
  CHECK(std::abs(half.x(2, 0) - alone.x(0)[2]) < 1e-8);
  const Whole line =
      check_solved(bvp::boundary_problem_of(Hump{}), {.tolerance = 1e-6, .stages = 2});
  CHECK(line.nodes.front() == -line.nodes.back());
}

TEST_CASE("branches on infinite intervals are followed by ranks",
          "[ranks][infinite][continuation]") {
  check_branch(family_of(&problems::WedgeFlow::m, "m", 0), {.to = 1},
               {.tolerance = 1e-6, .scheme = Scheme::gauss, .stages = 2}, 64);
}
