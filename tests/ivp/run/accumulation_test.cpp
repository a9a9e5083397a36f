#include "ivp/run/accumulation.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "tests/catch.hpp"

namespace daewave::ivp {

TEST_CASE("a ball that comes to rest is stopped near the end of its bounces, which is told",
          "[events]") {
  // Times between bounces fall by r each: they end at r / (1 - r), in both directions of time.
  for (const double sign : {1.0, -1.0}) {
    const double r = 0.4, end = sign * (1 + r / (1 - r));
    Accumulation events(0, {});
    double between = 1, t = 0;
    std::string why;
    int count = 0;
    while (why.empty() && count < 200) {
      t += sign * between;
      why = events.at(t, 0);
      between *= r;
      ++count;
    }
    CAPTURE(sign, count, why);
    CHECK_THAT(why, contains_text("events accumulate"));
    CHECK_THAT(why, contains_text("at t = " + std::string(sign > 0 ? "1.66666" : "-1.66666")));
    // The time between the last two, times r, is what a millionth of the longest is.
    CHECK(std::pow(r, count) <= 1e-6);
    CHECK(std::pow(r, count - 1) > 1e-6);
    CHECK(std::abs(t - end) < 1e-5);
  }
}

TEST_CASE("times that fall slowly are stopped too, those that are alike are not", "[events]") {
  const auto events_until = [](double r, int most) {
    Accumulation events(0, {});
    double t = 0, between = 1;
    for (int k = 1; k <= most; ++k) {
      t += between;
      if (!events.at(t, 0).empty()) return k;
      between *= r;
    }
    return most + 1;
  };
  // 0.9^132 is the first below a millionth of the longest.
  CHECK(events_until(0.9, 300) == static_cast<int>(std::ceil(std::log(1e-6) / std::log(0.9))));
  CHECK(events_until(1, 300) == 301);
}

TEST_CASE("two brief times by chance are no accumulation, a hundred of them are", "[events]") {
  Accumulation events(0, {});
  REQUIRE(events.at(1, 0).empty());
  REQUIRE(events.at(2, 0).empty());
  double t = 2;
  for (int k = 1; k < 100; ++k) {
    t += 1e-7;
    CAPTURE(k);
    CHECK(events.at(t, 0).empty());
  }
  CHECK_FALSE(events.at(t + 1e-7, 0).empty());
}

TEST_CASE("brief times that are alike lead to the end of a run that is not far", "[events]") {
  // After a long time without any: a thousand times a second, which is a millionth of that time.
  const auto all_seen = [](double end, double shrinks) {
    Accumulation events(0, {}, end);
    double t = 1100, between = 1e-3;
    REQUIRE(events.at(1, 0).empty());
    REQUIRE(events.at(t, 0).empty());
    for (int k = 0; k < 1000; ++k) {
      if (!events.at(t += between, 0).empty()) return false;
      between *= shrinks;
    }
    return true;
  };
  CHECK(all_seen(2000, 1));
  CHECK_FALSE(all_seen(4000, 1));
  // As those of a frequency that rises slowly.
  CHECK(all_seen(1200, 0.9999));
  CHECK_FALSE(all_seen(1200, 0.99));
}

TEST_CASE("two different events may be close to each other from the first on, by chance",
          "[events]") {
  for (const double first : {1.0, 1e-9}) {
    for (const double apart : {1e-7, 1e-12}) {
      Accumulation events(0, {});
      CAPTURE(first, apart);
      CHECK(events.at(first, 0).empty());
      CHECK(events.at(first + apart, 1).empty());
      CHECK(events.at(2, 0).empty());
    }
  }
  // Twice the same may be all that is seen of a ball that hardly bounces.
  Accumulation events(0, {});
  CHECK(events.at(1, 0).empty());
  CHECK_FALSE(events.at(1 + 1e-4, 0).empty());
}

TEST_CASE("events that follow from each other at one time are no accumulation, a hundred are",
          "[events]") {
  Accumulation events(0, {});
  CHECK(events.at(1, 0).empty());
  for (int k = 1; k < 100; ++k) {
    CAPTURE(k);
    REQUIRE(events.at(1, 0).empty());
    REQUIRE(events.at(1, 1).empty());
    CHECK_FALSE(events.first_step().has_value());
  }
  CHECK_THAT(events.at(1, 0), contains_text("accumulate") && contains_text("101 times"));
  // Those of another time are counted anew.
  CHECK(events.at(2, 0).empty());
  CHECK(events.at(2, 0).empty());
}

TEST_CASE("beside a fixed step a thousandth of it is brief", "[events]") {
  const auto is_brief = [](double between) {
    Accumulation events(0, 0.1);
    double t = 0;
    for (int k = 0; k < 99; ++k) REQUIRE(events.at(t += between, 0).empty());
    return !events.at(t + between, 0).empty();
  };
  CHECK(is_brief(0.9e-4));
  CHECK_FALSE(is_brief(1.1e-4));
}

TEST_CASE("what would come next is brief up to a thousandth of a fixed step", "[events]") {
  // Times between are halved; the third next is 8 / 2^4, or 8 / 2^3 that is the bound itself.
  for (const auto& [h, count] : {std::pair{500.0, 4}, std::pair{1000.0, 3}}) {
    Accumulation events(0, h);
    double t = 0, between = 8;
    int seen = 0;
    std::string why;
    while (why.empty() && seen < 20) {
      why = events.at(t += between, 0);
      between *= 0.5;
      ++seen;
    }
    CAPTURE(h, why);
    CHECK(seen == count);
  }
}

TEST_CASE("after events that follow fast on each other the first step is as short", "[events]") {
  Accumulation events(0, {});
  CHECK_FALSE(events.first_step().has_value());
  (void)events.at(1, 0);
  CHECK_FALSE(events.first_step().has_value());
  (void)events.at(1.02, 0);
  CHECK_FALSE(events.first_step().has_value());
  (void)events.at(1.029, 0);
  REQUIRE(events.first_step().has_value());
  CHECK(*events.first_step() == Approx(0.009).epsilon(1e-12));
}

}  // namespace daewave::ivp
