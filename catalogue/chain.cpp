#include "problems/chain.hpp"

#include "catalogue/chain_lanes.hpp"
#include "catalogue/makers.hpp"

namespace daewave::catalogue {

InitialValueProblemPtr make_chain(const Parameters& parameters) {
  problems::Chain chain;
  chain.rods = whole_number(parameters, "links", 100000);
  Known known{chain.name(), {0, positive(parameters, "t-end")}};
  return std::make_shared<const InitialValueProblem>(
      problem_of(chain, best_of([](auto set) { return chain_lanes(set); })), VecX(chain.start()),
      std::move(known));
}

}  // namespace daewave::catalogue
