// Systems at many points at once: what they give point by point.

#include <algorithm>
#include <cmath>
#include <random>

#include "bvp/equations/batch_differences.hpp"
#include "bvp/equations/columns_in_one_call.hpp"
#include "bvp/equations/iterate_systems.hpp"
#include "bvp/nonlinear/solve.hpp"
#include "core/adapt/problem_from_functions.hpp"
#include "core/adapt/problem_of.hpp"
#include "problems/al2.hpp"
#include "problems/bent_beams.hpp"
#include "problems/index_one.hpp"
#include "problems/pendulum.hpp"
#include "problems/slider_crank.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::bvp {
namespace {

/// States around `near`, more than a register holds and not as many as fill the last one.
void check_batch(IterateSystem& system, const VecX& near, double apart, int points) {
  const int nx = system.nx(), nc = system.carried(), stride = points + 3;
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto size = [stride](int rows) { return static_cast<std::size_t>(rows * stride); };
  std::vector<double> t(points), x(size(nx)), before(size(nc)), slope(size(nx)), carried(size(nc)),
      J(size(nx * nx));
  for (int p = 0; p < points; ++p) {
    t[p] = 0.1 * p;
    for (int i = 0; i < nx; ++i) x[i * stride + p] = near[i] + apart * uniform(random);
    for (int i = 0; i < nc; ++i) before[i * stride + p] = uniform(random);
  }
  const IteratePoints at{points, stride, t.data(), x.data(), before.data()};
  std::string failure;
  double drift = 0, most = 0;
  REQUIRE(system.evaluate_batch(at, slope.data(), carried.data(), &drift, failure));
  const VecX weight = VecX::Ones(nx);
  REQUIRE(system.jacobian_batch(at, slope.data(), carried.data(), weight, J.data(), failure));
  const auto copy = system.clone();
  REQUIRE(copy);
  for (int p = 0; p < points; ++p) {
    VecX state(nx), given(nc), rate(nx), left = VecX::Zero(nc);
    for (int i = 0; i < nx; ++i) state[i] = x[i * stride + p];
    for (int i = 0; i < nc; ++i) given[i] = before[i * stride + p];
    REQUIRE(copy->evaluate(state, t[p], given, rate, left));
    most = std::max(most, copy->drift());
    MatX one(nx, nx);
    REQUIRE(copy->jacobian(state, t[p], given, rate, left, weight, one));
    const double scale = rate.cwiseAbs().maxCoeff(), slopes = one.cwiseAbs().maxCoeff();
    for (int i = 0; i < nx; ++i) {
      CHECK(slope[i * stride + p] == Approx(rate[i]).epsilon(1e-11).margin(1e-11 * scale));
    }
    for (int i = 0; i < nc; ++i) {
      CHECK(carried[i * stride + p] == Approx(left[i]).epsilon(1e-9).margin(1e-11 * scale));
    }
    for (int e = 0; e < nx * nx; ++e) {
      CHECK(J[e * stride + p] == Approx(one.reshaped()[e]).margin(1e-5 * slopes));
    }
  }
  CHECK(drift == Approx(most).epsilon(1e-12));
}

void check_forms(const DaeProblem& problem, const std::vector<Regularization>& forms,
                 const VecX& near) {
  for (const Regularization& form : forms) {
    for (const int points : {1, 3, 8, 21}) {
      CAPTURE(problem.name(), name_of(form.variant), name_of(form.weight), form.alpha1, points);
      check_batch(*iterate_system(problem, form), near, 0.01, points);
    }
  }
}

/// x' = w1 w2 - x, 0 = w1 + w2^3 - x, 0 = w2 - sin(w1) / 2 - t: two unknowns that are not free of
/// each other.
struct Coupled {
  using State = Vec<1>;
  using Algebraic = Vec<2>;

