#include "bvp/nonlinear/slope_elimination.hpp"

#include <algorithm>
#include <cstdint>

#include "bvp/nonlinear/lu_in_lanes.hpp"
#include "bvp/nonlinear/slope_kernel.hpp"

namespace daewave::bvp {
namespace {

/// Whether all are zero, of either sign; what is not a number is not.
bool vanishes(const double* values, int count) {
  using Two = Registers<2>;
  constexpr int at_once = 8;
  int i = 0;
  for (; i + at_once <= count; i += at_once) {
    Two::Bits bits = {};
    for (int e = 0; e < at_once; e += 2)
      bits |= *reinterpret_cast<const Two::Bits*>(values + i + e);
    bits &= INT64_MAX - Two::Bits{};
    if ((bits[0] | bits[1]) != 0) return false;
  }
  return std::all_of(values + i, values + count, [](double value) { return value == 0; });
}

}  // namespace

SlopeElimination::SlopeElimination(int n, const Collocation& scheme, const StageChunks& chunks)
    : n_(n),
      size_(n * scheme.stages),
      scheme_(&scheme),
      chunks_(&chunks),
      jacobians_(chunks.stage_memory(n * n)),
      nodes_(chunks.interval_memory(size_ * n)),
      symbolic_(static_cast<std::size_t>(chunks.count()), nullptr) {
  a_.reserve(static_cast<std::size_t>(scheme.stages * scheme.stages));
  for (int j = 0; j < scheme.stages; ++j) {
    for (int l = 0; l < scheme.stages; ++l) a_.push_back(scheme.a(j, l));
  }
}

void SlopeElimination::make_next() {
  if (next_.size() != jacobians_.size()) next_.resize(jacobians_.size());
}

std::size_t SlopeElimination::memory() const {
  return static_cast<std::size_t>(slope_work(n_, scheme_->stages));
}

/// By what is zero at all stages of a chunk: it depends on nothing but what is in it.
const SymbolicSlopes* SlopeElimination::symbolic_of(int chunk) {
  constexpr double worthwhile = 0.6;
  const int points = scheme_->stages * chunks_->width(chunk);
  const double* J = jacobians(chunk);
  SymbolicSlopes::Pattern pattern(static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_));
  bool is_full = true;
  for (std::uint8_t& entry : pattern) {
    entry = vanishes(J, points) ? 0 : 1;
    is_full = is_full && entry != 0;
    J += points;
  }
  if (is_full) return nullptr;
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(pattern);
  const SymbolicSlopes& symbolic =
      found != known_.end()
          ? found->second
          : known_.try_emplace(pattern, n_, scheme_->stages, pattern).first->second;
  return symbolic.work() <= worthwhile * symbolic.dense_work() ? &symbolic : nullptr;
}

int SlopeElimination::eliminate(int chunk, const double* h, const double* r, double* memory,
                                const Reduced& to) {
  SlopePanels at;
  at.n = n_;
  at.stages = scheme_->stages;
  at.width = chunks_->width(chunk);
  at.a = a_.data();
  at.b = scheme_->b.data();
  at.h = h;
  at.J = jacobians(chunk);
  at.r = r;
  const SymbolicSlopes*& symbolic = symbolic_[static_cast<std::size_t>(chunk)];
  if (to.of_node != nullptr) {
    symbolic = symbolic_of(chunk);
    at.nodes = nodes_.data() + static_cast<std::ptrdiff_t>(size_ * n_) * chunks_->begin(chunk);
    at.of_node = to.of_node;
  }
  at.symbolic = symbolic;
  at.y = to.y;
  at.end = to.end;
  at.work = memory;
  return eliminate_slopes(at);
}

void SlopeElimination::add_of_node(int chunk, const double* dx, double* dK) const {
  bvp::add_of_node(
      n_, scheme_->stages, chunks_->width(chunk), symbolic_[static_cast<std::size_t>(chunk)],
      nodes_.data() + static_cast<std::ptrdiff_t>(size_ * n_) * chunks_->begin(chunk), dx, dK);
}

}  // namespace daewave::bvp
