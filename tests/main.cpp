// The main program of every test executable, compiled once.

#if __has_include(<catch2/catch.hpp>)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#else
#include <catch2/catch_session.hpp>
int main(int argc, char** argv) { return Catch::Session().run(argc, argv); }
#endif

// What the C library allocates while it starts a thread, it frees at once; where the process ends at that moment,
// the leak sanitizer does not know the stack yet that points to it, and calls it leaked (once in some hundred runs
// of all tests, in a worker that TBB was starting). It asks this function, where it is at work.
extern "C" const char* __lsan_default_suppressions() { return "leak:pthread_getattr_np\n"; }
