#include "bvp/mesh/mesh_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/machine/memory.hpp"

namespace daewave::bvp {
namespace {

constexpr double number = 8;  ///< Bytes.
/// Beside the solution of a mesh that of the one before, and the difference of both.
constexpr double meshes_of_refinement = 2;

double square(double x) { return x * x; }

}  // namespace

double bytes_per_interval(const StageLayout& layout, KeepSlopes slopes, const std::string& solver) {
  const double n = layout.nx, m = layout.ny, k = layout.stages, u = layout.node,
               z = layout.multipliers;
  const double matrix = 2 * square(u);
  // Rows carried along are u at most; those of sparse solvers are kept with their indices, and
  // fill.
  const bool sparse = solver == "umfpack" || solver == "eigen";
  const double factors = (sparse ? 8 : 3) * square(u);
  double maps = u + 2 * u * z + z + square(z) + (layout.shared ? z * u : 0);
  if (slopes == KeepSlopes::yes && !layout.shared) maps += k * n * (u + z + 1);
  const double values = k * n * m + m * (n + 1) + 4 * u + 4 * k * n + 4 * z;
  return number * (matrix + factors + maps + values);
}

double bytes_per_interval(int nx, int carried, int stages) {
  const double n = nx, c = carried, k = stages;
  const double matrix = 2 * square(n), factors = 3 * square(n);
  const double stage = square(n) + square(n) + 3 * n * c + 16 * n + 6 * c;
  return number * (matrix + factors + k * stage + 8 * n);
}

void check_memory(int intervals, double bytes) {
  refuse_beyond_memory(intervals * bytes, fmt::format("intervals = {}", intervals),
                       fmt::format("take at most {:.2g}, or fewer stages", count_that_fits(bytes)));
}

std::string beyond_memory(int intervals, double bytes) {
  constexpr double always_there = 1e8;
  bytes *= meshes_of_refinement;
  if (intervals * bytes < always_there || intervals <= count_that_fits(bytes)) return {};
  return fmt::format("the free memory, {}, holds no more than {:.0f} intervals of about {}",
                     text_of_bytes(free_memory()), count_that_fits(bytes), text_of_bytes(bytes));
}

}  // namespace daewave::bvp
