// A mesh that ranks share, and ranks that fail.

#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "bvp/solve.hpp"
#include "core/blocks/partitions.hpp"
#include "core/error.hpp"
#include "parallel/rank_tasks.hpp"
#include "parallel/rank_threads.hpp"
#include "problems/lin.hpp"
#include "tests/catch.hpp"
#include "tests/parallel/whole_of_ranks.hpp"

using namespace daewave;
using daewave::testing::Whole;

namespace {

Whole over_ranks(int size, const std::shared_ptr<const LinearDae>& problem,
                 const bvp::Options& options) {
  return testing::over_ranks(size, [&](const Communicator& ranks) {
    bvp::Options mine = options;
    mine.ranks = &ranks;
    return bvp::solve(problem, mine);
  });
}

Whole alone(const std::shared_ptr<const LinearDae>& problem, bvp::Options options) {
  options.linear_solver = "parallel_block";
  options.conditioning = false;
  return testing::whole_of(bvp::solve(problem, options));
}

void check_same(const std::shared_ptr<const LinearDae>& problem, bvp::Options options,
                std::initializer_list<int> sizes) {
  options.partitions = options.partitions.value_or(partitions_for_ranks(*options.intervals));
  const Whole reference = alone(problem, options);
  REQUIRE(reference.x.cols() > 0);
  for (const int size : sizes) {
    const Whole whole = over_ranks(size, problem, options);
    CAPTURE(size, whole.report.brief());
    CHECK(whole.report.usable());
    testing::check_same_bits(whole, reference);
  }
}

/// Its first row couples both ends.
struct Coupled : problems::Lin {
  Boundary boundary() const {
    Boundary both = problems::Lin::boundary();
    both.B1(0, 0) = 0.5;
    both.beta[0] += 0.5 * x_exact(t_end)[0];
    return both;
  }
};

/// B and C vanish at three nodes of 512 intervals, of which one is a border of two ranks;
/// x = (cos t, sin t), B y as smooth as x.
struct ThreeZeros {
  static constexpr std::array<double, 3> times{0.125, 0.5, 0.875};
  double zero(double t) const { return (t - times[0]) * (t - times[1]) * (t - times[2]); }
  Interval interval() const { return {0, 1}; }
  Mat<2, 2> A(double) const { return Mat<2, 2>{{-1, 0}, {1, 0}}; }
  Vec<2> B(double t) const { return {0, zero(t)}; }
  Mat<1, 2> C(double t) const { return {0, zero(t)}; }
  Vec<1> r(double t) const { return Vec<1>(-zero(t) * std::sin(t)); }
  Vec<2> q(double t) const { return {-std::sin(t) + std::cos(t), zero(t) * std::exp(t)}; }
  Boundary boundary() const {
    return initial_conditions(MatX(Mat<1, 2>(1, 0)), VecX::Constant(1, 1));
  }
};

/// Not finite behind a time.
struct Broken : problems::Lin {
  double bad = 0;
  Coefficients coefficients(double t) const {
    Coefficients all = problems::Lin::coefficients(t);
    const double sample = t / interval().length() * 1000;
    if (t > bad && std::abs(sample - std::round(sample)) > 0.2) {
      all.q[0] = std::numeric_limits<double>::quiet_NaN();
    }
    return all;
  }
};

}  // namespace

TEST_CASE("ranks that share a mesh find the bits of one machine, however many they are",
          "[ranks][linear]") {
  const auto lin = erase(problems::Lin{20});
  check_same(lin, {.scheme = Scheme::gauss, .stages = 3, .intervals = 1111}, {1, 2, 4, 7});
  check_same(lin, {.stages = 2, .intervals = 130, .partitions = 9}, {1, 3, 9});
  // More partitions than 64: their rows are eliminated in pairs.
  check_same(lin, {.stages = 2, .intervals = 700, .partitions = 301}, {1, 2, 4, 7, 13});
  // With a layer that is left at the begin, and multipliers of nodes.
  check_same(lin,
             {.scheme = Scheme::radau,
              .stages = 3,
              .intervals = 400,
              .epsilon = 1e-4,
              .iterates = 3,
              .shooting_back = false},
             {2, 5});
  check_same(
      lin,
      {.scheme = Scheme::lobatto,
       .stages = 3,
       .intervals = 400,
       .epsilon = 1e-4,
       .iterates = 3,
       .By_0 = Waveform::function([](double t) -> VecX { return problems::Lin{20}.By_exact(t); })},
      {2, 5});
  check_same(erase(Coupled{20}), {.stages = 3, .intervals = 700}, {2, 4});
  check_same(erase(problems::LinBlocks{10, 2}), {.stages = 3, .intervals = 300}, {3});
}

