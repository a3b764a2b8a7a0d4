// SPDX-License-Identifier: Apache-2.0
#include "skeleton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <memory>

#include "scatterproof/spec/language/selection.hpp"

namespace scatterproof::spec::solve {
namespace {

constexpr std::size_t largest_rank_in_list = 2;  ///< of a tensor
constexpr std::int64_t farthest = 9;             ///< of an integer attribute, where it is not extreme

std::vector<Alternative> alternatives(const ArgumentDecl& declared, std::size_t largest_rank) {
  using Kind = Alternative::Kind;
  std::vector<Alternative> all;
  const bool tensor =
      declared.kind == ArgumentKind::tensor || declared.kind == ArgumentKind::tensor_or_scalar;
  if (!declared.list.empty()) largest_rank = std::min(largest_rank, largest_rank_in_list);
  for (std::size_t rank = 0; tensor && rank <= largest_rank; ++rank) all.push_back({Kind::tensor, rank});
  if (declared.kind != ArgumentKind::tensor) all.push_back({Kind::value, 0});
  if (declared.optional && !declared.fallback) all.push_back({Kind::absent, 0});
  return all;
}

/// A word that is not one of the choices, such as a typo.
std::string other_word(const ArgumentDecl& declared) {
  std::string word = std::get<std::string>(declared.choices.front());
  for (char& c : word) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return word;
}

}  // namespace

std::vector<Skeleton> all_skeletons(const OpSpec& spec, std::size_t largest_rank) {
  std::vector<Skeleton> all{{}};
  std::string list;
  std::size_t items = 0;  // of that list, before this argument
  for (const ArgumentDecl& declared : spec.arguments) {
    items = !list.empty() && list == declared.list ? items + 1 : 0;
    list = declared.list;
    std::vector<Skeleton> longer;
    for (const Skeleton& one : all)
      for (const Alternative& next : alternatives(declared, largest_rank)) {
        const bool given = next.kind != Alternative::Kind::absent;
        if (items > 0 && given && one.back().kind == Alternative::Kind::absent) continue;
        if (items >= items_of_own_rank && given && next.rank != one.back().rank) continue;
        longer.push_back(one);
        longer.back().push_back(next);
      }
    all = std::move(longer);
  }
  return all;
}

Skeleton skeleton_of(const OpSpec& spec, const Call& call) {
  Skeleton skeleton;
  for (const ArgumentDecl& declared : spec.arguments) {
    const Argument* argument = call.find(declared.name);
    const auto* tensor = argument ? std::get_if<Tensor>(argument) : nullptr;
    if (!argument || std::holds_alternative<None>(*argument))
      skeleton.push_back({Alternative::Kind::absent, 0});
    else
      skeleton.push_back(
          {tensor ? Alternative::Kind::tensor : Alternative::Kind::value, tensor ? tensor->rank() : 0});
  }
  return skeleton;
}

Problem::Problem(const OpSpec& spec, const Skeleton& skeleton, const FormLimits& limits, z3::context& context)
    : Problem(spec, skeleton, limits, context, WithoutRules{}) {
  for (std::size_t i = 0; i < spec.rules.size(); ++i) rules_.push_back(standing(i));
}

Problem::Problem(const OpSpec& spec, const Skeleton& skeleton, const FormLimits& limits, z3::context& context,
                 WithoutRules /*tag*/)
    : spec_(spec), skeleton_(skeleton), limits_(limits), context_(context), reader_(context, words_) {
  for (std::size_t i = 0; i < spec.arguments.size(); ++i) reader_.bind({bind(spec.arguments[i], i), true});
  for (const auto& [name, expression] : spec.lets) {
    try {
      reader_.bind(reader_.read(*expression));
    } catch (const NotSolvable&) {
      reader_.bind({Opaque{}, true});
    }
  }
}

Integer Problem::unknown(Unknown unknown, const std::string& name) {
  terms_.push_back(context_.int_const(name.c_str()));
  unknowns_.push_back(std::move(unknown));
  return Integer(terms_.back());
}

Symbol Problem::bind(const ArgumentDecl& declared, std::size_t argument) {
  using Kind = Unknown::Kind;
  if (skeleton_[argument].kind == Alternative::Kind::absent) return std::monostate{};
  if (skeleton_[argument].kind == Alternative::Kind::tensor) return bind_tensor(declared, argument);
  switch (declared.kind) {
    case ArgumentKind::integer:
      return unknown({.kind = Kind::integer, .argument = argument, .low = -farthest, .high = farthest},
                     declared.name);
    case ArgumentKind::boolean:
      return unknown({.kind = Kind::flag, .argument = argument, .high = 1}, declared.name) == Integer(1);
    case ArgumentKind::choice:
      return bind_choice(declared, argument);
    case ArgumentKind::integers: {
      Tuple list{unknown({.kind = Kind::length, .argument = argument, .high = 4}, declared.name + ".length"),
                 {}};
      for (std::size_t i = 0; i < 4; ++i)
        list.items.push_back(unknown(
            {.kind = Kind::integer, .argument = argument, .place = i, .low = -farthest, .high = farthest},
            fmt::format("{}.{}", declared.name, i)));
      return list;
    }
    default:
      return Opaque{};
  }
}

Symbol Problem::bind_choice(const ArgumentDecl& declared, std::size_t argument) {
  Unknown choice{.kind = Unknown::Kind::choice, .argument = argument};
  const bool words = std::holds_alternative<std::string>(declared.choices.front());
  for (const Argument& one : declared.choices)
    choice.values.push_back(words ? words_.number(std::get<std::string>(one))
                                  : std::get<Scalar>(one).integer());
  if (!declared.rule.empty())
    choice.values.push_back(words ? words_.number(other_word(declared))
                                  : std::ranges::max(choice.values) + 1);
  std::shared_ptr<const std::vector<std::int64_t>> selections;
  if (!declared.selects_with.empty()) {
    choice.values = selections_with(declared, arrays_given(declared));
    selections = std::make_shared<std::vector<std::int64_t>>(choice.values);
  }
  const Integer number = unknown(std::move(choice), declared.name);
  if (words) return Code{Code::Of::word, number, selections};
  return number;
}

/// The items of the list of a selection that the skeleton has.
std::size_t Problem::arrays_given(const ArgumentDecl& selection) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < spec_.arguments.size(); ++i)
    count +=
        spec_.arguments[i].list == selection.selects_with && skeleton_[i].kind == Alternative::Kind::tensor;
  return count;
}

