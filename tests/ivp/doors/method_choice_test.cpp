// Which method and formula is taken for which problem, where they are left open.

#include "ivp/doors/method_choice.hpp"

#include <cmath>

#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {

namespace {

/// The choice of that name, "value (reason)" or "value (given)".
std::string chosen(const MethodChoice& all, const std::string& name) {
  for (const Choice& one : all.choices) {
    if (one.name == name) return one.value + " (" + (one.by_user ? "given" : one.reason) + ")";
  }
  return "";
}

}  // namespace

TEST_CASE("the method that is taken follows what is known of the problem", "[method]") {
  struct Row {
    MethodFacts facts;
    const char* method;
    const char* reason;
  };
  const Row rows[] = {
      {{}, "s-both2", "index reduction, and two corrections after each step with one matrix"},
      {{.windows = true},
       "gauss-windows",
       "of order 16, its 8 nodes evaluated side by side: the "
       "least time for a motion whose terms go in SIMD lanes "
       "or many points at once"},
      {{.reducible = false}, "srm", "the problem gives no curvature, which index reduction needs"},
      {{.full_rank = false, .passes = false},
       "srm",
       "the constraints are dependent at the start, and not around it"},
      {{.full_rank = false, .passes = false, .backward = true},
       "s-both2",
       "index reduction, and two corrections after each step with one matrix; the constraints are "
       "dependent at the start alone, from where a step with projected stages leads away"},
      {{.full_rank = false, .windows = true},
       "s-both2",
       "index reduction, and two corrections after each step with one matrix; the constraints are "
       "dependent at the start alone, from where a step with projected stages leads away"},
      {{.full_rank = false, .redundant = true, .passes = false},
       "s-both2",
       "index reduction, and two corrections after each step with one matrix; constraints are "
       "redundant at the start and around it, and those left out"},
      {{.invariants = true}, "projection", "brings back the invariants, which index 1 lets drift"},
      {{.invariants = true, .keeps = false},
       "projection",
       "of one step, and there are no invariants to bring back"}};
  for (const Row& row : rows) {
    const MethodChoice choice = choose_method(row.facts, {});
    CHECK(std::string(name_of(choice.method)) == row.method);
    CHECK(chosen(choice, "method") == std::string(row.method) + " (" + row.reason + ")");
  }
}

TEST_CASE("windows are taken where nothing of the formula is given and rtol is 1e-3 or less",
          "[method]") {
  const auto takes = [](const Options& options) {
    const MethodChoice choice = choose_method({.windows = true}, options);
    return std::string(name_of(choice.method)) == "gauss-windows";
  };
  CHECK(takes({}));
  CHECK(takes({.rtol = 1e-3}));
  CHECK_FALSE(takes({.rtol = 1.01e-3}));
  CHECK_FALSE(takes({.h = 0.1}));
  CHECK_FALSE(takes({.control = Control{}}));
  CHECK_FALSE(takes({.method = Automatic{{Stepper::dopri5, {}}}}));
  CHECK_THROWS_AS(takes({.method = Automatic{{{}, 3}}}), InvalidOption);
  const MethodChoice windows = choose_method({.windows = true}, {});
  CHECK(windows.changes_where_stiff);
  CHECK_FALSE(choose_method({}, {.method = GaussWindows{}, .h = 0.1}).changes_where_stiff);
  CHECK(chosen(windows, "stepper").empty());
}

TEST_CASE("the stepper that is taken follows the method", "[method]") {
  const auto stepper_of = [](const Options& options) {
    return chosen(choose_method({}, options), "stepper");
  };
  CHECK(stepper_of({.method = Srm{}, .h = 0.1}) ==
        "heun (of order 2, as x is by any formula where h is fixed and epsilon is of its size)");
  CHECK(stepper_of({.method = Srm{}}) == "dopri5 (estimates its error)");
  CHECK(stepper_of({.method = ProjectedInvariants{}}) ==
        "radau (its last stage is the end of the step)");
  CHECK(stepper_of({.method = SymmetricProjection{}, .h = 0.1}) ==
        "gauss (symmetric, and of the highest order)");
  CHECK(stepper_of({.method = SVel{}}) ==
        "dop853 (of order 8: the fewest evaluations where the problem is not stiff)");
  CHECK(stepper_of({.method = SVel{.formula = {Stepper::rk4, {}}}, .h = 0.1}) == "rk4 (given)");
  CHECK(stepper_of({.method = BdfProjection{}}).empty());
}

TEST_CASE("another stepper takes over in stiff parts where it and the step are open", "[method]") {
  const auto changes = [](const Options& options) {
    return choose_method({}, options).changes_where_stiff;
  };
  CHECK(changes({}));
  CHECK(changes({.method = SVel{}}));
  CHECK_FALSE(changes({.h = 0.1}));
  CHECK_FALSE(changes({.method = SVel{.formula = {Stepper::dop853, {}}}}));
  CHECK_FALSE(changes({.method = SVel{.formula = {Stepper::radau, 5}}}));
  CHECK_FALSE(changes({.method = Srm{}}));
  CHECK_FALSE(changes({.method = BdfProjection{}}));
}

