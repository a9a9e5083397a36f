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
  for (const Kind& kind : all) {
    CHECK(std::string(name_of(named(name_of(kind)))) == name_of(kind));
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
  check_names(all_loops(), loops_named, "loops");
  CHECK(std::holds_alternative<SBoth2>(method_named("s-both2")));
  CHECK(all_methods().size() == std::variant_size_v<Method> - 1);  // All but Automatic.
  CHECK(stepper_named("forward-euler") == Stepper::forward_euler);
  CHECK(stage_iteration_named("fixed-point") == StageIteration::fixed_point);
  CHECK(stage_iteration_named("newton") == StageIteration::newton);
  CHECK_THROWS_WITH(stage_iteration_named("newto"), contains_text("fixed-point, newton"));
}

TEST_CASE("options as they are by default are allowed", "[steppers]") {
  CHECK(refusal([](Options&) {}).empty());
  CHECK(refusal([](Options& o) {
          o.h = 1e-3;
          o.method = Automatic{{Stepper::rk4}};
        }).empty());
  CHECK(refusal([](Options& o) { o.method = Automatic{{Stepper::radau, 3}}; }).empty());
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
  for (double rtol : {1e-15, 1e-16, 1e-30, 1e-300}) {
    refuses([rtol](Options& o) { o.rtol = rtol; }, "must be >= 2.2e-15, ten roundings");
  }
  refuses([nan](Options& o) { o.rtol = nan; }, "rtol = nan");
  refuses([](Options& o) { o.atol = 0; }, "atol = 0: must be > 0");
  refuses([](Options& o) { o.atol_each = {1, -1}; }, "atol_each[1] = -1: must be > 0");
  refuses([](Options& o) { o.first_step = 0; }, "first_step = 0");
  refuses([](Options& o) { o.largest_step = -1; }, "largest_step = -1");
  refuses([](Options& o) { o.most_steps = 0; }, "most_steps = 0: must be >= 1");
  refuses([](Options& o) { o.method = SBoth{.formula = {.stages = 0}}; },
          "stages = 0: must be >= 1");
  refuses([](Options& o) { o.every = -1; }, "every = -1: must be >= 0");
  refuses([](Options& o) { o.control = Control{.safety = 1}; }, "control.safety = 1");
  refuses([](Options& o) { o.control = Control{.beta = 1}; }, "control.beta = 1");
  refuses([](Options& o) { o.control = Control{.shrink = 0}; }, "control.shrink = 0");
  refuses([](Options& o) { o.control = Control{.grow = 1}; }, "control.grow = 1");
  refuses([](Options& o) { o.method = SymmetricProjection{.stages = 0}; }, "stages = 0");
  refuses([](Options& o) { o.method = Baumgarte{.alpha1 = -1}; }, "alpha1 = -1");
  refuses([](Options& o) { o.method = Baumgarte{.alpha0 = -1}; }, "alpha0 = -1");
  refuses([](Options& o) { o.method = SFull{.factor = 2}; }, "factor = 2");
  refuses([](Options& o) { o.method = SBoth{.factor = 0}; }, "factor = 0");
  refuses([](Options& o) { o.method = StabilizedOde{.gamma = -1}; }, "gamma = -1");
  refuses([](Options& o) { o.method = LocalStateSpace{.bound = 0.5}; }, "bound = 0.5");
  refuses([](Options& o) { o.method = Srm{.epsilon = 0}; }, "epsilon = 0: must be > 0");
  refuses([](Options& o) { o.method = Srm{.iterates = 0}; }, "iterates = 0");
  refuses([](Options& o) { o.method = Srm{.alpha1 = -1}; }, "alpha1 = -1");
  refuses([](Options& o) { o.method = Srm{.alpha2 = -1}; }, "alpha2 = -1");
  refuses([](Options& o) { o.method = Srm{.alpha3 = -1}; }, "alpha3 = -1");
  refuses([](Options& o) { o.method = Srm{.exact_start = 3}; }, "exact_start = 3");
  refuses([](Options& o) { o.method = Bdf{.order = 7}; }, "order = 7: must be between 1 and 6");
  refuses([](Options& o) { o.rank_tolerance = -1; }, "rank_tolerance = -1");
  refuses([nan](Options& o) { o.times = {nan}; }, "times[0] = nan: must be finite");
  refuses([](Options& o) { o.times = {1, 2, 2}; }, "times[2] = 2: must be > times[1] = 2");
  refuses([](Options& o) { o.start_tolerance = 0; }, "start_tolerance = 0");
}

