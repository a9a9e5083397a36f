#include "core/problem/dae_problem.hpp"

#include <fmt/format.h>

#include <cstddef>

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
  if (constrained && sizes.nl() == 0) {
    refuse(kind, kind == Kind::multibody ? "ny + nk" : "ny", 0,
           kind == Kind::index_2
               ? "must be >= 1: without constraints it is of kind \"ordinary\", x' = f(x, t)"
               : "must be >= 1: without constraints it is of kind \"ordinary\", x' = f(x, t) with "
                 "x = (q, v)");
  }
  using Mass = Structure::Mass;
  using Constraints = Structure::Constraints;
  if (structure.constraints == Constraints::chain && structure.mass != Mass::diagonal) {
    throw InvalidProblem(
        "the constraints of a chain go with a diagonal mass; give that, or dense G");
  }
  const bool by_blocks =
      structure.constraints == Constraints::joints || structure.constraints == Constraints::sparse;
  if (by_blocks && structure.mass == Mass::dense) {
    throw InvalidProblem(fmt::format(
        "{} go with a mass that is diagonal or of bodies; give that, or dense G",
        structure.constraints == Constraints::joints ? "constraints of joints"
                                                     : "constraints of a sparse pattern"));
  }
  if (structure.mass_constant && kind != Kind::multibody) {
    throw InvalidProblem(
        fmt::format("a problem of kind \"{}\": mass_constant = true: only multibody has a mass M; "
                    "leave it out",
                    name_of(kind)));
  }
  if (structure.constraints != Constraints::dense && sizes.nk > 0) {
    refuse(kind, "nk", sizes.nk, "constraints on velocities go with dense G");
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

namespace {

/// Point by point, each by the evaluation of its own member.
class EvaluationOfMembers final : public Evaluation {
 public:
  EvaluationOfMembers(const DaeProblem& kind, const std::vector<const DaeProblem*>& members)
      : nq_(kind.sizes().nq), nw_(kind.sizes().nw) {
    const Sizes& sizes = kind.sizes();
    const int nq = sizes.nq, nl = sizes.nl(), nw = sizes.nw, nh = sizes.nh;
    const int mass = kind.structure().mass == Structure::Mass::dense ? nq * nq : nq;
    arrays_ = {{&Terms::f, nq},         {&Terms::M, mass},      {&Terms::B, nq * nl},
               {&Terms::G, nq * nl},    {&Terms::g, nl},        {&Terms::g_t, nl},
               {&Terms::curvature, nl}, {&Terms::r, nw},        {&Terms::h, nh},
               {&Terms::r_w, nw * nw},  {&Terms::H, nh * nq},   {&Terms::f_q, nq * nq},
               {&Terms::f_v, nq * nq},  {&Terms::f_w, nq * nw}, {&Terms::r_q, nw * nq}};
    std::size_t total = 0;
    for (const Array& array : arrays_) total += static_cast<std::size_t>(array.size);
    memory_.resize(total * members.size());
    for (const DaeProblem* member : members) evaluations_.push_back(member->evaluation());
  }

  const Terms& evaluate(Ask what, const Points& at) override {
    out_ = Terms{};
    out_.stride = at.count;
    for (int p = 0; p < at.count; ++p) {
      const double* const q = take(at.q, nq_, at.stride, p, q_);
      const double* const v = take(at.v, nq_, at.stride, p, v_);
      const double* const w = take(at.w, nw_, at.stride, p, w_);
      const Terms& one = evaluations_[static_cast<std::size_t>(p)]->evaluate(
          what, Points{1, 1, at.t + p, q, v, w});
      double* to = memory_.data();
      for (const Array& array : arrays_) {
        if (const double* const from = one.*array.member) {
          for (int i = 0; i < array.size; ++i) to[i * at.count + p] = from[i];
          out_.*array.member = to;
        }
        to += static_cast<std::ptrdiff_t>(array.size) * at.count;
      }
    }
    return out_;
  }

 private:
  struct Array {
    const double* Terms::*member;
    int size;
  };

  static const double* take(const double* from, int size, int stride, int point,
                            std::vector<double>& to) {
    if (from == nullptr) return nullptr;
    to.resize(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) to[static_cast<std::size_t>(i)] = from[i * stride + point];
    return to.data();
  }

  int nq_, nw_;
  std::vector<Array> arrays_;
  std::vector<std::unique_ptr<Evaluation>> evaluations_;
  std::vector<double> q_, v_, w_, memory_;
  Terms out_;
};

}  // namespace

Evaluation::~Evaluation() = default;

std::unique_ptr<Evaluation> DaeProblem::evaluation_of(
    const std::vector<const DaeProblem*>& members) const {
  return std::make_unique<EvaluationOfMembers>(*this, members);
}

double DaeProblem::energy(const double*, const double*) const { return 0; }
std::string DaeProblem::failure(const VecX&, const VecX&, double) const { return {}; }

}  // namespace daewave
