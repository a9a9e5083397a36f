// Problems with constraints, and what else guides iterates, on meshes that ranks share.

#include <cmath>
#include <limits>
#include <vector>

#include "bvp/solve.hpp"
#include "problems/bent_beams.hpp"
#include "problems/boundary_motion.hpp"
#include "tests/catch.hpp"
#include "tests/parallel/whole_of_ranks.hpp"
#include "tests/problems/compiled_problems.hpp"

using namespace daewave;
using daewave::testing::check_any_ranks;
using daewave::testing::over_ranks;
using daewave::testing::Whole;

namespace {

/// On a mesh that is given, and to a tolerance on meshes of more partitions than there are ranks.
template <class P>
Whole check_kinds(const P& problem, bvp::Options options, double tolerance) {
  options.intervals = 500;
  CHECK(check_any_ranks(problem, options).report.usable());
  options.intervals.reset();
  options.tolerance = tolerance;
  const Whole chosen = check_any_ranks(problem, options);
  CHECK(chosen.report.usable());
  CHECK(chosen.nodes.size() > 7 * 64);
  return chosen;
}

problems::PendulumBetween pendulum_between() {
  problems::PendulumBetween pendulum;
  pendulum.t_end = 0.4;
  return pendulum;
}

/// Whose gravity tells how fast it was at the begin.
struct Weighed : problems::PendulumBetween {
  Vec<3> conditions(const Vec<4>& left, const Vec<4>& right) const {
    const problems::PendulumBetween seen = pendulum_between();
    return {left[1] - seen.exact(0)[1], left[2] - seen.exact(0)[2],
            right[0] - seen.exact(seen.t_end)[0]};
  }
};

constexpr double infinite = std::numeric_limits<double>::infinity();

/// y'' = k sqrt(y), which is zero in the middle. [Aris]
struct DeadCore {
  using State = Vec<2>;
  double s = 0.45;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[1], 12 / (s * s) * std::sqrt(x[0])}; }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] - 1, right[0] - 1};
  }
  State guess(double) const { return {0, 0}; }
  State lower() const { return {0, -infinite}; }
};

}  // namespace

TEST_CASE("constraints of index 2 have the same bits on any number of ranks",
          "[ranks][nonlinear][index-2]") {
  check_kinds(problems::Al2Example61Boundary{}, {.stages = 2}, 1e-8);
  // Iterates that leave y at the begin as it was, with others that run back from the end.
  bvp::Options back{.stages = 2};
  back.alpha1 = 0.0;
  check_kinds(problems::Al2Example61Boundary{}, back, 1e-6);
}

TEST_CASE("multibody systems have the same bits on any number of ranks",
          "[ranks][nonlinear][multibody]") {
  const problems::PendulumBetween pendulum = pendulum_between();
  check_kinds(pendulum, {.stages = 2}, 1e-8);
  bvp::Options options{.stages = 2};
  options.variant = Variant::invariant;
  options.intervals = 600;
  CHECK(check_any_ranks(pendulum, options).report.usable());
  // As many iterates as were asked for, and no more.
  options.variant = Variant::baumgarte_form;
  options.iterates = 3;
  CHECK(check_any_ranks(pendulum, options).report.history.size() == 3);
}

TEST_CASE("points of dependent constraints are found and passed by all ranks alike",
          "[ranks][nonlinear][singular]") {
  // By variants that are tried in turn.
  const Whole whole = check_any_ranks(problems::Al2Example63Boundary{}, {.tolerance = 1e-5});
  CHECK(whole.report.usable());
  CHECK_FALSE(whole.report.warnings.empty());
  bvp::Options options{.stages = 2, .intervals = 501};
  options.variant = Variant::singular;
  options.control_multiplier = false;
  CHECK(check_any_ranks(problems::Al2Example63Boundary{}, options).report.usable());
}

TEST_CASE("iterates that do not settle take a smaller epsilon on any number of ranks",
          "[ranks][nonlinear][singular]") {
  /// A peak of y beside the point at which the constraint vanishes.
  struct Peak : problems::Al2Example63Boundary {
    State f(const State& x, double t) const {
      const double place = (t - 0.3) / 0.003;
      return Al2Example63Boundary::f(x, t) + B(x, t) * std::exp(-place * place);
    }
  };
  const Whole whole = check_any_ranks(Peak{}, {.tolerance = 1e-6});
  CHECK(whole.report.usable());
  CHECK_THAT(whole.report.full(), contains_text("did not settle"));
}

