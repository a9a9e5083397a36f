#include "page/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "core/error.hpp"
#include "page/arrays.hpp"
#include "page/thinning.hpp"

namespace daewave::page {
namespace {

using Json = nlohmann::ordered_json;

// Wider than screens are.
constexpr int pixels = 4000;
// Of 8 bytes, which base 64 makes 10.7: what a page may take, less what it is besides.
constexpr std::size_t most_numbers = 750'000;

/// Columns over one t, of which only some rows are kept.
class ThinnedTable {
 public:
  /// @param budget  numbers it may take, but for the first and the last row, which it always has; a
  ///                t and columns of equal length.
  ThinnedTable(const std::vector<double>& t, std::vector<const std::vector<double>*> columns,
               std::size_t budget)
      : all_(t.size()) {
    const std::size_t width = columns.size() + 1;
    rows_.resize(t.size());
    for (std::size_t i = 0; i < t.size(); ++i) rows_[i] = i;
    for (int bins = pixels; rows_.size() * width > budget && bins > 100; bins = bins * 3 / 4) {
      bins_ = bins;
      rows_ = rows_seen(t, columns, bins);
    }
    if (rows_.size() * width > budget) take_at_most(std::max<std::size_t>(2, budget / width));
  }

  std::vector<double> of(const std::vector<double>& column) const {
    std::vector<double> kept;
    kept.reserve(rows_.size());
    for (const std::size_t row : rows_) kept.push_back(column[row]);
    return kept;
  }

  /// Empty where nothing can be missed.
  std::string what_is_missed() const {
    if (bins_ == 0 || (bins_ == pixels && each_ == 1)) return {};
    if (each_ > 1) return fmt::format("{} of {} rows, about one of {}", rows_.size(), all_, each_);
    return fmt::format("{} of {} rows: of each {}th part of t the least and the largest values",
                       rows_.size(), all_, bins_);
  }

 private:
  /// Of so many columns each row has an extreme value of one. The first and the last row stay.
  void take_at_most(std::size_t rows) {
    if (rows_.size() <= rows) return;
    const std::size_t last = rows_.size() - 1;
    each_ = (last + rows - 2) / (rows - 1);
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < last; i += each_) kept.push_back(rows_[i]);
    kept.push_back(rows_[last]);
    rows_ = std::move(kept);
  }

  std::vector<std::size_t> rows_;
  std::size_t all_, each_ = 1;
  int bins_ = 0;
};

std::vector<const std::vector<double>*> columns_of(const Plot& plot) {
  std::vector<const std::vector<double>*> columns;
  for (const Curve& curve : plot.curves) {
    columns.push_back(&curve.values);
    if (!curve.error.empty()) columns.push_back(&curve.error);
  }
  return columns;
}

std::vector<const std::vector<double>*> columns_of(const Table& motion) {
  std::vector<const std::vector<double>*> columns;
  for (std::size_t j = 1; j < motion.columns.size(); ++j) columns.push_back(&motion.columns[j]);
  return columns;
}

/// How many numbers each table of a page has: its plots, and its motions.
std::vector<std::size_t> sizes_of(const Page& page) {
  std::vector<std::size_t> sizes;
  for (const Run& run : page.runs) {
    for (const Plot& plot : run.plots) {
      sizes.push_back(plot.t.size() * (columns_of(plot).size() + 1));
    }
    if (!run.motion.columns.empty()) {
      sizes.push_back(run.motion.columns[0].size() * run.motion.columns.size());
    }
  }
  return sizes;
}

void check(const Plot& plot) {
  for (const std::vector<double>* column : columns_of(plot)) {
    if (column->size() == plot.t.size()) continue;
    throw InvalidOption(fmt::format("plot '{}': a curve has {} values, t has {}", plot.title,
                                    column->size(), plot.t.size()));
  }
}

void check(const Page& page) {
  if (page.runs.empty()) throw InvalidOption("a page needs at least one run");
  std::set<std::string> labels;
  for (const Run& run : page.runs) {
    if (!labels.insert(run.label).second) {
      throw InvalidOption(fmt::format("two runs are labelled '{}'", run.label));
    }
    for (const Plot& plot : run.plots) check(plot);
    for (const std::vector<double>& column : run.motion.columns) {
      if (column.size() != run.motion.columns[0].size()) {
        throw InvalidOption(fmt::format("run '{}': columns have unequal lengths", run.label));
      }
    }
  }
}

class PageData {
 public:
  explicit PageData(const Page& page) : page_(page) {
    // What small tables would give up is nothing beside the others, and all that they show.
    constexpr double part_for_small = 0.1;
    const std::vector<std::size_t> sizes = sizes_of(page);
    const auto all = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
    if (all <= most_numbers) return;
    const auto most = static_cast<double>(most_numbers);
    small_ = part_for_small * most / static_cast<double>(sizes.size());
    // The others give up the same share.
    share_ = (1 - part_for_small) * most / static_cast<double>(all);
  }

