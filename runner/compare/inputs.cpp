// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/compare/inputs.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <map>
#include <numeric>
#include <ranges>
#include <set>

#include "scatterproof/runner/compare/readings.hpp"
#include "scatterproof/runner/fuzz/generator.hpp"
#include "scatterproof/runner/shrink/shrink.hpp"
#include "scatterproof/spec/core/cores.hpp"

namespace scatterproof::runner::compare {
namespace {

/// What a member reads in a way of its own is read in the family's way.
void forget_policies(const spec::Family& family, spec::FamilyCall& said) {
  for (std::size_t i = 0; i < family.roles.size(); ++i)
    if (family.roles[i].policy) said.values[i] = *family.roles[i].fallback;
}

/// Whether two of the tensors share a storage: an API that writes one of them would show only that.
bool shares_storage(const spec::FamilyCall& said) {
  std::set<const void*> storages;
  for (const spec::Argument& value : said.values)
    if (const auto* tensor = std::get_if<spec::Tensor>(&value))
      if (!storages.insert(tensor->shared_storage().get()).second) return true;
  return false;
}

/// The input made plainer in steps, each `fit` after the one before, until it is `enough`; empty: it never
/// is.
template <typename Fit, typename Enough>
std::optional<Input> plainer(const spec::FamilyComparison& comparison, const Input& from, Fit fit,
                             Enough enough) {
  std::optional<Input> found;
  Input now = from;
  const auto keeps = [&](std::span<const spec::Call> candidates) {
    std::vector<bool> keep;
    for (const spec::Call& call : candidates) {
      spec::FamilyCall said = as_said(comparison, call);
      const bool fits = !found && result_fits(comparison, said);
      Input next = fits ? classified(comparison, std::move(said)) : Input{};
      keep.push_back(fits && fit(now, next));
      if (!keep.back()) continue;
      now = std::move(next);
      if (enough(now)) found = now;
    }
    return keep;
  };
  const shrink::Limits limits{
      .seconds = 3600, .candidates = 400, .batch = 1};  // by number: the same each time
  shrink::shrink(comparison.meaning, as_call(comparison, from.said), keeps, limits);
  return found;
}

bool can_say(const spec::FamilyComparison& comparison, const spec::OpSpec& spec, const Input& input) {
  return std::holds_alternative<spec::Call>(spec::say(*comparison.family, spec, input.said));
}

/// Made from an input that is in several classes: taken out of these, and into no other, until it is in the
/// wanted one alone. What `speaker`, if there is one, can express, it still can.
std::optional<Input> alone(const spec::FamilyComparison& comparison, const Input& mixed, std::size_t wanted,
                           const spec::OpSpec* speaker = nullptr) {
  return plainer(
      comparison, mixed,
      [&](const Input& now, const Input& next) {
        return std::ranges::binary_search(next.classes, wanted) &&
               std::ranges::includes(now.classes, next.classes) &&
               (!speaker || can_say(comparison, *speaker, next));
      },
      [](const Input& now) { return now.classes.size() == 1; });
}

/// A small input of the same classes, with values that are as they were.
std::optional<Input> small_twin(const spec::FamilyComparison& comparison, const Input& large) {
  return plainer(
      comparison, large, [](const Input& now, const Input& next) { return now.classes == next.classes; },
      [](const Input& now) { return is_small(now.said); });
}

/// The places of a list, each far from those just before it: by their bits in reverse.
std::vector<std::size_t> scattered(std::size_t count) {
  const auto reversed = [](std::size_t place) {
    double sum = 0;
    for (double bit = 0.5; place > 0; place /= 2, bit /= 2) sum += bit * static_cast<double>(place % 2);
    return sum;
  };
  std::vector<std::size_t> places(count);
  std::iota(places.begin(), places.end(), 0);
  std::ranges::sort(places, {}, reversed);
  return places;
}

/// The inputs of a comparison, and others from which those of rare classes are made.
class InputDraw {
 public:
  InputDraw(const spec::FamilyComparison& comparison, const InputWishes& wishes)
      : comparison_(comparison), wishes_(wishes), mixed_(comparison.classes.size()) {}