/// The choices with this many arrays: a call with another one cannot be written.
std::vector<std::int64_t> Problem::selections_with(const ArgumentDecl& declared, std::size_t arrays) {
  std::vector<std::int64_t> numbers;
  for (const Argument& one : declared.choices)
    if (const auto& word = std::get<std::string>(one); language::parse_selection(word)->arrays() == arrays)
      numbers.push_back(words_.number(word));
  return numbers;
}

SymbolicPart Problem::bind_tensor(const ArgumentDecl& declared, std::size_t argument) {
  SymbolicPart part;
  part.argument = static_cast<int>(argument);
  part.integers = spec_.is_index(declared);
  part.dtype = unknown({.kind = Unknown::Kind::dtype,
                        .argument = argument,
                        .high = static_cast<std::int64_t>(all_dtypes.size()) - 1},
                       fmt::format("dtype({})", declared.name));
  for (std::size_t d = 0; d < skeleton_[argument].rank; ++d)
    part.sizes.push_back(
        unknown({.kind = Unknown::Kind::size, .argument = argument, .place = d, .high = limits_.largest_size},
                fmt::format("size({}, {})", declared.name, d)));
  return part;
}

/// As `stand` of rules.hpp, over unknowns. A rule that the solver cannot express is left free.
Problem::Standing Problem::standing(std::size_t number) {
  const Rule& rule = spec_.rules[number];
  if (!holds_for(rule.applies, spec_, {})) return {};
  try {
    const auto unless = rule.unless ? reader_.read_truth(*rule.unless) : Partial<SymbolicTruth>{false, true};
    if ((unless.defined && unless.value).known() == true) return {true, false};
    const auto require = reader_.read_truth(*rule.require);
    const SymbolicTruth holds = require.defined && require.value;
    return {(unless.defined && unless.value) || holds,
            unless.defined && !unless.value && require.defined && !require.value};
  } catch (const NotSolvable&) {
    const SymbolicTruth free(context_.bool_const(fmt::format("rule{}", number).c_str()));
    return {free, !free};
  }
}

