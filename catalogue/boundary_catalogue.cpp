#include "catalogue/boundary_catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bvp/solve.hpp"
#include "catalogue/boundary_lanes.hpp"
#include "core/error.hpp"
#include "problems/bent_beams.hpp"
#include "problems/boundary_layers.hpp"
#include "problems/boundary_motion.hpp"
#include "problems/cash_mazzia.hpp"
#include "problems/index_one.hpp"
#include "problems/measles.hpp"
#include "problems/similarity_flows.hpp"
#include "problems/spheres.hpp"
#include "problems/squeezed_flow.hpp"
#include "problems/swirling_flow.hpp"

namespace daewave::catalogue {
namespace {

using problems::Parameter;
using Parameters = std::vector<Parameter>;
using bvp::boundary_problem_of;

double value_of(const Parameters& parameters, const char* name) {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const Parameter& one) { return one.name == name; });
  if (found == parameters.end()) throw Error(fmt::format("no parameter {}", name));
  return found->value;
}

double positive(const Parameters& parameters, const char* name) {
  const double value = value_of(parameters, name);
  if (value > 0 && std::isfinite(value)) return value;
  throw InvalidOption(fmt::format("{} = {:g}: must be > 0 and finite", name, value));
}

/// A problem whose only parameter is e.
template <class P>
BoundaryEntry layered(const char* name, const char* source, const char* summary, double e,
                      StructLanes<P> (*lanes)() = nullptr) {
  return {name,
          source,
          summary,
          {{"e", e, "of the highest derivative"}},
          [name, lanes](const Parameters& parameters) {
            P problem;
            problem.e = positive(parameters, "e");
            bvp::BoundaryProblem made = boundary_problem_of(problem);
            if (lanes != nullptr) made.equations = problem_of(problem, lanes());
            made.name = name;
            return made;
          }};
}

/// Of one unknown.
BoundaryEntry numbered(const problems::CashMazzia& one) {
  return {name_of(one),
          fmt::format("[CM] number {}", one.number),
          one.summary,
          {{"e", one.e, "the small parameter"}},
          [one](const Parameters& parameters) {
            problems::TwoPoint problem = one.make(positive(parameters, "e"));
            problem.label = name_of(one);
            bvp::BoundaryProblem made = boundary_problem_of(problem);
            made.equations = problem_of(problem, boundary_lanes<problems::TwoPoint>());
            if (one.exact == nullptr) return made;
            made.exact = [exact = one.exact, e = problem.e](double t) { return VecX(exact(e, t)); };
            return made;
          }};
}

/// The 35 singularly perturbed problems of [CM].
void add_cash_mazzia(std::vector<BoundaryEntry>& entries) {
  using namespace problems;
  for (const CashMazzia& one : linear_cash_mazzia()) entries.push_back(numbered(one));
  for (const CashMazzia& one : nonlinear_cash_mazzia()) entries.push_back(numbered(one));
  entries.push_back(layered<LoadedBeam>("cash-mazzia-31", "[CM] number 31", "a beam that bends far",
                                        0.1, boundary_lanes<LoadedBeam>));
  entries.push_back(layered<SqueezedFlow>("cash-mazzia-32", "[CM] number 32",
                                          "flow with a layer at the end", 0.1));
  entries.push_back(layered<SwirlingFlow>("cash-mazzia-33", "[CM] number 33",
                                          "flow between rotating disks", 0.1));
}

