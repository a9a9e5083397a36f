// Checkpoints come back from files with the same bits, and what is none is refused.

#include "io/checkpoint_file.hpp"

#include <cctype>
#include <fstream>
#include <string>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "tests/catch.hpp"
#include "tests/io/scratch_directory.hpp"
#include "tests/same_bits.hpp"

using namespace daewave;

namespace {

/// Every number in it is another.
Checkpoint distinct() {
  Checkpoint one;
  one.settings = {{"problem", "p"}, {"mark", "m"}};
  one.step = 2;
  one.t = 3.5;
  one.iterates = {{VecX{{4.5}}, VecX{{5.5}}, VecX{{6.5, 6.75}}, VecX{{7.5}}},
                  {VecX{{8.5}}, VecX{{9.5}}, VecX{{10.5, 10.75}}, VecX{{11.5}}}};
  IntegrationReport& went = one.integration;
  went.steps = 12;
  went.evaluations = 13;
  went.smallest_step = 14.5;
  went.largest_step = 15.5;
  went.drift_position = 16.5;
  went.drift_velocity = 17.5;
  went.guarded = 18;
  went.has_energy = true;
  went.energy_start = 19.5;
  went.energy_change = 20.5;
  went.rejected = 26;
  went.pivot_ratio = 27.5;
  went.pivot_ratio_at = 28.5;
  went.parameter_choices = 29;
  went.events = 30;
  went.restarts = 31;
  one.motion = {VecX{{21.5}}, VecX{{22.5}}};
  one.rows = {"rows", 23, 24, "25"};
  return one;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("a checkpoint in which every field is another comes back as it was", "[checkpoint]") {
  const Checkpoint one = distinct();
  const io::ScratchDirectory scratch;
  const std::string path = scratch.file("run.json");
  io::write_checkpoint(path, one);
  const Checkpoint read = io::read_checkpoint(path);
  CHECK(read.settings == one.settings);
  CHECK(read.step == 2);
  CHECK(read.t == 3.5);
  REQUIRE(read.iterates.size() == 2);
  for (std::size_t s = 0; s < 2; ++s) {
    CHECK(read.iterates[s].x == one.iterates[s].x);
    CHECK(read.iterates[s].slope == one.iterates[s].slope);
    CHECK(read.iterates[s].carried == one.iterates[s].carried);
    CHECK(read.iterates[s].kept == one.iterates[s].kept);
  }
  CHECK(read.integration.available);
  CHECK(read.integration.steps == 12);
  CHECK(read.integration.evaluations == 13);
  CHECK(read.integration.smallest_step == 14.5);
  CHECK(read.integration.largest_step == 15.5);
  CHECK(read.integration.drift_position == 16.5);
  CHECK(read.integration.drift_velocity == 17.5);
  CHECK(read.integration.guarded == 18);
  CHECK(read.integration.has_energy);
  CHECK(read.integration.energy_start == 19.5);
  CHECK(read.integration.energy_change == 20.5);
  CHECK(read.integration.rejected == 26);
  CHECK(read.integration.pivot_ratio == 27.5);
  CHECK(read.integration.pivot_ratio_at == 28.5);
  CHECK(read.integration.parameter_choices == 29);
  CHECK(read.integration.events == 30);
  CHECK(read.integration.restarts == 31);
  CHECK(read.motion.least == one.motion.least);
  CHECK(read.motion.greatest == one.motion.greatest);
  CHECK(read.rows.file == "rows");
  CHECK(read.rows.count == 23);
  CHECK(read.rows.width == 24);
  CHECK(read.rows.checksum == "25");
}

TEST_CASE("every number of a checkpoint comes back with the same bits", "[checkpoint]") {
  Checkpoint checkpoint;
  checkpoint.settings = {{"problem", "a \"name\""}, {"h", "0x1p-3"}};
  checkpoint.step = 1'000'000'007;
  checkpoint.t = 0.1 + 0.2;
  VecX x(4);
  x << 5e-324, -0.0, 1.0 / 3, 1.7976931348623157e308;
  checkpoint.iterates = {{x, -x, VecX(), VecX()}, {2 * x.cwiseInverse(), x, x.head(2), 3 * x}};
  checkpoint.integration.has_energy = true;
  checkpoint.integration.energy_start = -1.0 / 7;
  checkpoint.motion = {-x, 2 * x.cwiseInverse()};
  const io::ScratchDirectory scratch;
  const std::string path = scratch.file("run.json");
  io::write_checkpoint(path, checkpoint);
  const Checkpoint read = io::read_checkpoint(path);
  CHECK(read.settings == checkpoint.settings);
  CHECK(read.step == checkpoint.step);
  CHECK(read.t == checkpoint.t);
  REQUIRE(read.iterates.size() == 2);
  for (std::size_t s = 0; s < 2; ++s) {
    CHECK(testing::same_bits(read.iterates[s].x, checkpoint.iterates[s].x));
    CHECK(testing::same_bits(read.iterates[s].slope, checkpoint.iterates[s].slope));
    CHECK(testing::same_bits(read.iterates[s].carried, checkpoint.iterates[s].carried));
    CHECK(testing::same_bits(read.iterates[s].kept, checkpoint.iterates[s].kept));
  }
  CHECK(testing::same_bits(read.motion.least, checkpoint.motion.least));
  CHECK(testing::same_bits(read.motion.greatest, checkpoint.motion.greatest));
  CHECK(read.integration.energy_start == checkpoint.integration.energy_start);
}

TEST_CASE("a file that is no checkpoint is refused, and says why", "[checkpoint]") {
  const io::ScratchDirectory scratch;
  const std::string path = scratch.file("run.json");
  CHECK_THROWS_WITH(io::read_checkpoint(path), contains_text("cannot be read: No such file"));
  const std::string whole = io::checkpoint_json({});
  io::write_file(path, whole.substr(0, whole.size() / 2));
  CHECK_THROWS_WITH(io::read_checkpoint(path),
                    contains_text("cut short, or no checkpoint; take a copy that is whole"));
  for (const char* other : {"{}", "[]", "7", "null", "{\"format\": 3}"}) {
    io::write_file(path, other);
    CHECK_THROWS_WITH(io::read_checkpoint(path), contains_text("it is no checkpoint"));
  }
}

TEST_CASE("a checkpoint in which anything was changed is refused", "[checkpoint]") {
  const io::ScratchDirectory scratch;
  const std::string path = scratch.file("run.json");
  Checkpoint saved = distinct();
  for (IterateCheckpoint& iterate : saved.iterates) {
    iterate.x = VecX::LinSpaced(12, 1.0 / 3, 1.0 / 7);
    iterate.slope = iterate.x.cwiseInverse();
  }
  const std::string whole = io::checkpoint_json(saved);
  io::write_file(path, whole);
  CHECK_NOTHROW(io::read_checkpoint(path));
  // Digits by themselves, of settings, states and report.
  int changed = 0;
  for (std::size_t i = 0; i < whole.size(); i += 2) {
    if (!std::isdigit(static_cast<unsigned char>(whole[i]))) continue;
    std::string text = whole;
    text[i] = text[i] == '9' ? '1' : static_cast<char>(text[i] + 1);
    std::ofstream(path, std::ios::binary) << text;
    CAPTURE(i, whole.substr(i > 20 ? i - 20 : 0, 40));
    ++changed;
    try {
      const Checkpoint read = io::read_checkpoint(path);
      // The last of 17 digits may be another for the same bits.
      CHECK(io::checkpoint_json(read) == whole);
    } catch (const FileError& error) {
      CHECK_THAT(error.what(), contains_text("is not a checkpoint to go on from"));
    }
  }
  CHECK(changed > 300);
  io::write_file(path, replaced(whole, "\"t\": 3.5", "\"t\": 3.6"));
  CHECK_THROWS_WITH(io::read_checkpoint(path), contains_text("checksum"));
  io::write_file(path, replaced(whole, "\"steps\":", "\"more\": 1, \"steps\":"));
  CHECK_THROWS_WITH(io::read_checkpoint(path), contains_text("checksum") &&
                                                   contains_text("was changed after") &&
                                                   contains_text("start anew"));
}

TEST_CASE("a checkpoint of another version is refused, whole numbers or not", "[checkpoint]") {
  const io::ScratchDirectory scratch;
  const std::string path = scratch.file("run.json");
  const std::string whole = io::checkpoint_json({});
  for (const char* other : {"2.9", "5.0", "5.5", "6", "0", "-1", "\"5\"", "null", "[5]"}) {
    io::write_file(path, replaced(whole, "\"version\": 5", std::string("\"version\": ") + other));
    CHECK_THROWS_WITH(io::read_checkpoint(path),
                      contains_text(std::string("it has version ") + other +
                                    "; this program reads version 5 alone"));
  }
  for (const char* old : {"1", "2", "3", "4"}) {
    io::write_file(path, replaced(whole, "\"version\": 5", std::string("\"version\": ") + old));
    CHECK_THROWS_WITH(io::read_checkpoint(path),
                      contains_text("had no checksum") && contains_text("start anew"));
  }
  const std::size_t sum = whole.find(",\n \"checksum\"");
  REQUIRE(sum != std::string::npos);
  io::write_file(path, whole.substr(0, sum) + "\n}\n");
  CHECK_THROWS_WITH(io::read_checkpoint(path), contains_text("it has no checksum"));
}
