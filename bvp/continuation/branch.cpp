#include "bvp/continuation/branch.hpp"

#include <fmt/format.h>

namespace daewave::bvp {

std::vector<double> Branch::folds() const {
  std::vector<double> values;
  for (const BranchStep& step : steps) {
    if (step.is_fold) values.push_back(step.value);
  }
  return values;
}

Table Branch::table() const {
  Table table;
  const auto column = [&](std::string name, auto value) {
    std::vector<double> values;
    for (const BranchStep& step : steps) values.push_back(value(step));
    table.add(std::move(name), std::move(values));
  };
  column(parameter, [](const BranchStep& step) { return step.value; });
  const auto nx = steps.empty() ? 0 : steps.front().largest.size();
  for (int j = 0; j < nx; ++j) {
    column(fmt::format("max|x{}|", j + 1), [j](const BranchStep& step) { return step.largest[j]; });
  }
  for (std::size_t i = 0; i < unknown_names.size(); ++i) {
    column(unknown_names[i],
           [i](const BranchStep& step) { return step.unknowns[static_cast<Eigen::Index>(i)]; });
  }
  column("intervals", [](const BranchStep& step) { return step.intervals; });
  column("fold", [](const BranchStep& step) { return step.is_fold ? 1 : 0; });
  return table;
}

}  // namespace daewave::bvp
