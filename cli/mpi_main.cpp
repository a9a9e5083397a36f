// The program over processes that MPI has started: daewave-mpi.

#include <fmt/format.h>

#include <limits>

#include "cli/output/standard_output.hpp"
#include "cli/program.hpp"
#include "core/error.hpp"
#include "io/checksum.hpp"
#include "mpi/session.hpp"

namespace {

using namespace daewave;

/// Bits are those of one machine where all ranks run the same program.
void check_builds(const Communicator& ranks, const char* program) {
  io::Checksum sum;
  std::FILE* const file = std::fopen("/proc/self/exe", "rb");
  std::string block(1 << 16, '\0');
  for (std::size_t read = 1; file != nullptr && read > 0;) {
    read = std::fread(block.data(), 1, block.size(), file);
    sum.add({block.data(), read});
  }
  if (file != nullptr) std::fclose(file);
  const std::vector<std::string> all = ranks.gather(sum.text());
  for (int rank = 1; rank < ranks.size(); ++rank) {
    if (all[static_cast<std::size_t>(rank)] == all[0]) continue;
    throw InvalidOption(fmt::format(
        "rank {} runs another build of {} than rank 0 (checksums {} and {}): install the same one "
        "on all machines",
        rank, program, all[static_cast<std::size_t>(rank)], all[0]));
  }
}

int run(mpi::Session& session, int argc, char** argv) try {
  check_builds(session.ranks(), argv[0]);
  const int code = cli::end_output(cli::run_program(argc, argv, &session.ranks()));
  return *session.end(code, std::numeric_limits<double>::infinity());
} catch (const std::exception& thrown) {
  // Where all ranks throw the same, one says it. Others do not wait for a rank that does not come.
  constexpr double patience = 1;
  const int rank = session.ranks().rank();
  int code = 0;
  const std::string text = cli::told(thrown, code);
  if (rank == 0) cli::complain("daewave-mpi: {}\n", text);
  if (const std::optional<int> worst = session.end(code, patience)) return *worst;
  if (rank != 0) cli::complain("daewave-mpi: rank {}: {}\n", rank, text);
  mpi::Session::abort(code);
}

}  // namespace

int main(int argc, char** argv) {
  cli::fill_standard_streams();
  mpi::Session session(argc, argv);
  return run(session, argc, argv);
}
