// Dips of C B towards singular points between the places that were looked at.

#include "bvp/linear/pivot_dips.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// One constraint on three unknowns, or two: B = C^T but for a factor of the last row of C.
struct Scaled {
  std::function<double(double)> factor;
  int ny = 1;
  Interval interval() const { return {0, 1}; }
  Boundary boundary() const {
    return {MatX::Identity(3 - ny, 3), MatX::Zero(3 - ny, 3), VecX::Zero(3 - ny)};
  }
  MatX A(double) const { return MatX::Zero(3, 3); }
  MatX B(double) const { return MatX::Identity(3, ny); }
  VecX q(double) const { return VecX::Zero(3); }
  MatX C(double t) const {
    MatX C = MatX::Identity(ny, 3);
    C.row(ny - 1) *= factor(t);
    return C;
  }
  VecX r(double) const { return VecX::Zero(ny); }
};

bool dips(const std::function<double(double)>& factor, const std::vector<double>& times,
          int ny = 1) {
  const auto problem = erase(Scaled{factor, ny});
  const ConstraintScan scan = scan_constraint(*problem);
  PivotDips seen(problem->nx(), ny, scan.reference);
  CoefficientBatch batch(problem->nx(), ny, false);
  problem->evaluate(times.data(), static_cast<int>(times.size()), batch);
  for (std::size_t p = 0; p < times.size(); ++p) seen.add(times[p], batch, static_cast<int>(p));
  return seen.any();
}

std::vector<double> uniform(int points) {
  std::vector<double> times;
  for (int i = 0; i < points; ++i) times.push_back((i + 0.5) / points);
  return times;
}

}  // namespace

TEST_CASE("a dip of C B is seen from the points on either side of it", "[singular]") {
  const auto dip = [](double depth) {
    return [depth](double t) { return 1 - depth * std::exp(-std::pow((t - 0.45) / 0.05, 2)); };
  };
  for (const int ny : {1, 2}) {
    CAPTURE(ny);
    CHECK(dips(dip(0.9), uniform(20), ny));
    CHECK(dips(dip(0.4), uniform(20), ny));
    // Less than a quarter may be nothing but a coefficient that varies.
    CHECK_FALSE(dips(dip(0.2), uniform(20), ny));
    CHECK_FALSE(dips(dip(0), uniform(20), ny));
    CHECK_FALSE(dips(dip(0.9), {0.1, 0.2, 0.7, 0.8}, ny));
  }
}

TEST_CASE("the points at which C B is looked at come in any order", "[singular]") {
  const auto dip = [](double t) { return t < 0.5 ? 1.2 - t : 0.2 + t; };  // 0.7 of 1.2.
  std::vector<double> times = uniform(40);
  CHECK(dips([&](double t) { return std::pow(dip(t), 4); }, times));
  std::shuffle(times.begin(), times.end(), std::mt19937(5));
  CHECK(dips([&](double t) { return std::pow(dip(t), 4); }, times));
}

TEST_CASE("C B that falls or grows all the way has no dip but at an end", "[singular]") {
  // At an end there is a point less than its neighbours: towards it C B may become singular.
  CHECK(dips([](double t) { return 1 - 0.9 * t; }, uniform(20)));
  CHECK(dips([](double t) { return 0.1 + 0.9 * t; }, uniform(20)));
  // Slowly, over many points, it is none.
  CHECK_FALSE(dips([](double t) { return 1 - 0.5 * t; }, uniform(1000)));
  CHECK_FALSE(dips([](double t) { return 0.5 + 0.5 * t; }, uniform(1000)));
}

TEST_CASE("points that come in pairs do not hide a dip between them", "[singular]") {
  const auto dip = [](double t) { return std::abs(t - 0.5) < 0.03 ? 0.3 : 1.0; };
  CHECK(dips(dip, {0.1, 0.1 + 1e-9, 0.3, 0.3 + 1e-9, 0.5, 0.5 + 1e-9, 0.7, 0.7 + 1e-9, 0.9}));
}

}  // namespace daewave::bvp
