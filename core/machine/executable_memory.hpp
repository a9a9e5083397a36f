#pragma once
// Memory with instructions of the processor that were made while the program runs.
//
// Pages are mapped twice: where they are written they are not executed, and where they are executed
// they are not written. Pieces share them, as a change of what pages are for takes a system up to
// a tenth of a millisecond.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace daewave {

class ExecutablePages;

/// Written once. May be made and left in any thread.
class ExecutableMemory {
 public:
  explicit ExecutableMemory(const std::vector<std::uint8_t>& code);

  /// Where it begins; null where the system gives no such pages.
  const void* get() const { return begin_; }

 private:
  std::shared_ptr<ExecutablePages> pages_;  ///< Kept as long as something in them is.
  const void* begin_ = nullptr;
};

}  // namespace daewave
