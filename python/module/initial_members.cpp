#include "python/module/initial_members.hpp"

#include "core/error.hpp"
#include "ivp/run/dense_pieces.hpp"
#include "ivp/run/sampled_output.hpp"

namespace daewave::python {

namespace {

DenseSteps steps_of(const ivp::DenseOutput& dense) {
  const auto* const of = dynamic_cast<const ivp::SampledOutput*>(&dense);
  if (of == nullptr) throw InvalidOption("dense output of a kind that does not pickle");
  return {of->nz(), of->degree(), of->begin(), of->ends(), of->states()};
}

}  // namespace

DenseParts parts_of(const Dense& dense) {
  DenseParts parts;
  if (!dense) return parts;
  const auto* const joined = dynamic_cast<const ivp::DensePieces*>(dense.get());
  if (joined == nullptr) {
    parts.pieces.push_back(steps_of(*dense));
    return parts;
  }
  for (const Dense& piece : joined->pieces()) parts.pieces.push_back(steps_of(*piece));
  parts.begins = joined->begins();
  parts.sign = joined->sign();
  return parts;
}

Dense dense_of(DenseParts parts) {
  if (parts.pieces.empty()) return nullptr;
  ivp::DensePieces::Pieces pieces;
  for (DenseSteps& of : parts.pieces) {
    if (of.nz < 0 || of.degree < 1) throw InvalidOption("dense output without polynomials");
    pieces.push_back(std::make_shared<ivp::SampledOutput>(
        of.nz, of.degree, of.begin, std::move(of.ends), std::move(of.states)));
  }
  if (parts.begins.empty() && pieces.size() == 1) return pieces.front();
  if (parts.begins.size() != pieces.size()) {
    throw InvalidOption("dense output with pieces of which some have no begin");
  }
  return std::make_shared<ivp::DensePieces>(std::move(parts.begins), std::move(pieces), parts.sign);
}

}  // namespace daewave::python
