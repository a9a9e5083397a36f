// Two stages of a pipeline that share what they must not: the thread sanitizer ends it with an
// error.

#include "parallel/pipelines.hpp"

int main() {
  long shared = 0;
  int left = 1000;
  const auto add = [&](int) { ++shared; };
  daewave::parallel::ThreadsPipeline(2).run(8, [&](int) { return left-- > 0; }, {add, add});
  return shared == 0 ? 1 : 0;
}
