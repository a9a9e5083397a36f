// Meshes have their nodes where the errors are.

#include "bvp/mesh/mesh_choice.hpp"

#include <cmath>
#include <limits>

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

IntervalErrors errors(int intervals, double x, double carried) {
  return {VecX::Constant(intervals, x), VecX::Constant(intervals, carried)};
}

/// x = f, carried = -f at nodes and stages, straight between nodes.
CollocationCurve curve(const Mesh& mesh, double (*f)(double)) {
  const Collocation scheme = collocation(Scheme::gauss, 1);
  CollocationValues values;
  values.x.resize(1, mesh.intervals() + 1);
  values.slopes.resize(1, mesh.intervals());
  values.carried.resize(1, mesh.intervals());
  for (int i = 0; i <= mesh.intervals(); ++i) values.x(0, i) = f(mesh.node(i));
  for (int i = 0; i < mesh.intervals(); ++i) {
    values.slopes(0, i) = (f(mesh.node(i + 1)) - f(mesh.node(i))) / mesh.step(i);
    values.carried(0, i) = -f(mesh.node(i) + 0.5 * mesh.step(i));
  }
  return {mesh, scheme, values};
}

}  // namespace

TEST_CASE("equal errors give as many equal intervals as their power asks for", "[mesh]") {
  const Mesh mesh = uniform_mesh(0, 3, 20);
  for (const int order : {2, 5, 8}) {
    // What is carried has to fall by 3^order, x by 3^(order + 1).
    for (const bool of_x : {false, true}) {
      const double large = std::pow(3.0, of_x ? order + 1 : order);
      const Mesh chosen =
          equidistributed(mesh, errors(20, of_x ? large : 0, of_x ? 0 : large), order, 1);
      CAPTURE(order, of_x);
      CHECK(chosen.intervals() >= 60);
      CHECK(chosen.intervals() <= 70);
      CHECK(chosen.largest_step() < 1.01 * chosen.smallest_step());
      CHECK(chosen.begin() == 0);
      CHECK(chosen.end() == 3);
    }
  }
}

TEST_CASE("a mesh is fine where the errors are large, and coarse where they are small", "[mesh]") {
  const Mesh mesh = uniform_mesh(0, 1, 50);
  IntervalErrors steep = errors(50, 1e-6, 1e-6);
  steep.x[17] = 1e6;
  const Mesh chosen = equidistributed(mesh, steep, 4, 1);
  int within = 0;
  for (int i = 0; i < chosen.intervals(); ++i) {
    within += chosen.node(i) >= 0.34 - 1e-12 && chosen.node(i + 1) <= 0.36 + 1e-12 ? 1 : 0;
    if (i > 0) CHECK(chosen.step(i) < 8 * chosen.step(i - 1));
    if (i > 0) CHECK(chosen.step(i - 1) < 8 * chosen.step(i));
  }
  CHECK(within >= 14);  // 1e6^(1/5) is 15.8.
  CHECK(chosen.intervals() < 120);
  CHECK(chosen.largest_step() > 2 * mesh.largest_step());
}

TEST_CASE("a mesh grows, shrinks and is coarse within bounds", "[mesh]") {
  const Mesh mesh = uniform_mesh(0, 1, 40);
  CHECK(equidistributed(mesh, errors(40, 1e20, 1e20), 3, 1).intervals() == 320);
  CHECK(equidistributed(mesh, errors(40, 1e20, 1e20), 3, 1, {.most_growth = 3}).intervals() == 120);
  CHECK(equidistributed(mesh, errors(40, 1e-20, 1e-20), 3, 1).intervals() == 8);
  const Mesh bounded =
      equidistributed(mesh, errors(40, 1e-20, 1e-20), 3, 1, {.largest_step = 0.01});
  CHECK(bounded.largest_step() <= 0.0101);
}

TEST_CASE("two curves are compared on whatever meshes they have", "[mesh]") {
  const auto square = [](double t) { return t * t; };
  const Mesh coarse({0, 0.4, 1}), fine({0, 0.1, 0.3, 0.35, 0.6, 0.8, 1});
  const CurveDifference none = difference(curve(coarse, square), curve(coarse, square));
  // Places are told to rounding.
  CHECK(none.x <= 1e-15);
  CHECK(none.carried <= 1e-15);
  const CurveDifference gap = difference(curve(coarse, square), curve(fine, square));
  // A parabola lies h^2 / 4 below its chord, at 0.7 for the second interval; of 1 + 1.
  CHECK(gap.x > 0.6 * 0.09 / 2);
  CHECK(gap.x < 1.1 * 0.09 / 2);
  CHECK(gap.of_interval.x.size() == 2);
  CHECK(gap.of_interval.x[0] < gap.of_interval.x[1]);
  CHECK(gap.carried > 0);
  const CurveDifference turned = difference(curve(fine, square), curve(coarse, square));
  CHECK(turned.of_interval.x.size() == 6);
  CHECK(turned.x > 0.5 * gap.x);
}