  /// Calls with these numbers; `missed`: only those in classes that no input is in alone. False: interrupted.
  bool draw(std::span<const spec::OpSpec* const> specs, std::uint64_t begin, std::uint64_t end, bool missed) {
    const std::vector<std::size_t> have = in_class();
    std::vector<std::vector<Input>> drawn(specs.size());
    std::atomic<std::size_t> next{0};
    const auto draw_some = [&] {
      for (std::size_t i = next++; i < specs.size(); i = next++)
        drawn[i] = drawn_of(*specs[i], begin, end, missed ? &have : nullptr);
    };
    std::vector<std::future<void>> threads;
    for (std::size_t i = 0; i < std::min(specs.size(), static_cast<std::size_t>(spec::cores())); ++i)
      threads.push_back(std::async(std::launch::async, draw_some));
    for (auto& thread : threads) thread.get();
    for (std::vector<Input>& of_spec : drawn) {
      std::map<std::vector<std::size_t>, std::size_t> kept;
      for (Input& one : of_spec) take(std::move(one), kept);
    }
    return !is_interrupted();
  }

  /// Makes more inputs of the classes that contain few alone, and one for each API that can express none of
  /// them.
  void fill_classes(std::span<const spec::OpSpec* const> specs) {
    std::vector<std::size_t> have = in_class();
    for (std::size_t c = 0; c < have.size(); ++c) {
      if (wishes_.progress) wishes_.progress("looking for calls in " + comparison_.classes[c].id + " alone");
      std::ranges::stable_sort(mixed_[c], {}, [](const Input& one) { return one.classes.size(); });
      for (const Input& one : mixed_[c]) {
        if (have[c] >= wishes_.alike / 3) break;
        if (auto input = alone(comparison_, one, c)) {
          inputs_.push_back(*std::move(input));
          ++have[c];
        }
      }
      for (const spec::OpSpec* spec : specs) fill_class_of(c, *spec);
      mixed_[c].clear();
    }
  }

  /// Makes small inputs of large ones, some for each API and class, so that what is seen is seen of them too.
  void add_small_twins() {
    if (wishes_.progress) wishes_.progress("making large calls small");
    for (const Input& one : large_)
      if (auto input = small_twin(comparison_, one)) inputs_.push_back(*std::move(input));
    large_.clear();
  }

  bool misses_a_class() const { return std::ranges::count(in_class(), 0U) != 0; }

  /// In rounds, of the same classes one in each: who asks no more has seen something of all. The first is a
  /// small one, as a member that crashes is not asked much more; the next ones differ much in size, which
  /// soon shows whatever a member does. Pairs come last.
  std::vector<Input> take_inputs() {
    std::map<std::vector<std::size_t>, std::vector<Input>> alike;
    for (Input& one : inputs_) alike[one.classes].push_back(std::move(one));
    std::map<std::pair<bool, std::size_t>, std::vector<Input>> rounds;
    for (auto& [classes, all] : alike) {
      std::ranges::stable_sort(all, {}, [](const Input& one) { return elements_of(one.said); });
      std::size_t round = 0;
      for (const std::size_t at : scattered(all.size()))
        rounds[{classes.size() > 1, round++}].push_back(std::move(all[at]));
    }
    inputs_.clear();
    for (auto& [_, all] : rounds) std::ranges::move(all, std::back_inserter(inputs_));
    return std::move(inputs_);
  }

 private:
  static constexpr int most_tried = 4;  ///< mixed inputs, to make one of a class for an API

  bool is_interrupted() const { return wishes_.interrupted && *wishes_.interrupted; }

  /// The inputs of one API's calls, without those that `take` would not keep. Several threads do this at
  /// once.
  std::vector<Input> drawn_of(const spec::OpSpec& spec, std::uint64_t begin, std::uint64_t end,
                              const std::vector<std::size_t>* missing) const {
    if (wishes_.progress) wishes_.progress("drawing calls of " + spec.api);
    fuzz::GenerationOptions wishes{.practice = true,
                                   .store = wishes_.store};  // documents differ most in what breaks a rule
    if (missing) wishes.offered = [&](const spec::Call& call) { return in_missed(*missing, spec, call); };
    fuzz::Generator generator(spec, wishes_.seed, std::move(wishes));
    std::map<std::vector<std::size_t>, std::size_t> alike;
    std::vector<Input> drawn;
    for (std::uint64_t number = begin; number < end && !is_interrupted(); ++number) {
      const auto made = generator.make(number);
      auto input = made ? input_of(spec, made->call) : std::nullopt;
      if (!input) continue;
      const std::size_t most = input->classes.size() <= 1 ? wishes_.alike : wishes_.both > 0 ? end : 1;
      if (++alike[input->classes] <= most) drawn.push_back(*std::move(input));
    }
    return drawn;
  }

