// SPDX-License-Identifier: Apache-2.0
#include "practice.hpp"

#include <fmt/format.h>

#include <string_view>

#include "restated.hpp"
#include "scatterproof/runner/calls/call_text.hpp"
#include "scatterproof/runner/trial/repair.hpp"

namespace scatterproof::runner::fuzz {
namespace {

/// A small result may equal that of a repaired call by chance. This many are needed on either side that have
/// more than one value, and that no other repair explains.
constexpr std::uint64_t fewest = 3;

bool repairs_index(const spec::Diagnosis& practice) {
  using Kind = spec::DiagnosisKind;
  return practice.kind == Kind::index_wrapped || practice.kind == Kind::index_clamped ||
         practice.kind == Kind::index_modulo || practice.kind == Kind::index_dropped ||
         practice.kind == Kind::index_filled;
}

/// The dtypes of data, and which tensors have no elements: an engine may refuse calls for these reasons
/// alone.
std::string forms_of(const spec::OpSpec& op, const spec::Call& call) {
  std::string forms;
  for (const auto& [name, argument] : call.arguments)
    if (const auto* tensor = std::get_if<spec::Tensor>(&argument))
      forms += fmt::format("{}{} ", is_index(op, name, argument) ? "index" : spec::name(tensor->dtype()),
                           tensor->numel() == 0 ? "[0]" : "");
  return forms;
}

/// A result whose cells are all equal does not show where they were read or written.
bool shows_places(const spec::Outcome& outcome) {
  const auto* produced = std::get_if<spec::Produced>(&outcome.what);
  return produced && std::ranges::any_of(produced->tensors, [](const spec::Tensor& tensor) {
           for (std::int64_t cell = 1; cell < tensor.numel(); ++cell)
             if (!identical(tensor.at_position(cell), tensor.at_position(0))) return true;
           return false;
         });
}

bool is_contiguous(const spec::Call& call) {
  return std::ranges::all_of(tensors_of(call),
                             [](const spec::Tensor* tensor) { return tensor->is_contiguous(); });
}

/// Its start, without numbers: sizes and values differ from call to call.
std::string without_digits(const std::string& message) {
  constexpr std::size_t enough = 200;
  std::string words;
  for (const char letter : std::string_view(message).substr(0, enough))
    if (letter < '0' || letter > '9') words += letter;
  return words;
}

}  // namespace

void Practices::Side::take(const Side& other) {
  if (other.first && (!first || other.number < number)) {
    first = other.first;
    number = other.number;
    said = other.said;
  }
  count += other.count;
  clear += other.clear;
}

void Practices::saw(const Asked& asked, const spec::Target& target, const spec::Outcome& outcome,
                    const spec::Diagnosis& practice) {
  const spec::Call& call = asked.made->call;
  if (!is_contiguous(call)) return;  // the layout may decide what an engine does with it
  std::vector<spec::Diagnosis> repairs;
  const auto* refused = std::get_if<spec::Refused>(&outcome.what);
  if (refused)
    repairs = mending_index_repairs(*asked.op, call, target);
  else if (repairs_index(practice))
    repairs = {practice};
  else if (practice.kind == spec::DiagnosisKind::index_ambiguous)
    repairs = explaining_index_repairs(*asked.op, call, target, outcome);
  if (repairs.empty()) return;
  const bool is_clear = refused || (repairs.size() == 1 && shows_places(outcome));
  Side side{.count = 1,
            .clear = is_clear ? 1u : 0u,
            .number = asked.number,
            .first = std::make_shared<GeneratedCall>(*asked.made),
            .said = {}};
  if (refused) side.said = refused->message;
  const std::string dtypes = index_dtypes(*asked.op, call);
  if (!refused) repaired_dtypes_.emplace(asked.op->api, asked.engine->name, dtypes);
  for (const spec::Diagnosis& repair : repairs) {
    Sides& sides = classes_[{asked.op->api, asked.engine->name, asked.made->broken,
                             spec::without_numbers(repair), forms_of(*asked.op, call)}];
    (refused ? sides.refused[{dtypes, without_digits(side.said)}] : sides.repaired).take(side);
  }
}

void Practices::saw_valid_refused(const std::string& api, const std::string& engine,
                                  const std::string& message) {
  valid_refusals_.emplace(api, engine, without_digits(message));
}

void Practices::take(const Practices& others) {
  for (const auto& [of, sides] : others.classes_) {
    classes_[of].repaired.take(sides.repaired);
    for (const auto& [why, side] : sides.refused) classes_[of].refused[why].take(side);
  }
  valid_refusals_.insert(others.valid_refusals_.begin(), others.valid_refusals_.end());
  repaired_dtypes_.insert(others.repaired_dtypes_.begin(), others.repaired_dtypes_.end());
}

/// Those of dtypes that the engine takes, with a message that no valid call gets.
Practices::Side Practices::refused(const Class& of, const Sides& sides) const {
  Side all;
  const std::string &api = std::get<0>(of), &engine = std::get<1>(of);
  for (const auto& [why, side] : sides.refused)
    if (repaired_dtypes_.contains({api, engine, why.first}) &&
        !valid_refusals_.contains({api, engine, why.second}))
      all.take(side);
  return all;
}

std::vector<std::pair<Kind, Failure>> Practices::mixed() const {
  std::vector<std::pair<Kind, Failure>> failures;
  for (const auto& [of, sides] : classes_) {
    const auto& [api, engine, rule, repair, forms] = of;
    const Side refusals = refused(of, sides);
    if (sides.repaired.clear < fewest || refusals.count < fewest) continue;
    const spec::Diagnosis mixed{.kind = spec::DiagnosisKind::mixed_practice, .subject = repair.subject};
    Failure failure{.number = sides.repaired.number, .made = *sides.repaired.first, .judgement = {}};
    failure.judgement = {
        .verdict = spec::Verdict::mismatch,
        .diagnosis = mixed,
        .explanation =
            fmt::format("{} calls that break {} were taken as if {} were repaired ({}), and {} "
                        "that the same repair makes valid were "
                        "refused\ntaken: {}\nrefused: {}\nwith: {}",
                        sides.repaired.count, rule->id, repair.subject, to_string(repair), refusals.count,
                        text_of(sides.repaired.first->call), text_of(refusals.first->call), refusals.said)};
    const Kind kind{.api = api,
                    .engine = engine,
                    .rule = rule->id,
                    .relation = {},
                    .verdict = spec::Verdict::mismatch,
                    .diagnosis = mixed,
                    .practice = {},
                    .known = {}};
    failures.emplace_back(kind, std::move(failure));
  }
  return failures;
}

}  // namespace scatterproof::runner::fuzz
