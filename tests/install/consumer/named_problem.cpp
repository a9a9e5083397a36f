// A program outside of the tree that solves a problem of the catalogue by its name: no solver is
// compiled for it here.

#include <cstdio>
#include <exception>

#include <daewave/catalogue.hpp>

int main() try {
  const daewave::catalogue::Entry* entry = daewave::catalogue::find("pendulum");
  if (entry == nullptr) return 1;
  const auto problem = daewave::catalogue::make(*entry, {});
  const auto solution = problem->solve({0, 1}, {.rtol = 1e-8});
  std::printf("%s\n", solution.report.brief().c_str());
  const auto exact = problem->reference(1);
  // Local errors of 1e-8, enlarged by less than e^3 in a second.
  return exact && (solution.end() - *exact).norm() < 1e-6 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "named_problem: %s\n", error.what());
  return 1;
}
