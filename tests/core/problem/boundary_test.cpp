#include "core/problem/boundary.hpp"

#include <limits>

#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave {
namespace {

// Three components, one constraint x1 + x2 = .., hence two conditions.
const MatX constraint{{1, 1, 0}};

Boundary good() { return {MatX{{1, 0, 0}, {0, 0, 0}}, MatX{{0, 0, 0}, {0, 0, 1}}, VecX{{1, 2}}}; }

void check_refused(const Boundary& boundary, const MatX& C0, const std::vector<std::string>& says) {
  CHECK_THROWS_AS(check_boundary(boundary, C0, 0.25), InvalidProblem);
  for (const std::string& text : says) {
    CHECK_THROWS_WITH(check_boundary(boundary, C0, 0.25), contains_text(text));
  }
}

}  // namespace

TEST_CASE("conditions that determine the solution pass", "[boundary]") {
  CHECK_NOTHROW(check_boundary(good(), constraint, 0));
  CHECK_NOTHROW(
      check_boundary({MatX{{1, 0, 0}}, MatX{{0, 0, 1}}, VecX{{0}}}, MatX{{1, 1, 0}, {0, 1, 1}}, 0));
  // As many constraints as components leave nothing to be given.
  CHECK_NOTHROW(check_boundary({MatX(0, 2), MatX(0, 2), VecX(0)}, MatX::Identity(2, 2), 0));
}

TEST_CASE("conditions in any units are as good", "[boundary]") {
  Boundary boundary = good();
  boundary.B0.row(0) *= 1e-20;
  boundary.B1.row(1) *= 1e20;
  CHECK_NOTHROW(check_boundary(boundary, 1e-18 * constraint, 0));
}

TEST_CASE("too few and too many conditions are counted", "[boundary]") {
  check_refused({MatX{{1, 0, 0}}, MatX::Zero(1, 3), VecX{{1}}}, constraint,
                {"1 condition(s)", "too few", "3 - 1 = 2", "t = 0.25"});
  check_refused({MatX::Identity(3, 3), MatX::Zero(3, 3), VecX::Zero(3)}, constraint,
                {"3 condition(s)", "too many", "= 2"});
  check_refused({MatX(0, 3), MatX(0, 3), VecX(0)}, constraint, {"0 condition(s)", "too few"});
}

TEST_CASE("wrong shapes are told with the right ones", "[boundary]") {
  Boundary boundary = good();
  boundary.B0.resize(2, 2);
  check_refused(boundary, constraint, {"B0 is 2 x 2", "must be 2 x 3"});
  boundary = good();
  boundary.B1.resize(3, 3);
  check_refused(boundary, constraint, {"B1 is 3 x 3", "must be 2 x 3"});
}

TEST_CASE("entries that are not finite are refused by name", "[boundary]") {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Boundary boundary = good();
    boundary.B0(1, 2) = bad;
    check_refused(boundary, constraint, {"B0", "not finite"});
    boundary = good();
    boundary.B1(0, 0) = bad;
    check_refused(boundary, constraint, {"B1", "not finite"});
    boundary = good();
    boundary.beta[1] = bad;
    check_refused(boundary, constraint, {"beta", "not finite"});
  }
}

TEST_CASE("conditions that depend on each other are refused", "[boundary]") {
  Boundary boundary = good();
  boundary.B0.row(1) = 2 * boundary.B0.row(0);
  boundary.B1.row(1) = 2 * boundary.B1.row(0);
  check_refused(boundary, constraint, {"rank 1 of 2", "depend on each other"});
  boundary = good();
  boundary.B1.row(1).setZero();  // An empty row says nothing.
  check_refused(boundary, constraint, {"rank 1 of 2"});
}

TEST_CASE("a condition that repeats the constraint at the begin is refused", "[boundary]") {
  Boundary boundary = good();
  boundary.B0.row(0) = -3 * constraint;
  check_refused(boundary, constraint, {"rank 1 of 2", "repeats what the constraint says", "0.25"});
  // Together, too: with x1 and x2 given at the begin nothing is left for the constraint.
  boundary = {MatX{{1, 0, 0}, {0, 1, 0}}, MatX::Zero(2, 3), VecX::Zero(2)};
  check_refused(boundary, constraint, {"rank 2 of 3", "repeats"});
}

TEST_CASE("a constraint that is singular at the begin is refused", "[boundary]") {
  check_refused(good(), MatX::Zero(1, 3),
                {"rank 0 of 1", "must not be singular", "earlier or later"});
  check_refused({MatX{{1, 0, 0}}, MatX{{0, 0, 1}}, VecX{{0}}}, MatX{{1, 1, 0}, {2, 2, 0}},
                {"rank 1 of 2"});
}

TEST_CASE("the side of a condition is read off its rows", "[boundary]") {
  Boundary boundary = good();
  CHECK(side_of(boundary, 0) == ConditionSide::left);
  CHECK(side_of(boundary, 1) == ConditionSide::right);
  boundary.B0(1, 1) = 1e-300;
  CHECK(side_of(boundary, 1) == ConditionSide::coupled);
  const Boundary initial = initial_conditions(MatX{{1, 2}}, VecX{{3}});
  CHECK(initial.B1.isZero(0));
  CHECK(side_of(initial, 0) == ConditionSide::left);
}

}  // namespace daewave
