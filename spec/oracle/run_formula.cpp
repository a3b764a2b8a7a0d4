// SPDX-License-Identifier: Apache-2.0
// Executes a formula as printed, from the start value that the meaning gives the result.
#include <fmt/format.h>

#include "execute.hpp"
#include "scatterproof/spec/opspec/frame.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"

namespace scatterproof::spec {
namespace {

/// What the result holds before the formula runs: the meaning's start, zeros where it has none.
Tensor start_tensor(const OpSpec& spec, const CallFrame& frame, const ResultForm& form) {
  if (spec.meaning.start) {
    const language::Value start = language::evaluate(*spec.meaning.start, frame.frame);
    if (const auto* part = std::get_if<language::TensorPart>(&start); part && part->prefix.empty()) {
      const std::vector<Scalar> values = part->tensor->values();
      return Tensor(form.dtype, part->tensor->shape(), values);
    }
    Scalar fill = Scalar::of_int(0);
    if (const auto* element = std::get_if<language::Element>(&start)) fill = element->value;
    if (const auto* integer = std::get_if<std::int64_t>(&start)) fill = Scalar::of_int(*integer);
    return Tensor(form.dtype, form.shape,
                  std::vector<Scalar>(static_cast<std::size_t>(numel(form.shape)), fill));
  }
  return Tensor(form.dtype, form.shape);
}

}  // namespace

Result<Tensor> execute_formula(const OpSpec& spec, const Formula& formula, const Call& call) {
  const auto fail = [&](const std::string& why) {
    return Error{.file = spec.file,
                 .at = formula.at,
                 .what = fmt::format("formula '{}' has no value: {}", formula.id, why)};
  };
  const auto form = result_form(spec, call);
  if (!form) return form.errors();
  const CallFrame frame = make_frame(spec, call);
  try {
    const Tensor start = start_tensor(spec, frame, *form);
    return language::run_program(*formula.program, frame.frame, base_scope(spec), &start);
  } catch (const language::NotEvaluable& reason) {
    return fail(reason.what());
  }
}

bool formula_applies(const OpSpec& spec, const Formula& formula, const Call& call) {
  if (!formula.when) return true;
  try {
    return language::evaluate_bool(*formula.when, make_frame(spec, call).frame);
  } catch (const language::NotEvaluable&) {
    return false;
  }
}

}  // namespace scatterproof::spec
