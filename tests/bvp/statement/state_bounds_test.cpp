// Bounds by themselves: margins, counts, and what is told of a curve that comes to them.

#include "bvp/statement/state_bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "bvp/statement/boundary_problem.hpp"
#include "core/adapt/problem_from_functions.hpp"
#include "core/adapt/problem_of.hpp"
#include "core/error.hpp"
#include "tests/bvp/made_up_solution.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();

/// x1 >= 1 and x2 <= 5.
StateBounds two_bounds() { return {VecX{{1, -unbounded}}, VecX{{unbounded, 5}}, 2}; }

/// x1 at nodes of four intervals, straight between them; x2 = 0.
CollocationCurve through(const VecX& nodes) {
  const Mesh mesh = uniform_mesh(0, 1, 4);
  CollocationValues values;
  values.x.setZero(2, 5);
  values.x.row(0) = nodes.transpose();
  values.slopes.setZero(2, 4);
  for (int i = 0; i < 4; ++i) values.slopes(0, i) = 4 * (nodes[i + 1] - nodes[i]);
  values.carried.resize(0, 4);
  return {mesh, collocation(Scheme::gauss, 1), values};
}

/// x' = x^2 + w, 0 = w - 2 x^2.
struct Squares {
  using State = Vec<1>;
  using Algebraic = Vec<1>;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, const Algebraic& w, double) const { return State(x[0] * x[0] + w[0]); }
  Algebraic r(const State& x, const Algebraic& w, double) const {
    return Algebraic(w[0] - 2 * x[0] * x[0]);
  }
};

}  // namespace

TEST_CASE("margins are parts of how far a guess is from its bounds", "[bounds]") {
  StateBounds bounds = two_bounds();
  CHECK(bounds.low()[0] == Approx(1.01));
  CHECK(bounds.high()[1] == Approx(4.99));
  CHECK(bounds.low()[1] == -unbounded);
  CHECK(bounds.high()[0] == unbounded);
  // From 3 to 21 the guess is 20 away from 1 at the most, and 3 from 5.
  bounds.look_at(MatX{{3, 21, 5}, {2, 3, 4}});
  CHECK(bounds.low()[0] == Approx(1.2));
  CHECK(bounds.high()[1] == Approx(4.97));
  CHECK(bounds.set_margin(1e-4));
  CHECK(bounds.margin() == 1e-4);
  CHECK(bounds.low()[0] == Approx(1.002));
  CHECK(bounds.nearest(VecX{{0, 7}}) == VecX{{bounds.low()[0], bounds.high()[1]}});
  CHECK(bounds.nearest(VecX{{2, -3}}) == VecX{{2, -3}});
  // Narrower than rounding, but not nothing.
  CHECK(bounds.set_margin(1e-30));
  CHECK(bounds.low()[0] == std::nextafter(1.0, 2.0));
  CHECK(bounds.high()[1] == std::nextafter(5.0, 4.0));
  CHECK_FALSE(bounds.set_margin(1e-290));
  CHECK(bounds.margin() == 1e-30);
  // No wider than the range between two bounds.
  StateBounds narrow(VecX{{0}}, VecX{{2}}, 1);
  narrow.look_at(MatX{{1, 100}});
  CHECK(narrow.low()[0] == Approx(0.02));
  CHECK(narrow.high()[0] == Approx(1.98));
}

TEST_CASE("a step inside is a small part of the margin, and no rounding", "[bounds]") {
  StateBounds bounds = two_bounds();
  CHECK(bounds.step_inside(0, true) == Approx(1e-6).epsilon(1e-6));
  CHECK(bounds.step_inside(1, false) == Approx(-1e-6).epsilon(1e-6));
  CHECK(bounds.set_margin(1e-15));
  CHECK(bounds.step_inside(0, true) > 1e-12);
  CHECK(bounds.step_inside(1, false) < -1e-12);
}

TEST_CASE("bounds of another size, or with nothing between them, are refused", "[bounds]") {
  CHECK_THROWS_WITH(StateBounds(VecX::Zero(3), VecX(), 2), contains_text("lower: has 3 entries"));
  CHECK_THROWS_WITH(StateBounds(VecX(), VecX::Zero(1), 2), contains_text("upper: has 1 entries"));
  CHECK_THROWS_WITH(StateBounds(VecX{{0, 2}}, VecX{{1, 2}}, 2),
                    contains_text("lower[1] = 2, upper[1] = 2: must leave a range"));
}

TEST_CASE("the bound that holds most points back is named with their part", "[bounds]") {
  StateBounds bounds = two_bounds();
  CHECK(bounds.most_active().empty());
  bounds.count(200);
  bounds.count_beyond(0, true, 9);
  CHECK(bounds.most_active().empty());
  bounds.count_beyond(0, true, 41);
  CHECK(bounds.most_active() == "x1 >= 1 held x back at 25 % of the points");
  bounds.count_beyond(1, false, 120);
  CHECK(bounds.most_active() == "x2 <= 5 held x back at 60 % of the points");
  bounds.forget_counts();
  CHECK(bounds.most_active().empty());
}

