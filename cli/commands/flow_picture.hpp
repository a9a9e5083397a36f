#pragma once
// Pictures of a flow: stream lines, vorticity, profiles beside those of the literature.

#include <string>

#include "io/figure.hpp"
#include "large/flow/flow_catalogue.hpp"
#include "sparse/solve.hpp"

namespace daewave::cli {

io::Figure flow_picture(const flow::NamedFlow& flow, const sparse::Solution& solution);

}  // namespace daewave::cli
