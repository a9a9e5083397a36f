// Pages: which rows they keep, and what they refuse. What a browser makes of them is tested by
// report_test.py.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <random>

#include "core/error.hpp"
#include "page/arrays.hpp"
#include "page/page.hpp"
#include "page/page_data.hpp"
#include "page/thinning.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using namespace daewave::page;

namespace {

Run run_of(std::vector<double> t, std::vector<double> values) {
  Run run;
  run.label = "run";
  Plot plot;
  plot.title = "State";
  plot.t = t;
  plot.curves.push_back({"x", values, {}});
  run.plots.push_back(plot);
  run.motion.add("t", std::move(t));
  run.motion.add("x", std::move(values));
  return run;
}

/// Least and largest value that a pixel column of a plot shows.
std::vector<std::pair<double, double>> pixels_of(const std::vector<double>& t,
                                                 const std::vector<double>& values, int width) {
  std::vector<std::pair<double, double>> pixels(static_cast<std::size_t>(width + 1),
                                                {INFINITY, -INFINITY});
  for (std::size_t i = 0; i < t.size(); ++i) {
    auto& [least, largest] =
        pixels[static_cast<std::size_t>((t[i] - t[0]) / (t.back() - t[0]) * width)];
    least = std::min(least, values[i]);
    largest = std::max(largest, values[i]);
  }
  return pixels;
}

}  // namespace

TEST_CASE("no pixel of a plot changes when its rows are thinned", "[page]") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> t, smooth, noise;
  for (int i = 0; i < 40'000; ++i) {
    t.push_back(1e-3 * i * (1 + 1e-5 * i));
    smooth.push_back(std::sin(t.back()));
    noise.push_back(i == 12'345 ? 50 : uniform(random));
  }
  constexpr int width = 500;
  const std::vector<std::size_t> rows = rows_seen(t, {&smooth, &noise}, width);
  CHECK(rows.size() < 6 * (width + 1));
  CHECK(std::is_sorted(rows.begin(), rows.end()));
  CHECK(std::adjacent_find(rows.begin(), rows.end()) == rows.end());
  std::vector<double> kept_t, kept_smooth, kept_noise;
  for (const std::size_t row : rows) {
    kept_t.push_back(t[row]);
    kept_smooth.push_back(smooth[row]);
    kept_noise.push_back(noise[row]);
  }
  CHECK(kept_t.front() == t.front());
  CHECK(kept_t.back() == t.back());
  CHECK(pixels_of(kept_t, kept_smooth, width) == pixels_of(t, smooth, width));
  CHECK(pixels_of(kept_t, kept_noise, width) == pixels_of(t, noise, width));
}

TEST_CASE("a line that breaks does so where its rows are thinned", "[page]") {
  std::vector<double> t, x;
  for (int i = 0; i < 1000; ++i) {
    t.push_back(-i);  // Backwards too.
    x.push_back(i == 500 || i == 501 ? double(NAN) : i);
  }
  const std::vector<std::size_t> rows = rows_seen(t, {&x}, 10);
  CHECK(rows.size() < 60);
  CHECK(std::count_if(rows.begin(), rows.end(), [&](std::size_t i) { return std::isnan(x[i]); }) >=
        1);
  CHECK(rows_seen({}, {}, 10).empty());
  CHECK(rows_seen({1, 1, 1}, {}, 10).size() == 2);
}

TEST_CASE("arrays are once in a page, in base 64", "[page]") {
  Arrays arrays;
  CHECK(arrays.add({1.0}) == 0);
  CHECK(arrays.add({1.0, -2.5}) == 1);
  CHECK(arrays.add({1.0}) == 0);
  CHECK(arrays.add({}) == 2);
  // Doubles of little end first: 3f f0 and c0 04 are the last bytes of 1 and -2.5.
  CHECK(arrays.texts() == std::vector<std::string>{"AAAAAAAA8D8=", "AAAAAAAA8D8AAAAAAAAEwA==", ""});
}

TEST_CASE("a page of a run of a million rows is below 10 MB", "[page]") {
  constexpr int rows = 1'000'000;
  std::vector<double> t, x;
  for (int i = 0; i < rows; ++i) {
    t.push_back(1e-4 * i);
    x.push_back(std::sin(t.back()) + 1e-3 * std::sin(37.0 * i));
  }
  Page page{.title = "long", .subtitle = "", .made_by = "", .runs = {run_of(t, x)}};
  for (int k = 0; k < 20; ++k) {
    Run& run = page.runs.front();
    std::vector<double> other(x);
    for (double& value : other) value += k;
    run.plots.front().curves.push_back({"x" + std::to_string(k), std::move(other), {}});
  }
  const std::string html = html_of(page);
  CHECK(html.size() < 10'000'000);
  CHECK(html.size() > 1'000'000);
}

