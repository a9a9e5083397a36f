#include "bvp/result/solution.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/machine/memory.hpp"

namespace daewave::bvp {

SolutionValues::~SolutionValues() = default;

const SolutionValues& Solution::values() const {
  if (!values_) throw InvalidOption("the solve has no values: " + report.brief());
  return *values_;
}

namespace {

/// value(t) of each, a column for each.
template <class Value>
MatX each(int rows, const VecX& times, const Value& value) {
  MatX values(rows, times.size());
  for (Eigen::Index p = 0; p < times.size(); ++p) values.col(p) = value(times[p]);
  return values;
}

}  // namespace

MatX SolutionValues::x_at(const VecX& times) const {
  const Mesh& mesh = curve().mesh();
  const MatX& at_nodes = curve().values().x;
  return each(static_cast<int>(at_nodes.rows()), times, [&](double t) -> VecX {
    const int i = mesh.locate(t);
    if (t == mesh.node(i)) return at_nodes.col(i);
    if (t == mesh.node(i + 1)) return at_nodes.col(i + 1);
    return x(i, t);
  });
}

MatX SolutionValues::slope_at(const VecX& times) const {
  return each(static_cast<int>(curve().values().x.rows()), times,
              [&](double t) { return slope(curve().mesh().locate(t), t); });
}

VecX Solution::By_at_stage(int i, int j) const {
  if (!carries_By()) return values().By(i, stage_time(i, j));
  return carried_at_stages().col(i * scheme().stages + j);
}

double Solution::within(double t) const {
  if (!truncation) return t;
  if (truncation->at_begin && t < mesh().begin()) return mesh().begin();
  if (truncation->at_end && t > mesh().end()) return mesh().end();
  return t;
}

VecX Solution::x(double t) const {
  if (const double cut = within(t); cut < t || cut > t) {
    const VecX& growth = cut < t ? truncation->growth_at_end : truncation->growth_at_begin;
    return x(cut) + (t - cut) * growth;
  }
  const int i = mesh().locate(t);
  if (t == mesh().node(i)) return x_at_node(i);
  if (t == mesh().node(i + 1)) return x_at_node(i + 1);
  return values().x(i, t);
}

VecX Solution::slope(double t) const {
  if (const double cut = within(t); cut < t || cut > t) {
    return cut < t ? truncation->growth_at_end : truncation->growth_at_begin;
  }
  return values().slope(mesh().locate(t), t);
}

MatX Solution::x(const VecX& times) const {
  if (!truncation) return values().x_at(times);
  return each(nx(), times, [&](double t) { return x(t); });
}

MatX Solution::slope(const VecX& times) const {
  if (!truncation) return values().slope_at(times);
  return each(nx(), times, [&](double t) { return slope(t); });
}

Waveform Solution::waveform() const {
  return Waveform::at_stages(mesh(), scheme().c, carried_at_stages());
}

Table Solution::table(int points) const {
  if (points < 0 || points == 1) {
    throw InvalidOption(fmt::format("points = {}: must be 0, for the nodes, or >= 2", points));
  }
  refuse_beyond_memory(8.0 * points * (1 + 2.0 * report.nx), fmt::format("points = {}", points),
                       "take fewer");
  std::vector<double> times = mesh().nodes();
  if (points > 0) {
    times.resize(static_cast<std::size_t>(points));
    for (int i = 0; i < points; ++i) {
      times[static_cast<std::size_t>(i)] =
          i + 1 == points ? mesh().end()
                          : mesh().begin() + (mesh().end() - mesh().begin()) * i / (points - 1);
    }
  }
  return values().table(times);
}

}  // namespace daewave::bvp