TEST_CASE("every rank knows the singular points of all, those at borders once", "[ranks][linear]") {
  const auto problem = erase(ThreeZeros{});
  bvp::Options options{.scheme = Scheme::radau, .stages = 1, .intervals = 512};
  options.partitions = 8;
  const Whole reference = alone(problem, options);
  REQUIRE(reference.report.singular_points.size() == ThreeZeros::times.size());
  for (const int size : {1, 2, 4, 7}) {
    CAPTURE(size);
    std::vector<Report> reports(static_cast<std::size_t>(size));
    parallel::run_ranks(size, [&](const Communicator& ranks) {
      bvp::Options mine = options;
      mine.ranks = &ranks;
      reports[static_cast<std::size_t>(ranks.rank())] = bvp::solve(problem, mine).report;
    });
    for (const Report& report : reports) {
      INFO(report.full());
      REQUIRE(report.singular_points.size() == ThreeZeros::times.size());
      for (std::size_t i = 0; i < ThreeZeros::times.size(); ++i) {
        const SingularPoint &one = report.singular_points[i],
                            &other = reference.report.singular_points[i];
        CHECK(one.t == Approx(ThreeZeros::times[i]).margin(1e-12));
        CHECK((one.t == other.t && one.pivot == other.pivot));
        CHECK((one.kind == other.kind && one.passed_by == other.passed_by));
      }
    }
  }
}

TEST_CASE("with one stage B y between the stages is that of one machine, at borders of ranks too",
          "[ranks][linear][index-2]") {
  const problems::Lin exact{2};
  const auto lin = erase(exact);
  constexpr int intervals = 512, places = 5;
  for (const Scheme scheme : {Scheme::gauss, Scheme::radau}) {
    bvp::Options options{.scheme = scheme, .stages = 1, .intervals = intervals};
    options.partitions = 8;
    // A column for each place, a node among them, of each interval; B y and y.
    const auto between = [&](const bvp::Solution& solution, int first, MatX& found) {
      const Mesh& mesh = solution.mesh();
      for (int i = 0; i < mesh.intervals(); ++i) {
        for (int p = 0; p < places; ++p) {
          const double t =
              p + 1 == places ? mesh.node(i + 1) : mesh.node(i) + 0.21 * p * mesh.step(i);
          const VecX By = solution.By(t), y = *solution.y(t);
          found.col((first + i) * places + p) << By, y;
        }
      }
    };
    const int rows = lin->nx() + lin->ny();
    MatX reference(rows, intervals * places);
    bvp::Options one = options;
    one.linear_solver = "parallel_block";
    one.conditioning = false;
    const bvp::Solution alone = bvp::solve(lin, one);
    between(alone, 0, reference);
    double most = 0;
    for (int i = 0; i < alone.mesh().intervals(); ++i) {
      for (const double theta : {0.1, 0.6, 1.0}) {
        const double t = alone.mesh().node(i) + theta * alone.mesh().step(i);
        const VecX off = alone.By(t) - exact.By_exact(t);
        most = std::max(most, off.cwiseAbs().maxCoeff());
      }
    }
    CHECK(most < 1e-2);
    for (const int size : {1, 2, 4, 7}) {
      MatX found = MatX::Zero(rows, intervals * places);
      std::vector<bvp::Solution> parts(static_cast<std::size_t>(size));
      parallel::run_ranks(size, [&](const Communicator& ranks) {
        bvp::Options mine = options;
        mine.ranks = &ranks;
        parts[static_cast<std::size_t>(ranks.rank())] = bvp::solve(lin, mine);
      });
      for (const bvp::Solution& part : parts) between(part, part.share().first, found);
      CAPTURE(size);
      CHECK(testing::same_bits(found, reference));
    }
  }
}

TEST_CASE("more ranks than partitions, and what ranks cannot do, is refused by name", "[ranks]") {
  const auto lin = erase(problems::Lin{20});
  const auto refusal = [&](int size, const bvp::Options& options) {
    std::string words;
    try {
      over_ranks(size, lin, options);
    } catch (const InvalidOption& refused) {
      words = refused.what();
    }
    return words;
  };

  CHECK_THAT(
      refusal(3, {.intervals = 100, .partitions = 2}),
      contains_text("3 ranks: more than the 2 partition(s)") && contains_text("partitions = 3"));
  CHECK_THAT(refusal(2, {.intervals = 200, .linear_solver = "block_lu"}),
             contains_text("linear_solver") && contains_text("parallel_block"));
  CHECK_THAT(refusal(2, {.intervals = 200, .conditioning = true}), contains_text("conditioning"));
  CHECK_THAT(refusal(2, {.intervals = 200, .alpha1 = 0.0, .shooting_back = true}),
             contains_text("shooting_back"));
}

