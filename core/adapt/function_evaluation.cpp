#include "core/adapt/function_evaluation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/adapt/batched_differences.hpp"
#include "core/adapt/function_arrays.hpp"
#include "core/adapt/jacobian_lines.hpp"
#include "core/adapt/known_points.hpp"
#include "core/adapt/line_points.hpp"
#include "core/derivatives/differences.hpp"
#include "core/derivatives/invariant_derivatives.hpp"
#include "core/error.hpp"
#include "core/kkt/sparse_jacobian.hpp"

namespace daewave {
namespace {

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
  FunctionEvaluation(std::shared_ptr<const ProblemFunctions> of, SparsePatternPtr pattern,
                     std::shared_ptr<const Foreseen> foreseen)
      : of_(std::move(of)),
        arrays_(arrays_of(*of_)),
        memory_(arrays_.size()),
        sparse_(std::move(pattern)),
        known_(of_->sizes),
        foreseen_(std::move(foreseen)) {}

  const Terms& evaluate(Ask what, const Points& at) override {
    terms_ = Terms{};
    terms_.stride = at.count;
    const Ask known = of_->dear_calls ? known_.move_to(at) | look_up(what, at) : Ask{};
    const Ask together = of_->dear_calls ? by_few_calls(what, known, at) : Ask{};
    for (std::size_t a = 0; a < arrays_.size(); ++a) {
      const FunctionArray& array = arrays_[a];
      if (!asks(what, array.what)) continue;
      if (is_of_f_jacobian(array.what) && !((*of_).*array.function)) continue;
      if (array.what == Ask::G && sparse_.pattern()) {
        if (at.count == 1) fill_sparse(array, at);
        continue;
      }
      double* const out = room_of(a, at.count);
      if (!asks(known, array.what) && !asks(together, array.what)) {
        fill(array, at, out);
        known_.add(array.what);
      }
      terms_.*array.member = out;
    }
    look_at_lines(what, at);
    return terms_;
  }

 private:
  /// What is known of a single point, as it was foreseen.
  Ask look_up(Ask what, const Points& at) {
    if (!foreseen_ || at.count != 1) return Ask{};
    const auto all = foreseen_->points();
    if (!all) return Ask{};
    const int p = all->find(at, next_foreseen_);
    if (p < 0) return Ask{};
    next_foreseen_ = p;
    const Ask there = all->has_v_of(at, p) ? all->what : KnownPoints::without_motion(all->what);
    Ask filled{};
    for (std::size_t a = 0; a < arrays_.size(); ++a) {
      const Ask one = arrays_[a].what;
      if (!asks(what, one) || !asks(there, one) || all->arrays[a].empty()) continue;
      if (one == Ask::G && sparse_.pattern()) continue;
      const int rows = arrays_[a].rows * arrays_[a].columns;
      double* const out = room_of(a, 1);
      for (int i = 0; i < rows; ++i)
        out[i] = all->arrays[a][static_cast<std::size_t>(i * all->count + p)];
      filled = filled | one;
    }
    known_.add(filled);
    return filled;
  }

  Ask by_few_calls(Ask what, Ask known, const Points& at) {
    const Ask missing = looked_at(what, known, at);
    const Ask by_lines = along_lines(missing, at);
    return by_lines | in_one_call(without(missing, by_lines), at);
  }

  /// G, and the curvature by lines of it, where that is known to be enough.
  Ask along_lines(Ask missing, const Points& at) {
    compares_ = false;
    const bool both = asks(missing, Ask::G) && asks(missing, Ask::curvature) && has(Ask::curvature);
    if (!both || asks(missing, Ask::g) || at.v == nullptr || sparse_.pattern()) return Ask{};
    if (!of_->G || of_->curvature || !of_->differences) return Ask{};
    const std::size_t G = index_of(Ask::G), curvature = index_of(Ask::curvature);
    const double scale = of_g_[index_in_of_g(Ask::curvature)].second.stencils().scale();
    const bool derived = jacobian_lines_.evaluate(*of_, at, scale, room_of(G, at.count),
                                                  room_of(curvature, at.count));
    if (!jacobian_lines_.knows_G()) return Ask{};
    Ask filled = Ask::G;
    const bool known_times = static_cast<std::size_t>(at.count) <= timeless_.size() &&
                             std::equal(at.t, at.t + at.count, timeless_.begin());
    if (derived && known_times) {
      filled = filled | Ask::curvature;
    } else if (derived) {
      compares_ = true;
      const double* const from = room_of(curvature, at.count);
      by_lines_.assign(from, from + of_->sizes.ny * at.count);
    }
    known_.add(filled);
    return filled;
  }

  /// At times at which the curvature is the same from g, whose time it knows, and from G, it will
  /// be from G.
  void look_at_lines(Ask what, const Points& at) {
    if (!compares_ || !asks(what, Ask::curvature)) return;
    compares_ = false;
    const std::vector<double>& rounding =
        of_g_[index_in_of_g(Ask::curvature)].second.stencils().rounding();
    if (!rounding.empty() &&
        jacobian_lines_.agrees(at, terms_.curvature, by_lines_.data(), rounding)) {
      timeless_.assign(at.t, at.t + at.count);
    } else {
      timeless_.clear();
      jacobian_lines_.leave();
    }
  }

  static std::size_t index_in_of_g(Ask what) {
    return what == Ask::G ? 0 : what == Ask::g_t ? 1 : 2;
  }

