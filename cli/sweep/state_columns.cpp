#include "cli/sweep/state_columns.hpp"

#include <algorithm>
#include <exception>
#include <limits>
#include <set>

namespace daewave::cli {
namespace {

using Names = std::vector<std::string>;

struct LongestFirst {
  bool operator()(const Names& a, const Names& b) const {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  }
};

}  // namespace

StateColumns::StateColumns(int members, const std::function<Names(int number)>& names_of) {
  std::set<Names, LongestFirst> of_members;
  std::exception_ptr refused;
  for (int i = 0; i < members; ++i) {
    try {
      const bool is_first = of_members.empty();
      of_members.insert(names_of(i));
      if (is_first) first_ = i;
    } catch (const std::exception&) {
      // Its run tells why.
      if (!refused) refused = std::current_exception();
    }
  }
  if (of_members.empty() && refused) std::rethrow_exception(refused);
  for (const Names& names : of_members) {
    for (const std::string& name : names) {
      if (place_.try_emplace(name, names_.size()).second) names_.push_back(name);
    }
  }
}

std::vector<double> StateColumns::placed(const Names& names, const VecX& state) const {
  std::vector<double> row(names_.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < names.size(); ++i) {
    row[place_.at(names[i])] = state[static_cast<Eigen::Index>(i)];
  }
  return row;
}

}  // namespace daewave::cli
