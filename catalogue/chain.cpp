#include "problems/chain.hpp"

#include "catalogue/makers.hpp"

namespace daewave::catalogue {

InitialValueProblemPtr make_chain(const Parameters& parameters) {
  problems::Chain chain;
  chain.rods = whole_number(parameters, "links", 100000);
  return initial_value_problem(chain, positive(parameters, "t-end"));
}

}  // namespace daewave::catalogue
