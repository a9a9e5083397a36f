#pragma once
// Forward differences: each entry of x is moved and put back,
//
//   J e_i = (F(x + d e_i) - F(x)) / d,   d what is left of the step after rounding.
//
// How far is the business of who asks: he knows what rounding there is in F. Where that may be more
// than he knows, lengthen_where_lost() tells by another step.

#include <cmath>
#include <limits>

namespace daewave {

/// @param entry   entry(i) -> double&, i < n: x_i, wherever it is.
/// @param step    step(i, x_i): by how much it is to be moved, not 0.
/// @param column  column(i, d) -> bool, while x_i is moved by d; false ends it.
/// @return false where column() was.
template <class Entry, class Step, class Column>
bool move_each(int n, Entry entry, Step step, Column column) {
  for (int i = 0; i < n; ++i) {
    double& x = entry(i);
    const double kept = x;
    x = kept + step(i, kept);
    const bool known = column(i, x - kept);
    x = kept;
    if (!known) return false;
  }
  return true;
}

/// Of an entry that may be lost between terms far larger than it is, which a step twice as long
/// tells: the column by a longer one.
/// @param taken     the step by which `column` was found, > 0.
/// @param quotient  quotient(d, out) -> bool: (F(x + d e_i) - F(x)) / d with d what is left of it
///                  after rounding; false where it cannot be evaluated, and `column` stays.
/// @param other     memory, of the size of `column`.
template <class Quotient, class Column, class Memory>
void lengthen_where_lost(double taken, Quotient quotient, Column&& column, Memory& other) {
  constexpr double small = 1e-6, longer = 1e3, alike = 1e-2;
  const double most = small * std::sqrt(std::numeric_limits<double>::epsilon());
  for (double step = taken; step < most; step *= longer) {
    if (!quotient(2 * step, other) || !other.allFinite()) return;
    const double largest = other.cwiseAbs().maxCoeff();
    if (largest > 0 && (other - column).cwiseAbs().maxCoeff() <= alike * largest) return;
    if (!quotient(longer * step, other) || !other.allFinite()) return;
    column = other;
  }
}

}  // namespace daewave
