#include "tests/advice/followed_advice.hpp"

#include <algorithm>
#include <ctime>
#include <regex>

#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave::testing {
namespace {

const std::string setting_names =
    "method|h|rtol|atol|largest_step|most_steps|estimate_error|accuracy|repair_start|stepper|"
    "stages|"
    "epsilon|iterates|weight|variant|alpha1|exact_start|loops|order|metric|onto|second_step|"
    "stage_iteration|times|every|dense|tolerance|scheme|intervals|mesh|max_intervals|"
    "max_amplification|shooting_back|partitions|linear_solver|control|form|parameters|energy";

std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::size_t from = 0;
  while (from <= text.size()) {
    const std::size_t to = std::min(text.find("; ", from), text.size());
    parts.push_back(text.substr(from, to - from));
    from = to + 2;
  }
  return parts;
}

WayOut way_of(const std::string& part) {
  static const std::regex open("leave (" + setting_names + ")((, | and )(" + setting_names +
                               "))* open|without (" + setting_names + ")|(" + setting_names +
                               ") left out");
  static const std::regex name("\\b(" + setting_names + ")\\b");
  static const std::regex set("\\b(" + setting_names + ") = ([-+.\\w]+[\\w])|\\b(" + setting_names +
                              ") = (\\w)");
  static const std::regex moved("\\b(smaller|shorter|larger|longer|more|fewer) (" + setting_names +
                                ")\\b");
  WayOut way;
  std::smatch found;
  std::string rest = part;
  while (std::regex_search(rest, found, open)) {
    const std::string names = found[0];
    for (std::sregex_iterator it(names.begin(), names.end(), name), end; it != end; ++it) {
      way.push_back({(*it)[1], ""});
    }
    const std::string before = found.prefix(), after = found.suffix();
    rest = before + after;
  }
  for (std::sregex_iterator it(rest.begin(), rest.end(), set), end; it != end; ++it) {
    const bool longer = (*it)[1].matched;
    way.push_back({(*it)[longer ? 1 : 3], (*it)[longer ? 2 : 4]});
  }
  for (std::sregex_iterator it(rest.begin(), rest.end(), moved), end; it != end; ++it) {
    const std::string how = (*it)[1];
    const bool less = how == "smaller" || how == "shorter" || how == "fewer";
    way.push_back({(*it)[2], less ? "/" : "*"});
  }
  return way;
}

std::vector<WayOut> ways_of(const std::vector<std::string>& parts, std::size_t first) {
  std::vector<WayOut> ways;
  for (std::size_t i = first; i < parts.size(); ++i) {
    if (WayOut way = way_of(parts[i]); !way.empty()) ways.push_back(std::move(way));
  }
  return ways;
}

[[noreturn]] void unknown(const Change& change) {
  throw Error("advice names " + change.name + " = \"" + change.value + "\", which there is not");
}

double number(const Change& change, double now, double factor) {
  if (change.value == "/") return now / factor;
  if (change.value == "*") return now * factor;
  return std::stod(change.value);
}

template <class T>
void set_open(std::optional<T>& option, const Change& change, double factor) {
  if (change.value.empty()) {
    option.reset();
  } else if (change.value == "/" || change.value == "*") {
    if (!option) throw Error("advice makes " + change.name + " smaller or larger, which is open");
    option = static_cast<T>(number(change, static_cast<double>(*option), factor));
  } else {
    option = static_cast<T>(std::stod(change.value));
  }
}

void set_srm(ivp::Srm& srm, const Change& change) {
  if (change.name == "epsilon") {
    set_open(srm.epsilon, change, 100);
  } else if (change.name == "iterates") {
    set_open(srm.iterates, change, 2);
  } else if (change.name == "alpha1") {
    set_open(srm.alpha1, change, 100);
  } else if (change.name == "weight") {
    if (change.value.empty()) return srm.weight.reset();
    srm.weight = weight_named(change.value);
  } else if (change.name == "variant") {
    if (change.value.empty()) return srm.variant.reset();
    srm.variant = ivp::variant_named(change.value);
  } else if (change.name == "exact_start") {
    srm.exact_start = change.value.empty() ? -1 : std::stoi(change.value);
  } else if (change.name == "loops") {
    if (change.value != "step-local") unknown(change);
    srm.loops = ivp::StepLocal{};
  } else {
    unknown(change);
  }
}

void set_multistep_order(ivp::Method& method, const Change& change) {
  std::visit(
      [&](auto& one) {
        if constexpr (requires { one.order; }) {
          set_open(one.order, change, 2);
        } else {
          unknown(change);
        }
      },
      method);
}

