#include "io/polyline.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/catch.hpp"

namespace daewave::io {

namespace {

const Box box{0, 0, 400, 300};

Polyline noise(int count, double width) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> y(0, 300);
  Polyline line;
  for (int i = 0; i < count; ++i) line.push_back({width * i / count, y(random)});
  return line;
}

std::size_t count_points(const std::vector<Polyline>& lines) {
  std::size_t count = 0;
  for (const Polyline& line : lines) count += line.size();
  return count;
}

bool any_in(const std::vector<Polyline>& lines, const Box& region) {
  return std::any_of(lines.begin(), lines.end(), [&](const Polyline& line) {
    return std::any_of(line.begin(), line.end(),
                       [&](const Point& p) { return region.contains(p); });
  });
}

}  // namespace

TEST_CASE("entries that are not finite break a line", "[io]") {
  const auto runs = split_at_gaps({{NAN, 0}, {1, 1}, {2, 2}, {3, NAN}, {4, INFINITY}, {5, 5}});
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].size() == 2);
  CHECK(runs[1].size() == 1);
  CHECK(split_at_gaps({}).empty());
}

TEST_CASE("decimation keeps the extremes and ends of every pixel column", "[io]") {
  const Polyline line = noise(100000, 400);
  const Polyline kept = decimate(line);
  CHECK(kept.size() <= 4 * 400);
  CHECK(kept.front().y == line.front().y);
  CHECK(kept.back().y == line.back().y);
  const auto lower = [](const Point& a, const Point& b) { return a.y < b.y; };
  for (int column = 0; column < 400; ++column) {
    const auto in_column = [&](const Polyline& all) {
      Polyline some;
      for (const Point& p : all) {
        if (std::floor(p.x) == column) some.push_back(p);
      }
      return some;
    };
    const Polyline before = in_column(line);
    const Polyline after = in_column(kept);
    const auto [low, high] = std::minmax_element(before.begin(), before.end(), lower);
    const auto [kept_low, kept_high] = std::minmax_element(after.begin(), after.end(), lower);
    CHECK(kept_low->y == low->y);
    CHECK(kept_high->y == high->y);
  }
}

TEST_CASE("decimation leaves a sparse line as it is", "[io]") {
  const Polyline line = noise(100, 400);
  CHECK(decimate(line).size() == 100);
  CHECK(decimate({}).empty());
  CHECK(decimate({{1, 2}}).size() == 1);
}

TEST_CASE("clipping keeps what is inside and cuts on the frame", "[io]") {
  CHECK(clip({{-10, 10}, {-5, 20}}, box).empty());
  const auto across = clip({{-100, 150}, {500, 150}}, box);
  REQUIRE(across.size() == 1);
  CHECK(across[0][0].x == 0);
  CHECK(across[0][1].x == 400);
  const auto twice = clip({{10, 10}, {10, -50}, {20, -50}, {20, 10}, {30, 10}}, box);
  REQUIRE(twice.size() == 2);
  CHECK(twice[0].size() == 2);
  CHECK(twice[0][1].y == 0);
  CHECK(twice[1].size() == 3);
  CHECK(clip({{5, 5}}, box).size() == 1);
  CHECK(clip({{5, 500}}, box).empty());
}

TEST_CASE("nothing clipped leaves the frame", "[io]") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> far(-1e6, 1e6);
  std::uniform_real_distribution<double> near(-100, 500);
  Polyline line;
  for (int i = 0; i < 5000; ++i) {
    line.push_back(i % 3 == 0 ? Point{far(random), far(random)}
                              : Point{near(random), near(random)});
  }
  bool all_inside = true;
  for (const Polyline& part : clip(line, box)) {
    for (const Point& p : part) all_inside &= box.contains(p);
  }
  CHECK(all_inside);
}

TEST_CASE("an orbit that repeats is drawn once", "[io]") {
  Polyline orbit;
  for (int i = 0; i < 200000; ++i) {
    const double angle = 2 * M_PI * i / 100;
    orbit.push_back({200 + 100 * std::cos(angle), 150 + 100 * std::sin(angle)});
  }
  const Drawing drawing = without_repeats({orbit}, box, 6000);
  CHECK(count_points(drawing.lines) < 300);
  CHECK(any_in(drawing.lines, {299, 149, 301, 151}));
  // In one stroke: a pen is lifted where what comes next is drawn already.
  CHECK(drawing.lines.size() == 1);
}

TEST_CASE("an orbit that fills an area is hatched inside the frame", "[io]") {
  Polyline orbit;
  for (int i = 0; i < 300000; ++i) {
    orbit.push_back({200 + 200 * std::cos(0.01 * i), 150 + 150 * std::sin(0.013717 * i)});
  }
  const Drawing drawing = without_repeats({orbit}, box, 6000);
  CHECK(count_points(drawing.lines) <= 6000);
  for (const Polyline& line : drawing.lines) {
    for (const Point& p : line) CHECK(box.contains(p));
  }
  const Polyline few = noise(100, 400);
  CHECK(without_repeats({few}, box, 6000).lines.front().size() == 100);
}

TEST_CASE("a line along the right edge stays there, whatever the width", "[io]") {
  // The last column of a lattice is one that its size does not divide the width into.
  for (const double width : {399.9, 400.0, 400.3, 400.6}) {
    const Box frame{0, 0, width, 300};
    Polyline up_and_down;
    for (int i = 0; i < 20000; ++i)
      up_and_down.push_back({width, i % 2 == 0 ? 0.0 : 0.5 * (i % 600)});
    const Drawing drawing = without_repeats({up_and_down}, frame, 6000);
    REQUIRE(count_points(drawing.lines) <= 6000);
    for (const Polyline& line : drawing.lines) {
      for (const Point& p : line) CHECK(p.x >= width - 1);
    }
  }
}

TEST_CASE("a hatched area has strokes within one row", "[io]") {
  // From edge to edge: rows that are passed whole follow each other.
  for (const double width : {398.0, 399.1, 400.0, 401.3}) {
    const Box frame{0, 0, width, 300};
    std::vector<Polyline> lines;
    for (int i = 0; i < 4000; ++i) lines.push_back({{0, 0.075 * i}, {width, 0.075 * i + 0.01}});
    for (Polyline& line : lines) {
      for (int i = 0; i < 3; ++i) line.push_back(line[i % 2]);
    }
    const Drawing drawing = without_repeats(lines, frame, 600);
    REQUIRE(count_points(drawing.lines) <= 600);
    CHECK(drawing.pen > drawing.lines[1][0].y - drawing.lines[0][0].y);
    for (const Polyline& line : drawing.lines) {
      REQUIRE(line.size() == 2);
      CHECK(line[0].y == line[1].y);
      CHECK(line[1].x > line[0].x);
    }
    // Every row that is drawn reaches from edge to edge.
    CHECK(drawing.lines.front().front().x == 0);
    CHECK(drawing.lines.front().back().x == width);
  }
}

TEST_CASE("points in the same pixel are drawn once", "[io]") {
  CHECK(one_per_pixel({{1, 1}, {1.2, 0.9}, {2, 1}, {1, 1}}).size() == 2);
}

}  // namespace daewave::io