  Interval interval() const { return {0, 1}; }
  State f(const State& x, const Algebraic& w, double) const { return State{w[0] * w[1] - x[0]}; }
  Algebraic r(const State& x, const Algebraic& w, double t) const {
    return {w[0] + w[1] * w[1] * w[1] - x[0], w[1] - 0.5 * std::sin(w[0]) - t};
  }
  Vec<1> conditions(const State& left, const State&) const { return left; }
};
/// The same with its derivatives.
struct CoupledKnown : Coupled {
  Mat<1, 1> f_x(const State&, const Algebraic&, double) const { return Mat<1, 1>{-1.0}; }
  Mat<1, 2> f_w(const State&, const Algebraic& w, double) const { return {w[1], w[0]}; }
  Mat<2, 1> r_x(const State&, const Algebraic&, double) const { return {-1, 0}; }
  Mat<2, 2> r_w(const State&, const Algebraic& w, double) const {
    return Mat<2, 2>{{1, 3 * w[1] * w[1]}, {-0.5 * std::cos(w[0]), 1}};
  }
};

/// Two states, x' = 2 x + before; leaves three times what was found there before, and one more.
class PointByPoint final : public IterateSystem {
 public:
  int nx() const override { return 2; }
  int carried() const override { return 1; }
  bool evaluate(const VecX& x, double, const VecX& before, VecX& slope, VecX& carried) override {
    slope = 2 * x + VecX::Constant(2, before[0]);
    carried[0] = 3 * carried[0] + 1;
    return true;
  }
  bool jacobian(const VecX&, double, const VecX&, const VecX&, const VecX&, const VecX&,
                MatX& J) override {
    J = 2 * MatX::Identity(2, 2);
    return true;
  }
  std::string failure() const override { return {}; }
};

}  // namespace

TEST_CASE("a system that goes point by point begins each where it was last found", "[nonlinear]") {
  PointByPoint system;
  constexpr int points = 3, stride = 4;
  const double t[points] = {0, 1, 2}, before[stride] = {10, 20, 30, 0};
  const double x[2 * stride] = {1, 2, 3, 0, 4, 5, 6, 0};
  double slope[2 * stride], carried[stride] = {7, 8, 9, 0};
  std::string failure;
  REQUIRE(system.evaluate_batch({points, stride, t, x, before}, slope, carried, nullptr, failure));
  for (int p = 0; p < points; ++p) {
    CHECK(slope[p] == 2 * x[p] + before[p]);
    CHECK(slope[stride + p] == 2 * x[stride + p] + before[p]);
    CHECK(carried[p] == 3 * (7 + p) + 1);
  }
}

TEST_CASE("unknowns of index 1 are found at all points of a batch, with what they make of J",
          "[nonlinear]") {
  const auto differenced = problem_of(Coupled{}), known = problem_of(CoupledKnown{});
  const auto by_differences = implicit_system(*differenced), by_hand = implicit_system(*known);
  check_batch(*by_differences, VecX::Constant(1, 0.7), 0.3, 11);
  check_batch(*by_hand, VecX::Constant(1, 0.7), 0.3, 11);
  constexpr int points = 5;
  // From far away at one of them.
  const double t[points] = {0, 0.1, 0.2, 0.3, 0.4}, x[points] = {0.1, 0.5, 0.9, 1.3, 1.7};
  double w[2 * points] = {0, 0, 5, 0, 0, 0, 0, 2, 0, 0}, slope[points], J[points], other[points];
  std::string failure;
  const IteratePoints at{points, points, t, x, nullptr};
  REQUIRE(by_differences->evaluate_batch(at, slope, w, nullptr, failure));
  const VecX weight = VecX::Ones(1);
  REQUIRE(by_differences->jacobian_batch(at, slope, w, weight, J, failure));
  REQUIRE(by_hand->jacobian_batch(at, slope, w, weight, other, failure));
  const Coupled problem;
  for (int p = 0; p < points; ++p) {
    const Vec<1> state{x[p]};
    const Vec<2> found{w[p], w[points + p]};
    CHECK(problem.r(state, found, t[p]).cwiseAbs().maxCoeff() < 1e-13);
    CHECK(slope[p] == problem.f(state, found, t[p])[0]);
    CHECK(J[p] == Approx(other[p]).epsilon(1e-6));
  }
  const double nowhere[points] = {0.1, 0.5, std::nan(""), 1.3, 1.7};
  CHECK_FALSE(
      by_hand->evaluate_batch({points, points, t, nowhere, nullptr}, slope, w, nullptr, failure));
  CHECK_THAT(failure, contains_text("at t = 0.2: r is not finite"));
}

