#pragma once
// A page on one run or on several, which a browser opens from disk: plots, a mechanism that moves,
// what was asked and what was chosen.
//
//   page::write("out.html", {.title = "Slider-crank", .runs = {run}});

#include <string>
#include <vector>

#include "core/report/drawing.hpp"
#include "core/report/table.hpp"

namespace daewave::page {

struct Curve {
  std::string name;            ///< As in "crank.x"; equal names of several runs are compared.
  std::vector<double> values;  ///< One for each t of the plot; NaN breaks the line.
  std::vector<double> error;   ///< Half the height of a band about the values; empty: none.
};

/// Curves over one t.
struct Plot {
  std::string title;  ///< Plots of equal title and unit of several runs are one.
  std::string unit;   ///< Of the values; empty: none.
  bool logarithmic = false;
  bool points = false;  ///< Each value is a point of its own; otherwise lines.
  std::vector<double> t;
  std::vector<Curve> curves;
};

/// Something that happened.
struct Mark {
  double t = 0;
  std::string label;
};

struct Run {
  std::string label;   ///< Tells runs apart; unique.
  bool usable = true;  ///< Otherwise the page says that the numbers are not what was asked for.
  std::string brief;   ///< In one line.
  std::string report;  ///< A JSON object, as io::report_json() gives it.
  std::vector<Plot> plots;
  std::vector<Mark> marks;
  /// Column t, then the state: what moves, and what can be saved as CSV.
  Table motion;
  int for_drawing = 0;  ///< Of its columns, the last ones that are for the drawing alone.
  /// Entries of its frames are columns of `motion`, after t. Without parts, two components are
  /// drawn over each other.
  Drawing drawing;

  /// The plot of that title and unit; made, over t, where there is none.
  Plot& plot(const std::string& title, const std::string& unit, const std::vector<double>& t);
};

struct Page {
  std::string title, subtitle;
  std::string made_by;  ///< Program and version.
  std::vector<Run> runs;
};

/// The page as text, which needs no network. Columns of more rows than a screen can show are
/// thinned to those between which no pixel changes; of very many columns to fewer, which the page
/// says. @throws InvalidOption where columns have unequal lengths, labels are equal, or there is no
/// run.
std::string html_of(const Page& page);

/// Writes it. @throws the same; FileError, and then `path` is as it was.
void write(const std::string& path, const Page& page);

}  // namespace daewave::page
