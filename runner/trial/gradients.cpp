// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/trial/gradients.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "scatterproof/runner/calls/call_hash.hpp"
#include "scatterproof/runner/trial/ask.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/core/sharing.hpp"
#include "scatterproof/spec/gradient/dependence.hpp"
#include "scatterproof/spec/gradient/judge_gradient.hpp"
#include "scatterproof/spec/judge/judge.hpp"

namespace scatterproof::runner {
namespace {

/// Elements of a call, or of its result, whose gradients are judged: its meaning is executed four times.
constexpr std::int64_t largest_differentiated = 4096;

/// Odd numbers of either sign, small in a small result, so that sums of them are exact. They differ in each
/// cell, so that none can be taken for another, until the dtype has no more of them.
spec::Tensor draw_cotangent(spec::DType dtype, const spec::Shape& shape, std::uint64_t seed) {
  const auto cells = static_cast<std::uint64_t>(std::max<std::int64_t>(spec::numel(shape), 1));
  const std::uint64_t most = std::uint64_t{1} << std::min(spec::float_format(dtype).precision - 1, 12);
  const std::uint64_t numbers = std::min(cells, most);
  std::vector<spec::Scalar> values;
  for (std::int64_t i = 0; i < spec::numel(shape); ++i) {
    const auto odd = static_cast<double>(2 * ((static_cast<std::uint64_t>(i) + seed) % numbers) + 1);
    values.push_back(spec::Scalar::of_real((seed >> (i % 61)) % 2 == 0 ? odd : -odd));
  }
  constexpr std::array layouts = {spec::Layout::contiguous, spec::Layout::contiguous,
                                  spec::Layout::transposed, spec::Layout::sliced, spec::Layout::padded};
  return with_layout(spec::Tensor(dtype, shape, values), layouts[seed % layouts.size()]);
}

bool is_large(const spec::Call& call) {
  return std::ranges::any_of(spec::tensors_of(call), [](const spec::Tensor* tensor) {
    return tensor->numel() > largest_differentiated;
  });
}

const spec::Tensor* result_of(const spec::Outcome& outcome) {
  const auto* produced = std::get_if<spec::Produced>(&outcome.what);
  return produced && produced->tensors.size() == 1 ? &produced->tensors.front() : nullptr;
}

bool give_the_same(const spec::Outcome& a, const spec::Outcome& b) {
  const spec::Tensor *one = result_of(a), *other = result_of(b);
  return one && other && identical(*one, *other);
}

/// `plain`: the outcome when no gradient is asked for. Empty: that is wrong already.
std::optional<spec::Judgement> judge(const spec::OpSpec& spec, const spec::Call& call,
                                     const engines::EngineInfo& engine, const GradientTask& task,
                                     const spec::Outcome& plain, const spec::Outcome& asked) {
  const auto* produced = std::get_if<spec::Produced>(&asked.what);
  const auto* before = std::get_if<spec::Produced>(&plain.what);
  if (!before || is_failure(judge_by_spec(spec, call, task.forward, engine, plain).verdict)) return {};
  if (const auto* refused = std::get_if<spec::Refused>(&asked.what))
    return spec::Judgement{
        .verdict = spec::Verdict::open,
        .diagnosis = {.kind = spec::DiagnosisKind::gradient_open},
        .explanation = "the call is refused when a gradient is asked for: " + refused->message};
  spec::Judgement forward = judge_by_spec(spec, call, task.forward, engine, asked);
  if (is_failure(forward.verdict) || !produced) return forward;
  return spec::judge_gradients(task.expected, produced->gradients);
}

/// Whether the engine repeats both of two results, the one without a gradient and the one with it.
bool repeats_both(engines::Engine& engine, const spec::Call& call, const GradientTask& task,
                  const spec::Outcome& plain, const spec::Outcome& asked, std::chrono::milliseconds timeout) {
  const spec::Call* const again = &call;
  const spec::GradientQuestion* const question = &task.question;
  return give_the_same(plain, ask(engine, {&again, 1}, timeout).front()) &&
         give_the_same(asked, ask(engine, {&again, 1}, timeout, {&question, 1}).front());
}

spec::Judgement forward_changed(const spec::Outcome& plain, const spec::Outcome& asked) {
  return {.verdict = spec::Verdict::mismatch,
          .diagnosis = {.kind = spec::DiagnosisKind::gradient_forward},
          .explanation = fmt::format("the result is {}, and {} when a gradient is asked for",
                                     to_string(*result_of(plain)), to_string(*result_of(asked)))};
}

/// Whether nothing else is wrong, and the result is another one when a gradient is asked for.
bool changes_forward(const std::optional<spec::Judgement>& judgement, const spec::Outcome& plain,
                     const spec::Outcome& asked) {
  return judgement && !is_failure(judgement->verdict) && result_of(asked) && !give_the_same(plain, asked);
}

bool is_of_real_numbers(const spec::Call& call) {
  return !spec::differentiable_arguments(call).empty() && !spec::has_shared_storage(call) && !is_large(call);
}

}  // namespace

bool may_have_gradients(const spec::OpSpec& spec, const spec::Call& call) {
  return is_of_real_numbers(call) && spec::within_gradient_limits(spec, call);
}

std::variant<GradientTask, std::string> gradient_task(const spec::OpSpec& spec, const spec::Call& call,
                                                      const engines::EngineInfo& engine) {
  if (!is_of_real_numbers(call)) return "its arguments have no gradients, share memory, or are too large";
  auto forward = expect(spec, call, engine);
  const auto* bag = forward ? std::get_if<spec::Bag>(&forward->what) : nullptr;
  if (!bag) return "the document does not say what the result is";
  if (!spec::is_float(bag->dtype)) return "the result does not hold real numbers";
  if (spec::numel(bag->shape) > largest_differentiated) return "the result is too large";
  const auto dependences = spec::dependences_of(spec, call);
  if (!dependences) return dependences.errors().front().what;
  spec::GradientQuestion question{
      dependences->arguments,
      draw_cotangent(bag->dtype, bag->shape, static_cast<std::uint64_t>(hash_of(call)))};
  spec::ExpectedGradients expected = spec::expect_gradients(*dependences, question.cotangent);
  return GradientTask{std::move(forward).value(), std::move(question), std::move(expected)};
}

std::optional<spec::Judgement> judge_gradient_outcome(const spec::OpSpec& spec, const spec::Call& call,
                                                      const engines::EngineInfo& engine,
                                                      const GradientTask& task, const spec::Outcome& plain,
                                                      const spec::Outcome& asked) {
  auto judgement = judge(spec, call, engine, task, plain, asked);
  return changes_forward(judgement, plain, asked) ? forward_changed(plain, asked) : std::move(judgement);
}

std::vector<std::optional<spec::Judgement>> judge_gradients(const spec::OpSpec& spec, engines::Engine& engine,
                                                            std::span<const spec::Call* const> calls,
                                                            std::chrono::milliseconds timeout) {
  std::vector<std::optional<spec::Judgement>> judgements(calls.size());
  std::vector<GradientTask> tasks;
  std::vector<std::size_t> places;
  std::vector<const spec::Call*> asked;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (!engine.info().gradients || !engine.supports(*calls[i]).yes) continue;
    auto task = gradient_task(spec, *calls[i], engine.info());
    if (!std::holds_alternative<GradientTask>(task)) continue;
    tasks.push_back(std::get<GradientTask>(std::move(task)));
    places.push_back(i);
    asked.push_back(calls[i]);
  }
  std::vector<const spec::GradientQuestion*> questions;
  for (const GradientTask& task : tasks) questions.push_back(&task.question);
  const std::vector<spec::Outcome> plain = ask(engine, asked, timeout);
  const std::vector<spec::Outcome> outcomes = ask(engine, asked, timeout, questions);
  for (std::size_t k = 0; k < outcomes.size(); ++k) {
    auto& judgement = judgements[places[k]];
    judgement = within_limits(*asked[k], [&]() -> std::optional<spec::Judgement> {
      return judge(spec, *asked[k], engine.info(), tasks[k], plain[k], outcomes[k]);
    });
    if (changes_forward(judgement, plain[k], outcomes[k]) &&
        repeats_both(engine, *asked[k], tasks[k], plain[k], outcomes[k], timeout))
      judgement = forward_changed(plain[k], outcomes[k]);
  }
  return judgements;
}

}  // namespace scatterproof::runner
