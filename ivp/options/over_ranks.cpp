#include "ivp/options/over_ranks.hpp"

#include "ivp/options/rank_pipeline.hpp"

namespace daewave::ivp {

const Communicator* ranks_of(const Loops& loops) {
  const auto* const pipelined = std::get_if<Pipelined>(&loops);
  if (pipelined == nullptr) return nullptr;
  const auto* const over = dynamic_cast<const RankPipeline*>(pipelined->pipeline.get());
  return over != nullptr ? &over->ranks() : nullptr;
}

const Communicator* ranks_of(const Options& options) {
  const auto* const srm = std::get_if<Srm>(&options.method);
  return srm != nullptr ? ranks_of(srm->loops) : nullptr;
}

}  // namespace daewave::ivp