std::vector<BoundaryEntry> by_name() {
  using namespace problems;
  return {
      {"al2-example6.1-bvp",
       "[AL2] Example 6.1",
       "index 2, one condition at the end, exact solution",
       {},
       [](const auto&) { return boundary_problem_of(Al2Example61Boundary{}); }},
      {"al2-example6.3-bvp",
       "[AL2] Example 6.3",
       "index 2, G B singular at t = 1/2, one condition at the end",
       {},
       [](const auto&) { return boundary_problem_of(Al2Example63Boundary{}); }},
      {"pendulum-bvp",
       "exact by elliptic functions",
       "index 3, the pendulum between two of its configurations",
       {{"t-end", 0.4, "s"}},
       [](const auto& parameters) {
         PendulumBetween problem;
         problem.t_end = positive(parameters, "t-end");
         return boundary_problem_of(problem);
       }},
      {"two-link-arm-bvp",
       "[ACPR] Example 2, case I",
       "index 3, the arm between two of its configurations",
       {{"to", -2.9, "first angle at the end, rad"}},
       [](const auto& parameters) {
         ArmBetween problem;
         problem.last_angle = value_of(parameters, "to");
         return boundary_problem_of(problem);
       }},
      {"slider-crank-bvp",
       "[AL2] Example 6.5",
       "index 3, between two angles, upright between them, where constraints are dependent",
       {{"from", 1.2, "angle of the crank at the begin, rad"},
        {"to", 2, "and at the end"},
        {"seconds", 1, "between them"}},
       [](const auto& parameters) {
         CrankBetween problem;
         problem.first_angle = value_of(parameters, "from");
         problem.last_angle = value_of(parameters, "to");
         problem.seconds = positive(parameters, "seconds");
         return boundary_problem_of(problem);
       }},
      {"index-one",
       "[COLDAE] test problem 3",
       "index 1, one algebraic unknown",
       {},
       [](const auto&) { return boundary_problem_of(IndexOneLayer{}); }},
      layered<LayerAtBegin>("layer-at-begin", "[CM] number 1", "linear, a layer at the begin",
                            1e-4),
      layered<LayerAtEnd>("layer-at-end", "[CM] number 2", "linear, a layer at the end", 1e-3),
      layered<SmoothBesideLayers>("smooth-beside-layers", "[CM] number 3",
                                  "linear, smooth where there could be a layer", 1e-3),
      layered<LayerAndGrowth>("layer-and-growth", "[CM] number 4",
                              "linear, a layer at the begin and a growing mode", 1e-3),
      layered<CornerLayer>("corner-layer", "[CM] number 7", "linear, a corner inside", 1e-3),
      layered<DampedLayer>("damped-layer", "[CM] number 8", "linear, a layer at the begin", 1e-3),
      layered<LoadedBeam>("loaded-beam", "[CM] number 31", "a beam that bends far", 0.1,
                          boundary_lanes<LoadedBeam>),
      layered<SwirlingFlow>("swirling-flow", "[CM] number 33; [AMR]", "flow between rotating disks",
                            1e-2),
      {"elastica",
       "[CM]",
       "a bent rod whose force is unknown",
       {},
       [](const auto&) { return boundary_problem_of(Elastica{}); }},
      {"measles",
       "[AMR]",
       "an epidemic that comes back every year, periodic conditions",
       {},
       [](const auto&) { return boundary_problem_of(Measles{}); }},
      {"wedge-flow",
       "Falkner, Skan (1931)",
       "the boundary layer at a wedge, a flat plate for m = 0, on an infinite interval",
       {{"m", 0, "of the angle 2 pi m / (m + 1)"}},
       [](const auto& parameters) {
         WedgeFlow problem;
         problem.m = value_of(parameters, "m");
         if (!(problem.m > -1)) {
           throw InvalidOption(fmt::format("m = {:g}: must be > -1", problem.m));
         }
         return boundary_problem_of(problem);
       }},
      {"rotating-disk",
       "Karman (1921)",
       "the flow above a rotating disk, on an infinite interval",
       {},
       [](const auto&) { return boundary_problem_of(RotatingDisk{}); }},
      {"lane-emden",
       "exact for n = 0, 1, 5",
       "a ball of gas, with a singular term in its middle",
       {{"n", 5, "power of y, 0, 1, 2, ..."}, {"t-end", 2, "end of the interval"}},
       [](const auto& parameters) {
         LaneEmden problem;
         const double n = value_of(parameters, "n");
         if (!(n >= 0 && n == std::floor(n) && n < 100)) {
           throw InvalidOption(fmt::format("n = {:g}: must be one of 0, 1, 2, ..., 99", n));
         }
         problem.n = static_cast<int>(n);
         problem.t_end = positive(parameters, "t-end");
         bvp::BoundaryProblem made = boundary_problem_of(problem);
         if (problem.is_exact()) made.exact = [problem](double t) { return problem.solution(t); };
         return made;
       }},
      {"catalyst-slab",
       "exact where there is a dead core",
       "y'' = k y^p with y >= 0, of which nothing is left inside where k is large",
       {{"k", 50, "rate of the reaction"}, {"p", 0.5, "its order"}},
       [](const auto& parameters) {
         CatalystSlab problem;
         problem.k = positive(parameters, "k");
         problem.p = positive(parameters, "p");
         bvp::BoundaryProblem made = boundary_problem_of(problem);
         if (problem.has_dead_core()) {
           made.exact = [problem](double t) { return problem.solution(t); };
         }
         return made;
       }},
  };
}

std::vector<BoundaryEntry> all() {
  std::vector<BoundaryEntry> entries = by_name();
  add_cash_mazzia(entries);
  return entries;
}

}  // namespace

const std::vector<BoundaryEntry>& boundary_entries() {
  static const std::vector<BoundaryEntry> entries = all();
  return entries;
}

const BoundaryEntry* find_boundary(const std::string& name) {
  const auto& entries = boundary_entries();
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const BoundaryEntry& one) { return one.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

bvp::BoundaryProblem make(const BoundaryEntry& entry, const Parameters& changed) {
  return entry.make(problems::with_changes(entry.name, entry.parameters, changed));
}

bvp::ProblemFamily family_of(const BoundaryEntry& entry, const Parameters& changed) {
  const Parameters all = problems::with_changes(entry.name, entry.parameters, changed);
  bvp::ProblemFamily family;
  family.p.resize(static_cast<Eigen::Index>(all.size()));
  for (std::size_t i = 0; i < all.size(); ++i) {
    family.p[static_cast<Eigen::Index>(i)] = all[i].value;
    family.names.push_back(all[i].name);
  }
  family.member = [make = entry.make, all](const VecX& p) {
    Parameters values = all;
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i].value = p[static_cast<Eigen::Index>(i)];
    }
    return make(values);
  };
  return family;
}

}  // namespace daewave::catalogue
