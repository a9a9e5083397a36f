// A run that was stopped and went on from a checkpoint has the bits of one that was not.

#include <cstring>
#include <functional>

#include "core/adapt/problem_of.hpp"
#include "core/error.hpp"
#include "io/checkpoint_file.hpp"
#include "ivp/solve.hpp"
#include "problems/slider_crank.hpp"
#include "tests/catch.hpp"
#include "tests/io/scratch_directory.hpp"
#include "tests/parallel/pipelines_to_test.hpp"
#include "tests/problems/compiled_problems.hpp"

using namespace daewave;

namespace {

constexpr double t_end = 0.5;

ivp::Options options_of(int groups, ivp::Stepper stepper = ivp::Stepper::heun) {
  ivp::Options options;
  ivp::Srm srm{.iterates = 3, .formula = {stepper}};
  if (groups > 1) {
    srm.loops = ivp::Pipelined{parallel::make_pipeline("threads", 2), 16, groups};
  }
  options.method = srm;
  options.h = 1e-3;
  options.every = 7;
  return options;
}

ivp::Srm& srm(ivp::Options& options) { return std::get<ivp::Srm>(options.method); }

ivp::Checkpoints& checkpoints(ivp::Options& options) {
  ivp::Loops& loops = srm(options).loops;
  if (auto* const pipelined = std::get_if<ivp::Pipelined>(&loops)) return pipelined->checkpoints;
  return std::get<ivp::StepLocal>(loops).checkpoints;
}

ivp::Solution run(const ivp::Options& options, double end = t_end) {
  static const DaeProblemPtr problem = problem_of(problems::SliderCrank{});
  return ivp::solve(*problem, *problem->start(), {0, end}, options);
}

/// The last of the checkpoints of a run that its sink stops, by way of a file.
std::shared_ptr<const Checkpoint> stopped_after(int outputs, int groups, const std::string& path,
                                                ivp::Stepper stepper = ivp::Stepper::heun) {
  ivp::Options options = options_of(groups, stepper);
  int given = 0;
  options.sink = [&](const ivp::Output&) { return ++given < outputs; };
  checkpoints(options).seconds = 0;
  checkpoints(options).save = [&](const Checkpoint& at) { io::write_checkpoint(path, at); };
  const ivp::Solution solution = run(options);
  REQUIRE(solution.report.termination == Termination::stopped);
  return std::make_shared<const Checkpoint>(io::read_checkpoint(path));
}

bool ends_with(const std::vector<double>& all, const std::vector<double>& tail) {
  return tail.size() <= all.size() && std::memcmp(all.data() + (all.size() - tail.size()),
                                                  tail.data(), sizeof(double) * tail.size()) == 0;
}

/// `rest` went on from a checkpoint of `whole`.
void check_rest(const ivp::Solution& whole, const ivp::Solution& rest) {
  // The first that is given out is the state of the checkpoint itself.
  const auto after = [](const std::vector<double>& all, int width) {
    return std::vector<double>(all.begin() + width, all.end());
  };
  CHECK(ends_with(whole.t, after(rest.t, 1)));
  CHECK(ends_with(whole.states, after(rest.states, rest.nz)));
  CHECK(ends_with(whole.multipliers, after(rest.multipliers, rest.ny)));
  const IntegrationReport& a = whole.report.integration;
  const IntegrationReport& b = rest.report.integration;
  CHECK(b.steps == a.steps);
  CHECK(b.drift_position == a.drift_position);
  CHECK(b.energy_change == a.energy_change);
  CHECK(b.energy_start == a.energy_start);
}

}  // namespace

TEST_CASE("a run that goes on from a checkpoint has the bits of one that was never stopped",
          "[checkpoint]") {
  const io::ScratchDirectory scratch;
  const std::string path = scratch.file("run.json");
  for (const ivp::Stepper stepper :
       {ivp::Stepper::heun, ivp::Stepper::gauss, ivp::Stepper::radau}) {
    const ivp::Solution whole = run(options_of(1, stepper));
    for (int groups : {1, 3}) {
      for (int outputs : {8, 25, 60}) {
        CAPTURE(name_of(stepper), groups, outputs);
        ivp::Options options = options_of(groups, stepper);
        checkpoints(options).resume = stopped_after(outputs, groups, path, stepper);
        CAPTURE(checkpoints(options).resume->step);
        REQUIRE(checkpoints(options).resume->step > 0);
        const ivp::Solution rest = run(options);
        REQUIRE(rest.report.usable());
        check_rest(whole, rest);
      }
    }
  }
}