TEST_CASE("a page says by which rows it is thinner than what pixels show", "[page]") {
  Page page{.title = "wide", .subtitle = "", .made_by = "", .runs = {run_of({0, 1}, {0, 1})}};
  page.runs.front().plots.clear();
  CHECK(data_of(page).find(" of 2 rows") == std::string::npos);
  Plot plot;
  plot.title = "State";
  for (int i = 0; i < 6000; ++i) plot.t.push_back(i);
  for (int k = 0; k < 400; ++k) {
    std::vector<double> values;
    for (int i = 0; i < 6000; ++i) values.push_back(std::sin(0.1 * i * (k + 1)));
    plot.curves.push_back({"x" + std::to_string(k), std::move(values), {}});
  }
  page.runs.front().plots.push_back(std::move(plot));
  const std::string data = data_of(page);
  CHECK(data.find(" of 6000 rows, about one of ") != std::string::npos);
  CHECK(data.size() < 9'000'000);
}

TEST_CASE("small plots beside a state that is too wide for a page are there as a whole", "[page]") {
  constexpr int columns = 4000, rows = 500;
  std::vector<double> t;
  for (int i = 0; i < rows; ++i) t.push_back(i);
  Page page{.title = "wide", .subtitle = "", .made_by = "", .runs = {run_of(t, t)}};
  Run& run = page.runs.front();
  for (int k = 0; k < columns; ++k) run.motion.add("x" + std::to_string(k), t);
  Plot small;
  small.title = "Drift";
  small.t = {0, 1, 2};
  small.curves.push_back({"position", {-3, 5, -4}, {}});
  run.plots.push_back(small);
  // Of this one the share of a page is less than one number.
  small.t = {0};
  small.curves = {{"velocity", {4}, {}}};
  run.plots.push_back(small);
  const std::string data = data_of(page);
  Arrays arrays;
  arrays.add({-3, 5, -4});
  CHECK(data.find(arrays.texts().front()) != std::string::npos);
  CHECK(data.size() < 9'000'000);
}

TEST_CASE("of curves of any number a page has the first and the last value", "[page]") {
  // Of what the long ones leave of a page these may have less than two rows.
  constexpr int curves = 30'000, rows = 500'000;
  std::vector<double> t;
  for (int i = 0; i < rows; ++i) t.push_back(i);
  Page page{.title = "wide", .subtitle = "", .made_by = "", .runs = {run_of(t, t)}};
  Plot wide;
  wide.title = "Multipliers";
  wide.t = {0, 1, 2, 3};
  for (int k = 0; k < curves; ++k) wide.curves.push_back({"", {7, 8, 9, 10}, {}});
  wide.curves.push_back({"last", {-1, -2, -3, -4}, {}});
  page.runs.front().plots.push_back(std::move(wide));
  Arrays arrays;
  arrays.add({-1, -4});
  const std::string data = data_of(page);
  CHECK(data.find("2 of 4 rows") != std::string::npos);
  CHECK(data.find(arrays.texts().front()) != std::string::npos);
}

TEST_CASE("no text of a run can become a part of the page", "[page]") {
  Page page{.title = "</title><script>alert(1)</script>",
            .subtitle = "</script><b>",
            .made_by = "",
            .runs = {run_of({0, 1}, {0, NAN})}};
  page.runs.front().brief = "<img src=x> \"&\"";
  page.runs.front().marks.push_back({0.5, "</script>\xff"});  // Not UTF-8.
  const std::string html = html_of(page);
  CHECK(html.find("<script>alert") == std::string::npos);
  CHECK(html.find("</script><b>") == std::string::npos);
  CHECK(html.find("<img src=x>") == std::string::npos);
  CHECK(html.find("&lt;/title&gt;") != std::string::npos);
  CHECK(html.find("http-equiv=\"Content-Security-Policy\"") != std::string::npos);
  // None of its placeholders is left.
  for (const char* place : {"<!--title-->", "<!--scripts-->", "<!--licences-->"}) {
    CHECK(html.find(place) == std::string::npos);
  }
}

TEST_CASE("a page refuses what it could not show", "[page]") {
  Page page;
  CHECK_THROWS_AS(html_of(page), InvalidOption);
  page.runs = {run_of({0, 1}, {0, 1}), run_of({0, 1}, {0, 1})};
  CHECK_THROWS_WITH(html_of(page), "two runs are labelled 'run'");
  page.runs.pop_back();
  page.runs.front().plots.front().curves.front().values.pop_back();
  CHECK_THROWS_WITH(html_of(page), "plot 'State': a curve has 1 values, t has 2");
  page.runs.front().plots.clear();
  page.runs.front().motion.columns.back().pop_back();
  CHECK_THROWS_WITH(html_of(page), "run 'run': columns have unequal lengths");
  CHECK_THROWS_AS(page::write("/nowhere/page.html", Page{"", "", "", {run_of({0, 1}, {0, 1})}}),
                  FileError);
}