TEST_CASE("schemes of one stage carry the same multipliers on any number of ranks",
          "[ranks][nonlinear][index-2]") {
  bvp::Options options{.tolerance = 1e-2, .scheme = Scheme::gauss, .stages = 1};
  check_any_ranks(problems::Al2Example61Boundary{}, options);
  options.scheme = Scheme::radau;
  options.alpha1 = 0.0;
  check_any_ranks(problems::Al2Example61Boundary{}, options);
}

TEST_CASE("what lies between the nodes of a part is that of the whole", "[ranks][index-2]") {
  const problems::PendulumBetween pendulum = pendulum_between();
  for (const int stages : {1, 2}) {
    std::vector<std::vector<double>> found;
    for (const int size : {1, 3}) {
      std::vector<std::vector<double>> of_ranks(static_cast<std::size_t>(size));
      parallel::run_ranks(size, [&](const Communicator& ranks) {
        const bvp::Options options{.stages = stages, .intervals = 400, .ranks = &ranks};
        const bvp::Solution part = bvp::solve(pendulum, options);
        REQUIRE(part.has_values());
        for (int i = 0; i < part.mesh().intervals(); ++i) {
          for (const double theta : {0.2, 1.0}) {
            const double t = theta == 1 ? part.mesh().node(i + 1)
                                        : part.mesh().node(i) + theta * part.mesh().step(i);
            for (const auto& column : part.values().table({t}).columns) {
              of_ranks[static_cast<std::size_t>(ranks.rank())].push_back(column[0]);
            }
          }
        }
      });
      found.emplace_back();
      for (const auto& one : of_ranks) {
        found.back().insert(found.back().end(), one.begin(), one.end());
      }
    }
    CHECK(found[0] == found[1]);
  }
}

TEST_CASE("ranks find the constrained motion that one machine finds", "[ranks][multibody]") {
  const bvp::Options options{.stages = 3, .intervals = 300};
  const Whole alone = testing::whole_of(bvp::solve(pendulum_between(), options));
  const Whole whole = over_ranks(3, pendulum_between(), options);
  REQUIRE(whole.x.cols() == alone.x.cols());
  CHECK((whole.x - alone.x).cwiseAbs().maxCoeff() < 1e-10 * alone.x.cwiseAbs().maxCoeff());
  CHECK(whole.report.history.size() == alone.report.history.size());
}

TEST_CASE("unknown parameters of constrained motions are found by ranks",
          "[ranks][multibody][families]") {
  bvp::ProblemFamily family{.p = VecX{{13.0}}, .names = {"g0"}, .unknown = {0}};
  family.member = [](const VecX& p) {
    Weighed pendulum;
    pendulum.t_end = 0.4;
    pendulum.g0 = p[0];
    return bvp::boundary_problem_of(pendulum);
  };
  const bvp::Options options{.tolerance = 1e-6, .stages = 2};
  check_any_ranks(family, options);
  over_ranks(3, [&](const Communicator& ranks) {
    bvp::Options mine = options;
    mine.ranks = &ranks;
    mine.partitions = 3;
    bvp::Solution part = bvp::solve(family, mine);
    REQUIRE(part.report.usable());
    CHECK(std::abs(part.parameters[0] - pendulum_between().g0) < 1e-4);
    return part;
  });
}

TEST_CASE("the largest residual is that of all ranks", "[ranks][nonlinear]") {
  const bvp::Options options{.tolerance = 1e-4, .stages = 2, .residual_tolerance = 5e-6};
  const Whole whole = check_any_ranks(problems::Elastica{}, options);
  CHECK(whole.report.usable());
  CHECK(whole.nodes.size() > 7 * 64);
}

TEST_CASE("bounds hold iterates of all ranks", "[ranks][nonlinear][bounds]") {
  const Whole given = check_any_ranks(DeadCore{}, {.stages = 2, .intervals = 500});
  CHECK(given.report.usable());
  const Whole chosen = check_any_ranks(DeadCore{}, {.tolerance = 1e-5, .stages = 2});
  INFO(chosen.report.full());
  CHECK(chosen.report.usable());
  CHECK_FALSE(chosen.report.warnings.empty());
}
