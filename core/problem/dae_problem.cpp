#include "core/problem/dae_problem.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace daewave {

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::ordinary:
      return "ordinary";
    case Kind::index_2:
      return "index 2";
    case Kind::second_order:
      return "second order";
    case Kind::multibody:
      return "multibody";
    case Kind::invariants:
      return "with invariants";
  }
  return "?";
}

namespace {

[[noreturn]] void refuse(Kind kind, const char* what, int given, const char* rule) {
  throw InvalidProblem(
      fmt::format("a problem of kind \"{}\": {} = {}: {}", name_of(kind), what, given, rule));
}

}  // namespace

DaeProblem::DaeProblem(Kind kind, const Sizes& sizes, const Structure& structure)
    : kind_(kind), sizes_(sizes), structure_(structure) {
  const bool constrained = kind != Kind::ordinary && kind != Kind::invariants;
  if (sizes.nq < 1) refuse(kind, "nq", sizes.nq, "must be >= 1");
  if (sizes.ny < 0 || (!constrained && sizes.ny != 0)) {
    refuse(kind, "ny", sizes.ny, constrained ? "must be >= 0" : "it has no multipliers");
  }
  if (sizes.nk < 0 || (kind != Kind::multibody && sizes.nk != 0)) {
    refuse(kind, "nk", sizes.nk,
           kind == Kind::multibody ? "must be >= 0" : "only multibody has velocity constraints");
  }
  if (sizes.nw < 0 || (kind != Kind::invariants && sizes.nw != 0)) {
    refuse(kind, "nw", sizes.nw,
           kind == Kind::invariants ? "must be >= 0" : "unknowns w are of kind invariants");
  }
  if (sizes.nh < 0 || (kind != Kind::invariants && sizes.nh != 0)) {
    refuse(kind, "nh", sizes.nh,
           kind == Kind::invariants ? "must be >= 0" : "invariants are of kind invariants");
  }
  if (kind == Kind::invariants) {
    if (structure.position_invariants < 0 || structure.position_invariants > sizes.nh) {
      refuse(kind, "position_invariants", structure.position_invariants, "must be in [0, nh]");
    }
    if (structure.positions < 0 || structure.positions > sizes.nq) {
      refuse(kind, "positions", structure.positions, "must be in [0, nq]");
    }
  }
}

double DaeProblem::energy(const double*, const double*) const { return 0; }
std::string DaeProblem::failure(const VecX&, const VecX&, double) const { return {}; }

}  // namespace daewave
