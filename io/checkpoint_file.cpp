#include "io/checkpoint_file.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/checksum.hpp"

namespace daewave::io {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format = "daewave checkpoint";
constexpr int version = 5;

/// JSON has no NaN and no infinity: they are told by name.
Json number(double value) {
  if (std::isfinite(value)) return value;
  return fmt::format("{}", value);
}

double number(const Json& json) {
  return json.is_string() ? std::stod(json.get<std::string>()) : json.get<double>();
}

Json vector(const VecX& values) {
  Json json = Json::array();
  for (int i = 0; i < values.size(); ++i) json.push_back(number(values[i]));
  return json;
}

VecX vector(const Json& json) {
  VecX values(static_cast<int>(json.size()));
  for (std::size_t i = 0; i < json.size(); ++i) values[static_cast<int>(i)] = number(json.at(i));
  return values;
}

Json integration_json(const IntegrationReport& went) {
  return {{"steps", went.steps},
          {"rejected", went.rejected},
          {"evaluations", went.evaluations},
          {"smallest_step", number(went.smallest_step)},
          {"largest_step", number(went.largest_step)},
          {"drift_position", number(went.drift_position)},
          {"drift_velocity", number(went.drift_velocity)},
          {"guarded", went.guarded},
          {"pivot_ratio", number(went.pivot_ratio)},
          {"pivot_ratio_at", number(went.pivot_ratio_at)},
          {"parameter_choices", went.parameter_choices},
          {"events", went.events},
          {"restarts", went.restarts},
          {"has_energy", went.has_energy},
          {"energy_start", number(went.energy_start)},
          {"energy_change", number(went.energy_change)}};
}

IntegrationReport integration(const Json& json) {
  IntegrationReport went;
  went.available = true;
  went.steps = json.at("steps").get<long>();
  went.rejected = json.at("rejected").get<long>();
  went.evaluations = json.at("evaluations").get<long>();
  went.smallest_step = number(json.at("smallest_step"));
  went.largest_step = number(json.at("largest_step"));
  went.drift_position = number(json.at("drift_position"));
  went.drift_velocity = number(json.at("drift_velocity"));
  went.guarded = json.at("guarded").get<long>();
  went.pivot_ratio = number(json.at("pivot_ratio"));
  went.pivot_ratio_at = number(json.at("pivot_ratio_at"));
  went.parameter_choices = json.at("parameter_choices").get<long>();
  went.events = json.at("events").get<long>();
  went.restarts = json.at("restarts").get<long>();
  went.has_energy = json.at("has_energy").get<bool>();
  went.energy_start = number(json.at("energy_start"));
  went.energy_change = number(json.at("energy_change"));
  return went;
}

/// Of the text that the contents have without it.
std::string checksum(const Json& contents) {
  Checksum sum;
  sum.add(contents.dump());
  return sum.text();
}

/// @throws std::invalid_argument, as what follows does.
void check_version(const Json& written) {
  if (written.is_number_integer() && written == version) return;
  const char* const old =
      written.is_number_integer() && written > 0 && written < version
          ? ", which had no checksum, or kept no rows given out before, or less of the report"
          : "";
  throw std::invalid_argument(
      fmt::format("it has version {}{}; this program reads version {} alone: go on with the "
                  "program that wrote it, or start anew",
                  written.dump(), old, version));
}

void check_contents(Json json) {
  const auto found = json.find("checksum");
  if (found == json.end() || !found->is_string()) {
    throw std::invalid_argument(
        "it has no checksum; take a copy that was not changed, or start anew");
  }
  const auto written = found->get<std::string>();
  json.erase(found);
  const std::string sum = checksum(json);
  if (written == sum) return;
  throw std::invalid_argument(
      fmt::format("its checksum is {}, that of its contents {}: something in it was changed after "
                  "it was written; take a copy that was not changed, or start anew",
                  written, sum));
}

/// What a checkpoint has levels of, and some more: those of a text that is none may be so many that
/// going through them fills the stack.
constexpr int most_levels = 16;

constexpr const char* no_checkpoint =
    "it is no checkpoint; give the file that a run has written, or start anew";

Json parsed(std::istream& text) {
  const auto within = [](int depth, Json::parse_event_t, Json&) {
    if (depth > most_levels) throw std::invalid_argument(no_checkpoint);
    return true;
  };
  try {
    return Json::parse(text, within);
  } catch (const Json::parse_error& error) {
    throw std::invalid_argument(
        fmt::format("it cannot be read beyond byte {}: it is cut short, or no checkpoint; take a "
                    "copy that is whole, or start anew",
                    error.byte > 0 ? error.byte - 1 : 0));
  }
}

Checkpoint checkpoint(const Json& json) {
  if (!json.is_object() || !json.contains("format") || json.at("format") != format) {
    throw std::invalid_argument(no_checkpoint);
  }
  check_version(json.contains("version") ? json.at("version") : Json());
  check_contents(json);
  Checkpoint read;
  for (const auto& [name, value] : json.at("settings").items()) {
    read.settings.emplace_back(name, value.get<std::string>());
  }
  read.step = json.at("step").get<long>();
  read.t = number(json.at("t"));
  for (const Json& iterate : json.at("iterates")) {
    read.iterates.push_back({vector(iterate.at("x")), vector(iterate.at("slope")),
                             vector(iterate.at("carried")), vector(iterate.at("kept"))});
  }
  read.integration = integration(json.at("integration"));
  const Json& rows = json.at("rows");
  read.rows = {rows.at("file").get<std::string>(), rows.at("count").get<long>(),
               rows.at("width").get<int>(), rows.at("checksum").get<std::string>(),
               rows.value("when", std::string())};
  const bool fits = read.rows.count >= 0 && read.rows.width >= (read.rows.count > 0 ? 1 : 0) &&
                    read.rows.file.find('/') == std::string::npos;
  if (!fits) throw std::invalid_argument("the rows that it names are none");
  read.motion = {vector(json.at("motion").at("least")), vector(json.at("motion").at("greatest"))};
  return read;
}

}  // namespace

