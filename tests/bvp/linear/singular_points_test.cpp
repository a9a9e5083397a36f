// Stages that fall on a point where C B is singular.                          [AL1] H1, H2

#include <cmath>

#include "bvp/linear/pivot_dips.hpp"
#include "bvp/linear/singular_points.hpp"
#include "bvp/solve.hpp"
#include "core/derivatives/linear_derivatives.hpp"
#include "problems/al1.hpp"
#include "tests/bvp/exact_errors.hpp"
#include "tests/bvp/lone_rank.hpp"
#include "tests/catch.hpp"
#include "tests/core/singular_coefficients.hpp"

namespace daewave::bvp {
namespace {

const problems::Al1Example1 example;

/// Stages of these meshes lie exactly at t = 1/2.
struct Meeting {
  Scheme scheme;
  int stages;
  int intervals;
};
const std::vector<Meeting> meetings{{Scheme::radau, 1, 100},    {Scheme::radau, 3, 20},
                                    {Scheme::midpoint, 1, 101}, {Scheme::gauss, 3, 21},
                                    {Scheme::lobatto, 3, 20},   {Scheme::lobatto, 3, 21}};

Options meeting(const Meeting& with) {
  Options options;
  options.scheme = with.scheme;
  options.stages = with.stages;
  options.intervals = with.intervals;
  // Schemes with shared nodes take B y there from a division of the drift by epsilon: its rounding
  // would show with a smaller one.
  options.epsilon = 1e-6;
  return options;
}

}  // namespace

TEST_CASE("a few points tell where C B dips towards a singular point, and where it does not",
          "[singular]") {
  for (const double at : {0.31, 0.5, 0.83}) {
    for (const testing::SingularKind& kind : testing::singular_kinds(at)) {
      const auto problem = testing::erase(testing::singular_dae(kind, {0, 1}));
      const ConstraintScan scan = scan_constraint(*problem);
      // Beside the singular point, and in no order.
      const std::vector<double> beside{0.9, 0.1, at + 0.01, 0.7, at - 0.015, 0.2, 0.45};
      CoefficientBatch batch(problem->nx(), problem->ny(), false);
      problem->evaluate(beside.data(), static_cast<int>(beside.size()), batch);
      PivotDips dips(problem->nx(), problem->ny(), scan.reference);
      for (std::size_t i = 0; i < beside.size(); ++i) {
        const int point = static_cast<int>(i);
        dips.add(beside[i], batch, point);
      }
      CAPTURE(kind.name, at);
      CHECK(dips.any());
    }
  }
  const auto regular = testing::erase(testing::random_symmetric_dae(4, 2, 3, {0, 1}));
  PivotDips none(4, 2, scan_constraint(*regular).reference);
  CoefficientBatch batch(4, 2, false);
  std::vector<double> times;
  for (int i = 0; i <= 20; ++i) times.push_back(i / 20.0);
  regular->evaluate(times.data(), 21, batch);
  for (int i = 0; i <= 20; ++i) none.add(times[static_cast<std::size_t>(i)], batch, i);
  CHECK_FALSE(none.any());
}

TEST_CASE("a stage at the singular point is passed as if there were none", "[singular]") {
  for (const Meeting& with : meetings) {
    CAPTURE(name_of(with.scheme), with.stages, with.intervals);
    Options options = meeting(with);
    const Solution met = solve(example, options);
    INFO(met.report.full());
    REQUIRE(met.report.usable());
    REQUIRE(met.report.singular_points.size() >= 1);
    CHECK(met.report.singular_points[0].t == Approx(0.5));
    CHECK_THAT(met.report.singular_points[0].kind, contains_text("vanishing row"));
    CHECK_THAT(met.report.singular_points[0].passed_by, contains_text("symmetric limit"));
    CHECK_THAT(met.report.full(), contains_text("constraint singular at t = 0.5"));
    // One interval more and no stage meets it: the same error but for the finer step and, in the
    // limits, 1e-9 of P.
    ++options.intervals.value();
    const Solution missed = solve(example, options);
    const testing::Errors with_limit = testing::errors_of(met, example);
    const testing::Errors without = testing::errors_of(missed, example);
    CAPTURE(with_limit.x, without.x, with_limit.By, without.By);
    CHECK(with_limit.x < 1.5 * without.x + 1e-8);
    CHECK(with_limit.By < 1.5 * without.By + 1e-6);
  }
}

namespace {

/// B and C vanish as (t - 0.4)^order; x = (cos t, sin t), B y as smooth as x.
struct HighOrderZero {
  int order = 8;
  double zero(double t) const { return std::pow(t - 0.4, order); }
  Interval interval() const { return {0, 1}; }
  Mat<2, 2> A(double) const { return Mat<2, 2>{{-1, 0}, {1, 0}}; }
  Vec<2> B(double t) const { return {0, zero(t)}; }
  Mat<1, 2> C(double t) const { return {0, zero(t)}; }
  Vec<1> r(double t) const { return Vec<1>(-zero(t) * std::sin(t)); }
  Vec<2> q(double t) const {
    return {-std::sin(t) + std::cos(t), std::cos(t) - std::cos(t) + zero(t) * std::exp(t)};
  }
  Boundary boundary() const {
    return initial_conditions(MatX(Mat<1, 2>(1, 0)), VecX::Constant(1, 1));
  }
};

}  // namespace

TEST_CASE("a zero of high order is one singular point, however many stages lie beside it",
          "[singular]") {
  for (const int order : {2, 4, 8}) {
    const Solution solution = solve(HighOrderZero{order}, {.intervals = 400});
    INFO("order " << order << ": " << solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK(solution.report.singular_points.size() == 1);
    CHECK(std::abs(solution.report.singular_points[0].t - 0.4) < 0.01);
  }
}

TEST_CASE("that holds on meshes that are refined too, whatever is beside the zero", "[singular]") {
  for (const int order : {2, 3, 6}) {
    for (const double tolerance : {1e-3, 1e-5, 1e-8}) {
      const Solution solution = solve(HighOrderZero{order}, {.tolerance = tolerance});
      CAPTURE(order, tolerance, solution.report.full());
      REQUIRE(solution.report.usable());
      CHECK(solution.report.singular_points.size() == 1);
    }
  }
}

namespace {

/// B and C vanish at 1/4 and at 3/4; x = (cos t, sin t), B y as smooth as x.
struct ZerosApart {
  double zero(double t) const { return (t - 0.25) * (t - 0.75); }
  Interval interval() const { return {0, 1}; }
  Mat<2, 2> A(double) const { return Mat<2, 2>{{-1, 0}, {1, 0}}; }
  Vec<2> B(double t) const { return {0, zero(t)}; }
  Mat<1, 2> C(double t) const { return {0, zero(t)}; }
  Vec<1> r(double t) const { return Vec<1>(-zero(t) * std::sin(t)); }
  Vec<2> q(double t) const { return {-std::sin(t) + std::cos(t), zero(t) * std::exp(t)}; }
  Boundary boundary() const {
    return initial_conditions(MatX(Mat<1, 2>(1, 0)), VecX::Constant(1, 1));
  }
};

}  // namespace

TEST_CASE("singular points are told once by a rank that is alone too", "[singular][ranks]") {
  const testing::LoneRank ranks;
  for (const Communicator* const with :
       {static_cast<const Communicator*>(nullptr), static_cast<const Communicator*>(&ranks)}) {
    CAPTURE(with != nullptr);
    const Solution solution =
        solve(ZerosApart{}, {.scheme = Scheme::radau, .stages = 1, .intervals = 64, .ranks = with});
    INFO(solution.report.full());
    const std::vector<SingularPoint>& points = solution.report.singular_points;
    REQUIRE(points.size() == 2);
    CHECK(points[0].t == Approx(0.25));
    CHECK(points[1].t == Approx(0.75));
    // Of one stage each.
    for (const SingularPoint& point : points) {
      CHECK_THAT(point.passed_by, contains_text("symmetric limit"));
      CHECK_THAT(point.passed_by, !contains_text("stages up to"));
    }
  }
}

TEST_CASE("stages that are as good as singular are those of the zero beside them", "[singular]") {
  const Mesh mesh = uniform_mesh(0, 1, 20);
  const auto stage = [](double t, double pivot) {
    return SingularPoint{t, pivot, "stage", "symmetric limit"};
  };
  const auto zero = [](double t) { return SingularPoint{t, 0, "vanishing row", ""}; };
  // All of one zero, with its time and kind.
  const auto one =
      singular_points({stage(0.46, 1e-6), stage(0.49, 1e-9), stage(0.53, 1e-5)}, {zero(0.5)}, mesh);
  REQUIRE(one.size() == 1);
  CHECK(one[0].t == 0.5);
  CHECK(one[0].pivot == 0);
  CHECK(one[0].kind == "vanishing row");
  CHECK(one[0].passed_by == "symmetric limit, at 3 stages up to t = 0.53");
  // Those more than two steps apart are others; a stage at the zero keeps its own pivot.
  const auto three = singular_points({stage(0.2, 0), stage(0.31, 1e-9), stage(0.9, 1e-9)},
                                     {zero(0.2), zero(0.6)}, mesh);
  REQUIRE(three.size() == 4);
  CHECK(three[0].t == 0.2);
  CHECK(three[0].passed_by == "symmetric limit");
  CHECK(three[1].t == 0.31);
  CHECK(three[1].kind == "stage");
  CHECK(three[2].t == 0.6);
  CHECK(three[2].passed_by == "no stage lies there");
  CHECK(three[3].t == 0.9);
  // Of two zeros the closer one has the stage.
  const auto two = singular_points({stage(0.41, 1e-9)}, {zero(0.4), zero(0.43)}, mesh);
  REQUIRE(two.size() == 2);
  CHECK(two[0].passed_by == "symmetric limit");
  CHECK(two[1].passed_by == "no stage lies there");
  CHECK(singular_points({}, {}, mesh).empty());
  // Of stages alone the one with the smallest pivot.
  const auto least = singular_points({stage(0.46, 1e-6), stage(0.49, 1e-9)}, {}, mesh);
  REQUIRE(least.size() == 1);
  CHECK(least[0].t == 0.49);
  CHECK(least[0].pivot == 1e-9);
}

TEST_CASE("moving a node away from the singular point works too, and is told", "[singular]") {
  for (const Meeting& with : meetings) {
    if (with.scheme == Scheme::lobatto) continue;  // A shared node stays a stage of its neighbour.
    CAPTURE(name_of(with.scheme), with.stages, with.intervals);
    Options options = meeting(with);
    const testing::Errors limit = testing::errors_of(solve(example, options), example);
    options.singular = SingularHandling::move_node;
    const Solution moved = solve(example, options);
    INFO(moved.report.full());
    REQUIRE(moved.report.usable());
    CHECK_THAT(moved.report.singular_points[0].passed_by, contains_text("moved to"));
    const testing::Errors errors = testing::errors_of(moved, example);
    CAPTURE(limit.x, errors.x, limit.By, errors.By);
    // One step of 5/4 h next to one of 3/4 h: a symmetric scheme loses what it gains from equal
    // steps, one order of B y, in two intervals.
    CHECK(errors.x < 3 * limit.x + 1e-8);
    const double h = 1.0 / with.intervals;
    CHECK(errors.By < 3 * limit.By + h);
  }
}

TEST_CASE("where no stage meets it the singular point is reported all the same", "[singular]") {
  const Solution solution = solve(example, {.scheme = Scheme::gauss, .stages = 3, .intervals = 20});
  REQUIRE(solution.report.usable());
  REQUIRE(solution.report.singular_points.size() == 1);
  CHECK_THAT(solution.report.singular_points[0].passed_by, contains_text("no stage"));
}

TEST_CASE("alpha1 = 1 and a stage at a singular point end as singular_constraint", "[singular]") {
  for (const Meeting& with : meetings) {
    Options options = meeting(with);
    options.alpha1 = 1.0;
    const Solution solution = solve(example, options);
    CAPTURE(name_of(with.scheme), with.stages, with.intervals);
    CHECK(solution.report.termination == Termination::singular_constraint);
    CHECK_FALSE(solution.has_values());
    CHECK_THAT(solution.report.message, contains_text("t = 0.5") && contains_text("alpha1 = 0"));
  }
}

TEST_CASE("every kind of singular point is passed with the accuracy of the scheme", "[singular]") {
  for (const testing::SingularKind& kind : testing::singular_kinds(0.5)) {
    const auto problem = testing::singular_dae(kind, {0, 1});
    for (const Scheme scheme : {Scheme::radau, Scheme::gauss}) {
      // Radau ends in t = 1/2 with 20 intervals, gauss with three stages is there with 21.
      const Solution solution = solve(problem, {.scheme = scheme,
                                                .stages = 3,
                                                .intervals = scheme == Scheme::radau ? 20 : 21,
                                                .epsilon = 1e-9,
                                                .max_parasitic_growth = 1e3});
      CAPTURE(kind.name, name_of(scheme));
      INFO(solution.report.full());
      REQUIRE(solution.report.usable());
      CHECK_FALSE(solution.report.singular_points.empty());
      const testing::Errors errors = testing::errors_of(solution, problem);
      // Orders 5 and 4 of x with h = 1/20, and 3 of B y.
      CHECK(errors.x < 1e-5);
      CHECK(errors.By < 1e-2);
    }
  }
}

TEST_CASE("y does not exist where B has no full rank; B y does", "[singular]") {
  const Solution solution = solve(example, {.tolerance = 1e-6});
  REQUIRE(solution.report.usable());
  CHECK_FALSE(solution.y(0.5).has_value());
  CHECK(solution.By(0.5)[1] == Approx(-std::cos(0.5)).margin(2e-6));
  REQUIRE(solution.y(0.25).has_value());
  CHECK(solution.y(0.25).value()[0] == Approx(std::cos(0.25) / 0.5).margin(1e-5));
}

}  // namespace daewave::bvp
