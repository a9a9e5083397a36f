#include "bvp/nonlinear/slope_elimination.hpp"

#include "bvp/nonlinear/slope_kernel.hpp"

namespace daewave::bvp {

SlopeElimination::SlopeElimination(int n, const Collocation& scheme, const StageChunks& chunks)
    : n_(n),
      size_(n * scheme.stages),
      scheme_(&scheme),
      chunks_(&chunks),
      jacobians_(chunks.stage_memory(n * n)),
      nodes_(chunks.interval_memory(size_ * n)) {
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
  if (to.of_node != nullptr) {
    at.nodes = nodes_.data() + static_cast<std::ptrdiff_t>(size_ * n_) * chunks_->begin(chunk);
    at.of_node = to.of_node;
  }
  at.y = to.y;
  at.end = to.end;
  at.work = memory;
  return eliminate_slopes(at);
}

void SlopeElimination::add_of_node(int chunk, const double* dx, double* dK) const {
  bvp::add_of_node(n_, scheme_->stages, chunks_->width(chunk),
                   nodes_.data() + static_cast<std::ptrdiff_t>(size_ * n_) * chunks_->begin(chunk),
                   dx, dK);
}

}  // namespace daewave::bvp
