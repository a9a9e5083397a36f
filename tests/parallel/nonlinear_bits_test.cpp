// Nonlinear boundary value problems on executors: the same bits whatever threads there are, and who
// calls which function.

#include <atomic>
#include <cmath>
#include <thread>

#include "bvp/solve.hpp"
#include "core/adapt/problem_from_functions.hpp"
#include "problems/bent_beams.hpp"
#include "problems/boundary_motion.hpp"
#include "problems/index_one.hpp"
#include "problems/measles.hpp"
#include "tests/catch.hpp"
#include "tests/parallel/executors_to_test.hpp"
#include "tests/parallel/ropes.hpp"
#include "tests/same_bits.hpp"

using namespace daewave;
using daewave::testing::same_bits;

namespace {

void check_same(const bvp::Solution& found, const bvp::Solution& expected) {
  CHECK(same_bits(found.x_at_nodes(), expected.x_at_nodes()));
  CHECK(same_bits(found.carried_at_stages(), expected.carried_at_stages()));
  CHECK(found.report.message == expected.report.message);
}

template <class P>
void check_same_bits(const P& problem, bvp::Options options, const char* what) {
  const Serial serial;
  options.executor = &serial;
  const bvp::Solution expected = bvp::solve(problem, options);
  INFO(expected.report.full());
  REQUIRE(expected.has_values());
  for (const std::string& name : executors_to_test()) {
    for (const int threads : {1, 2, 4}) {
      CAPTURE(what, name, threads);
      const auto executor = parallel::make_executor(name, threads);
      options.executor = executor.get();
      check_same(bvp::solve(problem, options), expected);
    }
  }
}

template <class P>
void check_kinds(const P& problem, const bvp::Options& options, const char* what) {
  bvp::Options on_mesh = options, to_tolerance = options;
  on_mesh.intervals = 210;  // Several chunks, the last of which is not full.
  to_tolerance.tolerance = 1e-6;
  check_same_bits(problem, on_mesh, what);
  check_same_bits(problem, to_tolerance, what);
}

}  // namespace

TEST_CASE("nonlinear problems have the same bits with every executor and number of threads",
          "[parallel][nonlinear]") {
  check_kinds(problems::Elastica{}, {}, "ordinary");
  check_kinds(problems::Measles{}, {}, "coupled conditions");
  check_kinds(problems::IndexOneLayer{}, {}, "index 1");
  check_kinds(problems::Al2Example61Boundary{}, {}, "index 2");
  problems::PendulumBetween pendulum;
  pendulum.t_end = 0.4;
  check_kinds(pendulum, {}, "index 3");
  check_kinds(pendulum, {.variant = Variant::invariant}, "index 3, shooting back");
}

TEST_CASE("unknown parameters, integrals and states inside have the same bits on any threads",
          "[parallel][nonlinear][families]") {
  const bvp::ProblemFamily ropes = testing::ropes_through_a_point();
  check_kinds(ropes, {}, "a rope through a point");
}

TEST_CASE("matrices that are large enough for partitions have the same bits on any threads",
          "[parallel][nonlinear]") {
  check_same_bits(problems::Elastica{}, {.intervals = 7000}, "7000 intervals");
}

TEST_CASE("one thread is what there is without an executor, where matrices are small",
          "[parallel][nonlinear]") {
  const auto executor = parallel::make_executor("threads", 2);
  const bvp::Solution with =
      bvp::solve(problems::Elastica{}, {.intervals = 100, .executor = executor.get()});
  check_same(with, bvp::solve(problems::Elastica{}, {.intervals = 100}));
}

TEST_CASE("conditions, guess and progress are called by the thread that solves",
          "[parallel][nonlinear]") {
  const std::thread::id here = std::this_thread::get_id();
  std::atomic<int> strays{0};
  const auto look = [&] { strays += std::this_thread::get_id() != here; };
  ProblemFunctions functions;
  functions.kind = Kind::ordinary;
  functions.sizes.nq = 2;
  functions.f = [](const Points& at, double* f) {
    for (int p = 0; p < at.count; ++p) {
      const double y = at.q[p];
      f[p] = at.q[at.stride + p];
      f[at.count + p] = 2 * y * y * y;
    }
  };
  bvp::BoundaryProblem problem;
  problem.equations = problem_from_functions(functions);
  problem.interval = {0, 1};
  problem.conditions = [&](const VecX& left, const VecX& right) -> VecX {
    look();
    return Vec<2>(left[0] - 1, right[0] - 0.5);
  };
  problem.guess = [&](double) -> VecX {
    look();
    return Vec<2>(1, 0);
  };
  const auto executor = parallel::make_executor("threads", 2);
  const bvp::Solution solution =
      bvp::solve(problem, {.intervals = 5000, .executor = executor.get(), .progress = [&](auto&) {
                             look();
                             return true;
                           }});
  REQUIRE(solution.report.usable());
  CHECK(std::abs(solution.x(0.5)[0] - 1 / 1.5) < 1e-8);
  CHECK(strays == 0);
}

TEST_CASE("of stages that cannot be evaluated the first in time is named by every executor",
          "[parallel][nonlinear]") {
  struct Broken : problems::Elastica {
    State f(const State& s, double t) const {
      State slope = problems::Elastica::f(s, t);
      if (t > 0.3) slope[1] = std::sqrt(-t);
      return slope;
    }
  };
  const auto message = [](const Executor* executor) {
    return bvp::solve(Broken{}, {.intervals = 500, .executor = executor}).report.message;
  };
  const std::string serial = message(nullptr);
  REQUIRE_THAT(serial, contains_text("x', row 2, is not finite at t = 0.300"));
  const auto executor = parallel::make_executor("threads", 4);
  CHECK(message(executor.get()) == serial);
}
