// What ranks tell each other of a mesh that they share, where the others are made up.

#include <cmath>
#include <stdexcept>

#include "core/ranks/mesh_share.hpp"
#include "tests/catch.hpp"

namespace daewave {

namespace {

/// Rank 1 of three; `others` give what they are told to.
struct MadeUpRanks final : Communicator {
  std::string first, third;
  mutable std::string mine;
  mutable int gathered = 0;

  int rank() const override { return 1; }
  int size() const override { return 3; }
  std::vector<std::string> gather(std::string_view text) const override {
    mine = text;
    ++gathered;
    return {first, mine, third};
  }
  void send(int, std::string_view) const override {}
  std::string receive(int) const override { return {}; }
  std::optional<Message> receive_if_any() const override { return {}; }
  RankUsage usage() const override { return {}; }
};

std::string numbers_as_text(std::vector<double> numbers) { return as_text(numbers); }

MadeUpRanks with(std::vector<double> first, std::vector<double> third) {
  MadeUpRanks ranks;
  ranks.first = numbers_as_text(std::move(first));
  ranks.third = numbers_as_text(std::move(third));
  return ranks;
}

}  // namespace

TEST_CASE("numbers cross to other ranks as their bits", "[ranks]") {
  const std::vector<double> numbers{1.0 / 3, -0.0, INFINITY, 5e-324};
  const std::string text = as_text(numbers);
  CHECK(text.size() == 32);
  CHECK(as_numbers(text) == numbers);
  CHECK(std::signbit(as_numbers(text)[1]));
  CHECK(as_text({}).empty());
  CHECK(as_numbers("").empty());
}

TEST_CASE("numbers of all ranks are in the order of the ranks", "[ranks]") {
  const MadeUpRanks ranks = with({1, 2}, {4, 5, 6});
  const std::vector<double> mine{3};
  CHECK(gather(ranks, mine) == std::vector<double>{1, 2, 3, 4, 5, 6});
}

TEST_CASE("the largest of all ranks is found whichever has it, and NaN is not passed over",
          "[ranks]") {
  CHECK(largest_of(with({1}, {2}), 3) == 3);
  CHECK(largest_of(with({4}, {2}), 3) == 4);
  CHECK(largest_of(with({1}, {5}), 3) == 5);
  CHECK(largest_of(with({-4}, {-2}), -3) == -2);
  CHECK(std::isnan(largest_of(with({1}, {NAN}), 3)));
  CHECK(std::isnan(largest_of(with({NAN}, {5}), 3)));
  CHECK(std::isnan(largest_of(with({1}, {2}), NAN)));
  CHECK(any_of(with({0}, {1}), false));
  CHECK(any_of(with({0}, {0}), true));
  CHECK_FALSE(any_of(with({0}, {0}), false));
}

TEST_CASE("where one rank fails the others are told its number and its words", "[ranks]") {
  MadeUpRanks ranks;
  CHECK_NOTHROW(agree(ranks, ""));
  ranks.third = "no room";
  CHECK_THROWS_AS(agree(ranks, ""), RankFailed);
  CHECK_THROWS_WITH(agree(ranks, ""), "rank 2: no room");
  CHECK_NOTHROW(agree(ranks, "mine too"));
  ranks.first = "gone";
  CHECK_THROWS_WITH(agree(ranks, ""), "rank 0: gone");
}

TEST_CASE("work together ends as that of each rank does, and all of them are told once",
          "[ranks]") {
  MadeUpRanks ranks;
  CHECK_NOTHROW(together(ranks, [] {}));
  CHECK(ranks.mine.empty());
  CHECK(ranks.gathered == 1);
  CHECK_THROWS_WITH(together(ranks, [] { throw std::runtime_error("broken"); }), "broken");
  CHECK(ranks.mine == "broken");
  CHECK(ranks.gathered == 2);
  CHECK_THROWS_AS(together(ranks, [] { throw RankFailed("known"); }), RankFailed);
  CHECK(ranks.gathered == 2);
}

TEST_CASE("what is asked of a whole mesh that is shared with nobody is what there is", "[ranks]") {
  const MeshShare whole;
  CHECK_FALSE(whole.is_shared());
  CHECK(whole.has_begin());
  CHECK(whole.first == 0);
  CHECK(whole.all == 0);
  CHECK(whole.begin == 0);
  CHECK(whole.end == 0);
  CHECK(whole.largest(-3) == -3);
  CHECK(whole.any(true));
  CHECK_FALSE(whole.any(false));
  CHECK(whole.largest_each({3, -4}) == std::vector<double>{3, -4});
  const std::vector<double> left{1, 2}, right{3};
  CHECK(whole.ends(left, right) == std::pair(left, right));
}

TEST_CASE("of a mesh that is shared the largest are found entry by entry, and its two ends",
          "[ranks]") {
  const MadeUpRanks ranks = with({1, 7, 3, NAN}, {4, 5, -6, 2});
  MeshShare share{.ranks = &ranks, .first = 2, .all = 9};
  CHECK(share.is_shared());
  CHECK_FALSE(share.has_begin());
  const std::vector<double> most = share.largest_each({2, 6, -1, 9});
  CHECK(most[0] == 4);
  CHECK(most[1] == 7);
  CHECK(most[2] == 3);
  CHECK(std::isnan(most[3]));
  const MadeUpRanks large = with({1}, {2});
  share.ranks = &large;
  CHECK(share.largest(0.5) == 2);
  CHECK_FALSE(with({0}, {0}).gathered);
  const MadeUpRanks at_ends = with({1, 2, 3}, {7, 8, 9});
  share.ranks = &at_ends;
  const std::vector<double> left{4, 5}, right{6};
  const auto [of_first, of_last] = share.ends(left, right);
  CHECK(of_first == std::vector<double>{1, 2});
  CHECK(of_last == std::vector<double>{9});
}

TEST_CASE("of all ranks the first whose number is the largest tells what belongs to it",
          "[ranks]") {
  using Told = std::vector<double>;
  const auto worst = [](const Told& first, const Told& mine, const Told& third) {
    const MadeUpRanks ranks = with(first, third);
    return MeshShare{.ranks = &ranks}.worst(mine);
  };
  CHECK(worst({3, 10, 11}, {2, 20, 21}, {1, 30, 31}) == Told{3, 10, 11});
  CHECK(worst({1, 10}, {3, 20}, {2, 30}) == Told{3, 20});
  CHECK(worst({1, 10}, {2, 20}, {2, 30}) == Told{2, 20});
  CHECK(worst({-3, 10}, {-2, 20}, {-1, 30}) == Told{-1, 30});
  CHECK(worst({1, 10}, {NAN, 20}, {INFINITY, 30})[1] == 20);
  CHECK(worst({1, 10}, {2, 20}, {NAN, 30})[1] == 30);
  CHECK(MeshShare().worst({-1, 5}) == Told{-1, 5});
}

TEST_CASE("ranks take whole parts of a mesh, about as many intervals each", "[ranks]") {
  using Borders = std::vector<int>;
  CHECK(share_borders({0, 10}, 1) == Borders{0, 10});
  CHECK(share_borders({0, 10, 20, 30}, 3) == Borders{0, 10, 20, 30});
  CHECK(share_borders({0, 10, 20, 30, 40}, 2) == Borders{0, 20, 40});
  // The border nearest to the half; of two that are as near the later one.
  CHECK(share_borders({0, 10, 20, 40}, 2) == Borders{0, 20, 40});
  CHECK(share_borders({0, 15, 25, 40}, 2) == Borders{0, 25, 40});
  CHECK(share_borders({0, 16, 25, 40}, 2) == Borders{0, 16, 40});
  // Each rank has a part, however long those of others are.
  CHECK(share_borders({0, 97, 98, 99, 100}, 3) == Borders{0, 97, 98, 100});
  CHECK(share_borders({0, 1, 2, 3, 100}, 4) == Borders{0, 1, 2, 3, 100});
  CHECK(share_borders({0, 1, 2, 3, 100}, 2) == Borders{0, 3, 100});
  CHECK_THROWS_WITH(share_borders({0, 50, 100}, 3),
                    "3 ranks: more than the 2 partition(s) that the 100 intervals are solved in, "
                    "of which each rank takes some; take fewer ranks, or give partitions = 3");
  CHECK_NOTHROW(share_borders({0, 50, 100}, 2));
}

TEST_CASE("a process and its threads have taken some time and memory, and sent nothing",
          "[ranks]") {
  volatile double sum = 0;
  while (usage_of_thread().cpu_seconds < 1e-3) sum = sum + 1;
  for (const RankUsage& usage : {usage_of_process(), usage_of_thread()}) {
    CHECK(usage.cpu_seconds >= 1e-3);
    CHECK(usage.cpu_seconds < 1e5);
    CHECK(usage.peak_bytes > 1e6);
    CHECK(usage.messages == 0);
    CHECK(usage.bytes_sent == 0);
  }
  CHECK(RankUsage{}.cpu_seconds == 0);
  CHECK(RankUsage{}.peak_bytes == 0);
}

}  // namespace daewave
