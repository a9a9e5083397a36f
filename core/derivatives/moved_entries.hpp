#pragma once
// Forward differences: each entry of x is moved and put back,
//
//   J e_i = (F(x + d e_i) - F(x)) / d,   d what is left of the step after rounding.
//
// How far is the business of who asks: he knows what rounding there is in F.

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

}  // namespace daewave
