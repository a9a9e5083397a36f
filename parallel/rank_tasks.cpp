#include "parallel/rank_tasks.hpp"

#include <chrono>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace daewave::parallel {
namespace {

/// Which task is next; threads may ask at the same time.
class Next {
 public:
  explicit Next(const std::vector<int>& tasks) : tasks_(tasks) {}
  std::optional<int> take() {
    const std::lock_guard lock(mutex_);
    if (stopped_ || taken_ == tasks_.size()) return {};
    return tasks_[taken_++];
  }
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }

 private:
  const std::vector<int>& tasks_;
  std::mutex mutex_;
  std::size_t taken_ = 0;
  bool stopped_ = false;
};

/// What the thread of rank 0 has done, until the other one has time to take it.
class Done {
 public:
  void add(int task, std::string text) {
    const std::lock_guard lock(mutex_);
    done_.emplace_back(task, std::move(text));
  }
  void end(std::exception_ptr thrown) {
    const std::lock_guard lock(mutex_);
    thrown_ = std::move(thrown);
    ended_ = true;
  }
  /// Nothing where nothing is there. @throws what ended the thread.
  std::optional<std::pair<int, std::string>> next() {
    const std::lock_guard lock(mutex_);
    if (done_.empty()) {
      if (thrown_) std::rethrow_exception(thrown_);
      return {};
    }
    std::pair<int, std::string> first = std::move(done_.front());
    done_.pop_front();
    return first;
  }
  bool all_taken() {
    const std::lock_guard lock(mutex_);
    return ended_ && done_.empty();
  }

 private:
  std::mutex mutex_;
  std::deque<std::pair<int, std::string>> done_;
  std::exception_ptr thrown_;
  bool ended_ = false;
};

void work_for(const Communicator& ranks, const std::function<std::string(int)>& run) {
  ranks.send(0, "");  // Free.
  for (std::string task = ranks.receive(0); !task.empty(); task = ranks.receive(0)) {
    ranks.send(0, run(std::stoi(task)));
  }
}

}  // namespace

void give_out(const Communicator& ranks, const std::vector<int>& tasks,
              const std::function<std::string(int)>& run,
              const std::function<bool(int, std::string&&)>& take) {
  if (ranks.rank() != 0) {
    work_for(ranks, run);
    return;
  }
  Next next(tasks);
  Done done;
  std::jthread mine([&] {
    std::exception_ptr thrown;
    try {
      while (const std::optional<int> task = next.take()) done.add(*task, run(*task));
    } catch (...) {
      thrown = std::current_exception();
    }
    done.end(std::move(thrown));
  });
  const auto hand_on = [&](int task, std::string&& text) {
    if (!take(task, std::move(text))) next.stop();
  };
  struct Stops {
    Next& next;
    ~Stops() { next.stop(); }  // Before the thread is waited for, also where something throws.
  } stops{next};
  std::vector<std::optional<int>> at_work(ranks.size());
  int others = ranks.size() - 1;
  while (others > 0 || !done.all_taken()) {
    bool idle = true;
    if (std::optional<Communicator::Message> message = ranks.receive_if_any()) {
      idle = false;
      std::optional<int>& task = at_work[message->from];
      if (task) hand_on(*task, std::move(message->text));
      task = next.take();
      ranks.send(message->from, task ? std::to_string(*task) : "");
      if (!task) --others;
    }
    while (auto one = done.next()) {
      idle = false;
      hand_on(one->first, std::move(one->second));
    }
    if (idle) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace daewave::parallel
