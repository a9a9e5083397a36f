#include <fmt/format.h>

#include <algorithm>

#include "cli/options/command_line.hpp"
#include "cli/options/model_templates.hpp"
#include "cli/output/standard_output.hpp"
#include "core/error.hpp"
#include "core/nearest_names.hpp"
#include "models/model.hpp"

namespace daewave::cli {

int run(const NewCommand& command) {
  const templates::EmbeddedTexts& texts = templates::embedded();
  if (command.name.empty()) {
    for (const auto& [name, text] : texts) {
      say("{:<20}{}\n", name, models::model_of(std::string(text), std::string(name)).title);
    }
    say("\ndaewave new NAME > mine.toml writes one; daewave solve mine.toml --report mine.html\n");
    return solved;
  }
  const auto found = std::find_if(texts.begin(), texts.end(),
                                  [&](const auto& one) { return one.first == command.name; });
  if (found == texts.end()) {
    throw InvalidOption(fmt::format("new {}: there is no such template{}; daewave new lists them",
                                    command.name, did_you_mean(command.name, templates::names())));
  }
  say_text(found->second);
  return solved;
}

}  // namespace daewave::cli
