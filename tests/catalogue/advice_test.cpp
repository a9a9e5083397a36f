// What the advice of a run says is done, as it is written: it has to be accepted, and to help.

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "catalogue/initial_value_catalogue.hpp"
#include "tests/advice/followed_advice.hpp"
#include "tests/catalogue/methods_with_numbers.hpp"
#include "tests/catch.hpp"

namespace daewave::catalogue {
namespace {

using testing::AdviceCount;
using testing::WayOut;

/// And some that are refused, or that fail.
std::vector<ivp::Method> methods() {
  std::vector<ivp::Method> all = methods_with_numbers();
  all.emplace_back(ivp::Baumgarte{});
  all.emplace_back(ivp::StabilizedOde{});
  all.emplace_back(ivp::AdamsMoulton{.order = 5});
  all.emplace_back(ivp::Automatic{.formula = {ivp::Stepper::rk4, {}}});
  all.emplace_back(ivp::Automatic{.formula = {ivp::Stepper::dopri5, 3}});
  all.emplace_back(ivp::ProjectEachStep{.formula = {ivp::Stepper::radau, 4}});
  all.emplace_back(ivp::ProjectedInvariants{.formula = {ivp::Stepper::gauss, 3}});
  for (const double epsilon : {1e4, 1.0, 1e-7}) all.emplace_back(ivp::Srm{.epsilon = epsilon});
  all.emplace_back(ivp::Srm{.iterates = 1});
  all.emplace_back(ivp::Srm{.alpha1 = 1});
  all.emplace_back(ivp::Srm{.weight = Weight::identity});
  return all;
}

struct Setting {
  const char* name;
  ivp::Options options;
  int parts = 0;  ///< Of the interval, for a fixed h.
};

std::vector<Setting> settings() {
  return {{"by default", {}},
          {"loose", {.rtol = 1e-2}},
          {"tight", {.rtol = 1e-12}},
          {"too tight", {.rtol = 1e-18}},
          {"coarse h", {}, 200},
          {"fine h", {}, 5000},
          {"few steps", {.most_steps = 50}},
          {"accuracy", {.rtol = 1e-5, .accuracy = 1e-7}}};
}

testing::AdvisedRun run_of(const Entry& entry, double longer, const ivp::Method& method,
                           const Setting& setting, double seconds) {
  const InitialValueProblemPtr problem = make(entry);
  Interval span = problem->interval();
  span.end = span.begin + longer * span.length();
  ivp::Options options = setting.options;
  options.method = method;
  options.every = 0;
  if (setting.parts > 0) options.h = std::abs(span.length()) / setting.parts;
  const char* const how = longer < 0 ? ", backward, " : longer > 1 ? ", long, " : ", ";
  return {entry.name + how + name_of(method) + ", " + setting.name,
          [problem, span](const ivp::Options& of) { return problem->solve(span, of); }, options,
          seconds};
}

}  // namespace

TEST_CASE("an absolute tolerance below all that a step can hold is advised to be left open",
          "[catalogue][advice]") {
  const InitialValueProblemPtr problem = make(*find("pendulum"));
  const ivp::Solution run =
      problem->solve(problem->interval(), {.method = ivp::SBoth2{}, .atol = 1e-40});
  CHECK_FALSE(run.report.usable());
  CHECK_THAT(run.report.advice, contains_text("leave atol open"));
  ivp::Options each{.method = ivp::SBoth2{}};
  each.atol_each = {1e-40, 1e-40, 1e-40, 1e-40};
  CHECK_THAT(problem->solve(problem->interval(), each).report.advice,
             contains_text("leave atol open"));
}

TEST_CASE("where the last iterate may still change too much, one more is advised",
          "[catalogue][advice]") {
  const InitialValueProblemPtr problem = make(*find("slider-crank"));
  const ivp::Solution run = problem->solve({0, 20}, {.method = ivp::Srm{}, .h = 4e-3});
  CHECK(run.report.termination == Termination::iterates_exhausted);
  CHECK_THAT(run.report.advice, contains_text("iterates = 4"));
}

TEST_CASE("a way out that takes long leaves time to look for another", "[catalogue][advice]") {
  // With a hundredth of the tolerance bdf takes more time than all ways out have.
  const InitialValueProblemPtr problem = make(*find("eich-pendulum"));
  const ivp::Solution run = problem->solve(
      problem->interval(), {.method = ivp::Bdf{}, .rtol = 1e-8, .estimate_error = true});
  CHECK(run.report.termination == Termination::tolerance_not_met);
  CHECK_THAT(run.report.advice, contains_text("leave method open"));
}

TEST_CASE("advice of random runs is accepted, and helps", "[catalogue][advice]") {
  std::mt19937 random(41);
  const auto any = [&random](const auto& all) -> const auto& { return all[random() % all.size()]; };
  const std::vector<ivp::Method> all_methods = methods();
  const std::vector<Setting> all_settings = settings();
  AdviceCount count;
  for (int i = 0; i < 60; ++i) {
    const Entry& entry = any(entries());
    const double longer = any(std::vector<double>{1, 1, 3, -0.2});
    const ivp::Method& method = any(all_methods);
    follow(run_of(entry, longer, method, any(all_settings), 0.2), count);
  }
  CAPTURE(count.failed, count.refused, count.none, count.too_long);
  CHECK(count.helped > 12);
  CHECK(count.none < count.helped);
}

TEST_CASE("an h that alpha1 does not allow leads to one that works", "[catalogue][advice]") {
  AdviceCount count;
  for (const char* const name : {"slider-crank", "two-link-arm-1"}) {
    follow(run_of(*find(name), 10, ivp::Srm{.alpha1 = 1}, {"coarse h", {}, 100}, 30), count);
  }
  // How many ways are found is a matter of time; none of them leads in a circle.
  CHECK(count.refused == 2);
}

TEST_CASE("advice of all problems, methods and settings is accepted, and helps", "[.campaign]") {
  AdviceCount count;
  for (const Entry& entry : entries()) {
    for (const double longer : {1.0, 10.0, 30.0, -0.2}) {
      for (const ivp::Method& method : methods()) {
        for (const Setting& setting : settings()) {
          follow(run_of(entry, longer, method, setting, 0.2), count);
        }
      }
    }
  }
  WARN(count.failed << " failed, " << count.refused << " refused, " << count.helped
                    << " ways out helped, " << count.none << " had none, " << count.too_long
                    << " took too long");
}

TEST_CASE("where the default comes to singular constraints its advice leads on",
          "[catalogue][advice]") {
  const InitialValueProblemPtr problem = make(*find("al2-example6.1"), {{"t-end", 30, ""}});
  const ivp::Solution failed = problem->solve(problem->interval(), {});
  REQUIRE(failed.report.termination == Termination::singular_constraint);
  const std::vector<WayOut> ways = testing::ways_out(failed.report.advice);
  REQUIRE(ways.size() == 1);
  const ivp::Solution led = problem->solve(problem->interval(), testing::followed(ways[0], {}));
  INFO(failed.report.advice << led.report.full());
  REQUIRE(led.report.usable());
  CHECK((led.end() - *problem->reference(30)).lpNorm<Eigen::Infinity>() < 1e-6);
  // The branch is not known by that method alone.
  const ivp::Solution alone = problem->solve(problem->interval(), {.method = ivp::BdfProjection{}});
  CHECK(alone.report.termination == Termination::singular_constraint);
}

}  // namespace daewave::catalogue
