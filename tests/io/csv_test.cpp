#include "io/csv.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <random>
#include <sstream>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/io/scratch_directory.hpp"

namespace daewave::io {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::string csv_of(const Table& table, const CsvOptions& options = {}) {
  const ScratchDirectory scratch;
  write_csv(scratch.file("t.csv"), table, options);
  return contents_of(scratch.file("t.csv"));
}

Table one_column(std::vector<double> values) {
  Table table;
  table.add("t", std::move(values));
  return table;
}

}  // namespace

TEST_CASE("a CSV file has a header and a line per row", "[io]") {
  Table table;
  table.add("t", {0, 0.1, 1e22});
  table.add("x1", {-1.5, nan, -INFINITY});
  CHECK(csv_of(table) == "t,x1\n0,-1.5\n0.1,\n1e+22,-inf\n");
}

TEST_CASE("names with commas, quotes and line ends are quoted", "[io]") {
  Table table;
  table.add("a,b", {1});
  table.add("say \"x\"", {2});
  table.add("two\nlines", {3});
  table.add("plain", {4});
  CHECK(csv_of(table) == "\"a,b\",\"say \"\"x\"\"\",\"two\nlines\",plain\n1,2,3,4\n");
}

TEST_CASE("a lone NaN is a quoted field, as readers skip empty lines", "[io]") {
  CHECK(csv_of(one_column({nan, 1})) == "t\n\"\"\n1\n");
}

TEST_CASE("numbers read back to the same bits", "[io]") {
  std::mt19937_64 random(7);
  std::vector<double> values{0.0, -0.0, 0.1, 5e-324, 1.7976931348623157e308, 1.0 / 3};
  while (values.size() < 60000) {
    const double value = std::bit_cast<double>(random());
    if (std::isfinite(value)) values.push_back(value);
  }
  std::istringstream lines(csv_of(one_column(values)));  // over one chunk long
  std::string line;
  std::getline(lines, line);
  int different = 0;
  for (const double value : values) {
    std::getline(lines, line);
    const double read = std::strtod(line.c_str(), nullptr);
    different += std::bit_cast<std::uint64_t>(read) != std::bit_cast<std::uint64_t>(value);
  }
  CHECK(different == 0);
  CHECK_FALSE(std::getline(lines, line));
}

TEST_CASE("rows that come one by one make the file that their table makes", "[io]") {
  const ScratchDirectory scratch;
  const std::string path = scratch.file("rows.csv");
  Table table;
  table.add("t", {});
  table.add("a,b", {});
  CsvStream rows(path, table.names);
  for (int i = 0; i < 20000; ++i) {  // Several times what is gathered.
    const double row[] = {i / 7.0, i % 3 == 0 ? nan : -1.0 / (1 + i)};
    rows.add(row);
    for (int j = 0; j < 2; ++j) table.columns[j].push_back(row[j]);
  }
  CHECK_FALSE(std::filesystem::exists(path));
  rows.commit();
  CHECK(contents_of(path) == csv_of(table));
}

TEST_CASE("rows that are not committed leave no file, and rows of a wrong length are refused",
          "[io]") {
  const ScratchDirectory scratch;
  const std::string path = scratch.file("rows.csv");
  {
    CsvStream rows(path, {"t", "x"});
    rows.add(std::vector<double>{1, 2});
    CHECK_THROWS_WITH(rows.add(std::vector<double>{1, 2, 3}),
                      contains_text("3 values") && contains_text("2 columns"));
  }
  CHECK(std::filesystem::is_empty(std::filesystem::path(path).parent_path()));
  CHECK_THROWS_WITH(CsvStream(path, {"t", "t"}), contains_text("\"t\""));
  CHECK_THROWS_AS(CsvStream(path, {}), Error);
  CHECK_THROWS_AS(CsvStream(scratch.file("none/rows.csv"), {"t"}), FileError);
  CsvStream full("/dev/full", {"t"});
  full.add(std::vector<double>{1});
  CHECK_THROWS_AS(full.commit(), FileError);
}

TEST_CASE("every second row is written, and the last", "[io]") {
  CHECK(csv_of(one_column({0, 1, 2, 3, 4, 5}), {.every = 2}) == "t\n0\n2\n4\n5\n");
  CHECK(csv_of(one_column({0, 1, 2}), {.every = 2}) == "t\n0\n2\n");
  CHECK(csv_of(one_column({}), {.every = 2}) == "t\n");
}

TEST_CASE("fewer digits can be asked for", "[io]") {
  CHECK(csv_of(one_column({1.0 / 3, 1e10}), {.digits = 3}) == "t\n0.333\n1e+10\n");
}

TEST_CASE("a wrong call writes no CSV file", "[io]") {
  const ScratchDirectory scratch;
  const std::string path = scratch.file("t.csv");
  CHECK_THROWS_AS(write_csv(path, one_column({1}), {.digits = 0}), InvalidOption);
  CHECK_THROWS_AS(write_csv(path, one_column({1}), {.digits = 18}), InvalidOption);
  CHECK_THROWS_AS(write_csv(path, one_column({1}), {.every = 0}), InvalidOption);
  CHECK_THROWS_WITH(write_csv(path, Table{}), contains_text("no columns"));
  CHECK_THROWS_WITH(write_csv(path, {{"a", "b"}, {{1}, {1, 2}}}), contains_text("2 rows"));
  CHECK_THROWS_WITH(write_csv(path, {{"a", "a"}, {{1}, {1}}}), contains_text("rename"));
  CHECK_THROWS_WITH(write_csv(path, {{"a"}, {{1}, {1}}}), contains_text("one name to each"));
  CHECK(scratch.entries() == 0);
}

TEST_CASE("a CSV file that does not fit is an error", "[io]") {
  if (!std::filesystem::exists("/dev/full")) return;
  CHECK_THROWS_AS(write_csv("/dev/full", one_column({1})), FileError);
}

}  // namespace daewave::io
