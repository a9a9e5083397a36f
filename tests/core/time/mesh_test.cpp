#include "core/time/mesh.hpp"

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("nodes of a uniform mesh accumulate no rounding", "[mesh]") {
  for (const auto& [begin, end, intervals] :
       {std::tuple(0.0, 1.0, 10), std::tuple(-3.0, 1000.0, 100003), std::tuple(1.0, 1.7, 7)}) {
    const Mesh mesh = uniform_mesh(begin, end, intervals);
    REQUIRE(mesh.intervals() == intervals);
    CHECK(mesh.begin() == begin);
    CHECK(mesh.end() == end);
    for (int i = 0; i < intervals; ++i) {
      REQUIRE(mesh.node(i) == begin + (end - begin) * i / intervals);
      REQUIRE(mesh.step(i) == mesh.node(i + 1) - mesh.node(i));
    }
    CHECK(mesh.largest_step() == Approx((end - begin) / intervals));
    CHECK(mesh.smallest_step() == Approx((end - begin) / intervals));
  }
}

TEST_CASE("a mesh that is none is refused with the first node at fault", "[mesh]") {
  CHECK_THROWS_AS(Mesh({0, 1, 1}), InvalidProblem);
  CHECK_THROWS_WITH(Mesh({0, 1, 1}), contains_text("node 2 (t = 1)") && contains_text("increase"));
  CHECK_THROWS_WITH(Mesh({0, 2, 1, 0}), contains_text("node 2 (t = 1) follows node 1 (t = 2)"));
  CHECK_THROWS_WITH(Mesh({0, nan}), contains_text("node 1 is nan"));
  CHECK_THROWS_WITH(Mesh({-inf, 0}), contains_text("node 0 is -inf"));
  CHECK_THROWS_WITH(Mesh({0}), contains_text("1 node(s)") && contains_text("at least 2"));
  CHECK_THROWS_WITH(Mesh(std::vector<double>{}), contains_text("0 node(s)"));
}

TEST_CASE("a uniform mesh needs an interval and at least one step", "[mesh]") {
  CHECK_THROWS_AS(uniform_mesh(0, 1, 0), InvalidOption);
  CHECK_THROWS_WITH(uniform_mesh(0, 1, -3),
                    contains_text("intervals = -3") && contains_text(">= 1"));
  CHECK_THROWS_WITH(uniform_mesh(1, 1, 5), contains_text("[1, 1]"));
  CHECK_THROWS_AS(uniform_mesh(0, nan, 5), InvalidOption);
  CHECK_THROWS_AS(uniform_mesh(-inf, 0, 5), InvalidOption);
}

TEST_CASE("locate finds the interval of ends, nodes and points between them", "[mesh]") {
  const Mesh mesh({0, 0.5, 0.75, 3});
  CHECK(mesh.locate(0) == 0);
  CHECK(mesh.locate(0.25) == 0);
  CHECK(mesh.locate(0.5) == 0);  // An inner node belongs to the interval on its left.
  CHECK(mesh.locate(std::nextafter(0.5, 1)) == 1);
  CHECK(mesh.locate(0.75) == 1);
  CHECK(mesh.locate(1) == 2);
  CHECK(mesh.locate(3) == 2);
  for (const double outside : {-1e-9, 3.0000001, inf, -inf, nan}) {
    CHECK_THROWS_AS(mesh.locate(outside), InvalidOption);
  }
  CHECK_THROWS_WITH(mesh.locate(4), contains_text("t = 4") && contains_text("[0, 3]"));
  const Mesh uniform = uniform_mesh(-1, 2, 997);
  for (int i = 0; i < 997; ++i) {
    REQUIRE(uniform.locate(uniform.node(i + 1)) == i);
    REQUIRE(uniform.locate(0.5 * (uniform.node(i) + uniform.node(i + 1))) == i);
  }
}

TEST_CASE("halving keeps the nodes and puts one in the middle of every interval", "[mesh]") {
  const Mesh mesh({0, 0.1, 0.7, 1.0}), half = mesh.halved();
  REQUIRE(half.intervals() == 6);
  for (int i = 0; i <= 3; ++i) CHECK(half.node(2 * i) == mesh.node(i));
  for (int i = 0; i < 3; ++i) {
    CHECK(half.node(2 * i + 1) == Approx(0.5 * (mesh.node(i) + mesh.node(i + 1))));
  }
}

TEST_CASE("an interval without a number inside is neither halved nor doubled", "[mesh]") {
  const double c = 0.3;
  const Mesh mesh({0, c, std::nextafter(c, 1), 1});
  CHECK(mesh.halved().intervals() == 5);
  CHECK(mesh.halved().halved().intervals() == 9);
  for (int intervals = 1; intervals <= 20; ++intervals) {
    const Mesh other = resized(mesh, intervals);
    CHECK(other.begin() == 0);
    CHECK(other.end() == 1);
    CHECK(other.intervals() <= intervals);
  }
}

TEST_CASE("resizing keeps the density", "[mesh]") {
  const Mesh mesh({0, 0.1, 0.2, 1.0});
  CHECK(resized(mesh, 3).nodes() == mesh.nodes());
  const Mesh twice = resized(mesh, 6);
  REQUIRE(twice.intervals() == 6);
  for (int i = 0; i <= 6; ++i) CHECK(twice.node(i) == Approx(mesh.halved().node(i)));
  const Mesh coarse = resized(mesh, 2);
  CHECK(coarse.begin() == 0);
  CHECK(coarse.node(1) == Approx(0.15));
  CHECK(coarse.end() == 1);
  CHECK_THROWS_AS(resized(mesh, 0), InvalidOption);
}

}  // namespace daewave
