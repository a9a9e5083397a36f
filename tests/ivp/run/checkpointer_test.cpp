// When checkpoints are taken, what is in them, and which are refused.

#include "ivp/run/checkpointer.hpp"

#include <cmath>

#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {

namespace {

const Settings settings{{"problem", "crank"}, {"h", "1"}};

/// Remembers what is saved.
struct Keeper {
  std::vector<Checkpoint> saved{};
  Checkpoints asked{};

  Keeper(double seconds) {  // NOLINT
    asked.save = [this](const Checkpoint& one) { saved.push_back(one); };
    asked.seconds = seconds;
  }
};

IntegrationReport so_far(long steps) {
  IntegrationReport went;
  went.steps = steps;
  went.evaluations = 1;
  return went;
}

Checkpoint of(long step, double t) {
  Checkpoint checkpoint;
  checkpoint.step = step;
  checkpoint.t = t;
  checkpoint.iterates = {{VecX{{1, 2}}, VecX{{3, 4}}, VecX{{5}}},
                         {VecX{{1, 2}}, VecX{{3, 4}}, VecX{{5}}}};
  return checkpoint;
}

std::string refusal(const Checkpoint& from, int iterates = 2, int nx = 2, int carried = 1,
                    int kept = 0) {
  try {
    check_resume(from, FixedSteps({0, 1}, 0.25), iterates, nx, carried, kept);
  } catch (const InvalidOption& refused) {
    return refused.what();
  }
  return "";
}

}  // namespace

TEST_CASE("at each border a checkpoint is taken when it is time to, and the last one at the end",
          "[checkpoints]") {
  Keeper always(0), rarely(1e6);
  for (Keeper* keeper : {&always, &rarely}) {
    Checkpointer checkpointer(keeper->asked, settings);
    CHECK(checkpointer.saves());
    checkpointer.at_border(3, 0.75, {{VecX{{7}}, VecX{{8}}, VecX{{9}}}}, 40, so_far(3),
                           {VecX{{-1}}, VecX{{1}}});
    checkpointer.at_border(4, 1, {{VecX{{6}}, VecX{{8}}, VecX{{9}}}}, 50, so_far(4), {});
    checkpointer.ended();
    checkpointer.ended();
  }
  REQUIRE(always.saved.size() == 2);
  const Checkpoint& first = always.saved[0];
  CHECK(first.settings == settings);
  CHECK(first.step == 3);
  CHECK(first.t == 0.75);
  CHECK(first.integration.steps == 3);
  CHECK(first.integration.evaluations == 40);
  REQUIRE(first.iterates.size() == 1);
  CHECK(first.iterates[0].x == VecX{{7}});
  CHECK(first.iterates[0].slope == VecX{{8}});
  CHECK(first.iterates[0].carried == VecX{{9}});
  CHECK(first.motion.least == VecX{{-1}});
  CHECK(first.motion.greatest == VecX{{1}});
  REQUIRE(rarely.saved.size() == 1);
  CHECK(rarely.saved[0].step == 4);
  CHECK(rarely.saved[0].iterates[0].x == VecX{{6}});
  CHECK(rarely.saved[0].integration.evaluations == 50);
}

TEST_CASE("where nobody keeps checkpoints none are taken", "[checkpoints]") {
  const Checkpoints none;
  Checkpointer checkpointer(none, settings);
  CHECK_FALSE(checkpointer.saves());
  checkpointer.at_border(3, 0.75, {}, 40, so_far(3), {});
  CHECK_NOTHROW(checkpointer.ended());
}

TEST_CASE("evaluations of the runs before are counted on, other settings are refused",
          "[checkpoints]") {
  Checkpoint before = of(2, 0.5);
  before.settings = settings;
  before.integration.evaluations = 1000;
  Keeper keeper(0);
  keeper.asked.resume = std::make_shared<const Checkpoint>(before);
  Checkpointer checkpointer(keeper.asked, settings);
  checkpointer.at_border(3, 0.75, {}, 40, so_far(3), {});
  CHECK(keeper.saved.at(0).integration.evaluations == 1040);
  CHECK_THROWS_WITH(Checkpointer(keeper.asked, {{"problem", "crank"}, {"h", "2"}}),
                    contains_text("checkpoints.resume: ") &&
                        contains_text("take the settings of the run that was stopped"));
}

