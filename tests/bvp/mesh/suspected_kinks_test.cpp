// Intervals whose errors stand out, and what is left of them beside a node at the kink.

#include "bvp/mesh/suspected_kinks.hpp"

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

IntervalErrors of_x(const VecX& x) { return {x, VecX::Zero(x.size())}; }

}  // namespace

TEST_CASE("an interval is suspected where its error is much larger than that of one beside it",
          "[mesh][kinks]") {
  using Suspects = std::vector<int>;
  CHECK(suspected_kinks(of_x(VecX{{1, 1, 5, 1, 1}}), 1e-3) == Suspects{2});
  CHECK(suspected_kinks({VecX::Zero(5), VecX{{1, 1, 5, 1, 1}}}, 1e-3) == Suspects{2});
  CHECK(suspected_kinks(of_x(VecX{{1, 1, 3, 1, 1}}), 1e-3).empty());
  // The smaller neighbour counts, at an end the only one.
  CHECK(suspected_kinks(of_x(VecX{{1, 5, 4, 1, 0.9}}), 1e-3) == Suspects{1});
  CHECK(suspected_kinks(of_x(VecX{{5, 1, 1, 1, 6}}), 1e-3) == Suspects{0, 4});
  // Neither what is small beside the largest, nor what is within the tolerance.
  CHECK(suspected_kinks(of_x(VecX{{100, 100, 0.1, 5, 0.1}}), 1e-3) == Suspects{1});
  CHECK(suspected_kinks(of_x(VecX{{20, 20, 0.1, 5, 0.1}}), 1e-3) == Suspects{1, 3});
  CHECK(suspected_kinks(of_x(VecX{{1, 1, 5, 1, 1}}), 6).empty());
  CHECK(suspected_kinks(of_x(VecX{{1, 1, 5, 1, 1}}), 5) == Suspects{2});
  VecX many = VecX::Constant(100, 1);
  for (int i = 0; i < 100; i += 2) many[i] = 10;
  CHECK(suspected_kinks(of_x(many), 1e-3).size() == 16);
}

TEST_CASE("with a node at a kink errors are as beside it", "[mesh][kinks]") {
  const Mesh mesh = uniform_mesh(0, 1, 5);
  IntervalErrors errors{VecX{{1, 2, 9, 3, 4}}, VecX{{5, 6, 50, 4, 3}}};
  smooth_over(mesh, {0.5}, errors);
  CHECK(errors.x == VecX{{1, 2, 3, 3, 4}});
  CHECK(errors.carried == VecX{{5, 6, 6, 4, 3}});
  // At an end, as the only one beside it; never larger than they were.
  errors = of_x(VecX{{9, 2, 1, 3, 8}});
  smooth_over(mesh, {0.1, 0.5, 0.9}, errors);
  CHECK(errors.x == VecX{{2, 2, 1, 3, 3}});
}

}  // namespace daewave::bvp
