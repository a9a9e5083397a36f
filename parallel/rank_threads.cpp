#include "parallel/rank_threads.hpp"

#include <fmt/format.h>

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "core/thrown_text.hpp"

namespace daewave::parallel {
namespace {

/// What threads know of each other.
class Exchange {
 public:
  explicit Exchange(int size) : given_(size), boxes_(size) {}

  int size() const { return static_cast<int>(boxes_.size()); }

  std::vector<std::string> gather(int rank, std::string_view mine) {
    std::unique_lock lock(mutex_);
    // Those who are late may still read what was gathered before.
    wait(lock, [&] { return leaving_ == 0; });
    given_[rank] = mine;
    const long round = round_;
    if (++arrived_ == size()) {
      gathered_.assign(given_.begin(), given_.end());
      leaving_ = arrived_;
      arrived_ = 0;
      ++round_;
      changed_.notify_all();
    }
    wait(lock, [&] { return round_ != round; });
    std::vector<std::string> all = gathered_;
    if (--leaving_ == 0) changed_.notify_all();
    return all;
  }

  void send(int from, int to, std::string_view text) {
    const std::lock_guard lock(mutex_);
    boxes_[to].push_back({from, std::string(text)});
    changed_.notify_all();
  }

  std::string receive(int rank, int from) {
    std::unique_lock lock(mutex_);
    auto& box = boxes_[rank];
    auto found = box.end();
    wait(lock, [&] {
      found = box.begin();
      while (found != box.end() && found->from != from) ++found;
      return found != box.end();
    });
    std::string text = std::move(found->text);
    box.erase(found);
    return text;
  }

  std::optional<Communicator::Message> receive_if_any(int rank) {
    const std::lock_guard lock(mutex_);
    auto& box = boxes_[rank];
    if (box.empty()) {
      refuse();
      return {};
    }
    Communicator::Message message = std::move(box.front());
    box.pop_front();
    return message;
  }

  void fail(int rank, const std::string& why) {
    const std::lock_guard lock(mutex_);
    if (failure_.empty()) failure_ = fmt::format("rank {}: {}", rank, why);
    changed_.notify_all();
  }

 private:
  void refuse() const {
    if (!failure_.empty()) throw RankFailed(failure_);
  }
  template <class Until>
  void wait(std::unique_lock<std::mutex>& lock, const Until& until) {
    while (!until()) {
      refuse();
      changed_.wait(lock);
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> given_, gathered_;
  std::vector<std::deque<Communicator::Message>> boxes_;
  int arrived_ = 0, leaving_ = 0;
  long round_ = 0;
  std::string failure_;
};

class ThreadRank final : public Communicator {
 public:
  ThreadRank(Exchange& exchange, int rank) : exchange_(exchange), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return exchange_.size(); }
  std::vector<std::string> gather(std::string_view mine) const override {
    count(mine);
    return exchange_.gather(rank_, mine);
  }
  void send(int to, std::string_view text) const override {
    count(text);
    exchange_.send(rank_, to, text);
  }
  std::string receive(int from) const override { return exchange_.receive(rank_, from); }
  std::optional<Message> receive_if_any() const override { return exchange_.receive_if_any(rank_); }
  RankUsage usage() const override {
    RankUsage usage = usage_of_thread();
    usage.messages = messages_;
    usage.bytes_sent = bytes_;
    return usage;
  }

 private:
  void count(std::string_view text) const {
    ++messages_;
    bytes_ += static_cast<double>(text.size());
  }

  Exchange& exchange_;
  int rank_;
  mutable long messages_ = 0;
  mutable double bytes_ = 0;
};

}  // namespace

void run_ranks(int size, const std::function<void(const Communicator& ranks)>& work) {
  if (size < 1) throw InvalidOption(fmt::format("{} ranks: there must be at least one", size));
  Exchange exchange(size);
  std::mutex mutex;
  std::exception_ptr own, waited;
  const auto run = [&](int rank) {
    try {
      work(ThreadRank(exchange, rank));
    } catch (const RankFailed& failed) {
      exchange.fail(rank, failed.what());
      const std::lock_guard lock(mutex);
      if (!waited) waited = std::current_exception();
    } catch (...) {
      exchange.fail(rank, thrown_text());
      const std::lock_guard lock(mutex);
      if (!own) own = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int rank = 1; rank < size; ++rank) threads.emplace_back(run, rank);
    run(0);
  }
  if (own) std::rethrow_exception(own);
  if (waited) std::rethrow_exception(waited);
}

}  // namespace daewave::parallel
