// SPDX-License-Identifier: Apache-2.0
#include "check.hpp"

#include <algorithm>

#include "scatterproof/runner/calls/call_hash.hpp"
#include "scatterproof/runner/fuzz/driver.hpp"
#include "scatterproof/runner/fuzz/findings.hpp"
#include "scatterproof/runner/fuzz/form_store.hpp"
#include "scatterproof/runner/fuzz/generator.hpp"

namespace scatterproof::runner::python {
namespace {

bool has_dtypes(const spec::OpSpec& op, const spec::Call& call, const std::vector<std::string>& dtypes) {
  return std::ranges::all_of(call.arguments, [&](const auto& argument) {
    const auto* tensor = std::get_if<spec::Tensor>(&argument.second);
    const spec::ArgumentDecl* declared = op.argument(argument.first);
    return !tensor || (declared && op.is_index(*declared)) ||
           std::ranges::find(dtypes, spec::name(tensor->dtype())) != dtypes.end();
  });
}

/// The failure of the lowest number; null: there is none.
const std::pair<const fuzz::Kind, fuzz::Tally>* first_failure(const fuzz::FuzzResult& fuzzed) {
  const std::pair<const fuzz::Kind, fuzz::Tally>* first = nullptr;
  for (const auto& one : fuzzed.kinds)
    if (one.second.first && (!first || one.second.first->number < first->second.first->number)) first = &one;
  return first;
}

/// Why no gradient was judged, as the first call says.
std::string why_none(const fuzz::FuzzResult& fuzzed) {
  for (const auto& [kind, tally] : fuzzed.kinds)
    if (!tally.reason.empty()) return tally.reason;
  return "no generated call has any that follow from the document";
}

/// A call that hangs stays as it is: each smaller one would take the longest time again.
double shrink_seconds(const CheckRequest& request, const fuzz::Kind& kind) {
  if (kind.verdict == spec::Verdict::timeout) return 0;
  return request.seconds > 0 ? request.seconds : fuzz::usual_shrink_seconds(kind.engine);
}

/// Whether `calls` of the Python package makes this call again: its function offers some forms of calls only.
bool is_made_again(const Choice& choice, const spec::OpSpec& op, const fuzz::Failure& failure) {
  const auto made = fuzz::Generator(op, choice.seed, wishes_of(choice, op)).make(failure.number);
  return made && hash_of(made->call) == hash_of(failure.made.call);
}

/// Stops an engine in the end: what comes then on a channel is no longer its own.
class Stopped {
 public:
  explicit Stopped(engines::Engine& engine) : engine_(engine) {}
  Stopped(const Stopped&) = delete;
  Stopped& operator=(const Stopped&) = delete;
  ~Stopped() { engine_.stop(); }

 private:
  engines::Engine& engine_;
};

fuzz::FuzzResult fuzz_until_failure(const CheckRequest& request, const spec::OpSpec& op,
                                    const fuzz::Engines& engines, bool gradients) {
  fuzz::Campaign campaign;
  campaign.gradients = gradients;
  campaign.apis = {&op};
  campaign.calls = request.cases;
  campaign.seconds = request.seconds;
  campaign.seed = request.choice.seed;
  campaign.wishes = wishes_of(request.choice, op);
  campaign.wishes.offered = [chosen = campaign.wishes.offered,
                             &engine = *engines.front()](const spec::Call& call) {
    return engine.supports(call).yes && (!chosen || chosen(call));
  };
  campaign.stop_at_first = true;
  campaign.timeout = request.timeout;
  // A call that hangs is asked again alone, each time by a process that starts first.
  if (request.seconds > 0) campaign.grace = 2 * (request.timeout + std::chrono::seconds(3));
  const fuzz::Engines* const job = &engines;
  return fuzz::fuzz(campaign, {&job, 1});
}

}  // namespace

fuzz::GenerationOptions wishes_of(const Choice& choice, const spec::OpSpec& op) {
  fuzz::GenerationOptions wishes;
  wishes.store = fuzz::FormStore::of_user();
  wishes.sides = choice.broken ? fuzz::GenerationOptions::Sides::both : fuzz::GenerationOptions::Sides::valid;
  if (choice.dtypes.empty()) return wishes;
  wishes.offered = [&op, dtypes = choice.dtypes](const spec::Call& call) {
    return has_dtypes(op, call, dtypes);
  };
  wishes.few = true;
  return wishes;
}

spec::Result<CheckResult> check(const CheckRequest& request, const spec::OpSpec& op,
                                const spec::SpecLibrary& specs, std::unique_ptr<engines::Engine> own,
                                const engines::Places& places) {
  if (const std::string reason = own->start(); !reason.empty()) return spec::Error{.what = reason};
  fuzz::Engines engines;
  engines.push_back(std::move(own));
  engines::Engine& engine = *engines.front();
  const Stopped stopped(engine);
  fuzz::FuzzResult fuzzed = fuzz_until_failure(request, op, engines, false);
  if (!fuzzed.errors.empty()) return fuzzed.errors;
  CheckResult result{.judged = fuzzed.judged, .open = fuzzed.undecided, .unsupported = fuzzed.unsupported};
  const auto* failed = first_failure(fuzzed);
  const bool differentiated = !failed && request.gradients;
  if (differentiated) {
    fuzzed = fuzz_until_failure(request, op, engines, true);
    if (!fuzzed.errors.empty()) return fuzzed.errors;
    result.gradients = fuzzed.judged;
    result.without_gradients = why_none(fuzzed);
    failed = first_failure(fuzzed);
  }
  if (!failed) return result;
  const fuzz::Failure& failure = *failed->second.first;
  fuzz::Findings findings(
      {.specs = specs, .families = nullptr, .places = places, .folder = "", .timeout = request.timeout});
  const fuzz::Finding finding =
      findings.finding_of(engine, failed->first, failure, shrink_seconds(request, failed->first));
  result.verdict = name(failed->first.verdict);
  result.explanation = with_causes(finding.explanation, finding.causes);
  result.number = failure.number;
  result.minimal = finding.minimal;
  snippet::CheckedFunction function = request.function;
  function.gradients = differentiated;
  function.by_chance =
      !finding.again || failure.judgement.diagnosis.kind == spec::DiagnosisKind::differs_when_repeated;
  if (const auto syntax = snippet::load_python_syntax(request.arrays, places))
    if (auto code = snippet::make_assertion(op, finding.call, *syntax, function))
      result.code = *std::move(code);
  result.by_chance = function.by_chance;
  if (result.code.empty()) {
    if (!finding.shown_by.empty()) result.explanation += '\n' + finding.shown_by;
    result.made_again = !differentiated && is_made_again(request.choice, op, failure);
  }
  return result;
}

}  // namespace scatterproof::runner::python
