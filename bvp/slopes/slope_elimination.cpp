#include "bvp/slopes/slope_elimination.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "bvp/slopes/lu_in_lanes.hpp"
#include "bvp/slopes/slope_kernel.hpp"

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

/// Reads numbers in their order, once a line: then the processor has the next ones fetched from
/// memory ahead, as it does not where rows are read in turns.
void fetch(const double* from, std::ptrdiff_t count) {
  constexpr std::ptrdiff_t line = 8;
  std::uint64_t all = 0;
  for (std::ptrdiff_t e = 0; e < count; e += line) all |= std::bit_cast<std::uint64_t>(from[e]);
  [[maybe_unused]] const volatile std::uint64_t read = all;
}

}  // namespace

SlopeElimination::SlopeElimination(int n, const Collocation& scheme, const StageChunks& chunks)
    : n_(n),
      scheme_(&scheme),
      chunks_(&chunks),
      kept_(static_cast<std::size_t>(chunks.count())),
      without_memory_(chunks.count()) {
  a_.reserve(static_cast<std::size_t>(scheme.stages * scheme.stages));
  for (int j = 0; j < scheme.stages; ++j) {
    for (int l = 0; l < scheme.stages; ++l) a_.push_back(scheme.a(j, l));
  }
}

std::size_t SlopeElimination::memory() const {
  return static_cast<std::size_t>(slope_work(n_, scheme_->stages));
}

/// By what is zero at all stages of a chunk: it depends on nothing but what is in it.
const SymbolicSlopes* SlopeElimination::symbolic_of(int chunk, const double* J) {
  // To find an order takes as long as so many multiplications.
  constexpr double enough = 2e4;
  if (chunks_->width(chunk) * SymbolicSlopes::by_rows(n_, scheme_->stages) < enough) return nullptr;
  const std::ptrdiff_t row = rows_of(chunk);
  SymbolicSlopes::Pattern pattern(static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_));
  for (char& is_there : pattern) {
    is_there = vanishes(J, static_cast<int>(row)) ? 0 : 1;
    J += row;
  }
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(pattern);
  if (found != known_.end()) return found->second.get();
  auto symbolic = SymbolicSlopes::where_it_pays(n_, scheme_->stages, pattern);
  return known_.emplace(std::move(pattern), std::move(symbolic)).first->second.get();
}

void SlopeElimination::make_room(Kept& kept, std::size_t room) {
  const std::lock_guard lock(mutex_);
  const auto chunks = static_cast<std::size_t>(std::max(without_memory_--, 1));
  kept.numbers = memory_.take(room, room * chunks);
  kept.room = room;
}

void SlopeElimination::take(int chunk, const double* J) {
  Kept& kept = kept_[static_cast<std::size_t>(chunk)];
  kept.symbolic = symbolic_of(chunk, J);
  const std::ptrdiff_t row = rows_of(chunk);
  const int nodes = kept.symbolic != nullptr ? kept.symbolic->nodes() : n_ * n_;
  const auto room = static_cast<std::size_t>((entries_of(kept) + nodes) * row);
  if (kept.room < room) make_room(kept, room);
  if (kept.symbolic == nullptr) {
    std::copy_n(J, n_ * n_ * row, kept.numbers);
    return;
  }
  double* to = kept.numbers;
  for (const auto [i, j] : kept.symbolic->entries()) {
    to = std::copy_n(J + (i + static_cast<std::ptrdiff_t>(j) * n_) * row, row, to);
  }
}

int SlopeElimination::eliminate(int chunk, const double* h, const double* r, double* memory,
                                const Reduced& to) {
  const Kept& kept = kept_[static_cast<std::size_t>(chunk)];
  SlopePanels at;
  at.n = n_;
  at.stages = scheme_->stages;
  at.width = chunks_->width(chunk);
  at.a = a_.data();
  at.b = scheme_->b.data();
  at.h = h;
  at.symbolic = kept.symbolic;
  at.J = kept.numbers;
  at.r = r;
  if (to.of_node != nullptr) {
    at.nodes = nodes_of(kept, chunk);
    at.of_node = to.of_node;
  }
  at.y = to.y;
  at.end = to.end;
  at.work = memory;
  if (to.of_node == nullptr) fetch(at.J, entries_of(kept) * rows_of(chunk));
  return eliminate_slopes(at);
}

void SlopeElimination::add_of_node(int chunk, const double* dx, double* dK) const {
  const Kept& kept = kept_[static_cast<std::size_t>(chunk)];
  const double* const nodes = nodes_of(kept, chunk);
  fetch(nodes, kept.numbers + kept.room - nodes);
  bvp::add_of_node(n_, kept.symbolic, scheme_->stages, chunks_->width(chunk), nodes_of(kept, chunk),
                   dx, dK);
}

}  // namespace daewave::bvp
