// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/run/reach.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <ranges>
#include <string_view>
#include <utility>

#include "scatterproof/runner/trial/repair.hpp"

namespace scatterproof::runner {
namespace {

using spec::Tensor;

constexpr std::array<std::string_view, trait_count> trait_words = {
    "of rank 3 or more", "with an index smaller than the data", "with a negative index",
    "with a view that is not contiguous"};

bool is_smaller(const Tensor& index, const Tensor& data) {
  if (index.rank() != data.rank()) return false;
  bool smaller = false;
  for (std::size_t d = 0; d < index.rank(); ++d) smaller |= index.shape()[d] < data.shape()[d];
  return smaller;
}

bool has_negative(const Tensor& index) {
  return std::ranges::any_of(index.values(), [](const spec::Scalar& value) {
    return value.kind() == spec::Scalar::Kind::integer && value.integer() < 0;
  });
}

/// In the order of the words.
FormTraits traits_of(const spec::OpSpec& op, const spec::Call& call) {
  FormTraits traits;
  const Tensor* data = nullptr;
  for (const auto& [name, argument] : call.arguments)
    if (const auto* tensor = std::get_if<Tensor>(&argument); tensor && !is_index(op, name, argument)) {
      data = tensor;
      break;
    }
  for (const auto& [name, argument] : call.arguments) {
    const auto* tensor = std::get_if<Tensor>(&argument);
    if (!tensor) continue;
    const bool index = is_index(op, name, argument);
    if (tensor->rank() >= 3) traits.set(0);
    if (index && data && is_smaller(*tensor, *data)) traits.set(1);
    if (index && has_negative(*tensor)) traits.set(2);
    if (!tensor->is_contiguous()) traits.set(3);
  }
  return traits;
}

/// `same-rank (torch.gather)`; of a type, whose name says nothing, `dtype of index (rule I of torch.gather)`.
std::string words_for(const spec::OpSpec& op, const std::string& rule) {
  if (std::ranges::find(op.types, rule, &spec::TypeVariable::name) == op.types.end())
    return fmt::format("{} ({})", rule, op.api);
  std::vector<std::string> arguments;
  for (const spec::ArgumentDecl& one : op.arguments)
    if (one.type == rule) arguments.push_back(keyword_of(op, one.name));
  return fmt::format("dtype of {} (rule {} of {})", fmt::join(arguments, " and "), rule, op.api);
}

}  // namespace

std::string ReachTally::that_breaks(const std::map<std::string, Breaking>& rules,
                                    const std::set<std::string>& broken) {
  constexpr std::size_t most_named = 3;
  std::vector<std::pair<std::string, Breaking>> never;
  std::ranges::copy_if(rules, std::back_inserter(never),
                       [&](const auto& rule) { return !broken.contains(rule.first); });
  if (never.empty()) return "";
  std::ranges::stable_sort(never, std::ranges::greater{}, [](const auto& rule) { return rule.second.calls; });
  std::vector<std::string> names;
  for (const auto& [_, breaking] : never | std::views::take(most_named)) names.push_back(breaking.words);
  if (const std::size_t more = never.size() - names.size(); more > 0)
    return fmt::format("that breaks {} or {} more rule{}", fmt::join(names, ", "), more,
                       more == 1 ? "" : "s");
  return fmt::format("that breaks {}", fmt::join(names, " or "));
}

ReachTally::ReachTally(const Catalogue& catalogue) : specs_(catalogue.specs) {
  for (const spec::Case& one : catalogue.cases) {
    if (!one.unsupported.empty()) continue;
    traits_[one.id] = traits_of(*catalogue.specs.find(one.call.api), one.call);
    if (one.breaks) broken_[one.id] = one.rule;
  }
}

void ReachTally::add(const spec::Record& record) {
  const auto found = traits_.find(record.id);
  if (found == traits_.end() || record.verdict == spec::Verdict::disputed) return;
  Counts& counts = engines_[record.engine];
  ++counts.calls;
  counts.there |= found->second;
  const auto rule = broken_.find(record.id);
  if (rule != broken_.end())
    if (Breaking& breaking = counts.rules[rule->second]; breaking.calls++ == 0)
      breaking.words = words_for(*specs_.find(record.api), rule->second);
  if (record.verdict == spec::Verdict::unsupported) return;
  ++counts.reached;
  counts.reached_by |= found->second;
  if (rule != broken_.end()) counts.rules_broken.insert(rule->second);
}

std::vector<spec::Reach> ReachTally::poor() const {
  std::vector<spec::Reach> poor;
  for (const auto& [engine, counts] : engines_) {
    spec::Reach reach{.engine = engine, .calls = counts.calls, .reached = counts.reached};
    const FormTraits never = counts.there & ~counts.reached_by;
    for (std::size_t i = 0; i < trait_count; ++i)
      if (never.test(i)) reach.never.emplace_back(trait_words[i]);
    const bool few = 2 * counts.reached < counts.calls;
    if (few)
      if (std::string words = that_breaks(counts.rules, counts.rules_broken); !words.empty())
        reach.never.push_back(std::move(words));
    if (few || never.any()) poor.push_back(std::move(reach));
  }
  return poor;
}

}  // namespace scatterproof::runner
