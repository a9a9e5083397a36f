#include "core/start/check_constraints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/kernels/with_kernel.hpp"
#include "core/not_finite.hpp"
#include "core/problem/by_differences.hpp"
#include "core/start/difference_range.hpp"

namespace daewave {
namespace {

constexpr int points = 5, directions = 2;
/// Lines behind those along `directions` of q.
constexpr int along_t = directions, along_both = directions + 1;
/// Below, a coordinate may be a zero that was disturbed, whose size says nothing: beside other
/// terms of g moves of that size are rounding.
constexpr double tiny = 1e-9;

/// What differences say of derivatives.
enum class Said { yes, no, nothing };

/// Where g is looked at: from (q, t) on along (dq, dt), at `first`, ..., `first` + 4 times `part`.
struct Line {
  VecX dq;
  double dt;
  double part;
  int first;
};

/// g, or h, along lines.
struct AlongLines {
  std::vector<Line> lines;
  MatX values;  ///< Of each row, at the points of one line after the other.

  DifferenceRange slopes(int line, int row) const {
    DifferenceRange range;
    for (int p = 1; p < points; ++p) {
      range.see((value(line, row, p) - value(line, row, p - 1)) / lines[line].part);
    }
    return range;
  }
  DifferenceRange bends(int line, int row) const {
    DifferenceRange range;
    const double part = lines[line].part;
    for (int p = 1; p + 1 < points; ++p) {
      range.see((value(line, row, p + 1) - 2 * value(line, row, p) + value(line, row, p - 1)) /
                (part * part));
    }
    return range;
  }

 private:
  double value(int line, int row, int p) const { return values(row, line * points + p); }
};

/// Each coordinate moves by about its own size, in its own direction.
/// @param least  size of each.
VecX direction(const VecX& q, int k, double least) {
  const double largest = q.size() > 0 ? q.cwiseAbs().maxCoeff() : 0.0;
  VecX d(q.size());
  for (int i = 0; i < d.size(); ++i) {
    const double size = std::max({std::abs(q[i]), 1e-3 * largest, least});
    const double wave = std::sin((k + 1) * (1.3 * i + 1));
    d[i] = (size > 0 ? size : 1) * (wave < 0 ? wave - 0.5 : wave + 0.5);
  }
  return d;
}

/// An entry that is not what differences say; a column of 0 is none.
struct Contradiction {
  std::string quantity;
  int row, column;
  double given, expected;

  Ask what() const {
    return quantity == "g_t"         ? Ask::g_t
           : quantity == "curvature" ? Ask::curvature
           : quantity == "H"         ? Ask::H
                                     : Ask::G;
  }

  /// Whether both say the same: differences of steps too long for what g does say now this, now
  /// that.
  bool is_that_of(const Contradiction& other) const {
    const double most = std::max(std::abs(expected), std::abs(other.expected));
    return quantity == other.quantity && row == other.row && column == other.column &&
           std::abs(expected - other.expected) <= 0.1 * most + 1e-3 * std::abs(given);
  }

  /// @param by_differences  what is called given, and is not.
  std::string text(double t, bool by_differences) const {
    const std::string place =
        column > 0 ? fmt::format("row {}, column {}", row, column) : fmt::format("row {}", row);
    if (by_differences) {
      return fmt::format(
          "the constraint changes too fast, or too slowly, for the differences that are taken of "
          "it: {} {} at t = {:.10g} is {:.10g} by some and {:.10g} by shorter ones; give that "
          "derivative, or units in which the interval is about 1 long",
          quantity, place, t, given, expected);
    }
    return fmt::format(
        "derivatives contradict the constraint: {} {} at t = {:.10g}: is {:.10g}, long differences "
        "give {:.10g}; if given, correct it, or leave it out and use with_autodiff(problem); if by "
        "differences, g moves faster than they see: use with_autodiff(problem), or units in which "
        "it is slower; check_derivatives() looks at all of them",
        quantity, place, t, given, expected);
  }
};

class Constraints {
 public:
  Constraints(const DaeProblem& problem, const VecX& state, const Interval& span, double least)
      : problem_(problem),
        invariants_(problem.kind() == Kind::invariants),
        rows_(invariants_ ? problem.sizes().nh : problem.sizes().ny),
        q_(state.head(problem.sizes().nq)),
        zero_(VecX::Zero(std::max(problem.sizes().nq, problem.sizes().nw))),
        t_(span.begin),
        length_(std::copysign(std::min(std::abs(span.length()), 1.0), span.length())),
        evaluation_(problem.evaluation()) {
    for (int k = 0; k < directions; ++k) along_[k] = direction(q_, k, least);
  }

