#include "bvp/continuation/affine.hpp"

#include <array>
#include <cmath>

#include "bvp/continuation/predicted.hpp"

namespace daewave::bvp {
namespace {

/// Three states at equal distances on a line.
using Line = std::array<VecX, 3>;

/// Values at the states of a line are those of a linear function, up to rounding.
bool are_on_line(const VecX& first, const VecX& middle, const VecX& last) {
  constexpr double rounding = 1e-10;
  const VecX off = (first - 2 * middle + last).cwiseAbs();
  const VecX size = first.cwiseAbs() + 2 * middle.cwiseAbs() + last.cwiseAbs();
  return (off.array() <= rounding * size.maxCoeff()).all();
}

/// Through x; entries move by small parts of their sizes, which functions with a domain bear, and
/// each by another part on every line.
Line line_through(const VecX& x, int number) {
  constexpr double small = 0.05;
  VecX step(x.size());
  for (int i = 0; i < step.size(); ++i) {
    const int part = 2 + (7 * number + 3 * i) % 5;
    step[i] = ((i + number) % 2 == 0 ? -small : small) * (1 + std::abs(x[i])) / part;
  }
  return {x, x + step, x + 2 * step};
}

VecX f_at(Evaluation& evaluation, const VecX& state, double t) {
  Points at;
  at.t = &t;
  at.q = state.data();
  return VecX::Map(evaluation.evaluate(Ask::f, at).f, state.size());
}

}  // namespace

bool is_affine(const BoundaryProblem& problem, const Solution& around) {
  if (problem.is_linear) return true;
  if (problem.equations->kind() != Kind::ordinary) return false;
  if (problem.integrand || problem.further_conditions) return false;
  const Mesh& mesh = around.mesh_of_all();
  if (mesh.begin() != problem.interval.begin || mesh.end() != problem.interval.end) return false;
  SolutionAround solution(around);
  solution.attend(mesh.begin(), mesh.end());
  const auto evaluation = problem.equations->evaluation();
  constexpr int looks = 12;
  for (int i = 0; i <= looks; ++i) {
    const double t =
        i == looks ? mesh.end() : mesh.begin() + (mesh.end() - mesh.begin()) * i / looks;
    const Line line = line_through(solution.x(t), i);
    std::array<VecX, 3> f;
    for (int k = 0; k < 3; ++k) f[k] = f_at(*evaluation, line[k], t);
    if (!are_on_line(f[0], f[1], f[2])) return false;
  }
  const VecX left = solution.x(mesh.begin()), right = solution.x(mesh.end());
  for (int i = 0; i < looks; ++i) {
    const Line from = line_through(left, i), to = line_through(right, i + 1);
    std::array<VecX, 3> off;
    for (int k = 0; k < 3; ++k) off[k] = problem.conditions(from[k], to[k]);
    if (!are_on_line(off[0], off[1], off[2])) return false;
  }
  return true;
}

}  // namespace daewave::bvp
