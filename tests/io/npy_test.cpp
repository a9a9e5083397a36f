#include "io/npy.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/io/scratch_directory.hpp"

namespace daewave::io {

namespace {

std::uint64_t little_endian(const std::string& bytes, std::size_t at, int count) {
  std::uint64_t value = 0;
  for (int i = count - 1; i >= 0; --i) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  }
  return value;
}

struct Npy {
  int version = 0;
  std::string header;
  std::string data;
};

Npy npy_of(const Table& table) {
  const ScratchDirectory scratch;
  write_npy(scratch.file("t.npy"), table);
  const std::string bytes = contents_of(scratch.file("t.npy"));
  REQUIRE(bytes.starts_with("\x93NUMPY"));
  const int version = bytes[6];
  const std::size_t start = version == 1 ? 10 : 12;
  const std::size_t length = little_endian(bytes, 8, version == 1 ? 2 : 4);
  CHECK((start + length) % 64 == 0);
  CHECK(bytes[start + length - 1] == '\n');
  return {version, bytes.substr(start, length), bytes.substr(start + length)};
}

}  // namespace

TEST_CASE("an NPY file holds the rows as named little-endian records", "[io]") {
  Table table;
  table.add("t", {0, 0.5, 1});
  table.add("x1", {-2, std::nan(""), INFINITY});
  const Npy npy = npy_of(table);
  CHECK(npy.version == 1);
  CHECK(
      npy.header.starts_with("{'descr': [('t', '<f8'), ('x1', '<f8'), ], "
                             "'fortran_order': False, 'shape': (3,), }"));
  REQUIRE(npy.data.size() == 3 * 2 * 8);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      CHECK(little_endian(npy.data, (2 * i + j) * 8, 8) ==
            std::bit_cast<std::uint64_t>(table.columns[j][i]));
    }
  }
}

TEST_CASE("the numbers of an NPY file start at a multiple of 64 bytes", "[io]") {
  for (std::size_t length = 1; length <= 130; ++length) {
    Table table;
    table.add(std::string(length, 'n'), {1});
    CHECK(npy_of(table).data.size() == 8);
  }
}

TEST_CASE("any name becomes an ASCII literal", "[io]") {
  Table table;
  table.add("it's \\ \u03bb\n", {});
  const Npy npy = npy_of(table);
  CHECK_THAT(npy.header, contains_text(R"(('it\'s \\ \U000003bb\U0000000a', '<f8'))"));
  CHECK_THAT(npy.header, contains_text("'shape': (0,)"));
  CHECK(npy.data.empty());
}

TEST_CASE("thousands of columns take the longer header of version 2", "[io]") {
  Table table;
  for (int j = 0; j < 5000; ++j) table.add("x" + std::to_string(j), {1.0 * j});
  const Npy npy = npy_of(table);
  CHECK(npy.version == 2);
  CHECK(npy.data.size() == 5000 * 8);
}

TEST_CASE("numpy reads the file, where it is installed", "[io]") {
  if (std::system("python3 -c 'import numpy' 2> /dev/null") != 0) return;
  const ScratchDirectory scratch;
  Table table;
  table.add("t", {0, 1});
  table.add("it's \u03bb", {0.1, 2});
  write_npy(scratch.file("t.npy"), table);
  const std::string command = "python3 -c \"import numpy as np; a = np.load('" +
                              scratch.file("t.npy") +
                              "'); assert a.shape == (2,) and a['t'][1] == 1; "
                              "assert a['it\\'s \\u03bb'][0] == 0.1\"";
  CHECK(std::system(command.c_str()) == 0);
}

TEST_CASE("a table without columns is no NPY file", "[io]") {
  CHECK_THROWS_AS(write_npy("/dev/null", Table{}), Error);
}

TEST_CASE("a file of several buffers holds each number once, in its place", "[io]") {
  Table table;
  constexpr int rows = 200'000;
  std::vector<double> a(rows), b(rows);
  for (int i = 0; i < rows; ++i) {
    a[static_cast<std::size_t>(i)] = i + 0.25;
    b[static_cast<std::size_t>(i)] = -1.0 / (i + 1);
  }
  table.add("a", a);
  table.add("b", b);
  const Npy npy = npy_of(table);
  REQUIRE(npy.data.size() == std::size_t{16} * rows);
  int wrong = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    wrong += little_endian(npy.data, 16 * i, 8) != std::bit_cast<std::uint64_t>(a[i]);
    wrong += little_endian(npy.data, 16 * i + 8, 8) != std::bit_cast<std::uint64_t>(b[i]);
  }
  CHECK(wrong == 0);
}

}  // namespace daewave::io
