#include "cli/sweep/sweep_members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <utility>

#include "cli/options/threads.hpp"
#include "cli/output/option_words.hpp"
#include "cli/sweep/shard.hpp"
#include "cli/sweep/sweep_journal.hpp"
#include "core/error.hpp"
#include "core/report/stopwatch.hpp"
#include "parallel/ensemble.hpp"
#ifdef DAEWAVE_HAS_THREADS
#include "parallel/rank_tasks.hpp"
#endif

namespace daewave::cli {
namespace {

using Records = std::vector<SweepRecord>;

class Members {
 public:
  Members(int count, int width, const Shard& shard, const RunMembers& run,
          const SweepJournal& journal, SweepOutput& output)
      : count_(count),
        width_(width),
        shard_(shard),
        run_(run),
        journal_(journal),
        output_(output) {}

  /// Of the shard, whose groups are those of the whole sweep.
  int groups() const { return shard_.size((count_ + width_ - 1) / width_); }

  /// In all groups.
  int count() const {
    int members = 0;
    for (int i = 0; i < groups(); ++i) members += end(i) - begin(i);
    return members;
  }

  /// Of a group that is kept as a whole; else none.
  Records kept(int group) const {
    Records records;
    for (int i = begin(group); i < end(group); ++i) {
      const SweepRecord* const one = journal_.find(i);
      if (one == nullptr) return {};
      records.push_back(*one);
    }
    return records;
  }

  /// None where it was asked to stop: what that ended early does not count.
  Records run(int group) const {
    if (output_.requested_to_stop()) return {};
    const int first = begin(group), size = end(group) - first;
    Records records;
    if (size > 1) records = run_at_once(first, size);
    for (int i = first; i < first + size && static_cast<int>(records.size()) < size; ++i) {
      if (output_.requested_to_stop()) return {};
      records.push_back(run_alone(i));
    }
    return output_.requested_to_stop() ? Records() : records;
  }

  /// @return false where it is to stop.
  bool hand_on(const Records& records) const {
    bool goes_on = true;
    for (const SweepRecord& record : records) {
      goes_on = output_.take(record.number, record.run ? &*record.run : nullptr, record.error,
                             record.seconds);
    }
    return goes_on;
  }

 private:
  int begin(int group) const { return shard_.at(group) * width_; }
  int end(int group) const { return std::min(count_, begin(group) + width_); }

  /// None where they cannot go so. The seconds of a group are shared out evenly.
  Records run_at_once(int first, int size) const {
    const Stopwatch watch;
    std::vector<SweptRun> runs;
    try {
      runs = run_(first, size);
    } catch (const std::exception&) {
      return {};  // Each alone tells why.
    }
    if (static_cast<int>(runs.size()) != size) return {};
    Records records;
    for (int i = 0; i < size; ++i) {
      records.push_back({first + i, std::move(runs[i]), "", watch.seconds() / size});
    }
    return records;
  }

  SweepRecord run_alone(int number) const {
    const Stopwatch watch;
    SweepRecord record{.number = number};
    try {
      record.run = std::move(run_(number, 1).at(0));
    } catch (const std::exception& error) {
      record.error = error_in_options(error.what());
    }
    record.seconds = watch.seconds();
    return record;
  }

  int count_, width_;
  Shard shard_;
  const RunMembers& run_;
  const SweepJournal& journal_;
  SweepOutput& output_;
};

/// Groups that have ended and were not handed on. Threads may call it at the same time.
class Ended {
 public:
  void add(int group, Records records) {
    const std::lock_guard lock(mutex_);
    groups_.emplace(group, std::move(records));
  }
  /// None where it is not among them.
  Records take(int group) {
    const std::lock_guard lock(mutex_);
    auto found = groups_.extract(group);
    return found.empty() ? Records() : std::move(found.mapped());
  }
  /// All that are left, in their order.
  void hand_on(const Members& members) const {
    for (const auto& [group, records] : groups_) members.hand_on(records);
  }

 private:
  std::mutex mutex_;
  std::map<int, Records> groups_;
};

/// On threads of this process.
void run_here(const SweepCommand& command, const Members& members, SweepJournal& journal) {
  Ended ended;
  parallel::ensemble<bool>(
      members.groups(), *executor_of(command.solve.threads.value_or(0)),
      [&](int group) {
        Records records = members.kept(group);
        if (records.empty()) {
          records = members.run(group);
          for (const SweepRecord& record : records) journal.add(record);
        }
        if (records.empty()) return false;
        ended.add(group, std::move(records));
        return true;
      },
      [&](parallel::Member<bool>&& member) {
        // What ends it is no member's: the file that they are kept in.
        if (!member.result) throw FileError(member.error);
        return *member.result && members.hand_on(ended.take(member.number));
      });
  ended.hand_on(members);  // Those behind one that was stopped.
}

#ifdef DAEWAVE_HAS_THREADS

std::string text_of(const Records& records) {
  std::string text;
  for (const SweepRecord& record : records) text += text_of(record) + "\n";
  return text;
}

Records records_from(const std::string& text) {
  std::istringstream in(text);
  Records records;
  for (std::string line; std::getline(in, line);) {
    if (std::optional<SweepRecord> record = record_from(line)) records.push_back(*record);
  }
  return records;
}

void run_over_ranks(const Communicator& ranks, const Members& members, SweepJournal& journal) {
  std::vector<int> tasks;
  for (int group = 0; group < members.groups() && ranks.rank() == 0; ++group) {
    if (members.kept(group).empty()) tasks.push_back(group);
  }
  Ended ended;
  int next = 0;
  const auto hand_on = [&] {
    while (next < members.groups()) {
      Records records = ended.take(next);
      if (records.empty()) records = members.kept(next);
      if (records.empty()) return true;
      ++next;
      if (!members.hand_on(records)) return false;
    }
    return true;
  };
  if (ranks.rank() == 0 && !hand_on()) tasks.clear();
  parallel::give_out(
      ranks, tasks, [&](int group) { return text_of(members.run(group)); },
      [&](int group, std::string&& text) {
        Records records = records_from(text);
        if (records.empty()) return false;
        for (const SweepRecord& record : records) journal.add(record);
        ended.add(group, std::move(records));
        return hand_on();
      });
  ended.hand_on(members);  // Those behind one that was stopped.
}

#endif

}  // namespace

void run_members(const SweepCommand& command, int count, int width, const RunMembers& run,
                 SweepOutput& output) {
  // Those that run side by side take the same steps.
  const std::string what =
      width > 1 ? fmt::format("{}; {} side by side", command.what, width) : command.what;
  SweepJournal journal(command.kept, command.must_be_kept, what, output.swept());
  const Members members(count, width, shard_from(command.shard), run, journal, output);
  output.expect(members.count());
#ifdef DAEWAVE_HAS_THREADS
  if (command.solve.ranks != nullptr) return run_over_ranks(*command.solve.ranks, members, journal);
#endif
  run_here(command, members, journal);
}

}  // namespace daewave::cli