TEST_CASE("a batch of an ordinary equation and of index 1 is its points", "[nonlinear]") {
  const auto elastica = problem_of(problems::Elastica{});
  check_batch(*ordinary_system(*elastica), problems::Elastica{}.guess(0.1), 0.1, 13);
  const auto layer = problem_of(problems::IndexOneLayer{});
  check_batch(*implicit_system(*layer), Vec<2>(1, 2), 0.1, 13);
}

TEST_CASE("a batch of a regularized problem is its points, in every form", "[nonlinear]") {
  const auto form = [](Variant variant, double alpha1, Weight weight = Weight::inverse) {
    Regularization one;
    one.variant = variant;
    one.alpha1 = alpha1;
    one.weight = weight;
    one.epsilon = 1e-2;
    return one;
  };
  const std::vector<Regularization> of_3{
      form(Variant::invariant, 0),         form(Variant::invariant, 0, Weight::identity),
      form(Variant::baumgarte_form, 1),    form(Variant::baumgarte_form, 1, Weight::identity),
      form(Variant::invariant_reduced, 0), form(Variant::singular, 0)};
  check_forms(*problem_of(problems::Pendulum{}), of_3, Vec<4>(0.6, -0.8, 1, 0.5));
  const problems::SliderCrank crank;
  check_forms(*problem_of(crank), of_3, crank.start());
  const std::vector<Regularization> of_2{form(Variant::direct, 1), form(Variant::direct, 0),
                                         form(Variant::singular, 0),
                                         form(Variant::singular_linear, 0)};
  const problems::Al2Example61 example;
  check_forms(*problem_of(example), of_2, example.z_exact(0.2));
}

TEST_CASE("points of a batch at which constraints are dependent are done by themselves",
          "[nonlinear]") {
  const auto pendulum = problem_of(problems::Pendulum{});
  Regularization form;
  form.variant = Variant::singular;
  const auto system = iterate_system(*pendulum, form);
  constexpr int points = 9;
  double t[points] = {}, x[4 * points], before[2 * points] = {}, slope[4 * points],
         carried[2 * points] = {};
  for (int p = 0; p < points; ++p) {
    const double length = p == 4 ? 0 : 1;  // G = q^T vanishes.
    x[p] = 0.6 * length;
    x[points + p] = -0.8 * length;
    x[2 * points + p] = x[3 * points + p] = 1;
  }
  std::string failure;
  const IteratePoints at{points, points, t, x, before};
  REQUIRE(system->evaluate_batch(at, slope, carried, nullptr, failure));
  VecX rate(4), left = VecX::Zero(2);
  REQUIRE(system->evaluate(Vec<4>(0, 0, 1, 1), 0, Vec<2>::Zero(), rate, left));
  for (int i = 0; i < 4; ++i) CHECK(slope[i * points + 4] == Approx(rate[i]));
  x[points + 2] = std::nan("");
  CHECK_FALSE(system->evaluate_batch(at, slope, carried, nullptr, failure));
  CHECK_THAT(failure, contains_text("not finite"));
}

TEST_CASE("all columns in one call are the columns of one call each", "[nonlinear][batches]") {
  // The second entry is lost in rounding where it is moved by a part of its size, the third not.
  const VecX weight{{1, 1e-12, 1e-3}};
  constexpr int nx = 3, points = 5, stride = 8;
  std::vector<double> t(points), x(nx * stride), F(nx * stride);
  for (int p = 0; p < points; ++p) {
    t[p] = 0.2 * p;
    x[p] = 1 + 0.1 * p;
    x[stride + p] = 1e-13 * p;
    x[2 * stride + p] = -0.3 * p;
  }
  int calls = 0;
  const auto function = [&](const IteratePoints& at, double* to) {
    ++calls;
    for (int p = 0; p < at.count; ++p) {
      const double a = at.x[p], b = at.x[at.stride + p], c = at.x[2 * at.stride + p];
      to[p] = std::sin(a) + b + at.t[p] * c;
      to[at.stride + p] = a * b + 1e3;
      to[2 * at.stride + p] = c * c - b;
    }
    return true;
  };
  const IteratePoints at{points, stride, t.data(), x.data(), nullptr};
  REQUIRE(function(at, F.data()));
  std::vector<double> each(nx * nx * stride), together(nx * nx * stride);
  const auto rows = [&](const IteratePoints& points_at, double* to) {
    function(points_at, to);
    return RowsOfValues{to, points_at.stride};
  };
  std::string failure;
  REQUIRE(BatchDifferences().columns(at, nx, F.data(), weight, rows, each.data(), failure));
  calls = 0;
  REQUIRE(ColumnsInOneCall().columns(at, nx, F.data(), weight, function, together.data()));
  CHECK(calls == 1);
  std::vector<double> value(nx * stride), beside(nx * nx * stride), further(nx * stride);
  REQUIRE(ColumnsInOneCall().values_and_columns(at, nx, weight, function, value.data(),
                                                beside.data(), at, further.data()));
  CHECK(calls == 2);
  for (int p = 0; p < points; ++p) {
    for (int e = 0; e < nx * nx; ++e) {
      CHECK(together[e * stride + p] == each[e * stride + p]);
      CHECK(beside[e * stride + p] == each[e * stride + p]);
    }
    for (int i = 0; i < nx; ++i) {
      CHECK(value[i * stride + p] == F[i * stride + p]);
      CHECK(further[i * stride + p] == F[i * stride + p]);
    }
  }
}

