#include "ivp/srm/srm_iterate.hpp"

namespace daewave::ivp {

std::vector<double> abscissae_of(const ExplicitTableau& formula) {
  std::vector<double> abscissae{1};
  for (double c : formula.c) {
    const bool known = std::find(abscissae.begin(), abscissae.end(), c) != abscissae.end();
    if (c > 0 && !known) abscissae.push_back(c);
  }
  return abscissae;
}

}  // namespace daewave::ivp
