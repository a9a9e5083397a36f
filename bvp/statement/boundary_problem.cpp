#include "bvp/statement/boundary_problem.hpp"

namespace daewave::bvp {

const char* index_of(Kind kind) {
  switch (kind) {
    case Kind::ordinary:
      return "ordinary";
    case Kind::invariants:
      return "index 1";
    case Kind::index_2:
      return "index 2";
    default:
      return "index 3";
  }
}

}  // namespace daewave::bvp
