// Intervals in chunks: each is in one of them, and numbers at its stages are where they belong.

#include "bvp/slopes/stage_chunks.hpp"

#include <numeric>

#include "core/types.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {

TEST_CASE("chunks follow on each other and hold all intervals", "[nonlinear][chunks]") {
  for (const int stages : {1, 3, 4, 8}) {
    for (const int intervals : {1, 15, 16, 17, 1000}) {
      const StageChunks chunks(stages, intervals);
      CAPTURE(stages, intervals);
      CHECK(chunks.stages() == stages);
      CHECK(chunks.intervals() == intervals);
      int next = 0;
      for (int c = 0; c < chunks.count(); ++c) {
        CHECK(chunks.begin(c) == next);
        CHECK(chunks.width(c) > 0);
        CHECK(chunks.width(c) <= chunks.size());
        next += chunks.width(c);
      }
      CHECK(next == intervals);
      // About 128 points at a time, of whole registers.
      CHECK(chunks.size() * stages >= 128 - stages);
      CHECK(chunks.size() * stages <= 128 + 8 * stages);
    }
  }
}

TEST_CASE("no chunk reaches from one range into the next, and sums are those of ranges",
          "[nonlinear][chunks]") {
  const StageChunks chunks(4, {{0, 50}, {50, 51}, {51, 150}});
  std::vector<bool> begins(151, false);
  for (int c = 0; c < chunks.count(); ++c) begins[static_cast<std::size_t>(chunks.begin(c))] = true;
  CHECK(begins[0]);
  CHECK(begins[50]);
  CHECK(begins[51]);
  CHECK(chunks.intervals() == 150);
  CHECK(chunks.sums([&](int c) { return 1.0 * chunks.width(c); }) ==
        std::vector<double>{50, 1, 99});
  // Whole chunks at first: whoever has the range alone has the same ones.
  const StageChunks alone(4, 50);
  for (int c = 0; c < alone.count(); ++c) CHECK(chunks.begin(c) == alone.begin(c));
}

TEST_CASE("numbers at stages are spread into chunks and gathered again", "[nonlinear][chunks]") {
  constexpr int stages = 3, rows = 2;
  const StageChunks chunks(stages, {{0, 60}, {60, 130}});
  MatX columns(rows, stages * 130);
  std::iota(columns.data(), columns.data() + columns.size(), 1.0);
  AlignedVector memory = chunks.stage_memory(rows);
  CHECK(memory.size() >= static_cast<std::size_t>(columns.size()));
  chunks.spread(columns, memory);
  for (int c = 0; c < chunks.count(); ++c) {
    const double* const of = chunks.of(memory, rows, c);
    for (int i = 0; i < chunks.width(c); ++i) {
      for (int j = 0; j < stages; ++j) {
        for (int r = 0; r < rows; ++r) {
          REQUIRE(of[(r * stages + j) * chunks.width(c) + i] ==
                  columns(r, (chunks.begin(c) + i) * stages + j));
        }
      }
    }
  }
  MatX back = MatX::Zero(rows, stages * 130);
  chunks.gather(memory, back);
  CHECK(back == columns);
  CHECK(chunks.interval_memory(5).size() >= 5u * 130);
}

}  // namespace daewave::bvp
