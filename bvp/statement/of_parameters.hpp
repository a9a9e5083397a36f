#pragma once
// Members of a family by the values of its unknown parameters, each made once for all points.

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "bvp/statement/boundary_problem.hpp"

namespace daewave::bvp {

/// The problem at a value of its unknown parameters.
using MakeMember = std::function<BoundaryProblem(const VecX& unknowns)>;

/// What was made of the parameters seen last, so that it is made once for all points.
template <class T>
class OfParameters {
 public:
  using Make = std::function<std::unique_ptr<T>(const VecX& unknowns)>;
  OfParameters(Make make, int parameters)
      : make_(std::move(make)), most_(static_cast<std::size_t>(parameters) + 2) {}

  /// @throws what making it does.
  T& at(const VecX& unknowns) {
    for (const Entry& entry : made_) {
      if (entry.first == unknowns) return *entry.second;
    }
    std::unique_ptr<T> made = make_(unknowns);
    if (made_.size() < most_) made_.emplace_back();
    Entry& oldest = made_[next_];
    next_ = (next_ + 1) % most_;
    oldest = {unknowns, std::move(made)};
    return *oldest.second;
  }

 private:
  using Entry = std::pair<VecX, std::unique_ptr<T>>;

  Make make_;
  std::size_t most_, next_ = 0;
  std::vector<Entry> made_;
};

}  // namespace daewave::bvp
