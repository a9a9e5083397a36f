#include "problems/linear_catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/nearest_names.hpp"
#include "problems/al1.hpp"
#include "problems/ap91.hpp"
#include "problems/cash_mazzia.hpp"
#include "problems/lin.hpp"
#include "problems/linear_two_point.hpp"

namespace daewave::problems {
namespace {

template <class P>
LinearProblem known(const P& problem) {
  return {erase(problem), [problem](double t) { return VecX(problem.x_exact(t)); },
          [problem](double t) { return VecX(problem.By_exact(t)); }};
}

double value_of(const std::vector<Parameter>& parameters, const std::string& name) {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const Parameter& p) { return p.name == name; });
  if (found == parameters.end()) throw Error("catalogue entry without parameter " + name);
  return found->value;
}

/// Of index 2, with nothing to carry: By = 0.
LinearProblem made(const CashMazzia& one, const std::string& name, double e) {
  if (!(e > 0) || !std::isfinite(e)) {
    throw InvalidOption(fmt::format("e = {:g}: must be > 0 and finite", e));
  }
  TwoPoint of = one.make(e);
  of.label = name;
  LinearProblem problem{erase(LinearTwoPoint(of)), {}, {}};
  if (one.exact == nullptr) return problem;
  problem.x_exact = [exact = one.exact, e](double t) {
    const Vec<2> x = exact(e, t);
    return VecX(Vec<3>{x[0], x[1], 0});
  };
  problem.By_exact = [](double) { return VecX(VecX::Zero(3)); };
  return problem;
}

LinearEntry entry_of(const CashMazzia& one) {
  const std::string name = name_of(one) + "-linear";
  return {
      name,
      fmt::format("[CM] number {}", one.number),
      one.summary,
      {{"e", one.e, "of the highest derivative"}},
      [one, name](const auto& parameters) { return made(one, name, value_of(parameters, "e")); }};
}

std::vector<LinearEntry> of_the_papers() {
  return {
      {"al1-example1",
       "[AL1] section 5, Example 1",
       "index 2, C B = -(1 - 2t)^2 singular at t = 1/2, conditions coupling both ends",
       {},
       [](const auto&) { return known(Al1Example1{}); }},
      {"al1-example2",
       "[AL1] section 5, Example 2",
       "index 2, Example 1 with x(0) given",
       {},
       [](const auto&) { return known(Al1Example2{}); }},
      {"al1-example3",
       "[AL1] section 5, Example 3",
       "index 2, regular constraint, B singular at t = 1/2, x(0) given",
       {},
       [](const auto&) { return known(Al1Example3{}); }},
      {"al1-example4",
       "[AL1] section 5, Example 4",
       "index 2, B and C both vanish at t = 1/2, y smooth, x(0) given",
       {},
       [](const auto&) { return known(Al1Example4{}); }},
      {"lin",
       "long-horizon test problem",
       "index 2, rotating constraint, decaying and growing modes, separated conditions",
       {{"t-end", 100, "end of the interval"}, {"blocks", 1, "coupled blocks, nx = 4 blocks"}},
       [](const auto& parameters) {
         const double t_end = value_of(parameters, "t-end");
         const double blocks = value_of(parameters, "blocks");
         if (!(t_end > 0) || !std::isfinite(t_end)) {
           throw InvalidOption(fmt::format("t-end = {}: must be > 0 and finite", t_end));
         }
         if (blocks < 1 || blocks > 64 || blocks != std::floor(blocks)) {
           throw InvalidOption(fmt::format("blocks = {}: must be a whole number, 1 to 64", blocks));
         }
         return blocks == 1 ? known(Lin{t_end}) : known(LinBlocks{t_end, static_cast<int>(blocks)});
       }},
      {"ap91",
       "Ascher, Petzold, SIAM J. Numer. Anal. 28 (1991)",
       "index 2 initial value problem, harder the larger lambda",
       {{"lambda", 50, "1 is easy, 50 is hard"}},
       [](const auto& parameters) {
         const double lambda = value_of(parameters, "lambda");
         if (!std::isfinite(lambda)) {
           throw InvalidOption(fmt::format("lambda = {}: must be finite", lambda));
         }
         return known(Ap91{lambda});
       }},
  };
}

std::vector<LinearEntry> make_entries() {
  std::vector<LinearEntry> entries = of_the_papers();
  for (const CashMazzia& one : linear_cash_mazzia()) {
    if (one.exact != nullptr) entries.push_back(entry_of(one));
  }
  return entries;
}

}  // namespace

const std::vector<LinearEntry>& linear_entries() {
  static const std::vector<LinearEntry> all = make_entries();
  return all;
}

const LinearEntry& entry_named(const std::string& name, const std::vector<std::string>& known) {
  for (const LinearEntry& entry : linear_entries()) {
    if (entry.name == name) return entry;
  }
  const std::string near = did_you_mean(name, known);
  throw InvalidOption(near.empty()
                          ? fmt::format("problem = \"{}\"; known: {}", name, fmt::join(known, ", "))
                          : fmt::format("problem = \"{}\"{}; daewave list names all", name, near));
}

const LinearEntry& entry_named(const std::string& name) {
  std::vector<std::string> names;
  for (const LinearEntry& entry : linear_entries()) names.push_back(entry.name);
  return entry_named(name, names);
}

std::vector<Parameter> with_changes(const std::string& owner, std::vector<Parameter> parameters,
                                    const std::vector<Parameter>& changed) {
  for (const Parameter& change : changed) {
    const auto found = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const Parameter& p) { return p.name == change.name; });
    if (found == parameters.end()) {
      std::vector<std::string> names;
      for (const Parameter& p : parameters) names.push_back(p.name);
      throw InvalidOption(
          fmt::format("{} has no parameter \"{}\"{}; it has {}", owner, change.name,
                      did_you_mean(change.name, names),
                      names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
    }
    found->value = change.value;
  }
  return parameters;
}

LinearProblem make(const LinearEntry& entry, const std::vector<Parameter>& changed) {
  return entry.make(with_changes(entry.name, entry.parameters, changed));
}

}  // namespace daewave::problems