TEST_CASE("a checkpoint of a formula does not go on with another, nor with other stages",
          "[checkpoint]") {
  const io::ScratchDirectory scratch;
  ivp::Options options = options_of(1, ivp::Stepper::radau);
  checkpoints(options).resume = stopped_after(10, 1, scratch.file("run.json"), ivp::Stepper::radau);
  srm(options).formula.stages = 5;
  CHECK_THROWS_WITH(run(options), contains_text("radau of 3 stages, this run has radau of 5"));
  srm(options).formula = {ivp::Stepper::heun};
  CHECK_THROWS_WITH(run(options), contains_text("this run has heun"));
}

TEST_CASE("a checkpoint of one order goes on in another", "[checkpoint]") {
  const io::ScratchDirectory scratch;
  const std::string path = scratch.file("run.json");
  ivp::Options options = options_of(1);
  checkpoints(options).resume = stopped_after(40, 3, path);
  CHECK(run(options).end() == run(options_of(1)).end());
}

TEST_CASE("a run may go on beyond the end that was asked for first", "[checkpoint]") {
  ivp::Options options = options_of(1);
  std::shared_ptr<Checkpoint> last;
  checkpoints(options).seconds = 0;
  checkpoints(options).save = [&](const Checkpoint& at) {
    last = std::make_shared<Checkpoint>(at);
  };
  run(options, 0.25);
  REQUIRE(last != nullptr);
  CHECK(last->step == 250);
  options = options_of(1);
  checkpoints(options).resume = last;
  CHECK(run(options).end() == run(options_of(1)).end());
}

TEST_CASE("a run whose last step was cut short goes on with the bits of a run in one go",
          "[checkpoint]") {
  for (const ivp::Stepper stepper : {ivp::Stepper::heun, ivp::Stepper::radau}) {
    const ivp::Solution whole = run(options_of(1, stepper));
    // 0.119 is 119 h but for its last bit; 0.0004 is less than a step.
    for (const double first_end : {0.2504, 0.119, 0.0004}) {
      for (int groups : {1, 3}) {
        CAPTURE(name_of(stepper), first_end, groups);
        ivp::Options options = options_of(groups, stepper);
        std::shared_ptr<Checkpoint> last;
        checkpoints(options).save = [&](const Checkpoint& at) {
          last = std::make_shared<Checkpoint>(at);
        };
        const ivp::Solution first = run(options, first_end);
        REQUIRE(last != nullptr);
        options = options_of(groups, stepper);
        checkpoints(options).resume = last;
        CHECK(run(options, first_end).end() == first.end());
        check_rest(whole, run(options));
      }
    }
  }
}

TEST_CASE("a checkpoint between nodes is refused, but for an end there", "[checkpoint]") {
  ivp::Options options = options_of(1);
  auto last = std::make_shared<Checkpoint>();
  checkpoints(options).seconds = 0;
  checkpoints(options).save = [&](const Checkpoint& at) { *last = at; };
  run(options, 0.25);
  REQUIRE(last->step == 250);
  last->t = 0.2496;
  options = options_of(1);
  checkpoints(options).resume = last;
  CHECK_THROWS_WITH(run(options), contains_text("t = 0.2496 after 250 steps") &&
                                      contains_text("at t = 0.25") && contains_text("cut short") &&
                                      contains_text("take the end t = 0.2496"));
  CHECK(run(options, 0.2496).report.integration.reached == 0.2496);
  last->t = std::nextafter(0.25, 1);
  CHECK_THROWS_WITH(run(options), contains_text("cut short"));
}

TEST_CASE("the last checkpoint of a run is where it ends, whatever the time between two",
          "[checkpoint]") {
  for (int groups : {1, 3}) {
    ivp::Options options = options_of(groups);
    long step = -1;
    checkpoints(options).save = [&](const Checkpoint& at) { step = at.step; };
    run(options);
    CHECK(step == 500);
  }
}

TEST_CASE("what had ended ends again, with what is known of its iterates", "[checkpoint]") {
  for (const int groups : {1, 3}) {
    CAPTURE(groups);
    std::shared_ptr<const Checkpoint> last;
    ivp::Options options = options_of(groups);
    checkpoints(options).save = [&](const Checkpoint& at) {
      last = std::make_shared<Checkpoint>(at);
    };
    const ivp::Solution whole = run(options);
    REQUIRE(whole.report.usable());
    REQUIRE(last != nullptr);
    for (const int again : {1, 2, 3}) {
      CAPTURE(again);
      ivp::Options of_again = options_of(again);
      checkpoints(of_again).resume = last;
      const ivp::Solution rest = run(of_again);
      CHECK(rest.report.usable());
      CHECK(rest.report.message == whole.report.message);
      CHECK(rest.end() == whole.end());
      REQUIRE(rest.report.history.size() == whole.report.history.size());
      for (std::size_t i = 0; i < rest.report.history.size(); ++i) {
        CHECK(rest.report.history[i].change == whole.report.history[i].change);
      }
    }
  }
}