TEST_CASE("a curve is beyond margins where a node or a stage is", "[bounds]") {
  const StateBounds bounds = two_bounds();
  CHECK_FALSE(bounds.is_beyond_margins(through(VecX{{2, 3, 4, 3, 2}})));
  CHECK(bounds.is_beyond_margins(through(VecX{{2, 3, 4, 3, 1.005}})));
  // At the stage in the middle alone.
  CollocationCurve curve = through(VecX{{2, 2, 2, 2, 2}});
  CollocationValues values = curve.values();
  values.slopes(0, 2) = -8;
  CHECK(bounds.is_beyond_margins({curve.mesh(), curve.scheme(), values}));
  CHECK(states_at_stages({curve.mesh(), curve.scheme(), values}, 2)(0, 0) == Approx(1));
}

TEST_CASE("bounds are those of the first rows of a curve, which may have more", "[bounds]") {
  const StateBounds bounds(VecX{{1}}, VecX{{5}}, 1);
  // The second row is 0 all along.
  CHECK_FALSE(bounds.is_beyond_margins(through(VecX{{2, 3, 4, 3, 2}})));
  CHECK(bounds.is_beyond_margins(through(VecX{{2, 3, 4, 3, 1.005}})));
  CHECK(bounds.is_beyond_margins(through(VecX{{2, 3, 4.999, 3, 2}})));
}

TEST_CASE("states at stages are those of the method, of any number of them", "[bounds]") {
  const Mesh mesh({0, 0.5, 2});
  for (const Scheme family : {Scheme::gauss, Scheme::radau}) {
    const Collocation scheme = collocation(family, 3);
    // x = (t^2, 1 - t): of slopes that are no more than straight stages are exact.
    CollocationValues values;
    values.x.resize(2, 3);
    values.slopes.resize(2, 6);
    values.carried.resize(0, 6);
    for (int i = 0; i <= 2; ++i) {
      values.x.col(i) << mesh.node(i) * mesh.node(i), 1 - mesh.node(i);
    }
    const CollocationCurve times(mesh, scheme, values);
    for (int stage = 0; stage < 6; ++stage) {
      values.slopes.col(stage) << 2 * times.stage_time(stage / 3, stage % 3), -1;
    }
    const CollocationCurve curve(mesh, scheme, values);
    for (int i = 0; i < 2; ++i) {
      const MatX x = states_at_stages(curve, i);
      for (int j = 0; j < 3; ++j) {
        const double t = curve.stage_time(i, j);
        CAPTURE(name_of(family), i, j);
        CHECK((x.col(j) - Vec<2>(t * t, 1 - t)).norm() < 1e-13);
      }
    }
  }
}

TEST_CASE("a solution that leaves a bound, or stays on one, is told with place and value",
          "[bounds]") {
  const StateBounds bounds = two_bounds();
  const VecX allowed = VecX::Constant(2, 1e-3);
  const auto inside = bounds.tell(through(VecX{{2, 1.5, 1.2, 1.5, 2}}), allowed);
  CHECK(inside.left.empty());
  CHECK(inside.on_bound.empty());
  const auto left = bounds.tell(through(VecX{{2, 1.5, 0.8, 0.9, 2}}), allowed);
  CHECK(left.left == "x1 >= 1: the solution leaves this bound, to 0.8 at t = 0.5");
  CHECK(bounds.tell(through(VecX{{2, 1.5, 1 - 0.9e-3, 1.5, 2}}), allowed).left.empty());
  const auto on = bounds.tell(through(VecX{{1, 1, 1, 1.5, 2}}), allowed);
  REQUIRE(on.on_bound.size() == 1);
  CHECK_THAT(on.on_bound[0], contains_text("from t = 0 to 0.5"));
  const auto twice = bounds.tell(through(VecX{{1, 1, 2, 1, 1}}), allowed);
  REQUIRE(twice.on_bound.size() == 1);
  CHECK_THAT(twice.on_bound[0], contains_text("from t = 0 to 0.25, and 1 more time(s)"));
  CollocationValues values = through(VecX::Constant(5, 2)).values();
  values.x(1, 4) = 5.5;
  const auto above =
      bounds.tell({uniform_mesh(0, 1, 4), collocation(Scheme::gauss, 1), values}, allowed);
  CHECK(above.left == "x2 <= 5: the solution leaves this bound, to 5.5 at t = 1");
}

