#pragma once
// A grid of cells with the pressure in their centres and each velocity on the faces that it goes
// through (Harlow and Welch 1965):
//
//        v(i, j+1)            u(i, j) at (i dx, (j + 1/2) dy),     i = 0 .. columns
//       +----|----+           v(i, j) at ((i + 1/2) dx, j dy),     j = 0 .. rows
// u(i,j)-  p(i,j)  -u(i+1,j)  p(i, j) at ((i + 1/2) dx, (j + 1/2) dy)
//       +----|----+
//         v(i, j)
//
// Velocities have one number each: first the unknown ones, inside, then those that are given: on
// faces of the boundary, and along it, where faces end (u at (i dx, 0), v at (0, j dy)).

#include "core/types.hpp"

namespace daewave::flow {

class StaggeredGrid {
 public:
  enum class Side { low, high };

  /// @throws InvalidOption for less than 2 cells in a direction, or too many for an int.
  StaggeredGrid(int columns, int rows, double width, double height);

  int columns() const { return columns_; }
  int rows() const { return rows_; }
  double dx() const { return dx_; }
  double dy() const { return dy_; }
  double width() const { return width_; }
  double height() const { return height_; }

  int unknowns() const { return inner_u() + inner_v(); }
  int cells() const { return columns_ * rows_; }
  int given() const { return 4 * (columns_ + rows_) + 4; }
  /// Unknown and given velocities.
  int velocities() const { return unknowns() + given(); }

  int cell(int i, int j) const { return i + columns_ * j; }
  int u(int i, int j) const;
  int v(int i, int j) const;
  /// u at (i dx, 0) or (i dx, height); v at (0, j dy) or (width, j dy).
  int u_along(int i, Side side) const;
  int v_along(int j, Side side) const;
  bool is_unknown(int velocity) const { return velocity < unknowns(); }

  struct Place {
    double x = 0, y = 0;
    bool is_u = true;
  };
  /// Of a velocity by its number.
  Place place(int velocity) const;

 private:
  int inner_u() const { return (columns_ - 1) * rows_; }
  int inner_v() const { return columns_ * (rows_ - 1); }

  int columns_, rows_;
  double width_, height_, dx_, dy_;
};

}  // namespace daewave::flow
