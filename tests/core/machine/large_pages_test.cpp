// Large memory, with whatever pages the system gives it.

#include "core/machine/large_pages.hpp"

#include <cstdint>
#include <vector>

#include "core/machine/aligned.hpp"
#include "tests/catch.hpp"

namespace daewave {

TEST_CASE("large pages change nothing of what is in memory, wherever it begins", "[machine]") {
  constexpr std::size_t size = std::size_t{5} << 20;
  std::vector<unsigned char> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<unsigned char>(i * 131 >> 7);
  // Of a page, and beside its ends.
  for (const std::size_t begin :
       {std::size_t{0}, std::size_t{1}, std::size_t{4095}, std::size_t{4096}}) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, size / 2, size - begin}) {
      prefer_large_pages(bytes.data() + begin, count);
    }
  }
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < size; ++i) {
    wrong += bytes[i] != static_cast<unsigned char>(i * 131 >> 7);
  }
  CHECK(wrong == 0);
}

TEST_CASE("memory of any size begins on a cache line and holds what is put into it", "[machine]") {
  for (const std::size_t count : {1u, 100u, 4096u, 4097u, 131072u, 131073u, 600001u}) {
    AlignedVector values(count, 0.5);
    CHECK(reinterpret_cast<std::uintptr_t>(values.data()) % 64 == 0);
    values.front() = 1;
    values.back() = 2;
    values.resize(2 * count, 0.25);
    CHECK(reinterpret_cast<std::uintptr_t>(values.data()) % 64 == 0);
    CHECK(values[count - 1] == 2);
    CHECK(values.back() == 0.25);
  }
}

}  // namespace daewave