TEST_CASE(
    "what a fixed step or a tolerance of each component leaves nothing to is refused beside it",
    "[steppers]") {
  const auto refuses = [](const auto& change, const std::string& message) {
    CHECK_THAT(refusal(change), contains_text(message) && contains_text("leave out"));
  };
  const auto fixed = [](Options& o) {
    o.method = Automatic{{Stepper::rk4}};
    o.h = 0.1;
  };
  refuses([&](Options& o) { fixed(o), o.first_step = 0.01; },
          "first_step = 0.01 given with h = 0.1");
  refuses([&](Options& o) { fixed(o), o.largest_step = 0.01; },
          "largest_step = 0.01 given with h = 0.1");
  refuses([&](Options& o) { fixed(o), o.control = Control{}; }, "control = given with h = 0.1");
  refuses(
      [](Options& o) {
        o.atol = 1e-5, o.atol_each = {1, 1};
      },
      "atol = 1e-05 given with atol_each");
  CHECK(refusal([&](Options& o) { fixed(o), o.atol = 1e-5; }).empty());
  CHECK(refusal([](Options& o) { o.first_step = 0.01, o.largest_step = 0.1; }).empty());
}

TEST_CASE("numbers at the ends of what is allowed are allowed, those just beyond are not",
          "[steppers]") {
  const auto allows = [](const auto& change) { CHECK(refusal(change).empty()); };
  const auto refuses = [](const auto& change) { CHECK_FALSE(refusal(change).empty()); };
  allows([](Options& o) { o.most_steps = 1; });
  allows([](Options& o) { o.every = 0; });
  allows([](Options& o) { o.rtol = 2.3e-15; });
  allows([](Options& o) { o.rtol = 0.999; });
  allows([](Options& o) { o.atol = 1e-300; });
  allows([](Options& o) { o.rank_tolerance = 0; });
  allows([](Options& o) { o.times = {-1, 0, 1e300}; });
  allows([](Options& o) { o.control = Control{.safety = 0.999, .beta = 0.2, .shrink = 0.001}; });
  allows([](Options& o) { o.control = Control{.safety = 0.001, .beta = 0, .grow = 1.001}; });
  refuses([](Options& o) { o.control = Control{.safety = 0}; });
  refuses([](Options& o) { o.control = Control{.beta = 0.201}; });
  refuses([](Options& o) { o.control = Control{.beta = -0.001}; });
  refuses([](Options& o) { o.control = Control{.shrink = 1}; });
  refuses([](Options& o) { o.control = Control{.grow = INFINITY}; });
  refuses([](Options& o) { o.accuracy = 0; });
  for (const int order : {1, 6}) {
    allows([order](Options& o) { o.method = BdfProjection{.order = order}; });
    allows([order](Options& o) { o.method = Dcbdf{.order = order}; });
  }
  for (const int order : {0, 7}) {
    refuses([order](Options& o) { o.method = BdfProjection{.order = order}; });
    refuses([order](Options& o) { o.method = Dcbdf{.order = order}; });
    refuses([order](Options& o) { o.method = AdamsMoulton{.order = order}; });
  }
  allows([](Options& o) { o.method = LocalStateSpace{.bound = 1}; });
  refuses([](Options& o) { o.method = LocalStateSpace{.bound = INFINITY}; });
  allows([](Options& o) { o.method = SBoth2{.factor = 1.999}; });
  refuses([](Options& o) { o.method = SBoth2{.factor = 2}; });
  refuses([](Options& o) { o.method = SVel{.factor = 0}; });
  allows([](Options& o) {
    o.method = SymmetricProjection{.stages = 1};
    o.h = 1;
  });
  for (const int derivatives : {-1, 0, 1, 2}) {
    allows([derivatives](Options& o) { o.method = Srm{.exact_start = derivatives}; });
  }
  refuses([](Options& o) { o.method = Srm{.exact_start = -2}; });
  allows([](Options& o) { o.method = Srm{.iterates = 1, .alpha1 = 0, .alpha2 = 0, .alpha3 = 0}; });
  refuses([](Options& o) { o.method = Srm{.alpha1 = INFINITY}; });
  refuses([](Options& o) { o.method = AdamsMoulton{.c = INFINITY}; });
}

