#include "cli/output/standard_output.hpp"
#include "cli/program.hpp"

namespace {

using namespace daewave;

int run_and_complain(int argc, char** argv) try {
  return cli::run_program(argc, argv);
} catch (const std::exception& thrown) {
  int code = 0;
  cli::complain("daewave: {}\n", cli::told(thrown, code));
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  cli::fill_standard_streams();
  return cli::end_output(run_and_complain(argc, argv));
}
