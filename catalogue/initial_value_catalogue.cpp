#include "catalogue/initial_value_catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "catalogue/boundary_catalogue.hpp"
#include "catalogue/makers.hpp"
#include "core/error.hpp"

namespace daewave::catalogue {
namespace {

Parameter t_end(double value) { return {"t-end", value, "end of the interval"}; }

std::vector<Entry> all_entries() {
  return {
      {"al2-example3.1",
       "[AL2] Example 3.1",
       "index 2, G B singular at t = pi/2, where y is unbounded",
       {t_end(3)},
       make_al2_example3_1},
      {"al2-example6.1",
       "[AL2] Example 6.1",
       "index 2, regular, exact solution",
       {t_end(1)},
       make_al2_example6_1},
      {"al2-example6.2",
       "[AL2] Example 6.2",
       "index 2, G B singular at t = 1/2, y bounded",
       {t_end(1)},
       make_al2_example6_2},
      {"al2-example6.3",
       "[AL2] Example 6.3",
       "index 2, G B singular at t = 1/2, y unbounded",
       {t_end(1)},
       make_al2_example6_3},
      {"al2-example6.4",
       "[AL2] Example 6.4",
       "two-link arm with exact solution, index 3",
       {t_end(1)},
       make_al2_example6_4},
      {"slider-crank",
       "[AL2] Example 6.5",
       "two equal bars through configurations where the constraints are dependent",
       {t_end(70),
        {"turning", 0, "0: from rest at 7 pi/4; 1: from pi/4 with phi1' = 2 sqrt 2"},
        {"gravity", 9.81, "m/s^2"}},
       make_slider_crank,
       {"turning"}},
      {"two-link-arm-1",
       "[ACPR] Example 2, case I",
       "double pendulum, its end on a parabola",
       {t_end(40)},
       make_two_link_arm_1},
      {"two-link-arm-2",
       "[ACPR] Example 2, case II",
       "double pendulum, height of its end given",
       {t_end(10), {"omega", 0.5, "of the height sin^2(omega t)"}},
       make_two_link_arm_2},
      {"andrews",
       "[ACPR] Example 3; Multibody Systems Handbook, 1990",
       "Andrews' squeezing mechanism, seven bodies",
       {t_end(0.03)},
       make_andrews},
      {"car-axis",
       "Test Set for IVP Solvers, caraxis",
       "chassis on two springs of high rate, one wheel on a bumpy road",
       {t_end(3)},
       make_car_axis},
      {"pendulum",
       "exact by elliptic functions",
       "pendulum of length 1 in Cartesian coordinates",
       {t_end(23.6784194757624), {"gravity", 9.81, "m/s^2"}},
       make_pendulum},
      {"eich-pendulum",
       "[Eich] section 3.3",
       "pendulum of period 2 released from the horizontal, 50 periods",
       {t_end(100)},
       make_eich_pendulum},
      {"truck",
       "[AFS] section 5; Eich-Soellner, Fuehrer: Numerical Methods in Multibody Dynamics",
       "plane truck over a hump, nine coordinates, two constraints",
       {t_end(4),
        {"pace", 1, "how much faster than in the source the hump is passed"},
        {"published-moment", 0, "1: the chassis moment with the sign of the published equations"}},
       make_truck,
       {"published-moment"}},
      {"chain",
       "absolute coordinates",
       "hanging chain of rods, linear algebra of linear cost",
       {t_end(2), {"links", 16, "rods"}},
       make_chain,
       {"links"}},
      {"scissors",
       "absolute coordinates",
       "scissors lift on springs, closed loops of rods, linear algebra of linear cost",
       {t_end(2), {"links", 4, "cells of two rods"}},
       make_scissors,
       {"links"}},
      {"wheelset",
       "Test Set for IVP Solvers, wheel; [Eich] section 1.2",
       "conical wheels on a track: contact points of index 1, friction that depends on multipliers",
       {t_end(10), {"speed", 30, "m/s"}},
       make_wheelset},
  };
}

}  // namespace

double value_of(const Parameters& parameters, const std::string& name) {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const Parameter& p) { return p.name == name; });
  if (found == parameters.end()) throw Error("catalogue entry without parameter " + name);
  if (!std::isfinite(found->value)) {
    throw InvalidOption(fmt::format("{} = {}: must be finite", name, found->value));
  }
  return found->value;
}

double positive(const Parameters& parameters, const std::string& name) {
  const double value = value_of(parameters, name);
  if (!(value > 0)) throw InvalidOption(fmt::format("{} = {}: must be > 0", name, value));
  return value;
}

int whole_number(const Parameters& parameters, const std::string& name, int most) {
  const double value = value_of(parameters, name);
  if (value < 1 || value > most || value != std::floor(value)) {
    throw InvalidOption(fmt::format("{} = {}: must be a whole number, 1 to {}", name, value, most));
  }
  return static_cast<int>(value);
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = all_entries();
  return all;
}

const Entry* find(const std::string& name) {
  for (const Entry& entry : entries()) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const problems::LinearEntry& entry : problems::linear_entries()) names.push_back(entry.name);
  for (const Entry& entry : entries()) names.push_back(entry.name);
  for (const BoundaryEntry& entry : boundary_entries()) names.push_back(entry.name);
  return names;
}

InitialValueProblemPtr make(const Entry& entry, const Parameters& changed) {
  return entry.make(problems::with_changes(entry.name, entry.parameters, changed));
}

std::vector<std::string> smooth_parameters(const Entry& entry) {
  std::vector<std::string> names;
  for (const Parameter& one : entry.parameters) {
    const bool is_discrete =
        std::find(entry.discrete.begin(), entry.discrete.end(), one.name) != entry.discrete.end();
    if (!is_discrete && one.name != "t-end") names.push_back(one.name);
  }
  return names;
}

ivp::Family family_of(const Entry& entry, const Parameters& changed,
                      const std::vector<std::string>& names) {
  return [&entry, changed, names](const VecX& values) {
    Parameters all = changed;
    for (std::size_t i = 0; i < names.size(); ++i) {
      all.push_back({names[i], values[static_cast<Eigen::Index>(i)], ""});
    }
    const InitialValueProblemPtr problem = make(entry, all);
    return ivp::Member{DaeProblemPtr(problem, &problem->problem()), problem->start(),
                       problem->events()};
  };
}

}  // namespace daewave::catalogue