  double* room_of(std::size_t array, int count) {
    std::vector<double>& memory = memory_[array];
    const auto size = static_cast<std::size_t>(arrays_[array].rows * arrays_[array].columns) *
                      static_cast<std::size_t>(count);
    if (memory.size() < size) memory.resize(size);
    return memory.data();
  }

  /// What of g is to be asked for. At a single point, what has not been asked for yet most likely
  /// will be, and costs no call.
  Ask looked_at(Ask what, Ask known, const Points& at) const {
    Ask of_g{};
    // A problem of index 2 has no curvature, also where a velocity is given.
    for (const Ask one : {Ask::g, Ask::g_t, Ask::curvature}) {
      if (has(one)) of_g = of_g | one;
    }
    const Ask missing = without(what, known);
    if (at.count > 1 || at.v == nullptr || !asks(missing, of_g)) return missing;
    return missing | without(of_g, known);
  }

  /// g, and what follows from it by stencils. @return what is filled now.
  Ask in_one_call(Ask what, const Points& at) {
    struct Part {
      Ask what;
      LineStencils* stencils;  ///< Null: g itself.
      int begin;
    };
    std::vector<Part> parts;
    int points = 0;
    if (asks(what, Ask::g)) {
      parts.push_back({Ask::g, nullptr, 0});
      points += at.count;
    }
    for (auto& [derivative, differences] : of_g_) {
      LineStencils& stencils = differences.stencils();
      if (!asks(what, derivative) || !follows_from_g(derivative)) continue;
      if (stencils.left_to_others()) continue;
      parts.push_back({derivative, &stencils, points});
      points += stencils.points(*of_, at.count);
    }
    if (parts.size() < 2) return Ask{};
    line_points_.reset(points, of_->sizes);
    for (const Part& part : parts) {
      if (part.stencils == nullptr) {
        line_points_.place(at);
      } else {
        part.stencils->place(*of_, at, line_points_, part.begin);
      }
    }
    line_points_.call(*of_);
    Ask filled{};
    for (const Part& part : parts) {
      double* const out = room_of(index_of(part.what), at.count);
      if (part.stencils == nullptr) {
        line_points_.copy_values(of_->sizes.ny, at.count, out);
      } else if (!part.stencils->take(*of_, at, line_points_, part.begin, out)) {
        continue;
      }
      filled = filled | part.what;
    }
    known_.add(filled);
    return filled;
  }

  /// Whether problems of that kind have it.
  bool has(Ask what) const { return index_of(what) < arrays_.size(); }
  std::size_t index_of(Ask what) const {
    const auto found = std::find_if(arrays_.begin(), arrays_.end(),
                                    [what](const FunctionArray& one) { return one.what == what; });
    return static_cast<std::size_t>(found - arrays_.begin());
  }

  bool follows_from_g(Ask what) const {
    if (what == Ask::G && sparse_.pattern()) return false;
    return has(what) && of_->differences && !((*of_).*arrays_[index_of(what)].function);
  }

  void fill(const FunctionArray& array, const Points& at, double* out) {
    if (array.rows * array.columns == 0) return;  // Its function need not be given.
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
  void fill_sparse(const FunctionArray& array, const Points& at) {
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

  void by_differences(const FunctionArray& array, const Points& at, double* out) {
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
  std::vector<FunctionArray> arrays_;
  std::vector<std::vector<double>> memory_;
  SparseJacobian sparse_;
  std::vector<double> dense_;  ///< Of differences.
  KnownPoints known_;
  LinePoints line_points_;
  std::shared_ptr<const Foreseen> foreseen_;
  int next_foreseen_ = 0;
  JacobianLines jacobian_lines_;
  bool compares_ = false;  ///< The curvature with that by lines of G, which is by_lines_.
  std::vector<double> by_lines_;
  std::vector<double> timeless_;  ///< Times at which they agree.
  std::array<std::pair<Ask, BatchedDifferences>, 3> of_g_{
      {{Ask::G, BatchedDifferences(Ask::G)},
       {Ask::g_t, BatchedDifferences(Ask::g_t)},
       {Ask::curvature, BatchedDifferences(Ask::curvature)}}};
  Terms terms_;
};

}  // namespace

std::unique_ptr<Evaluation> function_evaluation(std::shared_ptr<const ProblemFunctions> of,
                                                SparsePatternPtr pattern,
                                                std::shared_ptr<const Foreseen> foreseen) {
  return std::make_unique<FunctionEvaluation>(std::move(of), std::move(pattern),
                                              std::move(foreseen));
}

std::shared_ptr<const ForeseenPoints> foreseen_points(const ProblemFunctions& of, Ask what,
                                                      const Points& at, const Terms& terms) {
  auto all = std::make_shared<ForeseenPoints>();
  all->what = what;
  all->count = at.count;
  all->sizes = of.sizes;
  all->has_v = at.v != nullptr;
  const auto copy = [&at](const double* from, int rows, int stride, std::vector<double>& to) {
    for (int i = 0; from != nullptr && i < rows; ++i) {
      const double* const row = from + static_cast<std::ptrdiff_t>(i) * stride;
      to.insert(to.end(), row, row + at.count);
    }
  };
  copy(at.t, 1, at.stride, all->t);
  copy(at.q, of.sizes.nq, at.stride, all->q);
  copy(at.v, of.sizes.nq, at.stride, all->v);
  for (const FunctionArray& array : arrays_of(of)) {
    const double* const from = asks(what, array.what) ? terms.*array.member : nullptr;
    copy(from, array.rows * array.columns, terms.stride, all->arrays.emplace_back());
  }
  return all;
}

}  // namespace daewave