TEST_CASE("a checkpoint of another run is refused with what differs", "[checkpoint]") {
  const io::ScratchDirectory scratch;
  ivp::Options options = options_of(1);
  checkpoints(options).resume = stopped_after(10, 1, scratch.file("run.json"));
  options.h = 2e-3;
  CHECK_THROWS_WITH(run(options), contains_text("written with h = 0.001, this run has 0.002;"));
  options.h = 1e-3;
  srm(options).iterates = 2;
  CHECK_THROWS_WITH(run(options), contains_text("iterates = 3, this run has 2"));
  srm(options).iterates = 3;
  checkpoints(options).mark = "turning = 1";
  CHECK_THROWS_WITH(run(options), contains_text("parameters = none, this run has turning = 1"));
}

TEST_CASE("a checkpoint beyond the end, or one whose states do not fit, is refused",
          "[checkpoint]") {
  const io::ScratchDirectory scratch;
  for (int groups : {1, 3}) {
    const auto saved = stopped_after(40, groups, scratch.file("run.json"));
    ivp::Options options = options_of(groups);
    checkpoints(options).resume = saved;
    CHECK_THROWS_WITH(run(options, 0.1), contains_text("this run has 100; ask for a later end"));
    auto changed = std::make_shared<Checkpoint>(*saved);
    changed->iterates.pop_back();
    checkpoints(options).resume = changed;
    CHECK_THROWS_WITH(run(options), contains_text("its states are not 3 of"));
    changed->iterates = saved->iterates;
    changed->iterates[1].carried.conservativeResize(0);
    CHECK_THROWS_WITH(run(options), contains_text("its states are not 3 of"));
  }
}

TEST_CASE("what cannot be taken up again is refused", "[checkpoint]") {
  ivp::Options options = options_of(1, ivp::Stepper::dop853);
  checkpoints(options).save = [](const Checkpoint&) {};
  options.h = {};
  CHECK_THROWS_WITH(run(options), contains_text("checkpoints: need a fixed h"));
  CHECK(checkpoints_of(ivp::Sweeps{}) == nullptr);
  options.h = 1e-3;
  checkpoints(options).seconds = -1;
  CHECK_THROWS_WITH(run(options), contains_text("checkpoints.seconds = -1"));
}

TEST_CASE("an error while a checkpoint is saved ends the run with that error", "[checkpoint]") {
  for (int groups : {1, 3}) {
    ivp::Options options = options_of(groups);
    checkpoints(options).seconds = 0;
    checkpoints(options).save = [](const Checkpoint& at) {
      io::write_checkpoint("/nonexistent/run.json", at);
    };
    CHECK_THROWS_AS(run(options), FileError);
  }
}

