#include "large/flow/contours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace daewave::flow {
namespace {

/// An edge of the grid by its lower corner: 2 k to the right, 2 k + 1 upwards.
using Edge = int;

class Lines {
 public:
  Lines(const CornerField& field, double level) : field_(field), level_(level), upper_(level) {
    double largest = 0;
    for (const double value : field.values) largest = std::max(largest, std::abs(value - level));
    upper_ += rounding * largest;
    for (int j = 0; j < field.rows; ++j) {
      for (int i = 0; i < field.columns; ++i) add_cell(i, j);
    }
  }

  /// Edges of the next line; empty where there is none left.
  std::vector<Edge> take() {
    if (joined_.empty()) return {};
    Edge start = joined_.begin()->first;
    for (const auto& [edge, to] : joined_) {
      if (to[1] < 0) {
        start = edge;  // An open line, from one of its ends.
        break;
      }
    }
    std::vector<Edge> line{start};
    for (Edge at = start; at >= 0;) {
      const auto here = joined_.find(at);
      if (here == joined_.end()) break;
      const Edge next = here->second[0];
      forget(at, next);
      forget(next, at);
      line.push_back(next);
      at = next;
    }
    return line;
  }

  std::pair<double, double> place(Edge edge) const {
    const int corner = edge / 2, i = corner % (field_.columns + 1),
              j = corner / (field_.columns + 1);
    const bool upwards = edge % 2 == 1;
    const double a = field_.at(i, j), b = upwards ? field_.at(i, j + 1) : field_.at(i + 1, j);
    // An end that is on the level up to rounding may lie beyond it.
    const double part = std::clamp((level_ - a) / (b - a), 0.0, 1.0);
    return {(i + (upwards ? 0 : part)) * field_.dx, (j + (upwards ? part : 0)) * field_.dy};
  }

 private:
  Edge edge(int i, int j, bool upwards) const {
    return 2 * (i + (field_.columns + 1) * j) + (upwards ? 1 : 0);
  }

  void add_cell(int i, int j) {
    const bool above[4] = {field_.at(i, j) > upper_, field_.at(i + 1, j) > upper_,
                           field_.at(i + 1, j + 1) > upper_, field_.at(i, j + 1) > upper_};
    const Edge around[4] = {edge(i, j, false), edge(i + 1, j, true), edge(i, j + 1, false),
                            edge(i, j, true)};
    std::array<Edge, 4> crossed{};
    std::size_t count = 0;
    for (int k = 0; k < 4; ++k) {
      if (above[k] != above[(k + 1) % 4]) crossed[count++] = around[k];
    }
    if (count == 2) join(crossed[0], crossed[1]);
    if (count < 4) return;
    const double mean = 0.25 * (field_.at(i, j) + field_.at(i + 1, j) + field_.at(i + 1, j + 1) +
                                field_.at(i, j + 1));
    // Corner 0 is joined with corner 2 through the middle, or cut off.
    const bool through = (mean > upper_) == above[0];
    join(crossed[0], crossed[through ? 1 : 3]);
    join(crossed[2], crossed[through ? 3 : 1]);
  }

  void join(Edge a, Edge b) {
    for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}}) {
      const auto [here, fresh] = joined_.try_emplace(from, std::array<Edge, 2>{to, -1});
      if (!fresh) here->second[1] = to;
    }
  }

  void forget(Edge from, Edge to) {
    const auto here = joined_.find(from);
    if (here == joined_.end()) return;
    std::array<Edge, 2>& both = here->second;
    if (both[0] == to)
      both[0] = std::exchange(both[1], -1);
    else if (both[1] == to)
      both[1] = -1;
    if (both[0] < 0) joined_.erase(here);
  }

  /// Of the largest distance from the level: what is as near as this is on it and not above. Where
  /// a symmetric field has its zeros in corners of cells, the lines do not follow its rounding.
  static constexpr double rounding = 1e-9;

  const CornerField& field_;
  double level_, upper_;
  std::map<Edge, std::array<Edge, 2>> joined_;
};

}  // namespace

Contour contour(const CornerField& field, double level) {
  Contour all{level, {}, {}};
  Lines lines(field, level);
  constexpr double gap = std::numeric_limits<double>::quiet_NaN();
  for (std::vector<Edge> line = lines.take(); !line.empty(); line = lines.take()) {
    if (!all.x.empty()) {
      all.x.push_back(gap);
      all.y.push_back(gap);
    }
    for (const Edge edge : line) {
      const auto [x, y] = lines.place(edge);
      all.x.push_back(x);
      all.y.push_back(y);
    }
  }
  return all;
}

}  // namespace daewave::flow
