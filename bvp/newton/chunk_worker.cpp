#include "bvp/newton/chunk_worker.hpp"

namespace daewave::bvp {

ChunkWorker::ChunkWorker(int intervals, int stages, int n, std::size_t of_panel) {
  const auto m = static_cast<std::size_t>(intervals), k = static_cast<std::size_t>(stages);
  const std::size_t rows = m * static_cast<std::size_t>(n);
  const struct {
    double** at;
    std::size_t count;
  } parts[] = {{&t, m * k},    {&X, rows * k}, {&right, rows * k},
               {&y, rows * k}, {&end, rows},   {&x, rows + static_cast<std::size_t>(n)},
               {&dx, rows},    {&h, m},        {&J, rows * k * static_cast<std::size_t>(n)}};
  // To the end of a cache line, and a register more.
  constexpr std::size_t line = vector_width;
  const auto room = [](std::size_t count) { return (count + line - 1) / line * line + line; };
  std::size_t all = 0;
  for (const auto& part : parts) all += room(part.count);
  memory_.resize(all);
  double* next = memory_.data();
  for (const auto& part : parts) {
    *part.at = next;
    next += room(part.count);
  }
  // Most of the memory, and written before it is read.
  panel_ = std::make_unique_for_overwrite<double[]>(of_panel + 2 * line);
  void* begin = panel_.get();
  std::size_t bytes = (of_panel + 2 * line) * sizeof(double);
  panel = static_cast<double*>(
      std::align(line * sizeof(double), (of_panel + line) * sizeof(double), begin, bytes));
}

}  // namespace daewave::bvp
