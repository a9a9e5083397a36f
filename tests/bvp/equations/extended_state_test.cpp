// States extended by unknown parameters, integrals and states inside the interval.

#include "bvp/equations/extended_state.hpp"

#include <cmath>
#include <limits>

#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// x = (t^2, 1 - t), 5 carried, on nodes of which two are 0.5 and 1.2.
CollocationCurve parabola() {
  const Mesh mesh({0, 0.5, 1.2, 2});
  const Collocation scheme = collocation(Scheme::gauss, 2);
  CollocationValues values;
  values.x.resize(2, 4);
  values.slopes.resize(2, 6);
  values.carried.setConstant(1, 6, 5);
  for (int i = 0; i < 4; ++i) {
    const double t = mesh.node(i);
    values.x.col(i) << t * t, 1 - t;
  }
  for (int stage = 0; stage < 6; ++stage) {
    const double t = mesh.node(stage / 2) + scheme.c[stage % 2] * mesh.step(stage / 2);
    values.slopes.col(stage) << 2 * t, -1;
  }
  return {mesh, scheme, values};
}

ExtendedState all_of_it() {
  return {.nx = 2, .parameters = 3, .integrals = 1, .inside = {0.5, 1.2}};
}

}  // namespace

TEST_CASE("an extended state is x, parameters, integrals, and x once for each time inside",
          "[nonlinear][extended]") {
  const ExtendedState state = all_of_it();
  CHECK(state.size() == 2 + 3 + 1 + 2 * 2);
  CHECK(state.is_more());
  CHECK(state.integrals_at() == 5);
  CHECK(state.inside_at(0) == 6);
  CHECK(state.inside_at(1) == 8);
  CHECK_FALSE(ExtendedState{.nx = 2}.is_more());
  CHECK(ExtendedState{.nx = 2}.size() == 2);
}

TEST_CASE("a curve that is extended keeps x inside from the time on that sees it",
          "[nonlinear][extended]") {
  const ExtendedState state = all_of_it();
  const CollocationCurve curve = parabola();
  const VecX p = Vec<3>(7, 8, 9);
  const CollocationCurve longer = state.extended(curve, p);
  const auto function = state.extended([&](double t) { return curve.x(t); }, p);
  REQUIRE(longer.values().x.rows() == state.size());
  for (const double t : {0.0, 0.2, 0.5, 0.9, 1.2, 1.6, 2.0}) {
    CAPTURE(t);
    const VecX X = longer.x(t), slope = longer.slope(t);
    CHECK((X.head(2) - curve.x(t)).norm() < 1e-14);
    CHECK((slope.head(2) - curve.slope(t)).norm() < 1e-13);
    CHECK((X.segment(2, 3) - p).norm() < 1e-14);
    CHECK(slope.segment(2, 4).norm() == 0);
    CHECK(X[5] == 0);
    for (int c = 0; c < 2; ++c) {
      const double seen = state.inside[static_cast<std::size_t>(c)];
      CHECK((X.segment(6 + 2 * c, 2) - curve.x(std::min(t, seen))).norm() < 1e-14);
    }
    CHECK((function(t) - X).norm() < 1e-13);
    CHECK(longer.carried(t)[0] == Approx(5));
  }
  // What ends when the time is over: it moves as x does before, and not after.
  CHECK((longer.slope(0.3).segment(6, 2) - curve.slope(0.3)).norm() < 1e-13);
  CHECK(longer.slope(0.9).segment(6, 2).norm() == 0);
  CHECK((longer.slope(0.9).segment(8, 2) - curve.slope(0.9)).norm() < 1e-13);
  const CollocationCurve back = state.without_more(longer);
  CHECK(back.values().x == curve.values().x);
  CHECK(back.values().slopes == curve.values().slopes);
  CHECK(back.values().carried == curve.values().carried);
  CHECK_FALSE(back.has_ends());
}

TEST_CASE("slopes at the ends of intervals go with x when it is taken out of an extended state",
          "[nonlinear][extended]") {
  const ExtendedState state = all_of_it();
  const CollocationCurve longer = state.extended(parabola(), VecX(Vec<3>(7, 8, 9)));
  CollocationValues values = longer.values();
  values.end_slopes = MatX::Random(state.size(), 6);
  values.end_carried.setConstant(1, 6, 5);
  const CollocationCurve back =
      state.without_more(CollocationCurve(longer.mesh(), longer.scheme(), values));
  REQUIRE(back.values().end_slopes.rows() == 2);
  CHECK(back.values().end_slopes == values.end_slopes.topRows(2));
}

TEST_CASE("unknown parameters are the same where they differ by rounding alone",
          "[nonlinear][extended]") {
  const ExtendedState state = all_of_it();
  for (const double p : {1.0 / 3, -7e20 / 3, 1e-4 / 3, 123456.789}) {
    CAPTURE(p);
    const double kept = ExtendedState::without_last_bits(p);
    CHECK(kept == Approx(p).epsilon(1e-13));
    // One place in the last of some 45 bits may be rounded to the other side, a second one not.
    const double below = ExtendedState::without_last_bits(std::nextafter(kept, -INFINITY)),
                 above = ExtendedState::without_last_bits(std::nextafter(kept, INFINITY));
    CHECK(below == kept);
    CHECK(above == kept);
    CHECK(ExtendedState::without_last_bits(p * (1 + 1e-12)) != kept);
    VecX X = VecX::Zero(state.size());
    X.segment(2, 3) << p, 1, -2;
    CHECK(state.unknowns(X) == Vec<3>(kept, 1, -2));
  }
  // Rounding of what is nearly zero is that of numbers around one millionth.
  CHECK(ExtendedState::without_last_bits(1e-22) == 0);
  CHECK(ExtendedState::without_last_bits(1e-9) == Approx(1e-9).epsilon(1e-6));
  CHECK(std::isinf(ExtendedState::without_last_bits(INFINITY)));
  CHECK(std::isnan(ExtendedState::without_last_bits(NAN)));
}

TEST_CASE("errors of what x is extended by are measured as given, those of x inside as of x",
          "[nonlinear][extended]") {
  const ExtendedState state = all_of_it();
  CHECK_FALSE(state.extended(ComponentSizes(), 3).are_given());
  const ComponentSizes sizes = state.extended(ComponentSizes(Vec<2>(1e-3, 2), Vec<2>(0.5, 0)), 3);
  VecX absolute(10), relative(10);
  absolute << 1e-3, 2, 3, 3, 3, 3, 1e-3, 2, 1e-3, 2;
  relative << 0.5, 0, 3, 3, 3, 3, 0.5, 0, 0.5, 0;
  CHECK(sizes.absolute() == absolute);
  CHECK(sizes.relative() == relative);
}

}  // namespace daewave::bvp
