#pragma once
// An event as a model file states it:
//
//   [[event]]
//   name = "bounce"                      # for output; without it what `when` says
//   when = "ball.y - 0.1"                # it happens where this passes through 0
//   direction = "falling"                # or rising, or any where nothing is said
//   set = { "ball.y'" = "-0.8*ball.y'" } # the state after it, from that before it
//   restitution = 0.8                    # or an impulse along the gradient of `when`
//   terminal = true                      # or the run ends there

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/event/state_event.hpp"
#include "models/file/parameters.hpp"
#include "models/file/table_reader.hpp"

namespace daewave::models {

struct EventStatement {
  std::string name;
  Place place;
  int index = 0;  ///< i of a repeated one; 0: it is not.
  Written when;
  StateEvent::Direction direction = StateEvent::Direction::any;
  bool terminal = false;
  std::vector<std::pair<std::string, Written>> set;
  std::optional<double> restitution;
};

/// Takes the tables `event` from a file. @throws ModelError
std::vector<EventStatement> read_events(TableReader& file, Parameters& parameters);

}  // namespace daewave::models
