#include "ivp/options/options.hpp"

#include <cmath>
#include <limits>
#include <set>

#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

/// The message of the exception that check() throws; empty when there is none.
template <class Change>
std::string refusal(const Change& change) {
  Options options;
  change(options);
  try {
    check(options);
  } catch (const InvalidOption& error) {
    return error.what();
  }
  return "";
}

template <class Kind>
void check_names(const std::vector<Kind>& all, Kind (*named)(const std::string&),
                 const std::string& option) {
  std::set<std::string> names;
  for (Kind kind : all) {
    CHECK(named(name_of(kind)) == kind);
    CHECK(std::string(name_of(kind)).find('_') == std::string::npos);
    names.insert(name_of(kind));
  }
  CHECK(names.size() == all.size());
  try {
    named("euler");
    FAIL("a name that is not known was accepted");
  } catch (const InvalidOption& error) {
    CHECK_THAT(error.what(), contains_text(option + " = \"euler\"; known: "));
    for (const std::string& name : names) CHECK_THAT(error.what(), contains_text(name));
  }
}

}  // namespace

TEST_CASE("methods and steppers are found by their names", "[steppers]") {
  check_names(all_methods(), method_named, "method");
  check_names(all_steppers(), stepper_named, "stepper");
  CHECK(method_named("s-both2") == Method::s_both2);
  CHECK(stepper_named("forward-euler") == Stepper::forward_euler);
  CHECK(stage_iteration_named("fixed-point") == StageIteration::fixed_point);
  CHECK(stage_iteration_named("newton") == StageIteration::newton);
  CHECK_THROWS_WITH(stage_iteration_named("newto"), contains_text("fixed-point, newton"));
}

TEST_CASE("options as they are by default are allowed", "[steppers]") {
  CHECK(refusal([](Options&) {}).empty());
  CHECK(refusal([](Options& o) {
          o.h = 1e-3;
          o.stepper = Stepper::rk4;
        }).empty());
  CHECK(refusal([](Options& o) {
          o.stepper = Stepper::radau;
          o.stages = 3;
        }).empty());
}

TEST_CASE("numbers out of range are refused with name, value and rule", "[steppers]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto refuses = [](const auto& change, const std::string& message) {
    CHECK_THAT(refusal(change), contains_text(message));
  };
  refuses([](Options& o) { o.h = 0; }, "h = 0: must be > 0");
  refuses([](Options& o) { o.h = -0.5; }, "h = -0.5: must be > 0");
  refuses([nan](Options& o) { o.h = nan; }, "h = nan: must be > 0");
  refuses([](Options& o) { o.h = INFINITY; }, "h = inf");
  refuses([](Options& o) { o.rtol = 0; }, "rtol = 0: must be > 0 and < 1");
  refuses([](Options& o) { o.rtol = 1; }, "rtol = 1");
  refuses([nan](Options& o) { o.rtol = nan; }, "rtol = nan");
  refuses([](Options& o) { o.atol = 0; }, "atol = 0: must be > 0");
  refuses([](Options& o) { o.atol_each = {1, -1}; }, "atol_each[1] = -1: must be > 0");
  refuses([](Options& o) { o.first_step = 0; }, "first_step = 0");
  refuses([](Options& o) { o.largest_step = -1; }, "largest_step = -1");
  refuses([](Options& o) { o.most_steps = 0; }, "most_steps = 0: must be >= 1");
  refuses([](Options& o) { o.stages = 0; }, "stages = 0: must be >= 1");
  refuses([](Options& o) { o.every = -1; }, "every = -1: must be >= 0");
  refuses([](Options& o) { o.control = Control{.safety = 1}; }, "control.safety = 1");
  refuses([](Options& o) { o.control = Control{.beta = 1}; }, "control.beta = 1");
  refuses([](Options& o) { o.control = Control{.shrink = 0}; }, "control.shrink = 0");
  refuses([](Options& o) { o.control = Control{.grow = 1}; }, "control.grow = 1");
  refuses([](Options& o) { o.stabilization.alpha1 = -1; }, "stabilization.alpha1 = -1");
  refuses([](Options& o) { o.stabilization.alpha0 = -1; }, "stabilization.alpha0 = -1");
  refuses([](Options& o) { o.stabilization.factor = 2; }, "stabilization.factor = 2");
  refuses([](Options& o) { o.stabilization.gamma = -1; }, "stabilization.gamma = -1");
  refuses([](Options& o) { o.method = Method::stabilized_ode; }, "stabilization.gamma = 0 with");
  refuses([](Options& o) { o.regularize.epsilon = 0; }, "regularize.epsilon = 0: must be > 0");
  refuses([](Options& o) { o.regularize.iterates = 0; }, "regularize.iterates = 0");
  refuses([](Options& o) { o.regularize.alpha1 = -1; }, "regularize.alpha1 = -1");
  refuses([](Options& o) { o.regularize.alpha2 = -1; }, "regularize.alpha2 = -1");
  refuses([](Options& o) { o.regularize.alpha3 = -1; }, "regularize.alpha3 = -1");
  refuses([](Options& o) { o.regularize.exact_start = 3; }, "regularize.exact_start = 3");
  refuses([](Options& o) { o.regularize.rank_tolerance = -1; }, "regularize.rank_tolerance = -1");
  refuses([nan](Options& o) { o.times = {nan}; }, "times[0] = nan: must be finite");
  refuses([](Options& o) { o.times = {1, 2, 2}; }, "times[2] = 2: must be > times[1] = 2");
  refuses([](Options& o) { o.start_tolerance = 0; }, "start_tolerance = 0");
}

TEST_CASE("settings that do not go together are refused with the way out", "[steppers]") {
  CHECK_THAT(refusal([](Options& o) { o.stepper = Stepper::heun; }),
             contains_text("stepper = heun") && contains_text("give h") && contains_text("dop853"));
  CHECK_THAT(refusal([](Options& o) {
               o.stepper = Stepper::dop853;
               o.stages = 3;
             }),
             contains_text("stages = 3 with stepper = dop853") && contains_text("gauss and radau"));
  CHECK_THAT(refusal([](Options& o) {
               o.events = {{"nothing", nullptr}};
             }),
             contains_text("events[0] (\"nothing\") has no function"));
}

TEST_CASE("every stepper that needs a fixed step says so", "[steppers]") {
  for (Stepper stepper : all_steppers()) {
    CAPTURE(name_of(stepper));
    CHECK(refusal([&](Options& o) {
            o.stepper = stepper;
            o.h = 0.1;
          }).empty());
  }
}

}  // namespace daewave::ivp
