// What is chosen for a linear problem where the options leave it open, and what is told of it.

#include "bvp/linear/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <string>

#include "bvp/linear/solve.hpp"
#include "core/error.hpp"
#include "core/time/mesh.hpp"
#include "problems/lin.hpp"
#include "tests/bvp/growing_mode.hpp"
#include "tests/bvp/rotating_projector.hpp"
#include "tests/catch.hpp"
#include "tests/core/singular_coefficients.hpp"

namespace daewave::bvp {
namespace {

/// x' = A x - B y with C = (1, 0) and B = (1, 0)^T, on [0, length]; C_t and r_t are known.
struct Plain {
  MatX A_of = MatX::Zero(2, 2);
  double length = 1;
  Interval interval() const { return {0, length}; }
  Boundary boundary() const { return {MatX{{0, 1}}, MatX{{0, 0}}, VecX{{0.0}}}; }
  MatX A(double) const { return A_of; }
  MatX B(double) const { return MatX{{1.0}, {0.0}}; }
  VecX q(double) const { return VecX::Zero(2); }
  MatX C(double) const { return MatX{{1, 0}}; }
  VecX r(double) const { return VecX::Zero(1); }
  MatX C_t(double) const { return MatX::Zero(1, 2); }
  VecX r_t(double) const { return VecX::Zero(1); }
};

std::shared_ptr<const LinearDae> plain_problem(MatX A, double length) {
  Plain problem;
  problem.A_of = std::move(A);
  problem.length = length;
  return erase(problem);
}

Chosen chosen(const LinearDae& problem, const Options& options = {}) {
  return choose(problem, options, scan_constraint(problem));
}

Chosen chosen_for_plain(const Options& options, double length = 1) {
  return chosen(*plain_problem(MatX::Zero(2, 2), length), options);
}

const Choice& choice(const Chosen& of, const std::string& name) {
  for (const Choice& made : of.choices) {
    if (made.name == name) return made;
  }
  FAIL("no choice of " << name);
  return of.choices.front();
}

bool is_made(const Chosen& of, const std::string& name) {
  for (const Choice& made : of.choices) {
    if (made.name == name) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("constraints that can be differentiated get the form without a layer and gauss",
          "[choice]") {
  const Chosen made = chosen_for_plain({});
  CHECK(made.setting.regularization.alpha1 == 1);
  CHECK(made.setting.regularization.alpha2 == 1);
  CHECK(made.setting.regularization.weight == Weight::inverse);
  CHECK(made.setting.regularization.epsilon == 1e-12);
  CHECK(made.setting.scheme.scheme == Scheme::gauss);
  CHECK_FALSE(made.shooting_back);
  CHECK_FALSE(is_made(made, "shooting_back"));
  CHECK_FALSE(is_made(made, "singular"));
  CHECK(made.refusal.empty());
  CHECK(std::isinf(made.largest_step));
  CHECK(made.parasitic_growth == 1);
  for (const char* name : {"weight", "alpha1", "alpha2", "scheme", "stages", "epsilon", "tolerance",
                           "intervals", "iterates", "linear_solver"}) {
    CAPTURE(name);
    CHECK_FALSE(choice(made, name).by_user);
    CHECK_FALSE(choice(made, name).reason.empty());
  }
}

TEST_CASE("the form with a layer is taken where the other cannot be, or is not what was meant",
          "[choice]") {
  const auto reason_of = [](const Chosen& made) { return choice(made, "alpha1").reason; };
  const auto has_layer = [](const Chosen& made) {
    CHECK(made.setting.regularization.alpha1 == 0);
    CHECK(made.shooting_back);
    CHECK(choice(made, "shooting_back").value == "where a layer is left");
  };
  const Chosen no_derivatives = chosen(*erase(testing::growing_mode(1, 1)));
  has_layer(no_derivatives);
  CHECK(reason_of(no_derivatives) == "the problem gives no C_t and r_t");
  CHECK(no_derivatives.setting.scheme.scheme == Scheme::radau);
  CHECK(no_derivatives.setting.regularization.epsilon == 1e-10);
  const auto kinds = testing::singular_kinds(0.5);
  const Chosen singular = chosen(*erase(testing::singular_dae(kinds.front(), {0, 1})));
  has_layer(singular);
  CHECK(reason_of(singular) == "C B is singular in the interval");
  CHECK(choice(singular, "singular").value == std::string("auto"));
  CHECK_FALSE(choice(singular, "singular").by_user);
  for (const Options& options : {Options{.scheme = Scheme::radau},
                                 Options{.weight = Weight::identity}, Options{.epsilon = 1e-6}}) {
    has_layer(chosen_for_plain(options));
  }
  CHECK(chosen_for_plain({.scheme = Scheme::lobatto}).setting.regularization.alpha1 == 1);
  // Short intervals take a small epsilon; long ones none that is larger.
  const auto epsilon = [](double length) {
    return chosen(*erase(testing::growing_mode(0.01, length))).setting.regularization.epsilon;
  };
  CHECK(epsilon(1e-3) == Approx(1e-13));
  CHECK(epsilon(50) == 1e-10);
  CHECK(chosen_for_plain({.scheme = Scheme::gauss, .alpha1 = 0.0}, 1e-2)
            .setting.regularization.epsilon == Approx(1e-8));
}

TEST_CASE("what is given for a linear problem is taken, and told as given", "[choice]") {
  const Chosen made = chosen_for_plain({.tolerance = 3e-5,
                                        .scheme = Scheme::lobatto,
                                        .stages = 4,
                                        .intervals = 17,
                                        .weight = Weight::identity,
                                        .epsilon = 2e-5,
                                        .alpha1 = 0.5,
                                        .alpha2 = 3.0,
                                        .delta = 1e-3,
                                        .iterates = 5,
                                        .max_parasitic_growth = 1e9,
                                        .max_intervals = 123});
  const Regularization& form = made.setting.regularization;
  CHECK(made.tolerance == 3e-5);
  CHECK(form.weight == Weight::identity);
  CHECK(form.epsilon == 2e-5);
  CHECK(form.alpha1 == 0.5);
  CHECK(form.alpha2 == 3);
  CHECK(form.delta == 1e-3);
  CHECK(made.setting.scheme.scheme == Scheme::lobatto);
  CHECK(made.setting.scheme.stages == 4);
  CHECK(made.setting.mesh.intervals() == 17);
  CHECK(made.control.most == 5);
  CHECK(made.control.tolerance == 0);
  CHECK_FALSE(made.control.until_stalled);
  CHECK(made.control.asked == 3e-5);
  CHECK(made.max_intervals == 123);
  CHECK(made.max_parasitic_growth == 1e9);
  for (const char* name : {"tolerance", "scheme", "stages", "intervals", "weight", "epsilon",
                           "alpha1", "alpha2", "iterates"}) {
    CAPTURE(name);
    CHECK(choice(made, name).by_user);
    CHECK(choice(made, name).reason.empty());
  }
  CHECK(choice(made, "alpha1").value == "0.5");
  CHECK(choice(made, "epsilon").value == "2e-05");
  CHECK(choice(made, "tolerance").value == "3e-05");
  CHECK(choice(made, "iterates").value == "5");
}

TEST_CASE("tolerances of components are told as given, and errors are measured by them",
          "[choice]") {
  const Chosen made = chosen_for_plain({.tolerances = {.relative = VecX{{1e-3, 1e-5}}}});
  CHECK(made.tolerance == 1e-5);
  CHECK(made.sizes.are_given());
  CHECK(choice(made, "tolerances").by_user);
  CHECK_FALSE(is_made(made, "tolerance"));
  CHECK_FALSE(chosen_for_plain({.tolerance = 1e-5}).sizes.are_given());
}

TEST_CASE("more stages are taken where more is asked for, within those that a scheme has",
          "[choice]") {
  const auto stages = [](double tolerance, Scheme scheme) {
    return chosen_for_plain({.tolerance = tolerance, .scheme = scheme}).setting.scheme.stages;
  };
  CHECK(stages(1e-2, Scheme::gauss) == 4);
  CHECK(stages(1e-3, Scheme::gauss) == 4);
  CHECK(stages(9e-4, Scheme::gauss) == 6);
  CHECK(stages(1e-5, Scheme::gauss) == 6);
  CHECK(stages(9e-6, Scheme::gauss) == 7);
  CHECK(stages(1e-7, Scheme::gauss) == 7);
  CHECK(stages(9e-8, Scheme::gauss) == 8);
  CHECK(stages(1e-3, Scheme::radau) == 5);
  CHECK(stages(1e-12, Scheme::radau) == 8);
  CHECK(stages(1e-12, Scheme::lobatto) == 5);
  CHECK(stages(1e-12, Scheme::midpoint) == 1);
  CHECK(chosen_for_plain({.intervals = 4}).setting.scheme.stages == 7);
}

TEST_CASE("the first mesh is as fine as the problem is fast, and no finer than is allowed",
          "[choice]") {
  const auto intervals = [](const MatX& A, double length, const Options& options) {
    return chosen(*plain_problem(A, length), options).setting.mesh.intervals();
  };
  const MatX decay = MatX{{0, 0}, {0, -1}}, turns = MatX{{0, 50}, {-50, 0}};
  CHECK(intervals(decay, 1, {}) == 5);
  CHECK(intervals(decay, 1, {.max_intervals = 3}) == 3);
  // Few time scales of A: as many as fit into the stages.
  CHECK(intervals(decay, 42, {}) == 6);
  // Many of them: those of oscillations, of which s^2 + 90 s + 50^2 = 0 tells; of those that are
  // not damped no more than time scales.
  const MatX damped = MatX{{0, 50}, {-50, -90}};
  CHECK(intervals(damped, 20, {}) ==
        std::ceil(2 * 20 * std::sqrt(50 * 50 - 45 * 45) / (2 * std::numbers::pi)));
  CHECK(intervals(turns, 20, {}) == std::ceil(20 * 50 / 7.0));
  CHECK(intervals(-1000 * MatX::Identity(2, 2), 20, {}) == 6);
  // A scheme that damps follows what grows: two intervals for each unit that it grows by.
  const MatX grows = MatX{{0, 0}, {0, 30}};
  CHECK(intervals(grows, 10, {.scheme = Scheme::radau}) == 600);
  CHECK(intervals(-grows, 10, {.scheme = Scheme::radau}) == 150);
  CHECK(intervals(1e6 * grows, 10, {.scheme = Scheme::radau}) == 65536);
  // Where that takes many, no more than keep what grows from decaying, by what its stages allow.
  CHECK(intervals(grows, 17, {.scheme = Scheme::radau}) == 1020);
  CHECK(intervals(grows, 18, {.scheme = Scheme::radau}) == 1024);
  CHECK(intervals(-10 * grows, 18, {.scheme = Scheme::radau}) == 1024);
  CHECK(intervals(grows, 1000, {.scheme = Scheme::radau, .stages = 1}) == 60000);
  CHECK(intervals(grows, 1000, {.scheme = Scheme::radau, .stages = 2}) == 40000);
  CHECK(intervals(grows, 1000, {.scheme = Scheme::radau, .stages = 8}) ==
        std::ceil(2 * 30000 / (61.481 / 4)));
  CHECK(intervals(-grows, 1000, {.scheme = Scheme::radau, .stages = 8}) == 30000 / 8);
  const Chosen radau = chosen(*plain_problem(grows, 10), {.scheme = Scheme::radau, .stages = 5});
  CHECK(radau.fastest_mode == Approx(30));
  CHECK(radau.largest_step == Approx(27.841 / 4 / 30));
  CHECK(choice(radau, "intervals").value == "600 at first");
}

TEST_CASE("a mesh that is given must span the interval, and gets the fixed nodes", "[choice]") {
  const Mesh mesh({0, 0.2, 0.7, 1});
  const Chosen made = chosen_for_plain({.mesh = mesh, .fixed_nodes = {0.5}});
  CHECK(made.setting.mesh.nodes() == std::vector<double>{0, 0.2, 0.5, 0.7, 1});
  CHECK(made.setting.fixed_nodes == std::vector<double>{0.5});
  CHECK(choice(made, "mesh").value == "4 given intervals");
  CHECK(choice(made, "mesh").by_user);
  CHECK(choice(made, "fixed_nodes").value == "0.5");
  CHECK(choice(made, "fixed_nodes").by_user);
  CHECK(made.tolerance == 0);
  CHECK_FALSE(is_made(made, "tolerance"));
  CHECK_FALSE(is_made(chosen_for_plain({.mesh = mesh}), "fixed_nodes"));
  // Of an interval that is given by their number, and chosen ones, too.
  CHECK(chosen_for_plain({.intervals = 2, .fixed_nodes = {0.3}}).setting.mesh.nodes() ==
        std::vector<double>{0, 0.3, 0.5, 1});
  CHECK_NOTHROW(chosen_for_plain({.mesh = Mesh({1e-13, 0.5, 1 - 1e-13})}));
  for (const Mesh& off : {Mesh({0.1, 0.5, 1}), Mesh({0, 0.5, 0.9}), Mesh({-1e-6, 1})}) {
    CHECK_THROWS_WITH(chosen_for_plain({.mesh = off}),
                      contains_text("must span the interval [0, 1]"));
  }
  CHECK_THROWS_AS(chosen_for_plain({.fixed_nodes = {2}}), InvalidOption);
}

TEST_CASE("a mesh takes more memory where x is asked for between its nodes", "[choice]") {
  CHECK(
      chosen_for_plain({.tolerance = 1e-6, .scheme = Scheme::gauss, .stages = 4})
          .bytes_per_interval >
      chosen_for_plain({.scheme = Scheme::gauss, .stages = 4, .intervals = 4}).bytes_per_interval);
  CHECK_THROWS_AS(chosen_for_plain({.intervals = 2000000000}), InvalidOption);
}

TEST_CASE("iterates go on until they change little, or no less than before", "[choice]") {
  const Chosen refined = chosen_for_plain({.tolerance = 1e-5}),
               given = chosen_for_plain({.intervals = 5});
  CHECK(refined.control.tolerance == Approx(1e-6));
  CHECK_FALSE(refined.control.until_stalled);
  CHECK(given.control.tolerance == 0);
  CHECK(given.control.until_stalled);
  CHECK(refined.control.most == given.control.most);
  CHECK(choice(given, "iterates").value == fmt::format("up to {}", given.control.most));
  CHECK(choice(refined, "iterates").value == choice(given, "iterates").value);
}

TEST_CASE("shooting back repairs layers, where iterates are open", "[choice]") {
  const auto with = [](std::optional<bool> back, std::optional<int> iterates) {
    return chosen_for_plain({.scheme = Scheme::radau, .iterates = iterates, .shooting_back = back});
  };
  CHECK(with({}, {}).shooting_back);
  CHECK_FALSE(with({}, 3).shooting_back);
  CHECK(with(true, 3).shooting_back);
  CHECK_FALSE(with(false, {}).shooting_back);
  CHECK(choice(with({}, 3), "shooting_back").value == "no");
  CHECK_FALSE(choice(with({}, 3), "shooting_back").by_user);
  CHECK(choice(with(false, {}), "shooting_back").by_user);
  CHECK_THROWS_WITH(chosen_for_plain({.shooting_back = true}),
                    contains_text("alpha1 > 0 have no layer"));
  CHECK_NOTHROW(chosen_for_plain({.shooting_back = false}));
  CHECK_THROWS_WITH(chosen(*erase(testing::growing_mode(1, 1)), {.alpha1 = 1.0}),
                    contains_text("alpha1 = 1: needs C'(t) and r'(t)"));
}

TEST_CASE("the linear solver is told with why it is taken", "[choice]") {
  const auto told = [](const Options& options) {
    return choice(chosen_for_plain(options), "linear_solver");
  };
  CHECK_THAT(told({}).reason, contains_text("block_lu for separated conditions"));
  CHECK(told({}).value == "auto");
  CHECK_FALSE(told({}).by_user);
  CHECK(told({.linear_solver = "block_qr"}).by_user);
  CHECK(told({.linear_solver = "block_qr"}).value == "block_qr");
  CHECK(told({.partitions = 3}).reason == "parallel_block, as partitions were given");
  CHECK(choice(chosen_for_plain({.partitions = 3}), "partitions").value == "3");
  CHECK(choice(chosen_for_plain({.partitions = 3}), "partitions").by_user);
  CHECK_FALSE(is_made(chosen_for_plain({}), "partitions"));
}

TEST_CASE(
    "a symmetric scheme whose constraint mode grows is refused, or warned of where that was "
    "allowed",
    "[choice][parasitic]") {
  const auto problem = erase(testing::rotating_projector(0.3, 0.3, 200));
  Options options{
      .scheme = Scheme::gauss, .stages = 2, .intervals = 1000, .epsilon = 1e-9, .alpha1 = 0.0};
  const Chosen refused = chosen(*problem, options);
  CHECK_THAT(refused.refusal, contains_text("leaves a constraint mode undamped that grows at the "
                                            "rate 0.08"));
  CHECK(refused.warnings.empty());
  CHECK(refused.parasitic_growth > 1e6);
  // log(cos(omega h) + kappa sin(omega h)) / h = 0.0803. Later meshes are no coarser than the one
  // that this was settled for.
  CHECK(refused.largest_step == Approx(0.2));
  options.max_parasitic_growth = 1e12;
  const Chosen allowed = chosen(*problem, options);
  CHECK(allowed.refusal.empty());
  REQUIRE(allowed.warnings.size() == 1);
  CHECK_THAT(allowed.warnings.front(), contains_text("which max_parasitic_growth = 1e+12 allows"));
  // An epsilon that damps it is found where it is open.
  options.epsilon.reset();
  options.max_parasitic_growth.reset();
  const Chosen damped = chosen(*problem, options);
  CHECK(damped.refusal.empty());
  CHECK(damped.warnings.empty());
  CHECK(damped.parasitic_growth <= default_max_parasitic_growth);
  CHECK(damped.setting.regularization.epsilon > 1e-6);
  CHECK_THAT(choice(damped, "epsilon").reason,
             contains_text("damps the constraint mode, which grows at the rate 0.08"));
  // And where the mesh is open too, one on which a small epsilon does.
  options.intervals.reset();
  const Chosen finer = chosen(*problem, options);
  CHECK(finer.refusal.empty());
  CHECK(finer.setting.regularization.epsilon <= 1e-3);
  CHECK(choice(finer, "intervals").value ==
        fmt::format("{} at first", finer.setting.mesh.intervals()));
  CHECK(choice(finer, "intervals").reason == "so that a small epsilon damps the constraint mode");
}

TEST_CASE("what damps may take a growing mode for a decaying one where steps are long",
          "[choice]") {
  Chosen made;
  made.setting.scheme = collocation(Scheme::radau, 3);
  made.fastest_mode = 10;
  CHECK(over_damping(made, uniform_mesh(0, 3, 11)).empty());
  CHECK_FALSE(over_damping(made, uniform_mesh(0, 3, 10)).empty());
  const std::string why = over_damping(made, Mesh({0, 1, 1.125, 3}));
  CHECK_THAT(why, contains_text("growth rate 10 times h = 1.88 is 19 > 2.96"));
  CHECK_THAT(why, contains_text("at least 11 intervals"));
  made.setting.scheme = collocation(Scheme::gauss, 3);
  CHECK(over_damping(made, Mesh({0, 1, 1.125, 3})).empty());
}

TEST_CASE("constraint errors decay within the interval, and no faster than stages follow",
          "[choose]") {
  CHECK(open_alpha2(0, uniform_mesh(0, 1e6, 5), 0) == 1);  // Of epsilon.
  CHECK(open_alpha2(1, uniform_mesh(0, 1, 5), 0) == 1);
  CHECK(open_alpha2(1, uniform_mesh(0, 1000, 2000), 0) == 1);
  CHECK(open_alpha2(1, uniform_mesh(0, 1000, 5), 0) == Approx(4.0 / 200));
  CHECK(open_alpha2(1, uniform_mesh(0, 1e-3, 2000), 0) == Approx(1000));
  CHECK(open_alpha2(0.5, uniform_mesh(0, 1000, 5), 0) == Approx(2.0 / 200));
  CHECK(open_alpha2(0.5, uniform_mesh(0, 1, 5), 0) == 1);
  // But as fast as A on a mesh that may not follow that either.
  CHECK(open_alpha2(1, uniform_mesh(0, 1000, 5), 0.3) == 0.3);
  CHECK(open_alpha2(1, uniform_mesh(0, 1000, 5), 30) == 1);
  CHECK(open_alpha2(0.5, uniform_mesh(0, 1000, 5), 0.3) == 0.15);
}

TEST_CASE("a mesh that is too coarse does not get worse by what is chosen for it", "[choose]") {
  // By constraint errors that decay within a quarter of a step of 11 x was off by 740, not 10.
  const problems::Lin problem;
  for (const int intervals : {5, 6, 7, 9, 15}) {
    for (const int stages : {1, 2, 3}) {
      const auto off = [&](std::optional<double> alpha2) {
        const Scheme scheme = stages > 1 ? Scheme::gauss : Scheme::midpoint;
        const Solution found =
            solve(problem,
                  {.scheme = scheme, .stages = stages, .intervals = intervals, .alpha2 = alpha2});
        double error = 0;
        for (const double t : found.mesh().nodes()) {
          const VecX missed = found.x(t) - problem.x_exact(t);
          error = std::max(error, missed.cwiseAbs().maxCoeff());
        }
        return error;
      };
      CAPTURE(intervals, stages);
      CHECK(off({}) < 2 * off(1));
    }
  }
}

TEST_CASE("what alpha2 is on the mesh is told with the solution", "[choose]") {
  const auto problem = plain_problem(MatX::Zero(2, 2), 1000);
  const Solution open = solve(problem, {.intervals = 5});
  CHECK(open.regularization().alpha2 == Approx(4.0 / 200));
  CHECK_THAT(open.report.full(), Catch::Matchers::Contains("= 0.02  (constraint errors"));
  CHECK(solve(problem, {.intervals = 5, .alpha2 = 2}).regularization().alpha2 == 2);
}

}  // namespace daewave::bvp
