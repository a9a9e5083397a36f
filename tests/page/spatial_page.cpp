// Writes the page of a body that turns in space, for report_test.py.

#include <cmath>
#include <string>

#include "page/page.hpp"

int main(int, char** argv) {
  using namespace daewave;
  page::Run run;
  run.label = "top";
  run.brief = "a body that turns about z";
  run.motion.names = {"t", "top.x", "top.y", "top.z", "top.e0", "top.e1", "top.e2", "top.e3"};
  run.motion.columns.resize(8);
  page::Plot plot;
  plot.title = "Positions";
  for (int i = 0; i <= 100; ++i) {
    const double t = 0.1 * i;
    const double row[] = {t, std::cos(t), std::sin(t), 1, std::cos(t / 2), 0, 0, std::sin(t / 2)};
    for (std::size_t j = 0; j < 8; ++j) run.motion.columns[j].push_back(row[j]);
  }
  plot.t = run.motion.columns[0];
  plot.curves.push_back({"top.x", run.motion.columns[1], {}});
  run.plots.push_back(plot);
  run.drawing.spatial = true;
  run.drawing.frames = {{"top", 0}};
  using Kind = DrawnPart::Kind;
  const DrawnPoint end{0, {-1, 0, 0}}, center{0, {0, 0, 0}}, origin{-1, {0, 0, 1}};
  run.drawing.parts = {{Kind::body, "top", {end}, {}, 0},
                       {Kind::pin, "pivot", {end}, {}, 0},
                       {Kind::disk, "wheel", {center}, {1, 0, 0}, 0.4},
                       {Kind::rod, "rod", {origin, center}, {}, 0},
                       {Kind::line, "axis", {origin}, {0, 0, 1}, 0}};
  page::Page page;
  page.title = "A top";
  page.runs.push_back(run);
  page::write(argv[1], page);
}
