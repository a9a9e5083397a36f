// Memory that is left is told, and what would not fit is refused with both numbers.

#include "core/machine/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "tests/catch.hpp"

using namespace daewave;

TEST_CASE("free memory is a number that a machine can have", "[memory]") {
  CHECK(free_memory() > 1e6);
  CHECK(free_memory() < 1e15);
}

TEST_CASE("what would not fit into the free memory is refused with both numbers", "[memory]") {
  CHECK_NOTHROW(refuse_beyond_memory(8e5, "rows = 10", "take fewer"));
  CHECK_NOTHROW(refuse_beyond_memory(0.01 * free_memory(), "rows = 10", "take fewer"));
  CHECK_THROWS_AS(refuse_beyond_memory(0.95 * free_memory(), "rows = 10", "take fewer"),
                  InvalidOption);
  for (const double bytes : {1e18, 1e300, HUGE_VAL}) {
    CHECK_THROWS_WITH(refuse_beyond_memory(bytes, "rows = 10", "take fewer"),
                      contains_text("rows = 10: takes about") && contains_text("are free") &&
                          contains_text("take fewer"));
  }
  CHECK(count_that_fits(1) == Approx(0.9 * free_memory()).epsilon(0.2));
}

TEST_CASE("bytes are told in units of their size", "[memory]") {
  CHECK(text_of_bytes(0) == "0 bytes");
  CHECK(text_of_bytes(999) == "999 bytes");
  CHECK(text_of_bytes(1250) == "1.25 kB");
  CHECK(text_of_bytes(2.3e9) == "2.3 GB");
  CHECK(text_of_bytes(4e15) == "4e+03 TB");
}

TEST_CASE("what is left of a control group is its limit, less what it holds and cannot give back",
          "[memory]") {
  std::string folder = "/tmp/daewave_group_XXXXXX";
  REQUIRE(::mkdtemp(folder.data()) != nullptr);
  std::vector<std::string> written;
  const auto write = [&](const std::string& name, const std::string& text) {
    written.push_back(folder + "/" + name);
    std::ofstream(written.back()) << text;
  };
  const auto left = [&](bool unified) { return detail::left_of_group(folder, unified); };
  for (const bool unified : {true, false}) {
    const std::string limit = unified ? "memory.max" : "memory.limit_in_bytes";
    CHECK(left(unified) == HUGE_VAL);
    write(unified ? "memory.current" : "memory.usage_in_bytes", "3000000\n");
    CHECK(left(unified) == HUGE_VAL);
    write(limit, "max\n");
    CHECK(left(unified) == HUGE_VAL);
    write(limit, "10000000\n");
    CHECK(left(unified) == 7e6);
    // Each version has a name of its own for what counts.
    write("memory.stat", "inactive_file 500000\nanon 1\ntotal_inactive_file 200000\n");
    CHECK(left(unified) == (unified ? 7.5e6 : 7.2e6));
    // Never more than the whole.
    write("memory.stat", "inactive_file 5000000\ntotal_inactive_file 5000000\n");
    CHECK(left(unified) == 1e7);
    ::unlink((folder + "/memory.stat").c_str());
  }
  for (const std::string& path : written) ::unlink(path.c_str());
  CHECK(::rmdir(folder.c_str()) == 0);
}

TEST_CASE("a limit of the process counts", "[memory]") {
  // Of what the process has by now, and some more: what is asked for on the way has to fit.
  std::ifstream statm("/proc/self/statm");
  rlim_t pages[6] = {};
  for (rlim_t& of_kind : pages) REQUIRE(statm >> of_kind);
  constexpr rlim_t more = 200'000'000;
  struct rlimit before {};
  REQUIRE(::getrlimit(RLIMIT_DATA, &before) == 0);
  struct rlimit low = before;
  low.rlim_cur = pages[5] * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE)) + more;
  REQUIRE(::setrlimit(RLIMIT_DATA, &low) == 0);
  const double left = free_memory();
  REQUIRE(::setrlimit(RLIMIT_DATA, &before) == 0);
  CHECK(left > 0.5 * more);
  CHECK(left <= more);
}