std::string checkpoint_json(const Checkpoint& checkpoint) {
  Json json{{"format", format}, {"version", version}};
  json["settings"] = Json::object();
  for (const auto& [name, value] : checkpoint.settings) json["settings"][name] = value;
  json["step"] = checkpoint.step;
  json["t"] = number(checkpoint.t);
  json["iterates"] = Json::array();
  for (const IterateCheckpoint& iterate : checkpoint.iterates) {
    json["iterates"].push_back({{"x", vector(iterate.x)},
                                {"slope", vector(iterate.slope)},
                                {"carried", vector(iterate.carried)},
                                {"kept", vector(iterate.kept)}});
  }
  json["integration"] = integration_json(checkpoint.integration);
  json["motion"] = {{"least", vector(checkpoint.motion.least)},
                    {"greatest", vector(checkpoint.motion.greatest)}};
  json["rows"] = {{"file", checkpoint.rows.file},
                  {"count", checkpoint.rows.count},
                  {"width", checkpoint.rows.width},
                  {"checksum", checkpoint.rows.checksum},
                  {"when", checkpoint.rows.when}};
  json["checksum"] = checksum(json);
  return json.dump(1) + "\n";
}

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
  write_file(path, checkpoint_json(checkpoint));
}

Checkpoint checkpoint_from(std::istream& text, const std::string& name) {
  try {
    return checkpoint(parsed(text));
  } catch (const std::exception& error) {
    throw FileError(fmt::format("{}: is not a checkpoint to go on from: {}", name, error.what()));
  }
}

Checkpoint read_checkpoint(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  // A folder can be opened, but nothing is read from it.
  if (!file || (file.peek() == std::ifstream::traits_type::eof() && errno != 0)) {
    throw FileError(
        fmt::format("{}: cannot be read{}; give the file that a run has written, or start anew",
                    path, errno != 0 ? std::string(": ") + std::strerror(errno) : ""));
  }
  return checkpoint_from(file, path);
}

}  // namespace daewave::io
