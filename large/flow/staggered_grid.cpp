#include "large/flow/staggered_grid.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace daewave::flow {

StaggeredGrid::StaggeredGrid(int columns, int rows, double width, double height)
    : columns_(columns),
      rows_(rows),
      width_(width),
      height_(height),
      dx_(width / columns),
      dy_(height / rows) {
  constexpr int most = 4096;
  if (columns < 2 || rows < 2 || columns > most || rows > most) {
    throw InvalidOption(
        fmt::format("cells = {} x {}: must be 2 to {} in each direction", columns, rows, most));
  }
}

int StaggeredGrid::u(int i, int j) const {
  if (i == 0) return unknowns() + j;
  if (i == columns_) return unknowns() + rows_ + j;
  return i - 1 + (columns_ - 1) * j;
}

int StaggeredGrid::v(int i, int j) const {
  if (j == 0) return unknowns() + 2 * rows_ + i;
  if (j == rows_) return unknowns() + 2 * rows_ + columns_ + i;
  return inner_u() + i + columns_ * (j - 1);
}

int StaggeredGrid::u_along(int i, Side side) const {
  return unknowns() + 2 * (rows_ + columns_) + (side == Side::high ? columns_ + 1 : 0) + i;
}

int StaggeredGrid::v_along(int j, Side side) const {
  return unknowns() + 2 * (rows_ + columns_) + 2 * (columns_ + 1) +
         (side == Side::high ? rows_ + 1 : 0) + j;
}

StaggeredGrid::Place StaggeredGrid::place(int velocity) const {
  const auto on_u = [&](int i, int j) { return Place{i * dx_, (j + 0.5) * dy_, true}; };
  const auto on_v = [&](int i, int j) { return Place{(i + 0.5) * dx_, j * dy_, false}; };
  if (velocity < inner_u()) return on_u(velocity % (columns_ - 1) + 1, velocity / (columns_ - 1));
  velocity -= inner_u();
  if (velocity < inner_v()) return on_v(velocity % columns_, velocity / columns_ + 1);
  velocity -= inner_v();
  if (velocity < rows_) return {0, (velocity + 0.5) * dy_, true};
  velocity -= rows_;
  if (velocity < rows_) return {width(), (velocity + 0.5) * dy_, true};
  velocity -= rows_;
  if (velocity < columns_) return {(velocity + 0.5) * dx_, 0, false};
  velocity -= columns_;
  if (velocity < columns_) return {(velocity + 0.5) * dx_, height(), false};
  velocity -= columns_;
  if (velocity <= columns_) return {velocity * dx_, 0, true};
  velocity -= columns_ + 1;
  if (velocity <= columns_) return {velocity * dx_, height(), true};
  velocity -= columns_ + 1;
  if (velocity <= rows_) return {0, velocity * dy_, false};
  velocity -= rows_ + 1;
  return {width(), velocity * dy_, false};
}

}  // namespace daewave::flow