TEST_CASE("beyond bounds of positions and of velocities f goes on along its tangents of both",
          "[bounds]") {
  // q'' = (q1^2 + v2^3, q2 v1) - B y with a constraint that nothing is asked of.
  ProblemFunctions of;
  of.kind = Kind::second_order;
  of.sizes = {.nq = 2, .ny = 1};
  of.B = [](const Points& at, double* out) { std::fill_n(out, 2 * at.count, 1.0); };
  of.g = [](const Points& at, double* out) { std::copy_n(at.q, at.count, out); };
  of.f = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      const auto q = [&](int i) { return at.q[i * at.stride + p]; };
      const auto v = [&](int i) { return at.v[i * at.stride + p]; };
      out[p] = q(0) * q(0) + std::pow(v(1), 3);
      out[at.count + p] = q(1) * v(0);
    }
  };
  of.differences = true;
  // q1 <= 2 and v2 >= 1, with margins of a hundredth of one.
  const auto bounds = std::make_shared<StateBounds>(VecX{{-unbounded, -unbounded, -unbounded, 1}},
                                                    VecX{{2, unbounded, unbounded, unbounded}}, 4);
  const DaeProblemPtr guarded = within_bounds(problem_from_functions(of), bounds);
  const double high = bounds->high()[0], low = bounds->low()[3];
  const auto f = [&](double q1, double q2, double v1, double v2) {
    // Side by side with a point that is within.
    const double t[] = {0, 0}, q[] = {1, q1, 5, q2}, v[] = {3, v1, 2, v2};
    const auto evaluation = guarded->evaluation();
    const Terms& terms = evaluation->evaluate(Ask::f, Points{2, 2, t, q, v, nullptr});
    CHECK(terms.f[0] == Approx(1 + 8));
    CHECK(terms.f[terms.stride] == Approx(15));
    return Vec<2>(terms.f[1], terms.f[terms.stride + 1]);
  };
  CHECK(f(1.5, 7, 0.5, 4)[0] == Approx(2.25 + 64));
  const double of_q = high * high + 2 * high * (5 - high);
  const double of_v = std::pow(low, 3) + 3 * low * low * (-3 - low);
  CHECK(f(5, 7, 0.5, 4)[0] == Approx(of_q + 64).epsilon(1e-5));
  CHECK(f(1.5, 7, 0.5, -3)[0] == Approx(2.25 + of_v).epsilon(1e-5));
  CHECK(f(5, 7, 0.5, -3)[0] == Approx(of_q + of_v).epsilon(1e-5));
  CHECK(f(5, 7, 0.5, -3)[1] == Approx(3.5));
}

TEST_CASE("beyond bounds equations without a derivative go on along their tangents as f does",
          "[bounds]") {
  const auto bounds = std::make_shared<StateBounds>(VecX{{-unbounded}}, VecX{{2}}, 1);
  const auto evaluation = within_bounds(problem_of(Squares{}), bounds)->evaluation();
  const double high = bounds->high()[0], t[] = {0, 0}, x[] = {1, 5}, w[] = {3, 4};
  const Terms& both = evaluation->evaluate(Ask::f | Ask::r, Points{2, 2, t, x, nullptr, w});
  const double square = high * high + 2 * high * (5 - high);
  CHECK(both.f[0] == Approx(1 + 3));
  CHECK(both.f[1] == Approx(square + 4).epsilon(1e-5));
  CHECK(both.r[0] == Approx(3 - 2));
  CHECK(both.r[1] == Approx(4 - 2 * square).epsilon(1e-5));
  const Terms& alone = evaluation->evaluate(Ask::r, Points{2, 2, t, x, nullptr, w});
  CHECK(alone.r[1] == Approx(4 - 2 * square).epsilon(1e-5));
}

TEST_CASE("an integrand is taken within the bounds", "[bounds]") {
  BoundaryProblem problem;
  problem.equations = problem_of(Squares{});
  problem.integrand = [](const VecX& x, double t) { return VecX{{x[0] + t}}; };
  const auto bounds = std::make_shared<StateBounds>(VecX{{-unbounded}}, VecX{{2}}, 1);
  const BoundaryProblem guarded = within_bounds(problem, bounds);
  CHECK(guarded.integrand(VecX{{1}}, 0.5)[0] == 1.5);
  CHECK(guarded.integrand(VecX{{7}}, 0.5)[0] == bounds->high()[0] + 0.5);
}

TEST_CASE("each bound counts the points that are beyond it", "[bounds]") {
  ProblemFunctions of;
  of.kind = Kind::ordinary;
  of.sizes = {.nq = 2};
  of.f = [](const Points& at, double* out) { std::fill_n(out, 2 * at.count, 0.0); };
  of.differences = true;
  const auto bounds = std::make_shared<StateBounds>(VecX{{-1, -unbounded}}, VecX{{1, 3}}, 2);
  const auto evaluation = within_bounds(problem_from_functions(of), bounds)->evaluation();
  const double t[] = {0, 0, 0, 0};
  const auto held = [&](const std::vector<double>& x1, const std::vector<double>& x2) {
    std::vector<double> x = x1;
    x.insert(x.end(), x2.begin(), x2.end());
    bounds->forget_counts();
    evaluation->evaluate(Ask::f, Points{4, 4, t, x.data(), nullptr, nullptr});
    return bounds->most_active();
  };
  CHECK(held({0, 0.5, -0.5, 0}, {0, 2, -20, 1}).empty());
  CHECK(held({0, 2, -0.5, 0}, {0, 2, -20, 1}) == "x1 <= 1 held x back at 25 % of the points");
  CHECK(held({0, -2, -3, 2}, {4, 2, 0, 1}) == "x1 >= -1 held x back at 50 % of the points");
  CHECK(held({0, -2, -3, 2}, {4, 5, 6, 1}) == "x2 <= 3 held x back at 75 % of the points");
}

}  // namespace daewave::bvp