TEST_CASE("settings that do not go together are refused with the way out", "[steppers]") {
  CHECK_THAT(refusal([](Options& o) { o.method = SBoth{.formula = {Stepper::heun}}; }),
             contains_text("stepper = heun") && contains_text("give h") && contains_text("dopri5"));
  CHECK_THAT(refusal([](Options& o) {
               o.method = Srm{.formula = {Stepper::dop853, 3}};
             }),
             contains_text("stages = 3 with stepper = dop853") && contains_text("gauss and radau"));
  CHECK_THAT(refusal([](Options& o) {
               o.events = {{"nothing", nullptr}};
             }),
             contains_text("events[0] (\"nothing\") has no function"));
}

TEST_CASE("what a method cannot do without is asked for with the way out", "[steppers]") {
  CHECK_THAT(refusal([](Options& o) { o.method = Baumgarte{}; }),
             contains_text("alpha1 = 0 and alpha0 = 0 with method = baumgarte") &&
                 contains_text("give them") && contains_text("leave method open"));
  CHECK_THAT(refusal([](Options& o) { o.method = StabilizedOde{}; }),
             contains_text("gamma = 0 with method = stabilized-ode") && contains_text("give it"));
  CHECK(refusal([](Options& o) { o.method = Baumgarte{.alpha0 = 4}; }).empty());
  CHECK(refusal([](Options& o) { o.method = StabilizedOde{.gamma = 4}; }).empty());
}

namespace {

template <class M>
concept HasFormula = requires(M m) {
  m.formula;
};
template <class M>
concept HasMetric = requires(M m) {
  m.metric;
};
template <class M>
concept HasProjection = requires(M m) {
  m.onto;
};
template <class M>
concept HasEstimate = requires(M m) {
  m.estimate;
};
template <class M>
concept HasOrder = requires(M m) {
  m.order;
};
template <class M>
concept HasForm = requires(M m) {
  m.form;
};
template <class M>
concept HasBlocking = requires(M m) {
  m.blocking;
};
template <class M>
concept HasC = requires(M m) {
  m.c;
};
template <class M>
concept HasStageIteration = requires(M m) {
  m.stage_iteration;
};
template <class M>
concept HasCheckpoints = requires(M m) {
  m.checkpoints;
};

}  // namespace

TEST_CASE("an option that does not apply cannot be given", "[steppers]") {
  STATIC_REQUIRE(HasBlocking<Dcbdf> && HasBlocking<AdamsMoulton>);
  STATIC_REQUIRE_FALSE(HasBlocking<Bdf> || HasBlocking<DcbdfBdf> || HasBlocking<SBoth2>);
  STATIC_REQUIRE(HasC<AdamsMoulton>);
  STATIC_REQUIRE_FALSE(HasC<Dcbdf> || HasC<Bdf> || HasC<BdfProjection> || HasC<SBoth2>);
  STATIC_REQUIRE(HasForm<BdfProjection> && HasForm<BdfProjectedInvariants>);
  STATIC_REQUIRE_FALSE(HasForm<Dcbdf> || HasForm<SBoth2>);
  STATIC_REQUIRE_FALSE(HasOrder<ProjectedInvariants> || HasOrder<SBoth2> || HasOrder<Srm>);
  STATIC_REQUIRE_FALSE(HasMetric<ProjectedInvariants> || HasMetric<BdfProjectedInvariants> ||
                       HasMetric<SFull>);
  STATIC_REQUIRE(HasEstimate<BdfProjection>);
  STATIC_REQUIRE_FALSE(HasEstimate<BdfProjectedInvariants> || HasEstimate<ProjectEachStep> ||
                       HasEstimate<ProjectedInvariants>);
  STATIC_REQUIRE_FALSE(HasProjection<SBoth2> || HasProjection<Underlying>);
  STATIC_REQUIRE_FALSE(HasFormula<BdfProjection> || HasFormula<BdfProjectedInvariants> ||
                       HasFormula<Dcbdf> || HasFormula<SymmetricProjection>);
  STATIC_REQUIRE(HasStageIteration<SymmetricProjection>);
  STATIC_REQUIRE_FALSE(HasStageIteration<SBoth2>);
  STATIC_REQUIRE_FALSE(HasCheckpoints<Sweeps> || HasCheckpoints<InLanes>);
}

TEST_CASE("every stepper that needs a fixed step says so", "[steppers]") {
  for (Stepper stepper : all_steppers()) {
    CAPTURE(name_of(stepper));
    CHECK(refusal([&](Options& o) {
            o.method = Automatic{{stepper}};
            o.h = 0.1;
          }).empty());
  }
}

}  // namespace daewave::ivp
