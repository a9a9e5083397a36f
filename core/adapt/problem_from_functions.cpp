#include "core/adapt/problem_from_functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/adapt/batched_differences.hpp"
#include "core/derivatives/differences.hpp"
#include "core/derivatives/invariant_derivatives.hpp"
#include "core/error.hpp"
#include "core/kkt/sparse_jacobian.hpp"
#include "core/problem/dear_calls.hpp"

namespace daewave {
namespace {

/// One array that an evaluation gives out.
struct Array {
  Ask what;
  const char* name;
  BatchFunction ProblemFunctions::*function;
  const double* Terms::*member;
  int rows, columns;
};

std::vector<Array> arrays_of(const ProblemFunctions& of) {
  const Sizes& n = of.sizes;
  const bool diagonal = of.mass == Structure::Mass::diagonal;
  using F = ProblemFunctions;
  const Array f{Ask::f, "f", &F::f, &Terms::f, n.nq, 1};
  const Array M{Ask::M, "M", &F::M, &Terms::M, n.nq, diagonal ? 1 : n.nq};
  const Array B{Ask::B, "B", &F::B, &Terms::B, n.nq, n.ny};
  const Array g{Ask::g, "g", &F::g, &Terms::g, n.nl(), 1};
  const Array G{Ask::G, "G", &F::G, &Terms::G, n.nl(), n.nq};
  const Array g_t{Ask::g_t, "g_t", &F::g_t, &Terms::g_t, n.nl(), 1};
  const Array curvature{Ask::curvature, "curvature", &F::curvature, &Terms::curvature, n.nl(), 1};
  const Array f_q{Ask::f_q, "f_q", &F::f_q, &Terms::f_q, n.nq, n.nq};
  const Array f_v{Ask::f_v, "f_v", &F::f_v, &Terms::f_v, n.nq, n.nq};
  switch (of.kind) {
    case Kind::ordinary:
      return {f, f_q};
    case Kind::index_2:
      return {f, B, g, G, g_t, f_q};
    case Kind::second_order:
      return {f, B, g, G, g_t, curvature, f_q, f_v};
    case Kind::multibody:
      return {f, M, g, G, g_t, curvature, f_q, f_v};
    case Kind::invariants:
      return {f,
              f_q,
              {Ask::f_w, "f_w", &F::f_w, &Terms::f_w, n.nq, n.nw},
              {Ask::r_q, "r_q", &F::r_q, &Terms::r_q, n.nw, n.nq},
              {Ask::r, "r", &F::r, &Terms::r, n.nw, 1},
              {Ask::h, "h", &F::h, &Terms::h, n.nh, 1},
              {Ask::r_w, "r_w", &F::r_w, &Terms::r_w, n.nw, n.nw},
              {Ask::H, "H", &F::H, &Terms::H, n.nh, n.nq}};
  }
  return {};
}

bool is_of_f_jacobian(Ask what) { return asks(Ask::f_q | Ask::f_v | Ask::f_w | Ask::r_q, what); }

/// The first of the derivatives of f and r that is given, or that is not; null for none.
const Array* first_of_f_jacobian(const ProblemFunctions& of, const std::vector<Array>& arrays,
                                 bool given) {
  for (const Array& array : arrays) {
    if (!is_of_f_jacobian(array.what) || array.rows * array.columns == 0) continue;
    if (static_cast<bool>(of.*array.function) == given) return &array;
  }
  return nullptr;
}

/// r and h of one point, for differences.
class ByDifferences {
 public:
  explicit ByDifferences(const ProblemFunctions& of) : of_(of) {}

  VecX r(const VecX& z, const VecX& w, double t) const {
    VecX out(of_.sizes.nw);
    of_.r(Points{1, 1, &t, z.data(), nullptr, w.data()}, out.data());
    return out;
  }
  VecX h(const VecX& z, const VecX& w, double t) const {
    VecX out(of_.sizes.nh);
    of_.h(Points{1, 1, &t, z.data(), nullptr, w.data()}, out.data());
    return out;
  }

  /// Of the array `what` at one point.
  MatX derivative(Ask what, const VecX& q, const VecX& w, double t) const {
    switch (what) {
      case Ask::r_w: {
        MatX J;
        detail::forward_differences([&](const VecX& at) { return r(q, at, t); }, w, J);
        return J;
      }
      default: {
        MatX H;
        detail::forward_differences([&](const VecX& at) { return h(at, w, t); }, q, H);
        return H;
      }
    }
  }

