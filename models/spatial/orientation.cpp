#include "models/spatial/orientation.hpp"

#include <fmt/format.h>

#include <cmath>

namespace daewave::models {
namespace {

Quaternion<double> turn_by_euler(const TableReader& table, const std::array<double, 3>& angles,
                                 const std::string& sequence) {
  bool known = sequence.size() == 3;
  for (std::size_t k = 0; k < sequence.size() && known; ++k) {
    known = sequence[k] >= 'x' && sequence[k] <= 'z' && (k == 0 || sequence[k] != sequence[k - 1]);
  }
  if (!known) {
    table.fail("sequence", fmt::format("= '{}': must be three of x, y, z, neighbours different, "
                                       "such as \"zxz\" or \"zyx\"",
                                       sequence));
  }
  Quaternion<double> turn{1, 0, 0, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    const char letter = sequence[k];
    const Vector<double> axis{letter == 'x' ? 1.0 : 0.0, letter == 'y' ? 1.0 : 0.0,
                              letter == 'z' ? 1.0 : 0.0};
    turn = turn * turn_about(axis, angles[k]);
  }
  return turn;
}

}  // namespace

std::optional<Quaternion<double>> read_orientation(MechanismTables& tables, TableReader& table) {
  const Value* const value = table.value("orientation");
  if (value == nullptr) return {};
  TableReader one(tables.source(), *value, table.what() + ": orientation");
  const auto axis = tables.numbers<3>(one, "axis"), euler = tables.numbers<3>(one, "euler");
  const auto parameters = tables.numbers<4>(one, "quaternion");
  const std::optional<double> angle = tables.number(one, "angle");
  const std::optional<std::string> sequence = one.text("sequence");
  one.finish();
  const int ways = (axis ? 1 : 0) + (euler ? 1 : 0) + (parameters ? 1 : 0);
  if (ways != 1 || angle.has_value() != axis.has_value() ||
      sequence.has_value() != euler.has_value()) {
    one.fail(
        "must be one of { axis = [x, y, z], angle = a }, { quaternion = [e0, e1, e2, e3] } and "
        "{ euler = [a, b, c], sequence = \"zxz\" }");
  }
  if (axis) {
    const auto direction = unit(vector_of<double>(*axis));
    if (!direction) one.fail("axis", "has no length");
    return turn_about(*direction, *angle);
  }
  if (euler) return turn_by_euler(one, *euler, *sequence);
  const auto& e = *parameters;
  const double length = std::hypot(std::hypot(e[0], e[1]), std::hypot(e[2], e[3]));
  if (!(length > 0)) one.fail("quaternion", "has no length");
  return Quaternion<double>{e[0] / length, e[1] / length, e[2] / length, e[3] / length};
}

Quaternion<double> turn_about(const Vector<double>& axis, double angle) {
  const double s = std::sin(angle / 2);
  return {std::cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
}

namespace {

/// Through half the angle twice; of opposite directions any half turn.
Quaternion<double> turn_by_halves(const Vector<double>& from, const Vector<double>& to) {
  const Vector<double> middle = from + to;
  if (const auto half = unit(middle); half && dot(middle, middle) > 1e-12) {
    const Vector<double> sine = cross(from, *half);
    return {dot(from, *half), sine.x, sine.y, sine.z};
  }
  const Vector<double> other =
      std::abs(from.x) < 0.6 ? Vector<double>{1, 0, 0} : Vector<double>{0, 1, 0};
  return turn_about(*unit(cross(from, other)), std::acos(-1.0));
}

}  // namespace

Quaternion<double> shortest_turn(const Vector<double>& from, const Vector<double>& to) {
  const Quaternion<double> turn = turn_by_halves(from, to);
  if (dot(from, to) > -0.5) return turn;
  // Of directions that are nearly opposite the half between them is what rounding leaves of their
  // sum: they come close to each other, and what is left between them is known well.
  const Vector<double> close = *unit(turned(turn, from));
  return turn_by_halves(close, to) * turn;
}

std::optional<Vector<double>> unit(const Vector<double>& direction) {
  const double length = std::hypot(direction.x, direction.y, direction.z);
  if (!(length > 0)) return {};
  return Vector<double>{direction.x / length, direction.y / length, direction.z / length};
}

}  // namespace daewave::models
