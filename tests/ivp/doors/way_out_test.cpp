#include <fmt/format.h>

#include <cmath>

#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {

namespace {

/// The pendulum with steps of 1/100, up to t = end.
Solution few_steps(double end) {
  Options options;
  options.method = SBoth2{};
  options.h = 0.01;
  options.most_steps = 30;
  return solve(*problem_of(problems::Pendulum{}), problems::Pendulum{}.start(), {0, end}, options);
}

}  // namespace

TEST_CASE("too few steps are answered with twice as many as the rest takes at the same rate",
          "[advice]") {
  const Report report = few_steps(1).report;
  REQUIRE(report.termination == Termination::too_many_steps);
  const IntegrationReport& went = report.integration;
  const double needed = 2 * (30 / (went.reached - went.begin)) * 1;
  CHECK_THAT(report.advice,
             contains_text(fmt::format("most_steps = {}", static_cast<long>(needed) + 1)));
}

TEST_CASE("ten million steps are no way out", "[advice]") {
  const Report report = few_steps(1e5).report;
  REQUIRE(report.termination == Termination::too_many_steps);
  CHECK(report.advice.find("most_steps = 2") == std::string::npos);
}

}  // namespace daewave::ivp