void set(ivp::Options& options, const Change& change) {
  const std::string& name = change.name;
  const std::string& value = change.value;
  if (name == "method") {
    if (value.empty()) {
      options.method = ivp::Automatic{};
    } else if (value != name_of(options.method)) {
      options.method = ivp::method_named(value);
    }
  } else if (name == "h") {
    set_open(options.h, change, 4);
  } else if (name == "rtol") {
    options.rtol = value.empty() ? ivp::Options{}.rtol : number(change, options.rtol, 100);
  } else if (name == "atol") {
    options.atol_each.clear();
    set_open(options.atol, change, 100);
  } else if (name == "largest_step") {
    set_open(options.largest_step, change, 4);
  } else if (name == "most_steps") {
    options.most_steps =
        value.empty()
            ? ivp::Options{}.most_steps
            : static_cast<long>(number(change, static_cast<double>(options.most_steps), 100));
  } else if (name == "estimate_error") {
    options.estimate_error = value == "true";
  } else if (name == "accuracy") {
    set_open(options.accuracy, change, 100);
  } else if (name == "repair_start") {
    options.repair_start = value == "true";
  } else if (name == "control") {
    options.control.reset();
  } else if (name == "stepper" || name == "stages") {
    ivp::Formula* formula = ivp::formula_of(options.method);
    if (auto* srm = std::get_if<ivp::Srm>(&options.method)) formula = &srm->formula;
    if (auto* open = std::get_if<ivp::Automatic>(&options.method)) formula = &open->formula;
    if (formula == nullptr && value.empty()) return;
    if (formula == nullptr) unknown(change);
    if (name == "stages") return set_open(formula->stages, change, 2);
    formula->stages.reset();
    if (value.empty()) return formula->stepper.reset();
    formula->stepper = ivp::stepper_named(value);
  } else if (name == "order") {
    set_multistep_order(options.method, change);
  } else if (name == "stage_iteration") {
    auto* symmetric = std::get_if<ivp::SymmetricProjection>(&options.method);
    if (symmetric == nullptr) unknown(change);
    symmetric->stage_iteration = ivp::stage_iteration_named(value);
  } else if (auto* baumgarte = std::get_if<ivp::Baumgarte>(&options.method)) {
    if (name != "alpha1" || !value.empty()) unknown(change);
    baumgarte->alpha1 = 0;
  } else if (auto* srm = std::get_if<ivp::Srm>(&options.method)) {
    set_srm(*srm, change);
  } else {
    unknown(change);
  }
}

}  // namespace

std::vector<WayOut> ways_out(const std::string& advice) { return ways_of(parts_of(advice), 0); }

std::vector<WayOut> ways_out_of_refusal(const std::string& what) {
  return ways_of(parts_of(what), 1);
}

std::string text_of(const WayOut& way) {
  std::string text;
  for (const Change& change : way) {
    text += (text.empty() ? "" : ", ") + change.name + (change.value.empty() ? " open" : " ") +
            change.value;
  }
  return text;
}

ivp::Options followed(const WayOut& way, ivp::Options options) {
  // A method first: what else is said is of it.
  for (const Change& change : way) {
    if (change.name == "method") set(options, change);
  }
  for (const Change& change : way) {
    if (change.name != "method") set(options, change);
  }
  return options;
}

namespace {

/// A run, or its refusal.
struct Ended {
  bool refused = false, usable = false, stopped = false;
  std::string text, advice;  ///< The whole, and the advice of it; of a refusal both are the same.
  std::vector<WayOut> ways;
};

Ended end_of(const AdvisedRun& run, ivp::Options options) {
  const std::clock_t before = std::clock();
  options.progress = [&run, before](const ivp::RunProgress&) {
    return static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC < run.seconds;
  };
  try {
    const ivp::Solution solution = run.solve(options);
    const Report& report = solution.report;
    if (report.usable() && run.look) run.look(options, solution);
    return {false,          report.usable(), report.termination == Termination::stopped,
            report.brief(), report.advice,   ways_out(report.advice)};
  } catch (const Error& error) {
    return {true, false, false, error.what(), error.what(), ways_out_of_refusal(error.what())};
  }
}

/// Others were tried, or no setting helps.
bool says_that_none_helps(const Ended& end) {
  return !end.refused && end.ways.empty() &&
         (end.advice.find("none came through") != std::string::npos ||
          end.advice.find("did not come through") != std::string::npos ||
          end.advice.find("shorter run") != std::string::npos);
}

}  // namespace

void follow(const AdvisedRun& run, AdviceCount& count) {
  const Ended first = end_of(run, run.options);
  count.usable += first.usable ? 1 : 0;
  count.stopped += first.stopped ? 1 : 0;
  if (first.usable || first.stopped) return;
  ++(first.refused ? count.refused : count.failed);
  INFO(run.name << ": " << first.text);
  CHECK_FALSE(first.advice.empty());
  if (first.ways.empty()) {
    CHECK(says_that_none_helps(first));
    ++count.none;
    return;
  }
  for (const WayOut& way : first.ways) {
    CAPTURE(text_of(way));
    ivp::Options options = followed(way, run.options);
    Ended next = end_of(run, options);
    // What a failed run names was tried; a refusal knows less.
    for (int more = 0; first.refused && more < 2 && !next.usable && !next.ways.empty(); ++more) {
      options = followed(next.ways.front(), options);
      next = end_of(run, options);
    }
    INFO(next.text);
    CHECK((next.usable || next.stopped || (first.refused && says_that_none_helps(next))));
    ++(next.usable ? count.helped : next.stopped ? count.too_long : count.none);
  }
}

}  // namespace daewave::testing
