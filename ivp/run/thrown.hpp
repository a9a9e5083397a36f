#pragma once
// Exceptions on the way of a run. What the problem or an event throws ends it, and what was valid
// before stays; what the caller's own functions throw is no matter of the run, nor is lack of
// memory.

#include <exception>
#include <new>
#include <optional>
#include <string>

namespace daewave::ivp {

/// What a function of the caller's own threw.
struct ThrownByCaller {
  std::exception_ptr exception;
};

/// @throws ThrownByCaller
template <class Call>
bool by_caller(const Call& call) {
  try {
    return call();
  } catch (...) {
    throw ThrownByCaller{std::current_exception()};
  }
}

/// Keeps what functions of the caller's own threw, for whoever catches what runs throw.
class KeptOfCaller {
 public:
  /// Calls it. @throws what it throws, and keeps that.
  template <class Call>
  auto call(const Call& own) {
    try {
      return own();
    } catch (...) {
      kept_ = std::current_exception();
      throw;
    }
  }

  void rethrow() const {
    if (kept_) std::rethrow_exception(kept_);
  }

 private:
  std::exception_ptr kept_;
};

/// What by_caller() wrapped is thrown as it was.
template <class Call>
auto as_thrown(const Call& call) {
  try {
    return call();
  } catch (const ThrownByCaller& caller) {
    std::rethrow_exception(caller.exception);
  }
}

/// What the problem threw, in words; empty where it threw nothing. @throws what else is thrown
template <class Steps>
std::optional<std::string> thrown_in(const Steps& steps) {
  try {
    steps();
  } catch (const ThrownByCaller& caller) {
    std::rethrow_exception(caller.exception);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "what is no std::exception";
  }
  return {};
}

}  // namespace daewave::ivp
