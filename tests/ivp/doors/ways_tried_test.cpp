// Which settings are tried after a failure, in which order, and what is said of them; what runs is
// made up.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "ivp/doors/way_out.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {

namespace {

/// What of them differs from what is asked for by default.
std::string in_words(const Options& options) {
  const Options open;
  std::string text = name_of(options.method);
  if (const Formula* formula = formula_of(options.method); formula && formula->stepper) {
    text += fmt::format(" {}", name_of(*formula->stepper));
  }
  if (options.h) text += fmt::format(" h = {:g}", *options.h);
  if (options.rtol != open.rtol) text += fmt::format(" rtol = {:g}", options.rtol);
  if (options.atol) text += fmt::format(" atol = {:g}", *options.atol);
  if (options.estimate_error) text += " estimated";
  return text;
}

/// A failed run from t = 0 to 1 that came to 1/4, and the runs that are made up after it.
struct Trying {
  Options options;
  Solution failed;
  std::vector<Options> runs;
  std::function<bool(const Options&)> comes_through = [](const Options&) { return false; };

  explicit Trying(Termination termination) {
    Report& report = failed.report;
    report.termination = termination;
    report.advice = "as it was";
    report.integration.begin = 0;
    report.integration.reached = 0.25;
    report.integration.end = 1;
    report.integration.steps = 30'000;
  }

