// Rows before a checkpoint come back with the same bits, or not at all.

#include "io/checkpoint_rows.hpp"

#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "tests/catch.hpp"
#include "tests/io/scratch_directory.hpp"

namespace daewave::io {
namespace {

std::vector<std::vector<double>> rows_of(const std::string& checkpoint, const RowsBefore& mark) {
  RowsOfCheckpoint rows(checkpoint, mark);
  std::vector<std::vector<double>> all;
  std::vector<double> row;
  while (rows.next(row)) all.push_back(row);
  return all;
}

}  // namespace

TEST_CASE("rows come back with the same bits, those after the mark do not", "[io]") {
  const ScratchDirectory scratch;
  const std::string checkpoint = scratch.file("run.json");
  CheckpointRows rows(checkpoint);
  CHECK(rows.mark().file.empty());
  std::vector<std::vector<double>> given;
  for (int i = 0; i < 20'000; ++i) given.push_back({i + 0.1, -1.0 / (i + 1), -0.0});
  given[7] = {5e-324, std::numeric_limits<double>::infinity(), 1.7976931348623157e308};
  for (const auto& row : given) rows.add(row);
  const RowsBefore mark = rows.mark();
  CHECK(mark.count == 20'000);
  CHECK(mark.width == 3);
  rows.add(std::vector<double>{1, 2, 3});
  CHECK(rows.mark().count == 20'001);
  const auto read = rows_of(checkpoint, mark);
  REQUIRE(read == given);
  CHECK(std::signbit(read[1][2]));
  CHECK_THROWS_AS(rows.add(std::vector<double>{1, 2}), Error);
}

TEST_CASE("rows that are gone or were changed are refused, with a way out", "[io]") {
  const ScratchDirectory scratch;
  const std::string checkpoint = scratch.file("run.json");
  RowsBefore mark;
  {
    CheckpointRows rows(checkpoint);
    for (int i = 0; i < 10; ++i) rows.add(std::vector<double>{1.0 * i, 2});
    mark = rows.mark();
  }
  const std::string path = scratch.file(mark.file), whole = contents_of(path);
  REQUIRE(whole.size() == 160);
  std::string changed = whole;
  changed[100] = static_cast<char>(changed[100] ^ 1);
  write_file(path, changed);
  CHECK_THROWS_WITH(rows_of(checkpoint, mark),
                    contains_text("they were changed") && contains_text("start anew"));
  write_file(path, whole.substr(0, 159));
  CHECK_THROWS_WITH(rows_of(checkpoint, mark), contains_text("some are gone"));
  std::filesystem::remove(path);
  CHECK_THROWS_WITH(rows_of(checkpoint, mark),
                    contains_text("No such file") && contains_text("bring it back"));
  CHECK(rows_of(checkpoint, {}).empty());
}

TEST_CASE("a new checkpoint removes the rows of those before, but not of runs that live", "[io]") {
  const ScratchDirectory scratch;
  const std::string checkpoint = scratch.file("run.json");
  const std::vector<double> row{1};
  RowsBefore dead;
  {
    CheckpointRows rows(checkpoint);
    rows.add(row);
    dead = rows.mark();
  }
  CheckpointRows living(checkpoint), next(checkpoint), other(scratch.file("run.json.other"));
  for (CheckpointRows* rows : {&living, &next, &other}) rows->add(row);
  next.mark();
  CHECK(std::filesystem::exists(scratch.file(dead.file)));
  next.clear_others();
  CHECK_FALSE(std::filesystem::exists(scratch.file(dead.file)));
  for (CheckpointRows* rows : {&living, &next, &other}) {
    CHECK(std::filesystem::exists(scratch.file(rows->mark().file)));
  }
}

TEST_CASE("rows that no checkpoint was told of are gone with the run", "[io]") {
  const ScratchDirectory scratch;
  const std::string checkpoint = scratch.file("run.json");
  const auto files = [&] {
    const std::filesystem::directory_iterator all(std::filesystem::path(checkpoint).parent_path());
    return std::distance(begin(all), end(all));
  };
  {
    CheckpointRows rows(checkpoint);
    rows.add(std::vector<double>{1, 2});
    CHECK(files() == 1);
  }
  CHECK(files() == 0);
}

}  // namespace daewave::io