TEST_CASE("a run goes on from one of its nodes alone, with states of its sizes", "[checkpoints]") {
  for (const int step : {0, 2, 4}) CHECK(refusal(of(step, 0.25 * step)).empty());
  CHECK(refusal(of(-1, -0.25)) ==
        "checkpoints.resume: it was taken after -1 steps, this run has 4; ask for a later end");
  CHECK_THAT(refusal(of(5, 1.25)), contains_text("taken after 5 steps, this run has 4"));
  CHECK_THAT(refusal(of(2, 0.4)),
             contains_text("it stands at t = 0.4 after 2 steps, where this run is at t = 0.5") &&
                 contains_text("take the end t = 0.4, or start anew"));
  const std::string sizes = "checkpoints.resume: its states are not ";
  CHECK(refusal(of(2, 0.5), 3) == sizes +
                                      "3 of 2 entries with 1 carried and 0 kept; the file was "
                                      "changed, start anew");
  CHECK_THAT(refusal(of(2, 0.5), 2, 3), contains_text(sizes + "2 of 3 entries"));
  CHECK_THAT(refusal(of(2, 0.5), 2, 2, 2), contains_text("with 2 carried"));
  CHECK_THAT(refusal(of(2, 0.5), 2, 2, 1, 1), contains_text("and 1 kept"));
  Checkpoint slope = of(2, 0.5);
  slope.iterates[0].slope = VecX{{3}};
  CHECK_THAT(refusal(slope), contains_text(sizes));
  Checkpoint last = of(2, 0.5);
  last.iterates[1].carried = VecX{{3, 4}};
  CHECK_THAT(refusal(last), contains_text(sizes));
}

TEST_CASE("what a run must agree in is written to the last bit", "[checkpoints]") {
  Regularization form;
  form.variant = Variant::direct;
  form.weight = Weight::transpose;
  form.epsilon = 0.5;
  form.alpha1 = 2;
  form.alpha2 = 3;
  form.alpha3 = 4;
  Srm asked{.exact_start = 1, .loops = StepLocal{.checkpoints = {.mark = "m = 1"}}};
  const Settings expected{{"problem", "crank"},
                          {"mark", "m = 1"},
                          {"begin", "0x1p-1"},
                          {"start", "0x1p+0 -0x1p+1"},
                          {"h", "0x1p-3"},
                          {"stepper", "heun"},
                          {"variant", name_of(Variant::direct)},
                          {"weight", name_of(Weight::transpose)},
                          {"epsilon", "0x1p-1"},
                          {"alpha1", "0x1p+1"},
                          {"alpha2", "0x1.8p+1"},
                          {"alpha3", "0x1p+2"},
                          {"iterates", "5"},
                          {"exact_start", "1"}};
  CHECK(settings_of("crank", VecX{{1, -2}}, 0.5, 0.125, asked, form, 5, "heun") == expected);
  asked.loops = Sweeps{};
  CHECK(settings_of("crank", VecX{{1, -2}}, 0.5, 0.125, asked, form, 5, "heun")[1].second.empty());
}

TEST_CASE("checkpoints need a fixed step, some seconds, and what there is to go on from",
          "[checkpoints]") {
  Checkpoints none;
  CHECK_NOTHROW(check_checkpoints(none, false));
  none.seconds = -1;
  CHECK_THROWS_WITH(check_checkpoints(none, true), "checkpoints.seconds = -1: must be >= 0");
  none.seconds = NAN;
  CHECK_THROWS_AS(check_checkpoints(none, true), InvalidOption);
  Keeper keeper(0);
  CHECK_NOTHROW(check_checkpoints(keeper.asked, true));
  CHECK_THROWS_WITH(check_checkpoints(keeper.asked, false), "checkpoints: need a fixed h; give h");
  Checkpoints resume;
  resume.resume = std::make_shared<const Checkpoint>(of(2, 0.5));
  CHECK_NOTHROW(check_checkpoints(resume, true));
  CHECK_THROWS_AS(check_checkpoints(resume, false), InvalidOption);
  resume.resume = std::make_shared<const Checkpoint>();
  CHECK_THROWS_WITH(check_checkpoints(resume, true),
                    "checkpoints: the one to resume from is empty");
}

}  // namespace daewave::ivp