  /// By differences of these parts of what is there, of slopes and of bends.
  std::optional<Contradiction> contradiction(double slope_part, double bend_part) {
    look_along_all(slope_part, bend_part);
    const bool bends_too = problem_.structure().has_curvature && problem_.has_velocity();
    const VecX v = velocity();
    const Ask others = bends_too ? Ask::g_t | Ask::curvature : Ask::g_t;
    const Points here{1, 1, &t_, q_.data(), invariants_ ? zero_.data() : v.data(), zero_.data()};
    const Terms* terms = nullptr;
    VecX given[directions];
    if (has_matrix()) {
      terms = &evaluation_->evaluate(invariants_ ? Ask::H : Ask::G | others, here);
      for (int k = 0; k < directions; ++k) given[k] = product(*terms, along_[k]);
    } else {
      for (int k = 0; k < directions; ++k) given[k] = jacobian_along(along_[k]);
    }
    VecX scale = VecX::Constant(rows_, std::numeric_limits<double>::min());
    for (int i = 0; i < rows_; ++i) {
      for (int k = 0; k < directions; ++k) {
        const double most = std::max(std::abs(given[k][i]), all_.slopes(k, i).size());
        if (std::isfinite(most)) scale[i] = std::max(scale[i], most);
      }
    }
    // Of a row that does not change the rest may be rounding.
    scale = scale.cwiseMax(1e-10 * scale.maxCoeff()).eval();
    for (int i = 0; i < rows_; ++i) {
      for (int k = 0; k < directions; ++k) {
        if (!all_.slopes(k, i).contradicts(given[k][i], scale[i])) continue;
        return entry(i, slope_part, scale[i]);
      }
    }
    if (invariants_) return {};
    if (!has_matrix()) terms = &evaluation_->evaluate(others, here);
    for (int i = 0; i < rows_; ++i) {
      const double beside = 1e-6 * scale[i];  // What moves with q.
      const DifferenceRange slope = all_.slopes(along_t, i);
      if (slope.contradicts(length_ * terms->g_t[i], beside)) {
        return Contradiction{"g_t", i + 1, 0, terms->g_t[i], slope.middle() / length_};
      }
      if (!bends_too) continue;
      const double square = length_ * length_;
      const DifferenceRange bend = all_.bends(along_both, i);
      if (bend.contradicts(square * terms->curvature[i], beside)) {
        return Contradiction{"curvature", i + 1, 0, terms->curvature[i], bend.middle() / square};
      }
    }
    return {};
  }

  /// Whether shorter steps see what those did not that found a contradiction.
  bool acquits(const Contradiction& found, double slope_part, double bend_part) {
    const auto here = contradiction(slope_part, bend_part);
    if (here && here->row == found.row && here->quantity == found.quantity) return false;
    const int row = found.row - 1;
    if (found.quantity == "curvature") return all_.bends(along_both, row).is_clear();
    if (found.quantity == "g_t") return all_.slopes(along_t, row).is_clear();
    return has_clear_slopes(row);
  }

  /// After contradiction(), which found none: slopes were so much alike that they say so.
  bool agrees() const {
    for (int i = 0; i < rows_; ++i) {
      if (!has_clear_slopes(i)) return false;
    }
    return true;
  }

 private:
  VecX velocity() const { return along_[0] / length_; }

  bool has_clear_slopes(int row) const {
    for (int k = 0; k < directions; ++k) {
      if (!all_.slopes(k, row).is_clear()) return false;
    }
    return true;
  }

  void look_along_all(double slope_part, double bend_part) {
    std::vector<Line> lines;
    for (const VecX& d : along_) lines.push_back({d, 0, slope_part, -2});
    lines.push_back({zero_.head(q_.size()), length_, slope_part, 0});
    lines.push_back({along_[0], length_, bend_part, 0});
    all_ = look(std::move(lines));
  }

