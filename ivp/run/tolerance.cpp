#include "ivp/run/tolerance.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace daewave::ivp {

Tolerance::Tolerance(const Options& options, int nz)
    : rtol_(options.rtol), atol_(options.atol), each_(options.atol_each) {
  if (!each_.empty() && static_cast<int>(each_.size()) != nz) {
    throw InvalidOption(fmt::format(
        "atol_each has {} entries: must have one for each of the {} entries of the state",
        each_.size(), nz));
  }
}

}  // namespace daewave::ivp
