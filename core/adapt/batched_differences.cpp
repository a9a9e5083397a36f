#include "core/adapt/batched_differences.hpp"

#include <algorithm>
#include <limits>

#include "core/adapt/unit_of_time.hpp"
#include "core/derivatives/differences.hpp"

namespace daewave {

std::vector<BatchedDifferences::Line> BatchedDifferences::lines_of(const ProblemFunctions& of,
                                                                   const Points& at) const {
  const int nq = of.sizes.nq, columns = what_ == Ask::G ? nq : 1;
  std::vector<Line> lines;
  for (int p = 0; p < at.count; ++p) {
    Line line;
    line.point = p;
    line.t = at.t[p];
    line.q.resize(nq);
    line.dq = VecX::Zero(nq);
    for (int i = 0; i < nq; ++i) line.q[i] = at.q[i * at.stride + p];
    if (what_ != Ask::G) line.dt = 1;
    const double size = line.q.lpNorm<Eigen::Infinity>();
    if (what_ == Ask::G) {
      line.unit = detail::unit_of_line(size, 1);
      line.longest = detail::longest_line(line.unit, size, 1) / line.unit;
    }
    if (what_ == Ask::g_t) {
      line.unit = unit_of_time(of);
      line.longest = std::numeric_limits<double>::infinity();
    }
    if (what_ == Ask::curvature) {
      for (int i = 0; i < nq; ++i) line.dq[i] = at.v[i * at.stride + p];
      const double speed = line.dq.lpNorm<Eigen::Infinity>();
      line.unit = std::min(detail::unit_of_line(size, speed), unit_of_time(of));
      line.to_zero = detail::line_to_zero(size, speed) / line.unit;
    }
    for (int j = 0; j < columns; ++j) {
      lines.push_back(line);
      lines.back().column = j;
      if (what_ == Ask::G) lines.back().dq[j] = 1;
    }
  }
  return lines;
}

/// All lines at all steps, in one call.
void BatchedDifferences::fetch(const ProblemFunctions& of, const std::vector<Line>& lines) {
  constexpr int forgotten = 8;
  std::erase_if(steps_, [](Step& step) { return ++step.ago > forgotten; });
  fetched_steps_ = steps_.size();
  fetched_ = static_cast<int>(lines.size() * fetched_steps_);
  if (fetched_ == 0) return;
  const auto count = static_cast<std::size_t>(fetched_);
  t_.resize(count);
  q_.resize(count * static_cast<std::size_t>(of.sizes.nq));
  g_.resize(count * static_cast<std::size_t>(of.sizes.ny));
  std::size_t at = 0;
  for (const Line& line : lines) {
    for (const Step& step : steps_) {
      const double s = line.unit * step.sigma;
      t_[at] = line.t + s * line.dt;
      for (int i = 0; i < of.sizes.nq; ++i) {
        q_[static_cast<std::size_t>(i) * count + at] = line.q[i] + s * line.dq[i];
      }
      ++at;
    }
  }
  of.g(Points{fetched_, fetched_, t_.data(), q_.data(), nullptr, nullptr}, g_.data());
}

VecX BatchedDifferences::value(const ProblemFunctions& of, const Line& line, std::size_t number,
                               double sigma) {
  auto known = std::find_if(steps_.begin(), steps_.end(),
                            [sigma](const Step& step) { return step.sigma == sigma; });
  if (known == steps_.end()) known = steps_.insert(known, Step{sigma, 0});
  known->ago = 0;
  const auto which = static_cast<std::size_t>(known - steps_.begin());
  VecX g(of.sizes.ny);
  if (which < fetched_steps_) {
    const std::size_t at = number * fetched_steps_ + which;
    for (int i = 0; i < g.size(); ++i) {
      g[i] = g_[static_cast<std::size_t>(i) * static_cast<std::size_t>(fetched_) + at];
    }
    return g;
  }
  ++missed_;
  const double s = line.unit * sigma, t = line.t + s * line.dt;
  const VecX q = line.q + s * line.dq;
  of.g(Points{1, 1, &t, q.data(), nullptr, nullptr}, g.data());
  return g;
}

void BatchedDifferences::evaluate(const ProblemFunctions& of, const Points& at, double* out) {
  if (of.dear_calls && stencils_.evaluate(of, at, out)) return;
  const std::vector<Line> lines = lines_of(of, at);
  fetch(of, lines);
  missed_ = 0;
  for (std::size_t number = 0; number < lines.size(); ++number) {
    // What one line was asked for, the others most likely are.
    constexpr int many = 3;
    if (missed_ > many) {
      fetch(of, lines);
      missed_ = 0;
    }
    const Line& line = lines[number];
    const auto along = [&](double sigma) { return value(of, line, number, sigma); };
    const VecX derivative =
        what_ == Ask::curvature
            ? VecX(detail::second_difference_at_0(along, 1, line.to_zero) / (line.unit * line.unit))
            : VecX(detail::difference_at_0(along, 1, line.longest) / line.unit);
    for (int i = 0; i < derivative.size(); ++i) {
      out[(i + line.column * of.sizes.ny) * at.count + line.point] = derivative[i];
    }
  }
}

}  // namespace daewave
