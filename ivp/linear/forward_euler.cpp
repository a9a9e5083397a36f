#include "ivp/linear/forward_euler.hpp"

namespace daewave::ivp {

Collocation forward_euler() {
  // The nodes of the trapezoidal rule keep B y on both of them; only its weights are replaced.
  Collocation scheme = collocation(Scheme::lobatto, 2);
  scheme.a = MatX{{0, 0}, {1, 0}};
  scheme.b = VecX{{1, 0}};
  scheme.order = 1;
  return scheme;
}

}  // namespace daewave::ivp
