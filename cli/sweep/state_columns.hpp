#pragma once
// Columns for the states of all members of a sweep: a parameter may change the size of the state.

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/types.hpp"

namespace daewave::cli {

class StateColumns {
 public:
  /// @param names_of  components of the state of a member; may throw where it cannot be made, which
  ///                  then has no columns. @throws what it does for the first one, where none can.
  StateColumns(int members, const std::function<std::vector<std::string>(int number)>& names_of);

  /// Those of the longest state in its order, then those that it does not have.
  const std::vector<std::string>& names() const { return names_; }
  /// The first member that can be made.
  int first() const { return first_; }
  /// The state of a member in their order, NaN for what it does not have.
  std::vector<double> placed(const std::vector<std::string>& names, const VecX& state) const;

 private:
  int first_ = 0;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> place_;
};

}  // namespace daewave::cli