  AlongLines look(std::vector<Line> lines) {
    AlongLines looked{std::move(lines), {}};
    const int all = static_cast<int>(looked.lines.size()) * points, n = static_cast<int>(q_.size());
    looked.values.resize(rows_, all);
    const int together = std::clamp(200'000 / std::max(n, 1), points, all);
    for (int from = 0; from < all; from += together) {
      look(looked, from, std::min(together, all - from));
    }
    return looked;
  }

  void look(AlongLines& looked, int from, int count) {
    const int n = static_cast<int>(q_.size());
    std::vector<double> t(count), q(static_cast<std::size_t>(n) * count),
        rest(static_cast<std::size_t>(zero_.size()) * count, 0.0);
    for (int p = 0; p < count; ++p) {
      const Line& line = looked.lines[(from + p) / points];
      const double s = (line.first + (from + p) % points) * line.part;
      t[p] = t_ + s * line.dt;
      for (int i = 0; i < n; ++i) {
        q[static_cast<std::size_t>(i) * count + p] = q_[i] + s * line.dq[i];
      }
    }
    const Terms& terms =
        evaluation_->evaluate(invariants_ ? Ask::h : Ask::g,
                              {count, count, t.data(), q.data(), rest.data(), rest.data()});
    const double* const found = invariants_ ? terms.h : terms.g;
    for (int p = 0; p < count; ++p) {
      for (int i = 0; i < rows_; ++i) looked.values(i, from + p) = found[i * terms.stride + p];
    }
  }

  /// G or H is in the terms of one point, dense.
  bool has_matrix() const {
    return invariants_ || problem_.structure().constraints == Structure::Constraints::dense;
  }

  VecX product(const Terms& terms, const VecX& d) const {
    const double* const matrix = invariants_ ? terms.H : terms.G;
    const int all = invariants_ ? rows_ : problem_.sizes().nl();
    return (Eigen::Map<const MatX>(matrix, all, q_.size()) * d).head(rows_);
  }

  VecX jacobian_along(const VecX& d) {
    if (has_matrix()) {
      return product(evaluation_->evaluate(invariants_ ? Ask::H : Ask::G,
                                           {1, 1, &t_, q_.data(), zero_.data(), zero_.data()}),
                     d);
    }
    return with_kernel(problem_, [&](const auto& kernel) {
      const auto G = kernel.G(q_, t_);
      if constexpr (std::is_convertible_v<decltype(G), MatX>) {
        return VecX((G * d).head(rows_));
      } else {
        VecX all(G.rows());
        apply(G, d, all);
        return VecX(all.head(rows_));
      }
    });
  }

  /// That of a row of G, or H, which is off most; nothing where they are all right by themselves.
  std::optional<Contradiction> entry(int row, double part, double scale) {
    std::optional<Contradiction> worst;
    double most = 0;
    for (int j = 0; j < q_.size(); ++j) {
      const double size = std::abs(along_[0][j]);
      VecX d = VecX::Zero(q_.size());
      d[j] = size;
      const DifferenceRange slope = look({{d, 0, part, -2}}).slopes(0, row);
      const double given = jacobian_along(d)[row];
      if (!slope.contradicts(given, scale / (1 + std::sqrt(q_.size())))) continue;
      const double gap = std::abs(given - slope.middle());
      if (!(gap > most)) continue;
      most = gap;
      worst = Contradiction{invariants_ ? "H" : "G", row + 1, j + 1, given / size,
                            slope.middle() / size};
    }
    return worst;
  }

  const DaeProblem& problem_;
  const bool invariants_;
  const int rows_;
  const VecX q_, zero_;
  // Of a long span no more than one: what is given may be differences on a scale of one.
  const double t_, length_;
  std::unique_ptr<Evaluation> evaluation_;
  VecX along_[directions];
  AlongLines all_;  ///< By the last contradiction().
};

/// By steps that become shorter by far.
bool is_acquitted(Constraints& constraints, const Contradiction& of) {
  constexpr double parts[][2] = {{1e-8, 1e-4}, {1e-10, 1e-5}, {1e-12, 1e-6}, {1e-14, 1e-7}};
  return std::any_of(std::begin(parts), std::end(parts), [&](const double(&part)[2]) {
    return constraints.acquits(of, part[0], part[1]);
  });
}

}  // namespace

void check_constraint_derivatives(const DaeProblem& problem, const VecX& state,
                                  const Interval& span, bool is_guess) {
  const Sizes& sizes = problem.sizes();
  if (problem.kind() == Kind::ordinary || (sizes.ny == 0 && sizes.nh == 0) ||
      !problem.structure().has_jacobian || !state.allFinite()) {
    return;
  }
  // Times that are told apart are too far apart to know what moves.
  constexpr double epsilon = std::numeric_limits<double>::epsilon();
  if (epsilon * std::abs(span.begin) > 1e-6 * std::min(1.0, std::abs(span.length()))) return;
  const double largest = largest_size(state.head(sizes.nq));
  std::optional<Contradiction> found;
  const auto said = [&](double least) {
    Constraints constraints(problem, state, span, least);
    const auto near = constraints.contradiction(1e-6, 1e-3);
    if (!near) return constraints.agrees() ? Said::yes : Said::nothing;
    const auto here = constraints.contradiction(1e-3, 3e-3);
    if (!here) return constraints.agrees() ? Said::yes : Said::nothing;
    if (!here->is_that_of(*near)) return Said::nothing;
    if (is_guess && is_acquitted(constraints, *here)) return Said::yes;
    found = here;
    return Said::no;
  };
  if (largest == 0 || largest >= tiny) {
    said(0);
  } else {
    for (const double least : {tiny, 1e-6, 1e-3, 1.0}) {
      if (said(least) == Said::yes) return;
    }
  }
  if (!found) return;
  throw InvalidProblem(found->text(span.begin, is_by_differences(problem, found->what())));
}

}  // namespace daewave
