#pragma once
// Processes that MPI has started, as ranks. No header of MPI is needed to use them.

#include <memory>
#include <optional>

#include "core/ranks/communicator.hpp"

namespace daewave::mpi {

/// From MPI_Init to MPI_Finalize; one in a process. Waits without keeping the processor busy.
class Session {
 public:
  Session(int& argc, char**& argv);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  const Communicator& ranks() const;

  /// The largest exit code of all ranks, once all have come here; nothing where `seconds` have
  /// passed before. Call last, and once.
  std::optional<int> end(int code, double seconds);

  /// Ends all ranks at once, wherever they are.
  [[noreturn]] static void abort(int code);

 private:
  class Ranks;
  std::unique_ptr<Ranks> ranks_;
};

}  // namespace daewave::mpi