TEST_CASE("a solve whose calls are dear finds the same in a third of the calls",
          "[nonlinear][batches]") {
  int calls[2] = {};
  Solution found[2];
  for (const bool dear : {false, true}) {
    ProblemFunctions layer{
        .kind = Kind::ordinary, .sizes = {.nq = 2}, .differences = true, .dear_calls = dear};
    layer.f = [&count = calls[dear ? 1 : 0]](const Points& at, double* f) {
      ++count;
      for (int p = 0; p < at.count; ++p) {
        f[p] = at.q[at.stride + p];
        f[at.count + p] = 100 * at.q[p] + at.q[p] * at.q[p];
      }
    };
    BoundaryProblem problem;
    problem.equations = problem_from_functions(layer);
    problem.interval = {0, 1};
    problem.conditions = [](const VecX& left, const VecX& right) -> VecX {
      return VecX{{left[0], right[0] - 1}};
    };
    found[dear ? 1 : 0] = solve(problem, {.tolerance = 1e-8});
    REQUIRE(found[dear ? 1 : 0].report.usable());
  }
  CHECK(calls[0] >= 3 * calls[1]);
  for (const double t : {0.0, 0.1, 0.5, 0.93, 1.0}) {
    CHECK((found[0].x(t) - found[1].x(t)).cwiseAbs().maxCoeff() < 2e-7);
  }
}

TEST_CASE("what a system linearizes in one call is what it does in two", "[nonlinear][batches]") {
  // x' = (y, -exp(x)), as from another language.
  int calls = 0;
  ProblemFunctions bratu{.kind = Kind::ordinary, .sizes = {.nq = 2}, .differences = true};
  bratu.f = [&calls](const Points& at, double* f) {
    ++calls;
    for (int p = 0; p < at.count; ++p) {
      f[p] = at.q[at.stride + p];
      f[at.count + p] = -std::exp(at.q[p]);
    }
  };
  constexpr int points = 3;
  const double t[points] = {0, 0.5, 1}, x[2 * points] = {0.1, 0.2, 0.3, 1, 0, -1};
  const VecX weight{{0.3, 1}};
  const IteratePoints at{points, points, t, x, nullptr};
  std::string failure;
  for (const bool dear : {false, true}) {
    bratu.dear_calls = dear;
    const auto problem = problem_from_functions(bratu);
    const auto system = ordinary_system(*problem);
    CHECK(system->leaves_slopes_alone());
    double slope[2 * points], J[4 * points], slope_alone[2 * points], J_alone[4 * points];
    REQUIRE(system->evaluate_batch(at, slope_alone, nullptr, nullptr, failure));
    REQUIRE(system->jacobian_batch(at, slope_alone, nullptr, weight, J_alone, failure));
    calls = 0;
    double beyond[2 * points];
    REQUIRE(system->linearize_batch({at, slope}, weight, J, {at, beyond}, failure));
    CHECK(calls == (dear ? 1 : 4));
    CHECK(std::equal(beyond, beyond + 2 * points, slope_alone));
    CHECK(std::equal(slope, slope + 2 * points, slope_alone));
    CHECK(std::equal(J, J + 4 * points, J_alone));
  }
}

}  // namespace daewave::bvp