  /// Empty: the family does not say such a call, it is too large, or it shows something else.
  std::optional<Input> input_of(const spec::OpSpec& spec, const spec::Call& call) const {
    auto said = spec::family_call_of(*comparison_.family, spec, call);
    auto* what = std::get_if<spec::FamilyCall>(&said);
    if (!what || elements_of(*what) > wishes_.elements || shares_storage(*what)) return std::nullopt;
    forget_policies(*comparison_.family, *what);
    if (!result_fits(comparison_, *what)) return std::nullopt;
    return classified(comparison_, std::move(*what));
  }

  /// Whether a call is in a class that has no input.
  bool in_missed(const std::vector<std::size_t>& have, const spec::OpSpec& spec,
                 const spec::Call& call) const {
    const auto input = input_of(spec, call);
    return input && std::ranges::any_of(input->classes, [&](std::size_t c) { return have[c] == 0; });
  }

  /// Where this API can say no input that is in the class alone, one is made of those that it can say.
  void fill_class_of(std::size_t c, const spec::OpSpec& spec) {
    const auto is_said = [&](const Input& one) { return can_say(comparison_, spec, one); };
    if (std::ranges::any_of(inputs_, [&](const Input& one) {
          return one.classes.size() == 1 && one.classes.front() == c && is_said(one);
        }))
      return;
    for (const Input& one : mixed_[c] | std::views::filter(is_said) | std::views::take(most_tried))
      if (auto input = alone(comparison_, one, c, &spec)) return inputs_.push_back(*std::move(input));
  }

  /// How many inputs are in each class alone.
  std::vector<std::size_t> in_class() const {
    std::vector<std::size_t> have(comparison_.classes.size());
    for (const Input& input : inputs_)
      if (input.classes.size() == 1) ++have[input.classes.front()];
    return have;
  }

  void take(Input input, std::map<std::vector<std::size_t>, std::size_t>& kept) {
    const std::size_t alike = ++kept[input.classes];
    if (input.classes.size() > 1 && alike == 1)
      for (const std::size_t c : input.classes) mixed_[c].push_back(input);
    if (is_wanted_pair(input.classes)) return inputs_.push_back(std::move(input));
    if (input.classes.size() > 1 || alike > wishes_.alike) return;
    if (!is_small(input.said) && alike <= wishes_.alike / 6) large_.push_back(input);
    inputs_.push_back(std::move(input));
  }

  /// Not two that are both about some element of the index: they hold for different elements, and each is
  /// interpreted in its own way.
  bool is_wanted_pair(const std::vector<std::size_t>& classes) {
    if (classes.size() != 2) return false;
    if (std::ranges::all_of(classes, [&](std::size_t c) { return comparison_.classes[c].some != nullptr; }))
      return false;
    return in_both_[classes]++ < wishes_.both;
  }

  const spec::FamilyComparison& comparison_;
  const InputWishes& wishes_;
  std::vector<Input> inputs_;
  std::map<std::vector<std::size_t>, std::size_t> in_both_;  ///< inputs in two classes
  std::vector<Input> large_;                                 ///< those to make small ones from
  std::vector<std::vector<Input>> mixed_;                    ///< by class
};

}  // namespace

std::int64_t elements_of(const spec::FamilyCall& said) {
  std::int64_t elements = 0;
  for (const spec::Argument& value : said.values)
    if (const auto* tensor = std::get_if<spec::Tensor>(&value)) elements += tensor->numel();
  return elements;
}

bool is_small(const spec::FamilyCall& said) {
  return std::ranges::all_of(said.values, [](const spec::Argument& value) {
    const auto* tensor = std::get_if<spec::Tensor>(&value);
    return !tensor || tensor->numel() <= 4;
  });
}

std::vector<Input> draw_inputs(const spec::FamilyComparison& comparison,
                               std::span<const spec::OpSpec* const> specs, const InputWishes& wishes) {
  InputDraw draw(comparison, wishes);
  const auto round = [&](std::uint64_t begin, std::uint64_t end, bool missed) {
    if (!draw.draw(specs, begin, end, missed)) return;
    draw.fill_classes(specs);
    draw.add_small_twins();
  };
  round(0, wishes.calls, false);
  if (draw.misses_a_class()) round(wishes.calls, 2 * wishes.calls, false);
  if (draw.misses_a_class()) round(0, wishes.calls, true);
  return draw.take_inputs();
}

}  // namespace scatterproof::runner::compare