TEST_CASE("every setting that is another refuses to go on, and is named", "[checkpoint]") {
  const io::ScratchDirectory scratch;
  const auto saved = stopped_after(10, 1, scratch.file("run.json"));
  REQUIRE(saved->settings.size() == 14);
  for (std::size_t i = 0; i < saved->settings.size(); ++i) {
    const std::string name = saved->settings[i].first;
    CAPTURE(name);
    auto changed = std::make_shared<Checkpoint>(*saved);
    changed->settings[i].second += "1";
    ivp::Options options = options_of(1);
    checkpoints(options).resume = changed;
    const std::string called = name == "mark" ? "parameters" : name;
    CHECK_THROWS_WITH(run(options), contains_text("it was written with " + called + " = "));
    changed->settings.erase(changed->settings.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK_THROWS_WITH(run(options), contains_text("it does not say " + called));
  }
}

TEST_CASE("every option that the bits depend on is a setting", "[checkpoint]") {
  const io::ScratchDirectory scratch;
  using Change = std::function<void(ivp::Options&)>;
  const auto first = [](ivp::Options& options) {
    srm(options).variant = Variant::baumgarte_form;
    srm(options).epsilon = 1e-3;
    srm(options).alpha1 = 1;
    srm(options).alpha2 = 2;
    srm(options).alpha3 = 3;
  };
  const std::pair<const char*, Change> changes[] = {
      {"h", [](ivp::Options& o) { o.h = std::nextafter(*o.h, 1); }},
      {"stepper", [](ivp::Options& o) { srm(o).formula.stepper = ivp::Stepper::ralston; }},
      {"variant",
       [](ivp::Options& o) {
         srm(o).variant = Variant::invariant;
         srm(o).alpha1.reset();
         srm(o).alpha3.reset();
       }},
      {"weight", [](ivp::Options& o) { srm(o).weight = Weight::transpose; }},
      {"epsilon", [](ivp::Options& o) { srm(o).epsilon = std::nextafter(1e-3, 1); }},
      {"alpha1", [](ivp::Options& o) { srm(o).alpha1 = std::nextafter(1.0, 2); }},
      {"alpha2", [](ivp::Options& o) { srm(o).alpha2 = std::nextafter(2.0, 3); }},
      {"alpha3", [](ivp::Options& o) { srm(o).alpha3 = std::nextafter(3.0, 4); }},
      {"iterates", [](ivp::Options& o) { srm(o).iterates = 4; }},
      {"exact_start", [](ivp::Options& o) { srm(o).exact_start = 0; }},
      {"mark", [](ivp::Options& o) { checkpoints(o).mark = "other"; }}};
  auto last = std::make_shared<Checkpoint>();
  ivp::Options options = options_of(1);
  first(options);
  checkpoints(options).save = [&](const Checkpoint& at) { *last = at; };
  run(options, 0.1);
  REQUIRE(last->step == 100);
  for (const auto& [name, change] : changes) {
    CAPTURE(name);
    ivp::Options other = options_of(1);
    first(other);
    checkpoints(other).resume = last;
    CHECK_NOTHROW(run(other, 0.2));
    change(other);
    CHECK_THROWS_WITH(run(other, 0.2),
                      contains_text(std::string("written with ") +
                                    (std::string(name) == "mark" ? "parameters" : name) + " ="));
  }
}

TEST_CASE("a run that is stopped twice gives out the times of one that was not", "[checkpoint]") {
  std::vector<double> times;
  for (int i = 0; i <= 40; ++i) times.push_back(t_end * i / 40 + (i == 20 ? 1e-5 : 0));
  for (int groups : {1, 3}) {
    CAPTURE(groups);
    ivp::Options options = options_of(groups);
    options.times = times;
    const ivp::Solution whole = run(options);
    REQUIRE(whole.report.usable());
    REQUIRE(whole.count() == 41);
    std::vector<double> t, states;
    std::shared_ptr<Checkpoint> at;
    long evaluations = 0;
    for (int leg = 0; leg < 3; ++leg) {
      ivp::Options part = options;
      auto last = std::make_shared<Checkpoint>();
      std::size_t given = 0, of_checkpoint = 0;
      ivp::Solution rows;
      part.sink = [&](const ivp::Output& output) {
        rows.t.push_back(output.t);
        rows.states.insert(rows.states.end(), output.state, output.state + whole.nz);
        return leg == 2 || ++given < 14;
      };
      checkpoints(part).seconds = 0;
      checkpoints(part).save = [&](const Checkpoint& now) {
        *last = now;
        of_checkpoint = rows.t.size();
      };
      checkpoints(part).resume = at;
      const ivp::Solution went = run(part);
      CHECK(went.report.usable() == (leg == 2));
      if (leg == 2) of_checkpoint = rows.t.size();
      // The first of a run that goes on is where it does, which is none of the times.
      const std::size_t skipped = leg > 0 ? 1 : 0;
      t.insert(t.end(), rows.t.begin() + static_cast<std::ptrdiff_t>(skipped),
               rows.t.begin() + static_cast<std::ptrdiff_t>(of_checkpoint));
      const auto nz = static_cast<std::size_t>(whole.nz);
      states.insert(states.end(), rows.states.begin() + static_cast<std::ptrdiff_t>(skipped * nz),
                    rows.states.begin() + static_cast<std::ptrdiff_t>(of_checkpoint * nz));
      CHECK(went.report.integration.end == t_end);
      evaluations = went.report.integration.evaluations;
      CHECK(last->integration.evaluations <= evaluations);
      at = last;
    }
    CHECK(t == whole.t);
    CHECK(states == whole.states);
    // A run that goes on evaluates once more where it does.
    CHECK(evaluations >= whole.report.integration.evaluations);
    CHECK(evaluations <= whole.report.integration.evaluations + 40);
  }
}
