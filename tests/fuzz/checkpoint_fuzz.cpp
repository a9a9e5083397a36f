// Any bytes as a checkpoint: read, or refused with a FileError; what is read is written as it was.

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "core/error.hpp"
#include "io/checkpoint_file.hpp"
#include "io/checksum.hpp"

namespace {

void read(const std::string& text) {
  try {
    std::istringstream stream(text);
    const std::string again =
        daewave::io::checkpoint_json(daewave::io::checkpoint_from(stream, "input"));
    std::istringstream second(again);
    const auto same = daewave::io::checkpoint_from(second, "again");
    if (daewave::io::checkpoint_json(same) != again) std::abort();
  } catch (const daewave::FileError&) {
    // Refused, in words.
  }
}

/// With the checksum of what it contains, behind which most texts do not come.
std::string mended(const std::string& text) {
  const auto shallow = [](int depth, nlohmann::ordered_json::parse_event_t,
                          nlohmann::ordered_json&) { return depth < 16; };
  auto json = nlohmann::ordered_json::parse(text, shallow, false);
  if (!json.is_object()) return {};
  json.erase("checksum");
  daewave::io::Checksum sum;
  try {
    sum.add(json.dump());
  } catch (const nlohmann::json::exception&) {
    return {};  // No UTF-8.
  }
  json["checksum"] = sum.text();
  return json.dump();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  read(text);
  read(mended(text));
  return 0;
}
