#include "mpi/session.hpp"

#include <mpi.h>

#include <chrono>
#include <climits>
#include <cstdlib>
#include <numeric>
#include <thread>

#include "core/report/stopwatch.hpp"

namespace daewave::mpi {
namespace {

/// Asks again and again, at first at once, then ever more seldom: a rank that waits for others
/// leaves its processor to them.
class Patience {
 public:
  void wait() {
    constexpr int at_once = 200;
    constexpr std::chrono::microseconds first{20}, longest{1000};
    if (++asked_ < at_once) return;
    std::this_thread::sleep_for(pause_);
    pause_ = std::min(longest, pause_ + first);
  }

 private:
  int asked_ = 0;
  std::chrono::microseconds pause_{20};
};

void wait_for(MPI_Request& request) {
  Patience patience;
  int done = 0;
  while (true) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    patience.wait();
  }
}

int count_of(std::size_t bytes) {
  if (bytes <= INT_MAX) return static_cast<int>(bytes);
  throw Error("a message of more than 2 GB: MPI counts bytes of messages by 32 bits");
}

}  // namespace

class Session::Ranks final : public Communicator {
 public:
  Ranks() {
    MPI_Comm_dup(MPI_COMM_WORLD, &all_);
    MPI_Comm_dup(MPI_COMM_WORLD, &ends_);
    MPI_Comm_rank(all_, &rank_);
    MPI_Comm_size(all_, &size_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  std::vector<std::string> gather(std::string_view mine) const override {
    count(mine);
    const int length = count_of(mine.size());
    std::vector<int> lengths(size_), places(size_);
    MPI_Request request;
    MPI_Iallgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, all_, &request);
    wait_for(request);
    count_of(std::accumulate(lengths.begin(), lengths.end(), std::size_t{0}));
    std::exclusive_scan(lengths.begin(), lengths.end(), places.begin(), 0);
    std::string text(static_cast<std::size_t>(places.back() + lengths.back()), '\0');
    MPI_Iallgatherv(mine.data(), length, MPI_BYTE, text.data(), lengths.data(), places.data(),
                    MPI_BYTE, all_, &request);
    wait_for(request);
    std::vector<std::string> all;
    for (int rank = 0; rank < size_; ++rank) {
      all.push_back(text.substr(static_cast<std::size_t>(places[rank]),
                                static_cast<std::size_t>(lengths[rank])));
    }
    return all;
  }

  void send(int to, std::string_view text) const override {
    count(text);
    MPI_Request request;
    // Waits for the receiver, or what it has no time for would fill its memory.
    MPI_Issend(text.data(), count_of(text.size()), MPI_BYTE, to, tag, all_, &request);
    wait_for(request);
  }

  std::string receive(int from) const override {
    Patience patience;
    while (true) {
      if (std::optional<Message> message = received(from)) return std::move(message->text);
      patience.wait();
    }
  }

  std::optional<Message> receive_if_any() const override { return received(MPI_ANY_SOURCE); }

  RankUsage usage() const override {
    RankUsage usage = usage_of_process();
    usage.messages = messages_;
    usage.bytes_sent = bytes_;
    return usage;
  }

  std::optional<int> end(int code, double seconds) const {
    int worst = code, done = 0;
    MPI_Request request;
    MPI_Iallreduce(&code, &worst, 1, MPI_INT, MPI_MAX, ends_, &request);
    const Stopwatch watch;
    Patience patience;
    while (watch.seconds() <= seconds) {
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done != 0) return worst;
      patience.wait();
    }
    return std::nullopt;
  }

 private:
  static constexpr int tag = 1;

  std::optional<Message> received(int from) const {
    int there = 0, bytes = 0;
    MPI_Message message;
    MPI_Status status;
    MPI_Improbe(from, tag, all_, &there, &message, &status);
    if (there == 0) return std::nullopt;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    Message result{status.MPI_SOURCE, std::string(static_cast<std::size_t>(bytes), '\0')};
    MPI_Mrecv(result.text.data(), bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE);
    return result;
  }
  void count(std::string_view text) const {
    ++messages_;
    bytes_ += static_cast<double>(text.size());
  }

  MPI_Comm all_ = MPI_COMM_NULL, ends_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
  mutable long messages_ = 0;
  mutable double bytes_ = 0;
};

Session::Session(int& argc, char**& argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  ranks_ = std::make_unique<Ranks>();
}

Session::~Session() { MPI_Finalize(); }

const Communicator& Session::ranks() const { return *ranks_; }

std::optional<int> Session::end(int code, double seconds) { return ranks_->end(code, seconds); }

void Session::abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::abort();
}

}  // namespace daewave::mpi
