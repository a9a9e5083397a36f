#include "bvp/statement/difference_moves.hpp"

#include <cmath>

namespace daewave::bvp {
namespace {

/// By how much further who takes differences moves an entry again, where one was lost in rounding.
constexpr double least_further = 0.99e4, most_further = 1.01e4;
/// At first differences move an entry by no more than that, of 1 + its size.
constexpr double little = 1e-6;

}  // namespace

int DifferenceMoves::entry_moved(const VecX& x) const {
  if (x.size() != from_.size()) return several;
  int moved = none;
  for (int i = 0; i < x.size(); ++i) {
    if (x[i] == from_[i]) continue;
    if (moved >= 0) return several;
    moved = i;
  }
  return moved;
}

DifferenceMoves::Move DifferenceMoves::look(const VecX& x) {
  Move move;
  move.entry = entry_moved(x);
  if (move.entry >= 0) {
    move.by = x[move.entry] - from_[move.entry];
    const double further =
        last_.is_difference && move.entry == last_.entry ? move.by / last_.by : 0;
    move.goes_on = further > least_further && further < most_further;
    move.is_difference =
        move.goes_on || std::abs(move.by) <= little * (1 + std::abs(from_[move.entry]));
  }
  last_ = move;
  return move;
}

}  // namespace daewave::bvp