  Json all() {
    Json json{{"title", page_.title}, {"subtitle", page_.subtitle}, {"made_by", page_.made_by}};
    json["runs"] = Json::array();
    for (const Run& run : page_.runs) json["runs"].push_back(run_json(run));
    json["arrays"] = arrays_.texts();
    return json;
  }

 private:
  std::size_t budget(std::size_t rows, std::size_t width) const {
    return static_cast<std::size_t>(std::max(small_, share_ * static_cast<double>(rows * width)));
  }

  Json plot_json(const Plot& plot) {
    const auto columns = columns_of(plot);
    const ThinnedTable thinned(plot.t, columns, budget(plot.t.size(), columns.size() + 1));
    Json json{{"title", plot.title},
              {"unit", plot.unit},
              {"logarithmic", plot.logarithmic},
              {"points", plot.points},
              {"missed", thinned.what_is_missed()},
              {"t", arrays_.add(thinned.of(plot.t))},
              {"curves", Json::array()}};
    for (const Curve& curve : plot.curves) {
      Json one{{"name", curve.name}, {"values", arrays_.add(thinned.of(curve.values))}};
      if (!curve.error.empty()) one["error"] = arrays_.add(thinned.of(curve.error));
      json["curves"].push_back(std::move(one));
    }
    return json;
  }

  Json motion_json(const Table& motion, int for_drawing) {
    std::vector<std::string> names = motion.names;
    names.resize(names.size() - std::min(names.size(), static_cast<std::size_t>(for_drawing)));
    Json json{{"names", names}, {"columns", Json::array()}, {"missed", ""}};
    if (motion.columns.empty()) return json;
    const std::vector<double>& t = motion.columns[0];
    const ThinnedTable thinned(t, columns_of(motion), budget(t.size(), motion.columns.size()));
    json["missed"] = thinned.what_is_missed();
    for (const std::vector<double>& column : motion.columns) {
      json["columns"].push_back(arrays_.add(thinned.of(column)));
    }
    return json;
  }

  Json run_json(const Run& run) {
    Json json{{"label", run.label},
              {"usable", run.usable},
              {"brief", run.brief},
              {"report", run.report.empty() ? Json::object() : Json::parse(run.report)},
              {"plots", Json::array()},
              {"marks", Json::array()}};
    for (const Plot& plot : run.plots) json["plots"].push_back(plot_json(plot));
    for (const Mark& mark : run.marks) {
      json["marks"].push_back(Json{{"t", mark.t}, {"label", mark.label}});
    }
    json["motion"] = motion_json(run.motion, run.for_drawing);
    json["drawing"] = drawing_json(run.drawing);
    return json;
  }

  static Json drawing_json(const Drawing& of) {
    Json json{{"spatial", of.spatial}, {"frames", Json::array()}, {"parts", Json::array()}};
    for (const DrawnFrame& frame : of.frames) {
      json["frames"].push_back(Json{{"name", frame.name}, {"first", frame.first}});
    }
    for (const DrawnPart& part : of.parts) {
      Json one{{"kind", name_of(part.kind)},
               {"name", part.name},
               {"points", Json::array()},
               {"axis", part.axis},
               {"radius", part.radius}};
      for (const DrawnPoint& point : part.points) {
        one["points"].push_back(Json{{"frame", point.frame}, {"at", point.at}});
      }
      json["parts"].push_back(std::move(one));
    }
    return json;
  }

  const Page& page_;
  double share_ = 1, small_ = 0;
  Arrays arrays_;
};

}  // namespace

std::string data_of(const Page& page) {
  check(page);
  std::string text = PageData(page).all().dump(-1, ' ', false, Json::error_handler_t::replace);
  // Nothing in it may end the element that it stands in.
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace daewave::page