  std::vector<std::string> tried() {
    const SolveWith run = [this](const Options& asked) {
      runs.push_back(asked);
      Solution solution;
      solution.report.integration.reached = 1;
      solution.report.error.available = asked.estimate_error;
      solution.report.termination =
          comes_through(asked) ? Termination::converged : Termination::diverged;
      return solution;
    };
    seek_way_out(options, {0, 1}, run, failed);
    std::vector<std::string> words;
    for (const Options& one : runs) words.push_back(in_words(one));
    return words;
  }
  const std::string& advice() const { return failed.report.advice; }
};

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("after too few steps more of them are tried, then a smaller h, then what is left open",
          "[advice]") {
  Trying trying(Termination::too_many_steps);
  trying.options.method = SBoth2{};
  trying.options.h = 0.01;
  trying.options.most_steps = 30;
  CHECK(trying.tried() == Words{"s-both2 h = 0.01", "s-both2 h = 0.01", "s-both2 h = 0.0025",
                                "s-both2 h = 0.000625", "automatic", "automatic rtol = 1e-08",
                                "automatic rtol = 0.0001", "projection radau", "bdf-projection",
                                "bdf-projection estimated", "srm", "srm h = 5e-05 estimated"});
  // 30 steps to t = 1/4 are 120 to the end: twice as many and one, twenty times and one.
  CHECK(trying.runs[0].most_steps == 241);
  CHECK(trying.runs[1].most_steps == 2401);
  CHECK(trying.runs[2].most_steps == 30);
  CHECK(trying.advice() == "12 other settings and methods were tried, and none came through");
}

TEST_CASE("where windows fail explicit formulas that project, or keep local coordinates, are tried",
          "[advice]") {
  Trying trying(Termination::step_too_small);
  trying.failed.report.choices.push_back({"method", GaussWindows::name, false, ""});
  CHECK(trying.tried() == Words{"automatic rtol = 1e-08", "automatic rtol = 0.0001",
                                "projection radau", "projection", "local-state-space",
                                "bdf-projection", "bdf-projection estimated", "srm",
                                "srm h = 5e-05 estimated"});
}

TEST_CASE("of every other way it is said that h is left open, where it was given", "[advice]") {
  const auto advice = [](bool with_h, const std::string& one) {
    Trying trying(Termination::diverged);
    trying.options.rtol = 1e-9;
    if (with_h) trying.options.h = 0.01;
    trying.comes_through = [&](const Options& options) { return in_words(options) == one; };
    trying.tried();
    return trying.advice();
  };
  const std::string begin = "tried, and comes through: ";
  for (const bool with_h : {false, true}) {
    const std::string and_h = with_h ? " without h" : "";
    CHECK(advice(with_h, "projection radau rtol = 1e-09") ==
          begin + "method = projection with stepper = radau" + and_h);
    CHECK(advice(with_h, "bdf-projection rtol = 1e-09") ==
          begin + "method = bdf-projection" + and_h);
    CHECK(advice(with_h, "bdf-projection estimated") ==
          begin + "method = bdf-projection with estimate_error = true with rtol = 1e-06" + and_h);
    CHECK(advice(with_h, "srm rtol = 1e-09") == begin + "method = srm" + and_h);
  }
}

TEST_CASE("more than ten million steps are not tried, nor any that take longer than the run did",
          "[advice]") {
  Trying trying(Termination::too_many_steps);
  trying.options.most_steps = 1'000'000;
  // Twice four million, but not twenty times.
  trying.tried();
  CHECK(trying.runs[0].most_steps == 300'000);
  CHECK(in_words(trying.runs[1]) == "automatic rtol = 1e-08");
  Trying at_bound(Termination::too_many_steps);
  at_bound.options.most_steps = 1'250'000;
  CHECK(at_bound.tried()[0] == "automatic rtol = 1e-08");
  Trying short_run(Termination::diverged);
  short_run.failed.report.integration.steps = 700;
  short_run.failed.report.integration.rejected = 400;
  short_run.options.method = SBoth2{};
  short_run.options.h = 1e-3;
  const Words words = short_run.tried();
  // Ten times 1100 steps: no room for 16,000 or 20,000.
  CHECK(words[0] == "s-both2 h = 0.00025");
  CHECK(words[1] == "automatic");
  CHECK(words.back() == "srm");
  for (const Options& run : short_run.runs) CHECK(run.most_steps == 11'000);
}

TEST_CASE("an error that is too large is answered with a smaller tolerance or a smaller step",
          "[advice]") {
  Trying trying(Termination::tolerance_not_met);
  trying.failed.report.error.available = true;
  trying.failed.report.error.x = 1e-3;
  trying.options.accuracy = 1e-4;
  CHECK(trying.tried() == Words{"automatic rtol = 1e-08", "automatic rtol = 1e-10",
                                "automatic rtol = 1e-08", "automatic rtol = 0.0001",
                                "projection radau", "bdf-projection", "bdf-projection estimated",
                                "srm", "srm h = 5e-05 estimated"});
  CHECK_THAT(trying.advice(), contains_text("none came through; a shorter run, where the problem "
                                            "enlarges errors beyond any tolerance"));
  Trying fixed(Termination::tolerance_not_met);
  fixed.failed.report.error.available = true;
  fixed.failed.report.error.x = 1e-3;
  fixed.options.h = 0.1;
  CHECK(fixed.tried()[0] == "automatic h = 0.025");
  CHECK(in_words(fixed.runs[1]) == "automatic h = 0.00625");
  Trying tight(Termination::tolerance_not_met);
  tight.failed.report.error.available = true;
  tight.failed.report.error.x = 1e-3;
  tight.options.rtol = 1e-12;
  const Words words = tight.tried();
  // Never below 1e-13; and 1e-12 is not divided by 100, but multiplied, and made looser still.
  CHECK(Words(words.begin(), words.begin() + 3) ==
        Words{"automatic rtol = 1e-13", "automatic rtol = 1e-13", "automatic rtol = 1e-10"});
  // The loose one of 1e-6 is that of the default.
  CHECK(std::count(words.begin(), words.end(), "bdf-projection estimated") == 1);
}

TEST_CASE("what is tried gives nothing out, and goes by the problem as the failed run did",
          "[advice]") {
  Trying trying(Termination::diverged);
  Options& options = trying.options;
  options.method = Srm{.epsilon = 0.5,
                       .iterates = 2,
                       .alpha2 = 3,
                       .alpha3 = 4,
                       .exact_start = 1,
                       .loops = Sweeps{},
                       .formula = {Stepper::rk4, {}}};
  options.every = 7;
  options.times = {0.5};
  options.dense = true;
  options.keep = false;
  options.sink = [](const Output&) { return true; };
  options.first_step = 0.125;
  options.control = Control{};
  options.atol = 1e-5;
  options.repair_start = true;
  const Words words = trying.tried();
  REQUIRE(trying.runs.size() > 4);
  for (const Options& run : trying.runs) {
    CHECK(run.every == 0);
    CHECK(run.times.empty());
    CHECK_FALSE(run.dense);
    CHECK(run.keep);
    CHECK_FALSE(run.multipliers);
    CHECK_FALSE(run.sink);
    CHECK_FALSE(run.seek_way_out);
    CHECK(run.repair_start);
  }
  // What a regularization left open would be, with its parameters of the form and its formula.
  CHECK(words[0] == "srm rk4 atol = 1e-05");
  const Srm& open = std::get<Srm>(trying.runs[0].method);
  CHECK_FALSE(open.epsilon);
  CHECK_FALSE(open.iterates);
  CHECK(open.alpha2 == 3);
  CHECK(open.alpha3 == 4);
  CHECK(open.exact_start == 1);
  CHECK(words[1] == "srm rk4 atol = 1e-05");
  CHECK_FALSE(trying.runs[1].first_step);
  CHECK(words[2] == "srm rk4");
  CHECK(std::get<Srm>(trying.runs[2].method).epsilon == 0.5);
  CHECK(std::holds_alternative<StepLocal>(std::get<Srm>(trying.runs[2].method).loops));
  CHECK(trying.runs[2].first_step == 0.125);
  CHECK(words[3] == "automatic atol = 1e-05");
  CHECK(trying.runs[3].first_step == 0.125);
  CHECK_FALSE(trying.runs[3].control);
}

TEST_CASE("what was given is named when it is to be left open", "[advice]") {
  const auto advice_of = [](const Options& options, Termination why, int number) {
    Trying trying(why);
    trying.options = options;
    trying.comes_through = [number, seen = 0](const Options&) mutable { return seen++ == number; };
    trying.failed.report.choices = {{"iterates", "3", false, ""}};
    trying.tried();
    return trying.advice();
  };
  CHECK(advice_of({.method = Automatic{{Stepper::radau, 5}}, .h = 0.5, .control = Control{}},
                  Termination::singular_constraint, 2) ==
        "tried, and comes through: leave stepper and stages and h and control open; as it was");
  Options srm;
  srm.method = Srm{.variant = Variant::direct,
                   .epsilon = 1,
                   .iterates = 1,
                   .weight = Weight::identity,
                   .alpha1 = 1};
  CHECK(advice_of(srm, Termination::iterates_exhausted, 0) ==
        "tried, and comes through: leave variant and weight and epsilon and iterates and alpha1 "
        "open");
  CHECK(advice_of(srm, Termination::iterates_exhausted, 1) ==
        "tried, and comes through: iterates = 4");
  CHECK(advice_of(srm, Termination::iterates_exhausted, 2) ==
        "tried, and comes through: iterates = 6");
  CHECK(advice_of(srm, Termination::iterates_exhausted, 3) ==
        "tried, and comes through: leave method open");
  CHECK(advice_of(srm, Termination::iterates_exhausted, 4) ==
        "tried, and comes through: leave method open with rtol = 1e-08");
  CHECK(advice_of({.atol = 1e-9}, Termination::diverged, 0) ==
        "tried, and comes through: leave atol open");
  CHECK(advice_of({.atol_each = {1e-9}}, Termination::diverged, 0) ==
        "tried, and comes through: leave atol open");
  CHECK(advice_of({.h = 1e-3}, Termination::diverged, 5) ==
        "tried, and comes through: method = projection with stepper = radau without h");
  CHECK(advice_of({.rtol = 1e-8}, Termination::diverged, 5) ==
        "tried, and comes through: method = bdf-projection with estimate_error = true with rtol = "
        "1e-06");
}

TEST_CASE("a first step that was given is that of all ways but the one that leaves it open",
          "[advice]") {
  Trying trying(Termination::step_too_small);
  trying.options.first_step = 1e-30;
  trying.comes_through = [](const Options& asked) { return !asked.first_step; };
  trying.tried();
  CHECK(trying.runs.size() > 5);
  CHECK(std::count_if(trying.runs.begin(), trying.runs.end(), [](const Options& one) {
          return one.first_step.has_value();
        }) == static_cast<long>(trying.runs.size()) - 1);
  CHECK(trying.advice() == "tried, and comes through: leave first_step open; as it was");
}

TEST_CASE("two ways are told, one with the method and one with another", "[advice]") {
  Trying trying(Termination::too_many_steps);
  trying.options.method = SBoth2{};
  trying.options.most_steps = 30;
  trying.comes_through = [](const Options&) { return true; };
  trying.tried();
  CHECK(trying.runs.size() == 2);
  CHECK(trying.advice() == "tried, and come through: most_steps = 241; leave method open");
}

TEST_CASE("a run comes through when it ends where it should, with the estimate that was asked for",
          "[advice]") {
  const auto advice_with = [](double reached, bool event, bool estimated) {
    Trying trying(Termination::diverged);
    const SolveWith run = [&](const Options& asked) {
      if (!asked.estimate_error) throw InvalidOption("is refused");
      Solution solution;
      solution.report.termination = Termination::converged;
      solution.report.integration.reached = reached;
      solution.report.error.available = estimated;
      if (event) solution.occurrences.emplace_back();
      return solution;
    };
    seek_way_out(trying.options, {0, 1}, run, trying.failed);
    return trying.advice();
  };
  const std::string through =
      "tried, and comes through: method = bdf-projection with estimate_error = true";
  CHECK(advice_with(1, false, true) == through);
  CHECK(advice_with(0.5, true, true) == through);
  // Those that are refused are not counted.
  const std::string none = "2 other settings and methods were tried, and none came through";
  CHECK(advice_with(0.5, false, true) == none);
  CHECK(advice_with(1, false, false) == none);
}

TEST_CASE("nothing is tried where settings are not the reason, and none are asked for",
          "[advice]") {
  for (const Termination why : {Termination::stopped, Termination::converged, Termination::refused,
                                Termination::singular_matrix, Termination::not_run}) {
    Trying trying(why);
    CHECK(trying.tried().empty());
    CHECK(trying.advice() == "as it was");
  }
  Trying quiet(Termination::diverged);
  quiet.options.seek_way_out = false;
  CHECK(quiet.tried().empty());
  CHECK(quiet.advice() == "as it was");
  Trying changing(Termination::diverged);
  changing.options.events = {{.name = "hit", .change = [](double, const VecX& z) { return z; }}};
  CHECK(changing.tried().empty());
  changing.options.reset = [] {};
  CHECK_FALSE(changing.tried().empty());
  CHECK_THAT(changing.advice(), contains_text("none came through; as it was"));
}

TEST_CASE("a caller who stops is asked no more", "[advice]") {
  Trying trying(Termination::diverged);
  int asked = 0;
  trying.options.progress = [&asked](const RunProgress&) { return ++asked < 3; };
  bool went_on = true;
  trying.comes_through = [&](const Options& options) {
    went_on = options.progress({0, 0, 1, 0, 0});
    return false;
  };
  trying.tried();
  CHECK(trying.runs.size() == 3);
  CHECK_FALSE(went_on);
}

TEST_CASE("what a caller's own function throws comes out of the settings that are tried",
          "[advice]") {
  const auto tried_with = [](bool by_progress, const std::function<void()>& raise) {
    Trying trying(Termination::diverged);
    if (by_progress) {
      trying.options.progress = [&raise](const RunProgress&) {
        raise();
        return true;
      };
    } else {
      trying.options.reset = raise;
    }
    trying.comes_through = [&](const Options& options) {
      by_progress ? static_cast<void>(options.progress({0, 0, 1, 0, 0})) : options.reset();
      return true;
    };
    trying.tried();
  };
  for (const bool by_progress : {true, false}) {
    CAPTURE(by_progress);
    CHECK_THROWS_WITH(tried_with(by_progress, [] { throw std::runtime_error("mine"); }), "mine");
    CHECK_THROWS_WITH(tried_with(by_progress, [] { throw InvalidOption("mine"); }), "mine");
    CHECK_THROWS_AS(tried_with(by_progress, [] { throw 3; }), int);
    CHECK_NOTHROW(tried_with(by_progress, [] {}));
  }
  // What the problem throws makes a way none.
  Trying trying(Termination::diverged);
  trying.comes_through = [](const Options&) -> bool { throw std::runtime_error("the problem's"); };
  CHECK_NOTHROW(trying.tried());
  CHECK_THAT(trying.advice(), contains_text("none came through"));
}

}  // namespace daewave::ivp