 private:
  const ProblemFunctions& of_;
};

class FunctionEvaluation final : public Evaluation {
 public:
  FunctionEvaluation(std::shared_ptr<const ProblemFunctions> of, SparsePatternPtr pattern)
      : of_(std::move(of)),
        arrays_(arrays_of(*of_)),
        memory_(arrays_.size()),
        sparse_(std::move(pattern)) {}

  const Terms& evaluate(Ask what, const Points& at) override {
    terms_ = Terms{};
    terms_.stride = at.count;
    for (std::size_t a = 0; a < arrays_.size(); ++a) {
      const Array& array = arrays_[a];
      if (!asks(what, array.what)) continue;
      if (is_of_f_jacobian(array.what) && !((*of_).*array.function)) continue;
      if (array.what == Ask::G && sparse_.pattern()) {
        if (at.count == 1) fill_sparse(array, at);
        continue;
      }
      std::vector<double>& memory = memory_[a];
      const auto size =
          static_cast<std::size_t>(array.rows * array.columns) * static_cast<std::size_t>(at.count);
      if (memory.size() < size) memory.resize(size);
      fill(array, at, memory.data());
      terms_.*array.member = memory.data();
    }
    return terms_;
  }

 private:
  void fill(const Array& array, const Points& at, double* out) {
    const BatchFunction& function = (*of_).*array.function;
    if (function) {
      function(at, out);
      // Rows of w have no residual of positions.
      if (array.what == Ask::g) {
        std::fill(out + of_->sizes.ny * at.count, out + of_->sizes.nl() * at.count, 0.0);
      }
    } else if (of_->differences) {
      by_differences(array, at, out);
    } else {
      std::fill(out, out + array.rows * at.count, 0.0);  // g_t of constraints that know no time.
    }
  }

  /// Of a batch of one point.
  void fill_sparse(const Array& array, const Points& at) {
    terms_.sparse = &sparse_;
    if (of_->G) return of_->G(at, sparse_.values());
    std::vector<double>& dense = dense_;
    dense.resize(static_cast<std::size_t>(array.rows * array.columns));
    by_differences(array, at, dense.data());
    double largest = 0;
    for (int e = 0; e < sparse_.entries(); ++e) {
      const SparseEntry& place = sparse_.place(e);
      sparse_[e] = std::exchange(
          dense[static_cast<std::size_t>(place.row + place.column * array.rows)], 0.0);
      largest = std::max(largest, std::abs(sparse_[e]));
    }
    refuse_entries_beside(largest, array.rows, *at.t);
  }

  /// What of dense_ the pattern has not taken must be zero to the accuracy of differences.
  void refuse_entries_beside(double largest, int rows, double t) const {
    constexpr double noise = 1e-6;
    for (std::size_t i = 0; i < dense_.size(); ++i) {
      if (!(std::abs(dense_[i]) > noise * largest)) continue;
      throw InvalidProblem(fmt::format(
          "problem_from_functions: pattern: dg/dq is {:.3g} in row {}, column {} at t = {:.9g}, "
          "which "
          "the pattern has not; add that entry, or leave the pattern empty",
          dense_[i], i % static_cast<std::size_t>(rows), i / static_cast<std::size_t>(rows), t));
    }
  }

  void by_differences(const Array& array, const Points& at, double* out) {
    for (auto& [what, differences] : of_g_) {
      if (what == array.what) return differences.evaluate(*of_, at, out);
    }
    const ByDifferences of(*of_);
    for (int p = 0; p < at.count; ++p) {
      const VecX q = gathered(at.q, of_->sizes.nq, at, p);
      const VecX w = gathered(at.w, of_->sizes.nw, at, p);
      const MatX J = of.derivative(array.what, q, w, at.t[p]);
      for (int i = 0; i < J.size(); ++i) out[i * at.count + p] = J.data()[i];
    }
  }

  static VecX gathered(const double* from, int size, const Points& at, int p) {
    VecX to = VecX::Zero(size);
    for (int i = 0; from != nullptr && i < size; ++i) to[i] = from[i * at.stride + p];
    return to;
  }

