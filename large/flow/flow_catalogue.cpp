#include "large/flow/flow_catalogue.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"

namespace daewave::flow {
namespace {

constexpr const char* re_meaning = "Reynolds number, > 0";
constexpr const char* cells_meaning = "cells in each direction, 4 to 1024";

double value_of(const std::vector<Parameter>& parameters, const std::string& name) {
  for (const Parameter& one : parameters) {
    if (one.name == name) return one.value;
  }
  throw Error("flow without parameter " + name);
}

int cells_of(double cells) {
  if (!(cells >= 4 && cells <= 1024) || cells != std::floor(cells)) {
    throw InvalidOption(fmt::format("cells = {:g}: must be a whole number from 4 to 1024", cells));
  }
  return static_cast<int>(cells);
}

}  // namespace

const std::vector<FlowEntry>& flow_entries() {
  static const std::vector<FlowEntry> all{
      {"lid-driven-cavity",
       "[AL2] Example 2.1; Ghia, Ghia and Shin 1982",
       "flow in a square whose upper wall moves, from rest until it is steady",
       "u_t + (u . grad) u = lap u / re - grad p,  div u = 0 in [0, 1]^2;\n"
       "u = (1, 0) on the upper wall, 0 on the others, and at t = 0",
       "x: velocities on the faces between cells, first u, then v; y: the pressure of each cell",
       "without dimension: lengths of the side, velocity of the wall",
       {{"re", 100, re_meaning},
        {"cells", 64, cells_meaning},
        {"t-end", 0, "where the run ends if it is not steady before; 0: 40 + re / 5"}}},
      {"taylor-green",
       "[AL2] Example 2.1; Taylor and Green 1937",
       "vortices that decay, with the exact solution",
       "u_t + (u . grad) u = lap u / re - grad p,  div u = 0 in [0, 1]^2;\n"
       "u = (-cos(pi x) sin(pi y), sin(pi x) cos(pi y)) d,  d = exp(-2 pi^2 t / re) on the "
       "boundary,\n"
       "and p = -(cos(2 pi x) + cos(2 pi y)) d^2 / 4",
       "as of lid-driven-cavity",
       "without dimension: lengths of the side, largest velocity at t = 0",
       {{"re", 100, re_meaning},
        {"cells", 32, cells_meaning},
        {"t-end", 1, "end of the interval"}}}};
  return all;
}

const FlowEntry* find_flow(const std::string& name) {
  for (const FlowEntry& entry : flow_entries()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

NamedFlow make(const FlowEntry& entry, const std::vector<Parameter>& changed,
               Convection convection) {
  const std::vector<Parameter> values =
      problems::with_changes(entry.name, entry.parameters, changed);
  const double re = value_of(values, "re"), t_end = value_of(values, "t-end");
  const int cells = cells_of(value_of(values, "cells"));
  FlowCase flow = entry.name == "taylor-green" ? taylor_green(re) : lid_driven_cavity(re);
  if (!(t_end >= 0) || !std::isfinite(t_end) || (t_end == 0 && !flow.steady)) {
    throw InvalidOption(fmt::format("t-end = {:g}: must be > 0", t_end));
  }
  const Interval interval{0, t_end > 0 ? t_end : flow.t_end};
  return {FlowProblem(std::move(flow), cells, cells, convection), interval, re};
}

}  // namespace daewave::flow