SymbolicTruth Problem::target(const Rule* broken) const {
  SymbolicTruth all = true;
  for (std::size_t i = 0; i < rules_.size() && all.known() != false; ++i)
    all = all && (!broken                     ? rules_[i].obeyed
                  : broken == &spec_.rules[i] ? rules_[i].broken
                                              : !rules_[i].broken);
  return all;
}

std::vector<z3::expr> Problem::domain() const {
  std::vector<z3::expr> all = reader_.side_conditions();
  for (std::size_t i = 0; i < unknowns_.size(); ++i) {
    SymbolicTruth inside =
        Integer(unknowns_[i].low) <= Integer(terms_[i]) && Integer(terms_[i]) <= Integer(unknowns_[i].high);
    if (!unknowns_[i].values.empty()) inside = false;
    for (const std::int64_t value : unknowns_[i].values)
      inside = inside || Integer(terms_[i]) == Integer(value);
    all.push_back(inside.in(context_));
  }
  return all;
}

Call Problem::call(const std::vector<std::int64_t>& numbers) const {
  Call call{spec_.api, {}};
  for (std::size_t i = 0; i < spec_.arguments.size(); ++i)
    call.arguments.emplace_back(spec_.arguments[i].name, argument(i, numbers));
  return call;
}

std::vector<std::int64_t> Problem::numbers(const Call& call) {
  std::vector<std::int64_t> all;
  for (const Unknown& one : unknowns_) {
    const Argument& argument = *call.find(spec_.arguments[one.argument].name);
    const auto* tensor = std::get_if<Tensor>(&argument);
    const auto* list = std::get_if<Shape>(&argument);
    if (one.kind == Unknown::Kind::size)
      all.push_back(tensor->shape()[one.place]);
    else if (one.kind == Unknown::Kind::dtype)
      all.push_back(static_cast<std::int64_t>(tensor->dtype()));
    else if (one.kind == Unknown::Kind::length)
      all.push_back(static_cast<std::int64_t>(list->size()));
    else if (list)
      all.push_back(one.place < list->size() ? (*list)[one.place] : 0);
    else if (const auto* word = std::get_if<std::string>(&argument))
      all.push_back(words_.number(*word));
    else
      all.push_back(std::get<Scalar>(argument).integer());
  }
  return all;
}

Argument Problem::argument(std::size_t argument, const std::vector<std::int64_t>& numbers) const {
  const ArgumentDecl& declared = spec_.arguments[argument];
  if (skeleton_[argument].kind == Alternative::Kind::absent) return None{};
  std::vector<std::int64_t> own;  // this argument's numbers, in the order they were bound
  for (std::size_t i = 0; i < unknowns_.size(); ++i)
    if (unknowns_[i].argument == argument) own.push_back(numbers[i]);
  if (skeleton_[argument].kind == Alternative::Kind::tensor)
    return Tensor(static_cast<DType>(own.front()), Shape(own.begin() + 1, own.end()));
  switch (declared.kind) {
    case ArgumentKind::integer:
      return Scalar::of_int(own.front());
    case ArgumentKind::boolean:
      return Scalar::of_bool(own.front() != 0);
    case ArgumentKind::choice:
      if (std::holds_alternative<std::string>(declared.choices.front())) return words_.word(own.front());
      return Scalar::of_int(own.front());
    case ArgumentKind::integers:
      return Shape(own.begin() + 1, own.begin() + 1 + own.front());
    default:
      return Scalar::of_int(1);
  }
}

}  // namespace scatterproof::spec::solve
