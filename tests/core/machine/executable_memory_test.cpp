#include "core/machine/executable_memory.hpp"

#include <vector>

#include "tests/catch.hpp"

#if defined(__linux__) && defined(__x86_64__)
#include <sys/wait.h>
#include <unistd.h>

using namespace daewave;

namespace {

/// mov eax, value; ret
std::vector<std::uint8_t> returning(int value) {
  return {0xb8, static_cast<std::uint8_t>(value), static_cast<std::uint8_t>(value >> 8), 0, 0,
          0xc3};
}

int call(const ExecutableMemory& memory) {
  return reinterpret_cast<int (*)()>(const_cast<void*>(memory.get()))();
}

}  // namespace

TEST_CASE("pieces of code stay what they are while others come and go", "[machine]") {
  const ExecutableMemory first(returning(7));
  REQUIRE(first.get() != nullptr);
  // More than there is room for in the pages of the first.
  std::vector<std::uint8_t> long_one = returning(3);
  long_one.resize(100'000);
  for (int k = 0; k < 2000; ++k) {
    const ExecutableMemory other(returning(k));
    REQUIRE(call(other) == k);
    if (k % 500 == 0) REQUIRE(call(ExecutableMemory(long_one)) == 3);
  }
  long_one.resize(1'000'000);
  CHECK(call(ExecutableMemory(long_one)) == 3);
  CHECK(call(first) == 7);
}

TEST_CASE("a process and its child do not write into each other's code", "[machine]") {
  const ExecutableMemory before(returning(5));
  const pid_t child = ::fork();
  if (child == 0) {
    const ExecutableMemory mine(returning(11));
    ::_exit(call(mine) == 11 && call(before) == 5 ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  // Where the child would have written, had it gone on in the same pages.
  const ExecutableMemory after(returning(13));
  CHECK(call(after) == 13);
  CHECK(call(before) == 5);
}

TEST_CASE("after a fork both write at the same time", "[machine]") {
  const ExecutableMemory before(returning(5));
  int ready[2], go_on[2];
  REQUIRE(::pipe(ready) == 0);
  REQUIRE(::pipe(go_on) == 0);
  const pid_t child = ::fork();
  char byte = 0;
  if (child == 0) {
    const ExecutableMemory mine(returning(11));
    const bool told = ::write(ready[1], &byte, 1) == 1 && ::read(go_on[0], &byte, 1) == 1;
    ::_exit(told && call(mine) == 11 ? 0 : 1);
  }
  REQUIRE(::read(ready[0], &byte, 1) == 1);
  const ExecutableMemory mine(returning(13));
  REQUIRE(::write(go_on[1], &byte, 1) == 1);
  int status = 1;
  ::waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(call(mine) == 13);
  for (const int end : {ready[0], ready[1], go_on[0], go_on[1]}) ::close(end);
}

#endif
