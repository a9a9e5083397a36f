#include <cmath>
#include <limits>

#include "bvp/linear/discretization.hpp"
#include "bvp/solve.hpp"
#include "core/error.hpp"
#include "problems/lin.hpp"
#include "tests/catch.hpp"
#include "tests/parallel/executors_to_test.hpp"
#include "tests/same_bits.hpp"

using namespace daewave;
using daewave::testing::same_bits;

namespace {

/// Several chunks, the last of which is not full.
bvp::Options options_with(const Executor* executor) {
  bvp::Options options;
  options.scheme = Scheme::gauss;
  options.stages = 2;
  options.intervals = 5 * bvp::Discretization::chunk / 2;
  options.epsilon = 1e-6;
  options.alpha1 = 1;
  options.iterates = 2;
  options.conditioning = false;
  options.executor = executor;
  return options;
}

template <class P>
void check_same_bits(const P& problem, const std::string& name) {
  const bvp::Solution serial = bvp::solve(problem, options_with(nullptr));
  REQUIRE(serial.has_values());
  for (int threads = 1; threads <= 4; ++threads) {
    CAPTURE(name, threads);
    const auto executor = parallel::make_executor(name, threads);
    const bvp::Solution solution = bvp::solve(problem, options_with(executor.get()));
    REQUIRE(solution.has_values());
    CHECK(same_bits(solution.x_at_nodes(), serial.x_at_nodes()));
    CHECK(same_bits(solution.carried_at_stages(), serial.carried_at_stages()));
    CHECK(solution.report.message == serial.report.message);
  }
}

/// Lin with a coefficient that is not finite at all t beyond `bad`.
struct BrokenLin : problems::Lin {
  double bad = 0;
  Coefficients coefficients(double t) const {
    Coefficients all = problems::Lin::coefficients(t);
    // The scan before the solve looks at 1000 equidistant points only.
    const double sample = t / interval().length() * 1000;
    if (t > bad && std::abs(sample - std::round(sample)) > 0.2)
      all.q[0] = std::numeric_limits<double>::quiet_NaN();
    return all;
  }
};

}  // namespace

TEST_CASE("a solve has the same bits with every executor and number of threads", "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  check_same_bits(problems::Lin{20}, name);
}

TEST_CASE("the same for sizes known at run time only", "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  check_same_bits(problems::LinBlocks{20, 2}, name);
}

TEST_CASE("the left-most coefficient that is not finite is named by every executor", "[parallel]") {
  const std::string name = GENERATE(from_range(executors_to_test()));
  CAPTURE(name);
  BrokenLin problem;
  problem.t_end = 20;
  problem.bad = 9;
  const auto message = [&](const Executor* executor) -> std::string {
    try {
      bvp::solve(problem, options_with(executor));
    } catch (const InvalidProblem& error) {
      return error.what();
    }
    return "none";
  };
  const std::string serial = message(nullptr);
  REQUIRE_THAT(serial, contains_text("q(9."));
  const auto executor = parallel::make_executor(name, 4);
  CHECK(message(executor.get()) == serial);
}
