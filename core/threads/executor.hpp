#pragma once
// Who runs the body of a loop: the solvers do not know whether there are threads.

#include <algorithm>
#include <functional>

namespace daewave {

/// Runs a body over [0, count) in chunks of a size given by the problem, never by the machine, so
/// that results do not depend on the number of threads.
class Executor {
 public:
  using Body = std::function<void(int begin, int end)>;

  virtual ~Executor() = default;

  /// Calls body(begin, end) once per chunk, in any order and possibly at the same time; returns
  /// when all are done. An exception of a body is thrown again here.
  virtual void for_chunks(int count, int chunk, const Body& body) const = 0;
};

/// One chunk after the other on the calling thread.
class Serial final : public Executor {
 public:
  void for_chunks(int count, int chunk, const Body& body) const override {
    for (int begin = 0; begin < count; begin += chunk) body(begin, std::min(count, begin + chunk));
  }
};

}  // namespace daewave
