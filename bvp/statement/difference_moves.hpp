#pragma once
// Which calls of a function are those of differences (bvp/statement/forward_differences.hpp): a
// state that is moved in one entry by a little of it, and then further where that is lost in
// rounding. Any other state may be one that is wanted.

#include "core/types.hpp"

namespace daewave::bvp {

class DifferenceMoves {
 public:
  static constexpr int several = -1, none = -2;

  struct Move {
    int entry = several;         ///< The one that is moved; or several, or none.
    double by = 0;               ///< How far.
    bool is_difference = false;  ///< By a little, or further for the same difference.
    bool goes_on = false;        ///< Further, after a move that was a difference.
  };

  /// Moves are told from x on.
  void start(const VecX& x) {
    from_ = x;
    last_ = Move();
  }

  const VecX& from() const { return from_; }

  /// @param x  what a function is called with.
  Move look(const VecX& x);

 private:
  int entry_moved(const VecX& x) const;

  VecX from_;
  Move last_;
};

}  // namespace daewave::bvp
