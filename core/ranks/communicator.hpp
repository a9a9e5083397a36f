#pragma once
// Who else works on the same task: ranks that share no memory and tell each other what they need.
//
// Methods know this interface and nothing of what carries it: threads of one process
// (parallel/rank_threads.hpp), or processes of many machines (mpi/).

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/thrown_text.hpp"

namespace daewave {

/// Another rank has failed, or is gone: what all of them were at cannot be ended.
class RankFailed : public Error {
 public:
  using Error::Error;
};

/// What a rank has taken so far.
struct RankUsage {
  double cpu_seconds = 0;
  double peak_bytes = 0;  ///< Of memory, of its process.
  long messages = 0;      ///< Sent, an exchange of all ranks being one.
  double bytes_sent = 0;  ///< In them.
};

class Communicator {
 public:
  virtual ~Communicator() = default;
  virtual int rank() const = 0;  ///< From 0.
  virtual int size() const = 0;

  /// What each rank gives, in their order, on all of them. All ranks call it, and in the same order
  /// among other such calls. @throws RankFailed
  virtual std::vector<std::string> gather(std::string_view mine) const = 0;

  /// To one other rank, in the order of the calls; may wait until it is received.
  virtual void send(int to, std::string_view text) const = 0;
  /// From one other rank. @throws RankFailed
  virtual std::string receive(int from) const = 0;
  /// What has come from any rank, and from which; nothing where nothing has.
  struct Message {
    int from = 0;
    std::string text;
  };
  virtual std::optional<Message> receive_if_any() const = 0;

  virtual RankUsage usage() const = 0;
};

/// Of this process; of this thread, but for the memory. Nothing of messages.
RankUsage usage_of_process();
RankUsage usage_of_thread();

/// Numbers of each rank, one after the other, in the order of the ranks; each may give another
/// number of them.
std::vector<double> gather(const Communicator& ranks, std::span<const double> mine);

/// The largest; NaN where one is.
double largest_of(const Communicator& ranks, double mine);

/// Whether one of them says so.
bool any_of(const Communicator& ranks, bool mine);

/// To each rank what is for it; from each what it has for this one, in the order of the ranks. All
/// ranks call it. @param to  one for each rank; that for this one is handed on.
/// @param from  whether there is something of each: nothing is sent where there is not.
/// @param sends whether there is something for each.
std::vector<std::string> exchange(const Communicator& ranks, std::vector<std::string> to,
                                  const std::vector<bool>& sends, const std::vector<bool>& from);

/// As texts that cross to others.
std::string as_text(std::span<const double> numbers);
std::vector<double> as_numbers(std::string_view text);

/// Runs what each rank does by itself and tells all of them how it went: where it throws on one, it
/// throws on all, there the same and here RankFailed with its words, and no rank waits for ever.
template <class Work>
void together(const Communicator& ranks, const Work& work);

/// How far a rank came, for `together`.
/// @param failure  empty: well. @throws RankFailed naming the first rank that was not, unless it is
/// this one.
void agree(const Communicator& ranks, const std::string& failure);

template <class Work>
void together(const Communicator& ranks, const Work& work) {
  try {
    work();
  } catch (const RankFailed&) {
    throw;  // All know already.
  } catch (...) {
    agree(ranks, thrown_text());
    throw;
  }
  agree(ranks, "");
}

}  // namespace daewave