TEST_CASE("a difference that is not a number stays one", "[mesh]") {
  const auto square = [](double t) { return t * t; };
  const auto broken = [](double t) { return t > 0.5 ? NAN : t; };
  const Mesh mesh = uniform_mesh(0, 1, 5);
  const CurveDifference gap = difference(curve(mesh, square), curve(mesh, broken));
  CHECK(std::isnan(gap.x));
  CHECK(std::isnan(gap.carried));
}

TEST_CASE("a time is kept away from nodes and stages, and a mesh that does so is left", "[mesh]") {
  for (const Scheme family : {Scheme::gauss, Scheme::radau}) {
    for (int stages = 2; stages <= 6; ++stages) {
      const Collocation scheme = collocation(family, stages);
      for (const double t : {0.5, 0.503, 0.0131, 0.97, 1e-5}) {
        for (const double least : {1e-6, 0.02, 0.1}) {
          CAPTURE(name_of(family), stages, t, least);
          const Mesh mesh = kept_away(uniform_mesh(0, 1, 40), scheme, {{t, least}});
          const int i = mesh.locate(t);
          const double h = mesh.step(i);
          CHECK(mesh.begin() == 0);
          CHECK(mesh.end() == 1);
          CHECK(h >= std::min({least, 0.9 * t, 0.9 * (1 - t)}) - 1e-12);
          CHECK(mesh.intervals() <= 42);
          CHECK(mesh.smallest_step() >= 0.2 * std::min(1.0 / 40, t));
          // As far from the stages on both sides as they let it be.
          double nearest = std::min(t - mesh.node(i), mesh.node(i + 1) - t);
          for (const double c : scheme.c) {
            nearest = std::min(nearest, std::abs(mesh.node(i) + c * h - t));
          }
          CHECK(nearest >= 0.05 * h);
          CHECK(kept_away(mesh, scheme, {{t, least}}).intervals() == mesh.intervals());
        }
      }
    }
  }
  const Mesh mesh = uniform_mesh(0, 1, 10);
  CHECK(kept_away(mesh, collocation(Scheme::gauss, 4), {}).nodes() == mesh.nodes());
  CHECK(kept_away(mesh, collocation(Scheme::gauss, 4), {{0.551, 0.01}}).nodes() == mesh.nodes());
}

TEST_CASE(
    "errors without end in one interval make a fine mesh there, and no more intervals than "
    "are allowed",
    "[mesh]") {
  const Mesh mesh = uniform_mesh(0, 1, 50);
  for (const double error : {1e40, 1e300, std::numeric_limits<double>::infinity()}) {
    IntervalErrors steep = errors(50, 1e-6, 1e-6);
    steep.x[17] = error;
    const Mesh chosen = equidistributed(mesh, steep, 4, 1, {.most_growth = 8});
    CAPTURE(error);
    CHECK(chosen.intervals() > 100);
    CHECK(chosen.intervals() <= 400);
    CHECK(chosen.end() == 1);
    CHECK(chosen.largest_step() < 0.2);
    CHECK(chosen.step(chosen.locate(0.35)) == Approx(chosen.smallest_step()).epsilon(0.01));
  }
}

TEST_CASE("times are kept away from alike wherever a mesh begins", "[mesh]") {
  for (const Scheme family : {Scheme::gauss, Scheme::radau}) {
    const Collocation scheme = collocation(family, 3);
    for (const double begin : {-3.0, 2.0, 50.0}) {
      for (const double t : {1e-5, 0.0131, 0.5, 0.97, 1 - 1e-5}) {
        CAPTURE(name_of(family), begin, t);
        const Mesh here = kept_away(uniform_mesh(0, 1, 40), scheme, {{t, 0.02}});
        const Mesh there =
            kept_away(uniform_mesh(begin, begin + 1, 40), scheme, {{begin + t, 0.02}});
        REQUIRE(there.intervals() == here.intervals());
        for (int i = 0; i <= here.intervals(); ++i) {
          CHECK(there.node(i) - begin == Approx(here.node(i)).margin(1e-12));
        }
      }
    }
  }
}

TEST_CASE("nothing is kept away from a time at an end, or outside of the mesh", "[mesh]") {
  const Mesh mesh({0, 0.4, 1});
  for (const Scheme scheme : {Scheme::gauss, Scheme::radau}) {
    for (const double t : {-0.5, 0.0, 1.0, 1.5}) {
      CAPTURE(name_of(scheme), t);
      CHECK(kept_away(mesh, collocation(scheme, 3), {{t, 0.1}}).nodes() == mesh.nodes());
    }
  }
}

}  // namespace daewave::bvp
