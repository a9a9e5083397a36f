#include "ivp/run/solution.hpp"

#include <cmath>

#include "core/error.hpp"
#include "ivp/run/sampled_output.hpp"
#include "ivp/run/state_names.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

Solution two_rows() {
  Solution solution;
  solution.nz = 4;
  solution.ny = 1;
  solution.t = {0, 0.5};
  solution.states = {1, 2, 3, 4, 5, 6, 7, 8};
  solution.multipliers = {9, NAN};
  return solution;
}

}  // namespace

TEST_CASE("states and multipliers are found by number", "[steppers]") {
  const Solution solution = two_rows();
  CHECK(solution.count() == 2);
  CHECK(solution.state(0) == Vec<4>(1, 2, 3, 4));
  CHECK(solution.end() == Vec<4>(5, 6, 7, 8));
  CHECK(solution.multiplier(0)[0] == 9);
  CHECK_THROWS_WITH(solution.state(2), contains_text("state 2: must be from 0 to 1"));
  CHECK_THROWS_WITH(solution.state(-1), contains_text("state -1"));
  CHECK_THROWS_WITH(solution.multiplier(7), contains_text("multiplier 7"));
  CHECK_THROWS_WITH(solution.at(0), contains_text("dense = true"));
  CHECK_THROWS_WITH(Solution{}.end(), contains_text("nothing was given out"));
  CHECK_THROWS_WITH(Solution{}.multiplier(0), contains_text("multipliers = true"));
}

TEST_CASE("the table names what its columns are", "[steppers]") {
  Solution solution = two_rows();
  CHECK(solution.table().names == std::vector<std::string>{"t", "x1", "x2", "x3", "x4", "y1"});
  CHECK(solution.table().column("x3") == std::vector<double>{3, 7});
  CHECK(solution.table().column("y1")[0] == 9);
  CHECK(std::isnan(solution.table().column("y1")[1]));
  solution.second_order = true;
  CHECK(solution.table().names == std::vector<std::string>{"t", "q1", "q2", "v1", "v2", "lambda1"});
  solution.carries_By = true;
  CHECK(solution.table().names.back() == "By1");
  CHECK(Solution{}.table().rows() == 0);
}

TEST_CASE("components that are not finite are named", "[steppers]") {
  const double z[] = {1, 2, 3, NAN};
  CHECK(not_finite_text(z, 4, true, 0.5) == "v2 is not finite at t = 0.5");
  CHECK(not_finite_text(z, 4, false, 0.5) == "x4 is not finite at t = 0.5");
  CHECK(component_name(1, 4, true) == "q2");
}

TEST_CASE("sampled output gives polynomials of its degree exactly", "[steppers]") {
  for (double sign : {1.0, -1.0}) {
    for (int degree : {1, 3, 7}) {
      CAPTURE(degree);
      const auto polynomial = [degree](double t) { return Vec<2>(std::pow(t, degree), 2 - t); };
      SampledOutput output(2, degree, sign * 1);
      double before = 1;
      for (double end : {1.25, 2.0, 2.1}) {
        output.add_step(sign * end);
        for (double theta : output.points()) {
          output.add(polynomial(sign * (before + theta * (end - before))).data());
        }
        before = end;
      }
      for (double t : {1.0, 1.1, 1.25, 1.5, 1.9, 2.0, 2.05, 2.1}) {
        CHECK((output.at(sign * t) - VecX(polynomial(sign * t))).norm() <= 1e-12);
      }
    }
  }
}

}  // namespace daewave::ivp
