// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/fuzz/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "scatterproof/spec/core/sharing.hpp"
#include "scatterproof/spec/judge/bag.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/solve/variations.hpp"
#include "sharing.hpp"

namespace scatterproof::runner::fuzz {
namespace {

using spec::ArgumentKind;

std::string word(const spec::Argument& argument) {
  return std::holds_alternative<spec::None>(argument) ? "absent" : spec::to_string(argument);
}

/// Of strides that no layout's name stands for.
constexpr std::string_view no_word = "mixed";

void add_argument(Traits& traits, const spec::ArgumentDecl& declared, const spec::Argument& argument,
                  const DrawnLayout& layout) {
  if (const auto* tensor = std::get_if<spec::Tensor>(&argument)) {
    traits.emplace_back(fmt::format("rank({})", declared.name), std::to_string(tensor->rank()));
    traits.emplace_back(fmt::format("dtype({})", declared.name), spec::name(tensor->dtype()));
    traits.emplace_back(fmt::format("layout({})", declared.name), layout ? spec::name(*layout) : no_word);
  }
  const bool among_few = declared.kind == ArgumentKind::choice && declared.selects_with.empty();
  if (among_few || declared.kind == ArgumentKind::boolean) traits.emplace_back(declared.name, word(argument));
  if (declared.kind == ArgumentKind::tensor_or_scalar)
    traits.emplace_back(declared.name, std::holds_alternative<spec::Tensor>(argument) ? "tensor" : "number");
  if (declared.optional && !declared.fallback)
    traits.emplace_back(declared.name, std::holds_alternative<spec::None>(argument) ? "absent" : "given");
  if (declared.kind == ArgumentKind::integer)
    if (const auto* number = std::get_if<spec::Scalar>(&argument))
      traits.emplace_back(fmt::format("sign({})", declared.name), number->integer() < 0    ? "negative"
                                                                  : number->integer() == 0 ? "zero"
                                                                                           : "positive");
}

/// Elements of the largest tensor: kernels treat them in blocks of these sizes.
std::string elements_class(const spec::Call& call) {
  constexpr std::int64_t bounds[] = {0, 1, 7, 15, 63, 255, 1023, 4095, 16383};
  constexpr std::string_view names[] = {
      "0",         "1",           "2 to 7",       "8 to 15",       "16 to 63",
      "64 to 255", "256 to 1023", "1024 to 4095", "4096 to 16383", "16384 or more"};
  return std::string(names[std::ranges::lower_bound(bounds, spec::largest_numel(call)) - bounds]);
}

/// Where the largest size of any dimension lies with respect to blocks.
std::string size_class(std::int64_t size) {
  if (size < 8) return "below 8";
  if (size % 8 == 0) return "a multiple of 8";
  if (size % 8 == 1) return "one more";
  if (size % 8 == 7) return "one less";
  return "between";
}

std::int64_t largest_size(const spec::Call& call) {
  std::int64_t most = 0;
  for (const auto& [name, argument] : call.arguments)
    if (const auto* tensor = std::get_if<spec::Tensor>(&argument))
      for (const std::int64_t size : tensor->shape()) most = std::max(most, size);
  return most;
}

/// The most contributions that land in one cell.
std::string collisions(const spec::Bag& bag) {
  std::int64_t most = 0;
  for (std::size_t c = 0; c + 1 < bag.offsets.size(); ++c)
    most = std::max(most, bag.offsets[c + 1] - bag.offsets[c]);
  return count_class(most);
}

void mark(std::vector<std::vector<bool>>& pairs, std::size_t first, std::size_t second) {
  if (pairs.size() <= first) pairs.resize(first + 1);
  if (pairs[first].size() <= second) pairs[first].resize(second + 1);
  pairs[first][second] = true;
}

/// The dtypes that an argument's type allows.
std::vector<spec::DType> dtypes_of(const spec::OpSpec& spec, const spec::ArgumentDecl& declared) {
  for (const spec::TypeVariable& type : spec.types)
    if (type.name == declared.type) return type.dtypes;
  return {spec::all_dtypes.begin(), spec::all_dtypes.end()};
}

/// Whether two arguments may be tensors of one dtype and are only read.
bool may_share_storage(const spec::OpSpec& spec) {
  std::vector<spec::DType> read;
  for (std::size_t i = 0; i < spec.arguments.size(); ++i) {
    const spec::ArgumentDecl& declared = spec.arguments[i];
    if (declared.kind != ArgumentKind::tensor || spec.meaning.overwrites(declared.name)) continue;
    const std::vector<spec::DType> dtypes = dtypes_of(spec, declared);
    if (std::ranges::find_first_of(read, dtypes) != read.end()) return true;
    read.insert(read.end(), dtypes.begin(), dtypes.end());
  }
  return false;
}

}  // namespace

std::string count_class(std::int64_t count) {
  return count < 3        ? std::to_string(count)
         : count < 5      ? "3-4"
         : count < 17     ? "5-16"
         : count < 257    ? "17-256"
         : count < 2'049  ? "257-2048"
         : count < 65'536 ? "2049-65535"
                          : "65536+";
}

Traits traits_of(const spec::OpSpec& spec, const GeneratedCall& generated) {
  Traits traits;
  traits.emplace_back("rule", generated.broken ? generated.broken->id : "none broken");
  if (generated.broken) traits.emplace_back("broken", generated.far ? "by much" : "just");
  for (std::size_t i = 0; i < spec.arguments.size(); ++i)
    add_argument(traits, spec.arguments[i], generated.call.arguments[i].second, generated.layouts[i]);
  traits.emplace_back("index values", name(generated.index));
  traits.emplace_back("data", name(generated.data));
  traits.emplace_back("elements", elements_class(generated.call));
  traits.emplace_back("largest size", size_class(largest_size(generated.call)));
  traits.emplace_back("a size of zero", has_zero_size(generated.call) ? "yes" : "no");
  traits.emplace_back("a shared storage", spec::has_shared_storage(generated.call) ? "yes" : "no");
  if (generated.broken) return traits;
  if (const auto bag = spec::execute(spec, generated.call)) {
    traits.emplace_back("combiner", spec::name(bag->combine));
    traits.emplace_back("collisions", collisions(*bag));
  }
  return traits;
}

Traits targets_of(const spec::OpSpec& spec, const std::vector<const spec::Rule*>& breakable) {
  Traits targets{{"rule", "none broken"}, {"a size of zero", "yes"}, {"a size of zero", "no"}};
  for (const std::string_view elements :
       {"1", "2 to 7", "8 to 15", "16 to 63", "64 to 255", "256 to 1023", "1024 to 4095"})
    targets.emplace_back("elements", elements);
  for (const std::string_view size : {"below 8", "a multiple of 8", "one more", "one less", "between"})
    targets.emplace_back("largest size", size);
  if (may_share_storage(spec)) targets.emplace_back("a shared storage", "yes");
  for (const spec::Rule* rule : breakable) targets.emplace_back("rule", rule->id);
  if (!breakable.empty()) targets.insert(targets.end(), {{"broken", "just"}, {"broken", "by much"}});
  for (int mode = 0; mode <= static_cast<int>(IndexMode::negative); ++mode)
    targets.emplace_back("index values", name(static_cast<IndexMode>(mode)));
  for (const DataMode mode :
       {DataMode::lattice, DataMode::sparse, DataMode::real, DataMode::special, DataMode::wide})
    targets.emplace_back("data", name(mode));
  std::map<std::string, std::size_t> items;  // by list, up to this argument
  for (const spec::ArgumentDecl& declared : spec.arguments) {
    if (!declared.list.empty() && ++items[declared.list] > spec::items_of_own_rank)
      continue;                         // drawn like those before them, and rarer
    if (declared.selects_with.empty())  // those of a selection are usual ones among any
      for (const spec::Argument& choice : declared.choices) targets.emplace_back(declared.name, word(choice));
    if (declared.kind == ArgumentKind::boolean)
      targets.insert(targets.end(), {{declared.name, "true"}, {declared.name, "false"}});
    if (declared.optional && !declared.fallback)
      targets.insert(targets.end(), {{declared.name, "given"}, {declared.name, "absent"}});
    if (declared.kind == ArgumentKind::tensor)
      for (const std::string_view layout :
           {std::string_view("contiguous"), {"transposed"}, {"sliced"}, {"reversed"}, {"padded"}, no_word})
        targets.emplace_back(fmt::format("layout({})", declared.name), layout);
    for (const spec::TypeVariable& type : spec.types)
      if (type.name == declared.type)
        for (const spec::DType dtype : type.dtypes)
          targets.emplace_back(fmt::format("dtype({})", declared.name), spec::name(dtype));
  }
  return targets;
}

void Statistics::see(const Traits& traits) {
  ++calls_;
  std::vector<std::pair<std::size_t, std::size_t>> numbers;  // of aspect and value
  for (const auto& [name, value] : traits) {
    const auto [aspect, is_new] = aspects_.try_emplace(name, Aspect{.number = order_.size(), .values = {}});
    if (is_new) order_.push_back(name);
    const auto [seen, first] = aspect->second.values.try_emplace(value, Value{.number = values_});
    if (first) ++values_;
    ++seen->second.count;
    numbers.emplace_back(aspect->second.number, seen->second.number);
  }
  for (std::size_t i = 0; i < numbers.size(); ++i)
    for (std::size_t k = i + 1; k < numbers.size(); ++k) {
      mark(aspect_pairs_, numbers[i].first, numbers[k].first);
      mark(value_pairs_, numbers[i].second, numbers[k].second);
    }
}

std::uint64_t Statistics::count(const std::string& aspect, const std::string& value) const {
  const auto values = aspects_.find(aspect);
  if (values == aspects_.end()) return 0;
  const auto found = values->second.values.find(value);
  return found == values->second.values.end() ? 0 : found->second.count;
}

std::pair<std::uint64_t, std::uint64_t> Statistics::pairs() const {
  std::uint64_t reached = 0, possible = 0;
  for (const auto& row : value_pairs_) reached += static_cast<std::uint64_t>(std::ranges::count(row, true));
  for (std::size_t i = 0; i < aspect_pairs_.size(); ++i)
    for (std::size_t k = 0; k < aspect_pairs_[i].size(); ++k)
      if (aspect_pairs_[i][k])
        possible += aspects_.at(order_[i]).values.size() * aspects_.at(order_[k]).values.size();
  return {reached, possible};
}

Traits Statistics::missed(const Traits& targets) const {
  Traits missed;
  for (const auto& [aspect, value] : targets)
    if (count(aspect, value) == 0) missed.emplace_back(aspect, value);
  return missed;
}

std::string Statistics::table() const {
  std::size_t width = 0;
  for (const std::string& aspect : order_) width = std::max(width, aspect.size());
  std::string text;
  for (const std::string& aspect : order_) {
    text += fmt::format("  {:<{}} ", aspect, width);
    for (const auto& [value, seen] : aspects_.at(aspect).values)
      text += fmt::format(" {} {:.3g}%", value,
                          100.0 * static_cast<double>(seen.count) / static_cast<double>(calls_));
    text += '\n';
  }
  const auto [reached, possible] = pairs();
  return text + fmt::format("  {} of {} pairs of values reached ({:.0f}%)\n", reached, possible,
                            100.0 * static_cast<double>(reached) /
                                static_cast<double>(std::max<std::uint64_t>(possible, 1)));
}

}  // namespace scatterproof::runner::fuzz
