#include "models/spatial/inertia.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "core/types.hpp"

namespace daewave::models {
namespace {

using Tensor = std::array<std::array<double, 3>, 3>;

void check_moments(const TableReader& table, const std::string& given,
                   const std::array<double, 3>& ascending) {
  const auto [least, middle, largest] = ascending;
  if (!(least > 0)) {
    table.fail("inertia",
               fmt::format("= {}: each principal moment must be above 0, and one is {:.6g}; a thin "
                           "rod has a small one about its axis",
                           given, least));
  }
  // A plate has the sum, and what was computed has rounding.
  if (largest <= (least + middle) * (1 + 1e-9)) return;
  table.fail("inertia", fmt::format("= {}: no body has it: each principal moment is at most the "
                                    "sum of the other two, and {:.6g} is above {:.6g} + {:.6g}",
                                    given, largest, least, middle));
}

void check_tensor(const TableReader& table, const Tensor& of) {
  double largest = 0;
  for (const auto& row : of) {
    for (const double entry : row) largest = std::max(largest, std::abs(entry));
  }
  Mat<3, 3> matrix;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      matrix(static_cast<int>(i), static_cast<int>(j)) = of[i][j];
      if (std::abs(of[i][j] - of[j][i]) <= 1e-12 * largest) continue;
      table.fail("inertia", fmt::format("must be symmetric, and entry {}{} is {:.6g}, {}{} {:.6g}",
                                        i + 1, j + 1, of[i][j], j + 1, i + 1, of[j][i]));
    }
  }
  const Eigen::SelfAdjointEigenSolver<Mat<3, 3>> moments(matrix, Eigen::EigenvaluesOnly);
  const auto& values = moments.eigenvalues();
  check_moments(table, "a tensor", {values[0], values[1], values[2]});
}

}  // namespace

Tensor read_inertia(MechanismTables& tables, TableReader& table) {
  const Value* const value = table.value("inertia");
  if (value == nullptr) table.fail_missing("inertia");
  Tensor tensor{};
  if (value->kind != Value::Kind::array) {
    const double all = tables.positive(table, "inertia");
    for (std::size_t k = 0; k < 3; ++k) tensor[k][k] = all;
    return tensor;
  }
  const bool is_full = !value->array.empty() && value->array[0].kind == Value::Kind::array;
  if (value->array.size() != 3) {
    table.fail("inertia", "must be one number for a ball, three principal moments, or three rows");
  }
  if (is_full) {
    for (std::size_t i = 0; i < 3; ++i) {
      tensor[i] = tables.vector<3>(table, "inertia", value->array[i]);
    }
    check_tensor(table, tensor);
    return tensor;
  }
  const auto moments = *tables.numbers<3>(table, "inertia");
  for (std::size_t k = 0; k < 3; ++k) tensor[k][k] = moments[k];
  std::array<double, 3> ascending = moments;
  std::sort(ascending.begin(), ascending.end());
  check_moments(table, fmt::format("[{:g}, {:g}, {:g}]", moments[0], moments[1], moments[2]),
                ascending);
  return tensor;
}

}  // namespace daewave::models
