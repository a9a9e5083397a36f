// Two stages of a pipeline that share what they must not: the thread sanitizer ends it with an
// error.

#include <chrono>
#include <thread>

#include "parallel/pipelines.hpp"

int main() {
  long shared = 0;
  int left = 50;
  const auto add = [&](int) {
    // So long that the second thread has come, and both stages are at work at the same time.
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++shared;
  };
  daewave::parallel::ThreadsPipeline(2).run(8, [&](int) { return left-- > 0; }, {add, add});
  return shared == 0 ? 1 : 0;
}
