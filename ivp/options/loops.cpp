#include "ivp/options/loops.hpp"

#include "ivp/options/names.hpp"

namespace daewave::ivp {

const char* name_of(const Loops& loops) {
  return std::visit([](const auto& one) { return one.name; }, loops);
}

Loops loops_named(const std::string& name) { return detail::named("loops", name, all_loops()); }

const std::vector<Loops>& all_loops() {
  static const std::vector<Loops> loops{StepLocal{}, Sweeps{}, Pipelined{}, InLanes{}};
  return loops;
}

const Checkpoints* checkpoints_of(const Loops& loops) {
  if (const auto* local = std::get_if<StepLocal>(&loops)) return &local->checkpoints;
  if (const auto* pipelined = std::get_if<Pipelined>(&loops)) return &pipelined->checkpoints;
  return nullptr;
}

}  // namespace daewave::ivp
