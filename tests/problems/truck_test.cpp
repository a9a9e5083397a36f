// The plane truck: its equilibrium, and its motion over the hump against reference values.

#include "problems/truck.hpp"

#include <cmath>

#include "ivp/reduced/underlying_solution.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/struct_doors.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::problems {
namespace {

/// x and lambda at t, from rest.
std::pair<VecX, VecX> motion(const Truck& truck, double t) {
  const auto system = ivp::index_two_of(truck, 0);
  ivp::UnderlyingSolution solution(*system);
  REQUIRE(solution.start(0, VecX(truck.start())));
  REQUIRE(solution.go_to(t, 0.01));
  VecX lambda;
  REQUIRE(solution.multiplier(lambda));
  return {solution.x(), lambda};
}

/// Of each entry, relative to what it is compared with.
double gap_of(const VecX& values, const VecX& expected) {
  return (values - expected).cwiseQuotient(expected).cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("the truck stands in equilibrium until it meets the hump", "[problems][truck]") {
  for (const ChassisMoment moment : {ChassisMoment::virtual_work, ChassisMoment::as_published}) {
    const Truck truck{.moment = moment};
    const auto system = ivp::index_two_of(truck, 0);
    VecX slope, lambda;
    REQUIRE(system->underlying(0.1, VecX(truck.start()), slope, lambda));
    // Nominal forces of the springs are given to 1e-8 N of 1e6; masses are 1e3 kg.
    CHECK(slope.cwiseAbs().maxCoeff() < 1e-10);
    CHECK(std::abs(lambda[0]) < 1e-7);
    CHECK(lambda[1] == Approx(-68056.2088889).epsilon(1e-11));
  }
}

TEST_CASE("the truck moves over the hump as reference computations say", "[problems][truck]") {
  // Gauss' formula of order 6 with h = 2^-13 in long double, twelve digits and more; lambda with
  // the sign of + G^T lambda.
  const auto check = [](const Truck& truck, double t, const Vec<9>& p, const Vec<2>& lambda) {
    CAPTURE(t);
    const auto [x, y] = motion(truck, t);
    // To the digits given: small pitches have eleven, beside rounding of forces of 1e6 N.
    CHECK(gap_of(x.head(9), p) < 1e-9);
    CHECK(gap_of(-y, lambda) < 1e-8);
  };
  const Truck truck;
  Vec<9> p;
  p << .5000152892477, 2.000065247138, 3.070947842639e-5, .5001714999175, 2.900133962225,
      2.799644156194e-5, -1.460025162564, 2.900015097681, 2.740931312879e-5;
  check(truck, 1, p, {-9.904513220749, 68052.37177355});
  p << .5029000509000, 2.004751773393, 1.354885358289e-3, .5067640848588, 2.908354490238,
      1.348988147664e-3, -1.461202323875, 2.902739161141, 1.333969033325e-3;
  check(truck, 2, p, {33.11295899845, 68175.31340583});
  p << .5574776290755, 2.066417733244, 6.329917985749e-3, .5713138780636, 2.983814485540,
      6.344466910348e-3, -1.465702141121, 2.957230936734, 6.375303215429e-3;
  check(truck, 4, p, {323.5042688932, 68232.98233139});
  p << .5582943811917, 2.062864007630, 1.881501262665e-3, .5696832873220, 2.968034777483,
      1.885522186802e-3, -1.461701672606, 2.960138722378, 1.895984833887e-3;
  check(Truck{.moment = ChassisMoment::as_published}, 4, p, {95.65459666022, 68096.23337184});
}

TEST_CASE("the hump is twelve centimetres high and smooth where it begins", "[problems][truck]") {
  const Truck slow, fast{.pace = 15};
  double most = 0;
  for (int i = 0; i <= 1000; ++i) most = std::max(most, slow.road(0.02 * i)[0]);
  // 6^6 e^-6 / 1000 at s = 6.
  CHECK(most == Approx(std::pow(6, 6) * std::exp(-6.0) * 1e-3).epsilon(1e-12));
  CHECK(slow.road(0).norm() == 0);
  CHECK(slow.road(1e-3).norm() < 1e-16);
  CHECK(fast.road(0.2)[0] == Approx(slow.road(3)[0]).epsilon(1e-14));
  CHECK(fast.road(0.2)[1] == Approx(15 * slow.road(3)[1]).epsilon(1e-14));
  const double d = 1e-5;
  const double slope = (slow.road(2 + d)[0] - slow.road(2 - d)[0]) / (2 * d);
  CHECK(slow.road(2)[1] == Approx(slope).epsilon(1e-9));
}

}  // namespace daewave::problems