TEST_CASE("stages are those of the formula: three of Radau, four of symmetric Gauss", "[method]") {
  const MethodChoice radau = choose_method({}, {.method = SVel{.formula = {Stepper::radau, {}}}});
  CHECK(radau.stages == 3);
  CHECK(chosen(radau, "stages") == "3 (an odd number estimates its error)");
  CHECK(radau.formula() == "radau of 3 stages");
  CHECK(radau.scheme().c.size() == 3);
  CHECK(radau.scheme().c[2] == 1);
  const MethodChoice gauss = choose_method({}, {.method = SymmetricProjection{}, .h = 0.1});
  CHECK(gauss.stages == 4);
  CHECK(chosen(gauss, "stages") == "4 (of order 8)");
  CHECK(chosen(gauss, "stage_iteration") == "fixed-point (for problems not stiff)");
  CHECK(gauss.formula() == "gauss of 4 stages");
  CHECK(gauss.scheme().c[3] < 1);
  const SymmetricProjection given{.stages = 2, .stage_iteration = StageIteration::newton};
  const MethodChoice two = choose_method({}, {.method = given, .h = 0.1});
  CHECK(chosen(two, "stages") == "2 (given)");
  CHECK(chosen(two, "stage_iteration") == "newton (given)");
  const auto euler = SVel{.formula = {Stepper::backward_euler, {}}};
  CHECK(choose_method({}, {.method = euler, .h = 0.1}).stages == 1);
  const auto heun = SVel{.formula = {Stepper::heun, {}}};
  const MethodChoice plain = choose_method({}, {.method = heun, .h = 0.1});
  CHECK(plain.stages == 0);
  CHECK(plain.formula() == "heun");
  CHECK(chosen(plain, "stages").empty());
}

TEST_CASE("steps are told as h where it is given, as tolerances where it is not", "[method]") {
  const MethodChoice fixed = choose_method({}, {.h = 0.25});
  CHECK(chosen(fixed, "h") == "0.25 (given)");
  CHECK(chosen(fixed, "rtol").empty());
  CHECK(chosen(fixed, "atol").empty());
  const MethodChoice open = choose_method({}, {});
  CHECK(chosen(open, "h").empty());
  CHECK(chosen(open, "rtol") == "1e-06 (the default)");
  CHECK(chosen(open, "atol") == "open (rtol/10 of the size of each component, 1e-9 at most)");
  const MethodChoice given = choose_method({}, {.rtol = 1e-4, .atol = 1e-5});
  CHECK(chosen(given, "rtol") == "0.0001 (given)");
  CHECK(chosen(given, "atol") == "1e-05 (given)");
  CHECK(chosen(choose_method({}, {.atol_each = {1, 2}}), "atol") == "one each (given)");
}

TEST_CASE("what does not go together is refused with the way out", "[method]") {
  struct Row {
    MethodFacts facts;
    Options options;
    const char* says;
  };
  const MethodFacts plain{}, bare{.reducible = false}, back{.backward = true},
      bare_back{.reducible = false, .backward = true}, invariants{.invariants = true};
  const Row rows[] = {
      {bare, {.method = SBoth2{}}, "method = s-both2: needs curvature(q, v, t) of the problem"},
      {back,
       {.method = Srm{}},
       "srm would enlarge errors of the constraints instead of damping "
       "them; take method = s-both2; or reverse time in the problem"},
      {back, {.method = Baumgarte{.alpha0 = 1}}, "baumgarte would enlarge"},
      {back, {.method = StabilizedOde{.gamma = 1}}, "stabilized-ode would enlarge"},
      {bare_back, {.method = Srm{}}, "give its curvature for s-both2, or reverse time"},
      {invariants, {.method = SBoth2{}}, "method = s-both2: needs f, B or M, and g of an index 2"},
      {invariants, {.method = Dcbdf{}}, "leave method open"},
      {plain,
       {.method = SymmetricProjection{}},
       "h: must be given with method = symmetric-projection"},
      {plain,
       {.method = SVel{.formula = {Stepper::heun, 2}}, .h = 0.1},
       "stages = 2: heun has stages of its own"},
      {plain,
       {.method = ProjectedInvariants{.formula = {Stepper::gauss, {}}}, .h = 0.1},
       "stepper = gauss with method = projected-invariants"},
      {plain,
       {.method = GaussWindows{}, .control = Control{}},
       "control = given with method = gauss-windows: chooses the length of its windows"},
      {plain,
       {.method = BdfProjection{}, .control = Control{}},
       "control = given with method = bdf-projection: chooses its steps by a rule of its own"},
      {plain, {.method = Bdf{}, .control = Control{}}, "control = given with method = bdf:"}};
  for (const Row& row : rows) {
    CHECK_THROWS_AS(choose_method(row.facts, row.options), InvalidOption);
    CHECK_THROWS_WITH(choose_method(row.facts, row.options), contains_text(row.says));
  }
  CHECK_NOTHROW(choose_method(back, {.method = SBoth2{}}));
  CHECK_NOTHROW(choose_method(invariants, {.method = Underlying{}}));
  CHECK_NOTHROW(choose_method(invariants, {.method = ProjectedInvariants{}}));
  CHECK_NOTHROW(choose_method(invariants, {.method = BdfProjection{}}));
  CHECK_NOTHROW(choose_method(
      plain, {.method = ProjectedInvariants{.formula = {Stepper::backward_euler, {}}}, .h = 0.1}));
}

TEST_CASE("a span has two ends, both finite, in either order", "[method]") {
  CHECK_NOTHROW(check_span({0, 1}));
  CHECK_NOTHROW(check_span({1, 0}));
  CHECK_THROWS_WITH(check_span({2, 2}), contains_text("span = [2, 2]: must have two different"));
  CHECK_THROWS_WITH(check_span({NAN, 2}), contains_text("span = [nan, 2]"));
  CHECK_THROWS_WITH(check_span({0, INFINITY}), contains_text("span = [0, inf]"));
}

}  // namespace daewave::ivp
