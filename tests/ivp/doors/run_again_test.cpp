// What the caller sees of two runs, of which the second is made where the first has failed.

#include "ivp/doors/run_again.hpp"

#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {

TEST_CASE("the second of two runs gives out what the first one did not", "[advice]") {
  for (const double direction : {1.0, -1.0}) {
    std::vector<double> seen;
    Options options;
    options.sink = [&seen](const Output& output) {
      seen.push_back(output.t);
      return output.t != 99;
    };
    RowsOnce rows(options);
    const auto give = [direction](const Options& to, double t) {
      return to.sink({0, direction * t, nullptr, nullptr});
    };
    const Options first = rows.first(), again = rows.again();
    for (const double t : {0.0, 1.0, 2.0}) CHECK(give(first, 5 + t));
    for (const double t : {0.0, 0.5, 1.0, 2.0, 2.5, 3.0}) CHECK(give(again, 5 + t));
    CHECK(seen == std::vector<double>{5 * direction, 6 * direction, 7 * direction, 7.5 * direction,
                                      8 * direction});
  }
  const Options silent;
  RowsOnce none(silent);
  CHECK_FALSE(none.first().sink);
  CHECK_FALSE(none.again().sink);
}

TEST_CASE("checkpoints of two runs are of the first, and of the second where that was refused",
          "[advice]") {
  Options options;
  int saved = 0;
  options.checkpoints.save = [&saved](const Checkpoint&) { ++saved; };
  options.checkpoints.resume = std::make_shared<const Checkpoint>();
  RowsOnce rows(options);
  rows.first().checkpoints.save({});
  CHECK(saved == 1);
  CHECK_FALSE(rows.again().checkpoints.save);
  rows.anew().checkpoints.save({});
  CHECK(saved == 2);
  CHECK(rows.again().checkpoints.resume == options.checkpoints.resume);
  CHECK(rows.anew().checkpoints.resume == options.checkpoints.resume);
}

TEST_CASE("what a function of the caller's throws is told from a refusal", "[advice]") {
  Options options;
  bool fails = true;
  const auto maybe = [&fails] {
    if (fails) throw Error("no space left");
    return true;
  };
  options.sink = [&](const Output&) { return maybe(); };
  options.progress = [&](const RunProgress&) { return maybe(); };
  options.checkpoints.save = [&](const Checkpoint&) { maybe(); };
  options.method = Srm{.loops = StepLocal{.checkpoints = options.checkpoints}};
  RowsOnce rows(options);
  const Options first = rows.first();
  const std::vector<std::function<void()>> calls{
      [&] {
        first.sink({0, 0, nullptr, nullptr});
      },
      [&] {
        first.progress({0, 0, 1, 0, 0});
      },
      [&] { first.checkpoints.save({}); },
      [&] { checkpoints_of(std::get<Srm>(first.method).loops)->save({}); }};
  for (const auto& call : calls) {
    fails = true;
    CHECK_FALSE(rows.caller_threw());
    CHECK_THROWS_AS(call(), Error);
    CHECK(rows.caller_threw());
    fails = false;
    call();
    CHECK_FALSE(rows.caller_threw());
  }
}

}  // namespace daewave::ivp
