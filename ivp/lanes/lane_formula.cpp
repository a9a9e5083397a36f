#include "ivp/lanes/lane_formula.hpp"

#include <algorithm>

#include "ivp/srm/explicit_iterate.hpp"

namespace daewave::ivp {

namespace {

LaneFormula::Row row_of(const Combination& from) {
  LaneFormula::Row row;
  row.count = from.count;
  std::copy(from.stage.begin(), from.stage.end(), row.stage);
  std::copy(from.coefficient.begin(), from.coefficient.end(), row.coefficient);
  return row;
}

}  // namespace

LaneFormula lane_formula(const ExplicitTableau& formula) {
  LaneFormula plain;
  plain.stages = formula.stages;
  plain.end_stage = formula.end_stage();
  plain.rows = static_cast<int>(formula.c.size());
  plain.dense_rows = static_cast<int>(formula.dense.size());
  std::vector<double> points = points_of(formula);
  std::rotate(points.begin(), points.end() - 1, points.end());  // The end comes first in lanes.
  plain.points = static_cast<int>(points.size());
  std::copy(points.begin(), points.end(), plain.point);
  for (std::size_t i = 0; i < formula.c.size(); ++i) {
    plain.c[i] = formula.c[i];
    const auto found = std::find(points.begin(), points.end(), formula.c[i]);
    plain.slot[i] = found == points.end() ? 0 : static_cast<int>(found - points.begin());
  }
  for (std::size_t i = 0; i < formula.a.size(); ++i) plain.a[i] = row_of(formula.a[i]);
  plain.b = row_of(formula.b);
  for (std::size_t i = 0; i < formula.dense.size(); ++i) plain.dense[i] = row_of(formula.dense[i]);
  return plain;
}

long evaluations_of_step(const LaneFormula& formula) {
  const long inside = formula.points - 1;
  const long for_dense = inside > 0 ? formula.rows - formula.stages - 1 : 0;
  return formula.stages + for_dense + inside;  // The end instead of the first stage.
}

}  // namespace daewave::ivp
