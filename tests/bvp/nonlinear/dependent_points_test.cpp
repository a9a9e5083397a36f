#include "bvp/nonlinear/dependent_points.hpp"

#include <algorithm>
#include <cmath>

#include "core/adapt/problem_of.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// How large G is along the way: least in t = c, where it comes to `least`.
struct Dip {
  double c = 0.3, least = 0;
  double at(double t) const { return std::hypot(t - c, least); }
};

/// g = G(t) q. G M^-1 G^T = G^2.
struct DippingMotion {
  using Position = Vec<1>;
  using Multiplier = Vec<1>;
  Dip dip;
  Mat<1, 1> M(const Vec<1>&) const { return Mat<1, 1>(1.0); }
  Interval interval() const { return {0, 1}; }
  Vec<1> f(const Vec<1>&, const Vec<1>&, double) const { return Vec<1>::Zero(); }
  Vec<1> g(const Vec<1>& q, double t) const { return dip.at(t) * q; }
  Mat<1, 1> G(const Vec<1>&, double t) const { return Mat<1, 1>(dip.at(t)); }
  Vec<1> g_t(const Vec<1>& q, double t) const { return (t - dip.c) / dip.at(t) * q; }
};

/// G B = G, of index 2.
struct DippingIndexTwo {
  using State = Vec<1>;
  using Multiplier = Vec<1>;
  Dip dip;
  Interval interval() const { return {0, 1}; }
  Vec<1> f(const Vec<1>&, double) const { return Vec<1>::Zero(); }
  Mat<1, 1> B(const Vec<1>&, double) const { return Mat<1, 1>(1.0); }
  Vec<1> g(const Vec<1>& x, double t) const { return dip.at(t) * x; }
  Mat<1, 1> G(const Vec<1>&, double t) const { return Mat<1, 1>(dip.at(t)); }
  Vec<1> g_t(const Vec<1>& x, double t) const { return (t - dip.c) / dip.at(t) * x; }
};

template <class P>
std::vector<DependentPoint> points_of(const P& problem, int nx) {
  return dependent_points(
      *problem_of(problem), {0, 1}, [nx](double) -> VecX { return VecX::Constant(nx, 0.5); }, 100);
}

}  // namespace

TEST_CASE("times at which constraints become dependent, or nearly, are found", "[nonlinear]") {
  for (const double c : {0.3, 0.5, 0.777}) {
    for (const double least : {0.0, 1e-5, 1e-3}) {
      const auto motion = points_of(DippingMotion{{c, least}}, 2);
      const auto index_two = points_of(DippingIndexTwo{{c, least}}, 1);
      CAPTURE(c, least);
      REQUIRE(motion.size() == 1);
      REQUIRE(index_two.size() == 1);
      for (const DependentPoint& point : {motion[0], index_two[0]}) {
        CHECK(point.t == Approx(c).margin(1e-5));
        // Relative to the largest, at an end; in the size of G itself, of motions too.
        const double largest = std::max(c, 1 - c);
        CHECK(point.pivot == Approx(least / largest).margin(1e-4));
        // The part of the time in which G is close to zero.
        CHECK(point.width > 0.01);
        CHECK(point.width < 0.2);
      }
      CHECK(motion[0].width == Approx(index_two[0].width).epsilon(0.1));
    }
  }
}

TEST_CASE("a dependent point close to an end is as wide as the time on that side allows",
          "[nonlinear]") {
  // Looked for in distances that grow by half.
  constexpr double further = 1.5;
  for (const double c : {0.06, 0.1, 0.9, 0.93}) {
    CAPTURE(c);
    const auto points = points_of(DippingMotion{{c, 0}}, 2);
    REQUIRE(points.size() == 1);
    const double widest = 0.12 * std::min(c, 1 - c);
    CHECK(points[0].width <= widest);
    CHECK(points[0].width >= widest / further);
  }
}

TEST_CASE("times at which constraints are only weaker than elsewhere are none", "[nonlinear]") {
  for (const double least : {0.03, 0.1, 1.0}) {
    CAPTURE(least);
    CHECK(points_of(DippingMotion{{0.3, least}}, 2).empty());
    CHECK(points_of(DippingIndexTwo{{0.3, least}}, 1).empty());
  }
}

}  // namespace daewave::bvp