  std::shared_ptr<const ProblemFunctions> of_;
  std::vector<Array> arrays_;
  std::vector<std::vector<double>> memory_;
  SparseJacobian sparse_;
  std::vector<double> dense_;  ///< Of differences.
  std::array<std::pair<Ask, BatchedDifferences>, 3> of_g_{
      {{Ask::G, BatchedDifferences(Ask::G)},
       {Ask::g_t, BatchedDifferences(Ask::g_t)},
       {Ask::curvature, BatchedDifferences(Ask::curvature)}}};
  Terms terms_;
};

Structure structure_of(const ProblemFunctions& of) {
  Structure structure;
  structure.mass = of.mass;
  structure.mass_constant = of.mass_constant;
  if (!of.pattern.empty()) structure.constraints = Structure::Constraints::sparse;
  structure.has_curvature = static_cast<bool>(of.curvature) || of.differences;
  structure.has_energy = static_cast<bool>(of.energy);
  structure.has_f_jacobian = static_cast<bool>(of.f_q);
  if (of.kind == Kind::invariants) {
    structure.has_jacobian = structure.has_curvature = false;
    structure.position_invariants = of.position_invariants.value_or(of.sizes.nh);
    structure.positions = of.positions.value_or(of.sizes.nq);
  }
  return structure;
}

class FunctionProblem final : public DaeProblem, public DearCalls {
 public:
  explicit FunctionProblem(ProblemFunctions of)
      : DaeProblem(of.kind, of.sizes, structure_of(of)),
        of_(std::make_shared<const ProblemFunctions>(std::move(of))) {
    if (of_->pattern.empty()) return;
    pattern_ = std::make_shared<const SparsePattern>(sizes().nl(), sizes().nq, of_->pattern);
  }

  std::unique_ptr<Evaluation> evaluation() const override {
    return std::make_unique<FunctionEvaluation>(of_, pattern_);
  }
  std::string name() const override { return of_->name; }
  bool calls_are_dear() const override { return of_->dear_calls; }
  double energy(const double* q, const double* v) const override {
    return of_->energy ? of_->energy(q, v) : 0;
  }
  std::optional<VecX> start() const override { return of_->start; }
  std::optional<VecX> start_algebraic() const override { return of_->start_algebraic; }
  std::optional<Interval> interval() const override { return of_->interval; }

 private:
  std::shared_ptr<const ProblemFunctions> of_;
  SparsePatternPtr pattern_;
};

bool may_follow_by_differences(Ask what) {
  return what == Ask::G || what == Ask::g_t || what == Ask::curvature || what == Ask::r_w ||
         what == Ask::H;
}

void check(const ProblemFunctions& of) {
  const auto refuse = [&of](const std::string& why) {
    throw InvalidProblem(
        fmt::format("a problem of functions, of kind \"{}\": {}", name_of(of.kind), why));
  };
  if (of.mass == Structure::Mass::bodies) refuse("mass = bodies: give dense or diagonal");
  if (!of.pattern.empty() && of.kind != Kind::multibody) {
    refuse(fmt::format("pattern has {} entries: only G of multibody has one; leave it empty",
                       of.pattern.size()));
  }
  if (!of.pattern.empty() && of.mass == Structure::Mass::dense) {
    refuse(
        fmt::format("pattern has {} entries: it goes with mass = diagonal; give that, or leave "
                    "the pattern empty and give dense G",
                    of.pattern.size()));
  }
  if (of.differences && of.sizes.nk > 0) {
    refuse(
        "differences = true: they are of g alone, and there are constraints on velocities, nk = " +
        std::to_string(of.sizes.nk) + "; give G, g_t and curvature");
  }
  const std::vector<Array> arrays = arrays_of(of);
  const Array* const stated = first_of_f_jacobian(of, arrays, true);
  const Array* const missing = first_of_f_jacobian(of, arrays, false);
  if (stated != nullptr && missing != nullptr) {
    refuse(fmt::format("{} is given and {} is not: give all derivatives of f and r, or none",
                       stated->name, missing->name));
  }
  for (const Array& array : arrays) {
    if (of.*array.function || array.rows * array.columns == 0) continue;
    if (is_of_f_jacobian(array.what)) continue;
    if (array.what == Ask::curvature || (array.what == Ask::g_t && of.sizes.nk == 0)) continue;
    const bool follows = may_follow_by_differences(array.what);
    if (follows && of.differences) continue;
    refuse(fmt::format("{} is missing; give it{}", array.name,
                       follows ? ", or take differences = true" : ""));
  }
  const auto check_size = [&](const char* what, const std::optional<VecX>& given, int size) {
    if (!given || given->size() == size) return;
    refuse(fmt::format("{} has {} entries; it must have {}", what, given->size(), size));
  };
  const bool halves = of.kind == Kind::multibody || of.kind == Kind::second_order;
  check_size("start", of.start, (halves ? 2 : 1) * of.sizes.nq);
  check_size("start_algebraic", of.start_algebraic, of.sizes.nw);
}

}  // namespace

DaeProblemPtr problem_from_functions(ProblemFunctions functions) {
  check(functions);
  return std::make_shared<FunctionProblem>(std::move(functions));
}

}  // namespace daewave