TEST_CASE("a coefficient that is not finite on one rank ends all of them with its place",
          "[ranks]") {
  Broken broken;
  broken.t_end = 20;
  broken.bad = 15;
  const auto problem = erase(broken);
  std::vector<std::string> told(4);
  parallel::run_ranks(4, [&](const Communicator& ranks) {
    try {
      bvp::solve(problem, {.stages = 2, .intervals = 1000, .ranks = &ranks});
    } catch (const std::exception& thrown) {
      told[ranks.rank()] = thrown.what();
    }
  });
  for (const std::string& words : told) CHECK_THAT(words, contains_text("q"));
  CHECK_THAT(told[0], contains_text("rank 3"));
}

TEST_CASE("a stop that one rank is asked for stops all, with what is valid", "[ranks]") {
  const auto lin = erase(problems::Lin{20});
  std::vector<Report> reports(3);
  parallel::run_ranks(3, [&](const Communicator& ranks) {
    bvp::Options options{.stages = 2, .intervals = 600, .ranks = &ranks};
    options.progress = [&](const bvp::Progress& progress) {
      return ranks.rank() != 1 || progress.phase != "iterate 1";
    };
    const bvp::Solution part = bvp::solve(lin, options);
    if (part.has_values()) reports[ranks.rank()] = part.report;
  });
  for (const Report& report : reports) {
    CHECK(report.termination == Termination::stopped);
    CHECK(report.message == reports[0].message);
  }
}

TEST_CASE("a rank that fails ends those that wait for it, with its words", "[ranks]") {
  const auto fails = [](const Communicator& ranks) {
    if (ranks.rank() == 2) throw FileError("the disk is full");
    ranks.gather("here");
  };
  CHECK_THROWS_AS(parallel::run_ranks(4, fails), FileError);
  std::string words;
  parallel::run_ranks(2, [&](const Communicator& ranks) {
    try {
      together(ranks, [&] {
        if (ranks.rank() == 1) throw FileError("the disk is full");
      });
    } catch (const RankFailed& failed) {
      words = failed.what();
    } catch (const FileError&) {
    }
  });
  CHECK(words == "rank 1: the disk is full");
}

TEST_CASE("so does one that throws what is no std::exception", "[ranks]") {
  const auto fails = [](const Communicator& ranks) {
    if (ranks.rank() == 2) throw 7;
    ranks.gather("here");
  };
  CHECK_THROWS_AS(parallel::run_ranks(4, fails), int);
  const auto fails_together = [](const Communicator& ranks) {
    together(ranks, [&] {
      if (ranks.rank() == 1) throw 7;
    });
  };
  CHECK_THROWS_AS(parallel::run_ranks(3, fails_together), int);
}

TEST_CASE("of messages that wait the first of the rank that is asked for is received", "[ranks]") {
  std::vector<std::string> received;
  parallel::run_ranks(3, [&](const Communicator& ranks) {
    if (ranks.rank() > 0) {
      for (const char* text : {" first", " second"}) {
        ranks.send(0, std::to_string(ranks.rank()) + text);
      }
    }
    ranks.gather("");  // All of them are there.
    if (ranks.rank() > 0) return;
    for (const int from : {2, 1, 1, 2}) received.push_back(ranks.receive(from));
  });
  CHECK(received == std::vector<std::string>{"2 first", "1 first", "1 second", "2 second"});
}

TEST_CASE("tasks are given out once each, whichever ranks are free, until one is the last",
          "[ranks]") {
  for (const int size : {1, 2, 5}) {
    std::vector<int> tasks(200);
    std::iota(tasks.begin(), tasks.end(), 1000);
    std::map<int, std::string> done;
    parallel::run_ranks(size, [&](const Communicator& ranks) {
      parallel::give_out(
          ranks, ranks.rank() == 0 ? tasks : std::vector<int>(),
          [](int task) { return "did " + std::to_string(task); },
          [&](int task, std::string&& text) {
            CHECK(done.emplace(task, std::move(text)).second);
            return true;
          });
    });
    CHECK(done.size() == 200);
    CHECK(done.at(1199) == "did 1199");
  }
  int taken = 0;
  parallel::run_ranks(3, [&](const Communicator& ranks) {
    parallel::give_out(
        ranks, std::vector<int>(100, 7),
        [](int) {
          std::this_thread::sleep_for(std::chrono::milliseconds(5));
          return std::string("done");
        },
        [&](int, std::string&&) { return ++taken < 4; });
  });
  CHECK(taken >= 4);
  CHECK(taken < 100);
}
