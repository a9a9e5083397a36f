#include "core/adapt/recorded_problem.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include "core/adapt/found_structure.hpp"

namespace daewave {
namespace {

constexpr Ask of_constraints = Ask::G | Ask::g | Ask::g_t | Ask::curvature;

/// Part by part from where it is to be had.
class JoinedEvaluation final : public Evaluation {
 public:
  JoinedEvaluation(std::unique_ptr<Evaluation> seen, const DaeProblem& stated, Ask asked_seen)
      : seen_(std::move(seen)), stated_(&stated), asked_seen_(asked_seen) {}

  const Terms& evaluate(Ask what, const Points& at) override {
    const Ask rest = without(what, asked_seen_), seen = without(what, rest);
    if (rest == Ask{}) return seen_->evaluate(what, at);
    if (!rest_) rest_ = stated_->evaluation();
    if (seen == Ask{}) return rest_->evaluate(rest, at);
    terms_ = seen_->evaluate(seen, at);
    const Terms& more = rest_->evaluate(rest, at);
    const int nq = stated_->sizes().nq;
    const bool diagonal = stated_->structure().mass == Structure::Mass::diagonal;
    const std::array<Part, 4> parts{{{Ask::f, &Terms::f, nq},
                                     {Ask::M, &Terms::M, diagonal ? nq : nq * nq},
                                     {Ask::f_q, &Terms::f_q, nq * nq},
                                     {Ask::f_v, &Terms::f_v, nq * nq}}};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!asks(rest, parts[i].what)) continue;
      const double* const from = more.*parts[i].member;
      terms_.*parts[i].member = in_stride(from, parts[i].size, more.stride, at.count, memory_[i]);
    }
    return terms_;
  }

 private:
  struct Part {
    Ask what;
    const double* Terms::*member;
    int size;
  };

  const double* in_stride(const double* from, int size, int stride, int count,
                          std::vector<double>& memory) const {
    if (from == nullptr || stride == terms_.stride) return from;
    const auto rows = static_cast<std::size_t>(size);
    const auto to = static_cast<std::size_t>(terms_.stride);
    if (memory.size() < rows * to) memory.resize(rows * to);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t p = 0; p < static_cast<std::size_t>(count); ++p) {
        memory[i * to + p] = from[i * static_cast<std::size_t>(stride) + p];
      }
    }
    return memory.data();
  }

  std::unique_ptr<Evaluation> seen_, rest_;
  const DaeProblem* stated_;
  Ask asked_seen_;
  Terms terms_;
  std::array<std::vector<double>, 4> memory_;
};

class RecordedProblem final : public detail::FoundProblem {
 public:
  RecordedProblem(DaeProblemPtr stated, DaeProblemPtr seen, const Structure& structure,
                  Ask asked_seen)
      : FoundProblem(std::move(stated), structure, "seen in the functions, as they are templates"),
        seen_(std::move(seen)),
        asked_seen_(asked_seen) {}

  std::unique_ptr<Evaluation> evaluation() const override {
    return std::make_unique<JoinedEvaluation>(seen_->evaluation(), *stated(), asked_seen_);
  }
  int lanes() const override { return seen_->lanes(); }

 private:
  DaeProblemPtr seen_;
  Ask asked_seen_;
};

/// Values around which something is decided: those of the state, where one is given.
double entry_of(const VecX& state, int i) { return i < state.size() ? state[i] : 0; }

}  // namespace

ProblemRecorder::ProblemRecorder(const Sizes& sizes, const VecX& state, double t) : sizes_(sizes) {
  equations_.kind = Kind::multibody;
  equations_.nq = sizes.nq;
  const expression::Variables variables = equations_.variables();
  t_ = recorder_.variable(expression::Variables::t, t);
  for (int i = 0; i < sizes.nq; ++i) {
    q_.push_back(recorder_.variable(variables.q(i), entry_of(state, i)));
  }
  for (int i = 0; i < sizes.nq; ++i) {
    v_.push_back(recorder_.variable(variables.v(i), entry_of(state, sizes.nq + i)));
  }
}

void ProblemRecorder::take(const Recorded* values, int size, std::vector<expression::Ref>& to) {
  if (!recorder_.saw_all()) return;
  to.reserve(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) to.push_back(recorder_.of(values[i]));
}

void ProblemRecorder::take_M(const Recorded* M, int size) {
  const int n = sizes_.nq;
  bool diagonal = size == n * n;
  for (int j = 0; j < n && diagonal; ++j) {
    for (int i = 0; i < n; ++i) diagonal = diagonal && (i == j || M[i + j * n].is_zero());
  }
  if (!diagonal) return take(M, size, equations_.M);
  // A dense matrix that is diagonal may be a million zeros.
  std::vector<Recorded> entries;
  for (int i = 0; i < n; ++i) entries.push_back(M[i * (n + 1)]);
  take(entries.data(), n, equations_.M);
}

DaeProblemPtr ProblemRecorder::found(const DaeProblemPtr& stated) {
  const auto is_there = [](const std::vector<expression::Ref>& rows, int wanted) {
    return static_cast<int>(rows.size()) == wanted;
  };
  const Structure& as_stated = stated->structure();
  if (!is_there(equations_.g, sizes_.ny) || !is_there(equations_.w, sizes_.nk)) return {};
  if (as_stated.mass == Structure::Mass::bodies) return {};
  Ask asked = of_constraints;
  equations_.parts.f = is_there(equations_.f, sizes_.nq);
  equations_.parts.M =
      is_there(equations_.M, sizes_.nq) || is_there(equations_.M, sizes_.nq * sizes_.nq);
  if (equations_.parts.f) asked = asked | Ask::f;
  if (equations_.parts.M) asked = asked | Ask::M;
  equations_.parts.mass = as_stated.mass;
  equations_.parts.f_jacobian = false;
  equations_.graph = recorder_.take_graph();
  DaeProblemPtr seen = expression::problem_of(std::move(equations_));
  Structure structure = seen->structure();
  if (!asks(asked, Ask::M)) structure.mass_constant = as_stated.mass_constant;
  structure.has_energy = as_stated.has_energy;
  structure.has_f_jacobian = as_stated.has_f_jacobian;
  return std::make_shared<const RecordedProblem>(stated, std::move(seen), structure, asked);
}

}  // namespace daewave
