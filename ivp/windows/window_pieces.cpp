// What a window gives between its ends: its polynomial, or those of its pieces where that is not
// accurate enough.

#include <algorithm>
#include <utility>
#include <vector>

#include "ivp/run/shifted.hpp"
#include "ivp/windows/window_step.hpp"

namespace daewave::ivp {
namespace {

constexpr int most_pieces = 8;

}  // namespace

void WindowStep::interpolate(double theta, VecX& out) {
  if (!has_pieces_) make_pieces();
  out.resize(2 * nq_);
  const int count = static_cast<int>(pieces_.size());
  if (count == 0) {
    accepted_.at(theta, out);
  } else {
    const int piece = std::clamp(static_cast<int>(theta * count), 0, count - 1);
    pieces_[piece].at(theta * count - piece, out);
  }
  out += shifted(theta) * shift_;
}

/// By the polynomial of the window.
void WindowStep::roughly(const double* theta, int count, int n, double* out) {
  if (n > nq_) return Step::roughly(theta, count, n, out);
  for (int p = 0; p < count; ++p) {
    const LegendreAt& place = legendre_at(theta[p]);
    const double part = shifted(theta[p]);
    for (int i = 0; i < n; ++i) {
      out[i * count + p] = accepted_.position(i, theta[p], place) + part * shift_[i];
    }
  }
}

/// Who looks into every window does so in the same few places.
const LegendreAt& WindowStep::legendre_at(double theta) {
  constexpr std::size_t most = 16;
  const auto known = std::find_if(known_places_.begin(), known_places_.end(),
                                  [theta](const auto& one) { return one.first == theta; });
  if (known != known_places_.end()) return known->second;
  if (known_places_.size() == most) known_places_.clear();
  return known_places_.emplace_back(theta, LegendreAt(theta)).second;
}

/// Inside of a window its polynomial is of order 9, not 16. Where that is not enough there, each
/// part of the window is one by itself, which few sweeps solve, as its accelerations are known.
void WindowStep::make_pieces() {
  has_pieces_ = true;
  pieces_.clear();
  int count = 1;
  for (double error = inner_error_; error > 1 && count < most_pieces; count *= 2) error /= 512;
  if (count == 1) return;
  std::vector<WindowPolynomial> pieces(static_cast<std::size_t>(count));
  VecX begin = accepted_.begin;
  const double h = h_ / count, ratio = 1.0 / count;
  for (int p = 0; p < count; ++p) {
    WindowPolynomial& piece = pieces[p];
    piece.begin = begin;
    piece.h = h;
    best().extend(accepted_.series.data(), nothing_.data(), nq_, p * ratio, ratio, a_.data());
    double rate = expected_rate(rate_, ratio);
    const WindowBegin from{nq_, t_ - h_ + p * h, h, begin.data(), begin.data() + nq_, true};
    if (iterate(from, rate) != Swept::enough) return;
    piece.series.resize(a_.size());
    best().expand(a_.data(), nq_, piece.series.data());
    if (p + 1 < count) piece.at(1, begin);
  }
  pieces_ = std::move(pieces);
}

}  // namespace daewave::ivp
