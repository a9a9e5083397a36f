// How changes of formula are told.

#include "ivp/reduced/stiff_change.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {

namespace {

Report told(int changes) {
  std::vector<FormulaChange> all;
  for (int i = 0; i < changes; ++i) all.push_back({i + 0.5, i % 2 == 0});
  Report report;
  tell_changes(all, "dop853", report);
  return report;
}

std::string text_of(int changes) { return told(changes).choices.at(0).value; }

}  // namespace

TEST_CASE("changes of formula are told with their times, of many the first and the last six",
          "[stiff]") {
  CHECK(told(0).choices.empty());
  CHECK_FALSE(was_stiff(told(0)));
  CHECK(was_stiff(told(1)));
  CHECK(told(1).choices[0].reason == "stability, not accuracy, held the steps of dop853 there");
  CHECK_FALSE(told(1).choices[0].by_user);
  CHECK(text_of(1) == "radau of 3 stages from t = 0.5");
  CHECK(text_of(3) == "radau of 3 stages from t = 0.5 to t = 1.5, from t = 2.5");
  CHECK(text_of(12) ==
        "radau of 3 stages from t = 0.5 to t = 1.5, from t = 2.5 to t = 3.5, from t = 4.5 to t = "
        "5.5, from t = 6.5 to t = 7.5, from t = 8.5 to t = 9.5, from t = 10.5 to t = 11.5");
  CHECK(text_of(13) ==
        "radau of 3 stages from t = 0.5 to t = 1.5, from t = 2.5 to t = 3.5, from t = 4.5 to t = "
        "5.5, ... (13 changes) to t = 7.5, from t = 8.5 to t = 9.5, from t = 10.5 to t = 11.5, "
        "from t = 12.5");
  CHECK(FormulaChange{}.t == 0);
  CHECK_FALSE(FormulaChange{}.stiff);
}

}  // namespace daewave::ivp
