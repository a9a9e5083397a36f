#include "cli/sweep/swept_table.hpp"

#include <nlohmann/json.hpp>

#include "cli/sweep/checked_line.hpp"

namespace daewave::cli {

std::string text_of(const SweptTable& table) {
  nlohmann::ordered_json json;
  json["problem"] = table.problem;
  json["vary"] = table.vary;
  json["columns"] = table.columns;
  return with_checksum(json.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace));
}

std::optional<SweptTable> table_from(const std::string& text) {
  const std::optional<std::string> body = without_checksum(text);
  if (!body) return {};
  const auto json = nlohmann::json::parse(*body, nullptr, false);
  if (!json.is_object() || !json.contains("columns")) return {};
  return SweptTable{json["problem"].get<std::string>(),
                    json["vary"].get<std::vector<std::string>>(),
                    json["columns"].get<std::vector<std::string>>()};
}

}  // namespace daewave::cli
