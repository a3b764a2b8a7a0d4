// SPDX-License-Identifier: Apache-2.0
// Numbers are divided into pages, each with its own solved forms, and pages into sheets, each with its own
// variations of those: solving a form costs a thousand times what filling one does, and varying it ten times.
// Early pages are short, so that a short run sees many solved forms too; late pages reuse the forms of pages
// that were solved. Large calls are each a variation of their own. What an engine keeps between calls shows
// when sizes repeat: some calls have those of the call before.
#include "scatterproof/runner/fuzz/generator.hpp"

#include <algorithm>
#include <mutex>

#include "recent_values.hpp"
#include "scatterproof/runner/fuzz/form_store.hpp"
#include "scatterproof/runner/select/select.hpp"
#include "scatterproof/runner/trial/gradients.hpp"
#include "scatterproof/spec/core/random.hpp"
#include "scatterproof/spec/oracle/oracle.hpp"
#include "scatterproof/spec/solve/variations.hpp"
#include "shares.hpp"
#include "solved_forms.hpp"
#include "turns.hpp"
#include "values.hpp"

namespace scatterproof::runner::fuzz {
namespace {

using CallTemplates = std::vector<CallTemplate>;

struct Place {
  std::uint64_t page = 0;
  std::uint64_t sheet = 0;
};

Place place_of(std::uint64_t call) {
  const PagePlace at = page_place(call);
  const bool is_full = at.page >= most_doublings;
  return {.page = at.page,
          .sheet = at.call / (forms_a_page * (is_full ? calls_a_late_variation : calls_a_variation))};
}

/// From `least` to `most`: the share of those beyond N falls as 1/N.
std::int64_t draw_numel(double least, double most, spec::Dice& dice) {
  return static_cast<std::int64_t>(least / std::max(spec::unit(dice.bits()), least / most));
}

/// The share of those beyond N falls as 1/sqrt(N).
std::int64_t draw_more_evenly(double least, double most, spec::Dice& dice) {
  const double root = spec::unit(dice.bits());
  return static_cast<std::int64_t>(least / std::max(root * root, least / most));
}

/// Half of them need all the room: a counter of 16 bits that overflows shows nowhere else.
std::int64_t draw_largest(spec::Dice& dice) {
  return dice.one_in(2) ? static_cast<std::int64_t>(largest) : draw_numel(usual, largest, dice);
}

/// Of all tensors together.
std::size_t dimensions(const spec::Variations& form) {
  std::size_t count = 0;
  for (const auto& [name, argument] : form.base().call.arguments)
    if (const auto* tensor = std::get_if<spec::Tensor>(&argument)) count += tensor->rank();
  return count;
}

bool multiplies(const spec::OpSpec& spec, const spec::CallForm& form) {
  return spec::combiner_of(spec, form.call) == spec::Combiner::prod;
}

}  // namespace

class Generator::Pages {
 public:
  Pages(const spec::OpSpec& spec, std::uint64_t seed, GenerationOptions wishes)
      : spec_(spec),
        seed_(stable_hash(spec.api, seed)),
        wishes_(std::move(wishes)),
        solved_(spec, stable_hash(spec.base_api(), seed), wishes_) {}

  std::optional<GeneratedCall> make(std::uint64_t number) {
    const std::uint64_t turn = number / wishes_.calls_in_a_row;
    const auto [page, sheet] = of(place_of(turn));
    if (sheet->call_templates.empty()) return std::nullopt;
    spec::Dice dice(seed_, number), form_dice(~seed_, turn);
    const bool in_a_row = wishes_.calls_in_a_row > 1;
    const auto made_of = [&](const CallTemplate& call_template, bool from_front) {
      auto made = instantiate(spec_, call_template, from_front, dice, in_a_row ? form_dice : dice);
      return made && is_offered(made->call) ? std::move(made) : std::nullopt;
    };
    const std::uint64_t of_form = turn > 0 && !in_a_row && dice.one_in(one_repeated_in) ? turn - 1 : turn;
    if (auto form = large_form(*page, of_form, of_form != turn && dice.one_in(2) ? &dice : nullptr))
      if (auto made = made_of(template_of(*std::move(form)), false)) return made;
    for (std::uint64_t k = 0; k < other_casts; ++k)
      // An engine may not count indices from the end: every other one more does without.
      if (auto made = made_of(sheet->call_templates[sheet->turns.form(of_form, k)], k % 2 == 1)) return made;
    return std::nullopt;
  }

  std::vector<const spec::Rule*> breakable() {
    const std::scoped_lock lock(mutex_);
    return solved_.breakable();
  }

 private:
  using Forms = std::vector<spec::Variations>;
  using Sizes = spec::Variations::Sizes;
  /// The solved forms of a page, and the variations of them that a sheet has; and which a call gets.
  struct Page {
    Forms forms;
    std::vector<bool> hopeless;  ///< forms whose calls no engine takes
    Turns turns;
  };
  struct Sheet {
    CallTemplates call_templates;
    Turns turns;
  };

  /// Calls are made nearly in order.
  std::pair<std::shared_ptr<const Page>, std::shared_ptr<const Sheet>> of(const Place& place) {
    const std::scoped_lock lock(mutex_);
    const std::uint64_t solved =
        place.page < solved_pages ? place.page : spec::random(seed_, place.page) % solved_pages;
    auto page = pages_.get(solved, [&] { return solve(solved); });
    auto sheet = sheets_.get({place.page, place.sheet}, [&] { return vary(*page, place); });
    return {std::move(page), std::move(sheet)};
  }

  CallTemplate template_of(spec::CallForm form) const {
    const bool products = multiplies(spec_, form);
    return {.form = std::move(form),
            .products = products,
            .gradients = wishes_.gradients,
            .checks_data = solved_.any_reads_data(),
            .checks_index = solved_.any_compares_index(),
            .may_break = wishes_.rule.empty() && wishes_.sides == GenerationOptions::Sides::both};
  }

  /// Broken calls are few unless a rule, one of the sides, or practice is requested.
  Turns turns_of(const std::vector<const spec::Rule*>& broken) const {
    const bool few =
        !wishes_.practice && wishes_.rule.empty() && wishes_.sides == GenerationOptions::Sides::both;
    return {broken, few, seed_};
  }

  Page solve(std::uint64_t page) {
    std::vector<spec::CallForm> solved = solved_.of_page(page);
    Forms forms;
    std::vector<const spec::Rule*> breaks;
    for (spec::CallForm& form : solved) {
      breaks.push_back(form.broken);
      forms.emplace_back(spec_, std::move(form));
    }
    std::vector<bool> hopeless = hopeless_of(forms, page);
    return {std::move(forms), std::move(hopeless), turns_of(breaks)};
  }

  /// A kernel takes no call of some forms, whatever their dtypes and attributes: it has no such ranks, or
  /// does not check such a rule. To look for one in each sheet would take most of the time.
  std::vector<bool> hopeless_of(const Forms& forms, std::uint64_t page) const {
    std::vector<bool> hopeless(forms.size());
    if (!wishes_.few) return hopeless;
    spec::Dice dice(spec::random(seed_, page), 2);
    for (std::size_t i = 0; i < forms.size(); ++i)
      hopeless[i] =
          !vary(forms[i], {.empty = has_zero_size(forms[i].base().call), .seed = dice.bits()}, dice).offered;
    return hopeless;
  }

  /// The form of the large call with this number; empty when that call is not large. `others`: where its
  /// dtypes and attributes come from instead of the number.
  std::optional<spec::CallForm> large_form(const Page& page, std::uint64_t number, spec::Dice* others) const {
    spec::Dice dice(spec::random(seed_, number), 1);
    const Forms& forms = page.forms;
    const std::size_t first = page.turns.form(number);
    const spec::Rule* broken = forms[first].base().broken;
    if (!dice.one_in(!broken                   ? one_large_in
                     : promises_error(*broken) ? one_large_refused_in
                                               : one_large_open_in))
      return std::nullopt;
    const std::int64_t numel = wishes_.large ? draw_more_evenly(large, largest_on_request, dice)
                               : wishes_.gradients
                                   ? draw_more_evenly(large, double{largest_differentiated}, dice)
                               : dice.one_in(one_largest_in) ? draw_largest(dice)
                                                             : draw_more_evenly(large, usual, dice);
    const bool may_be_empty = dice.one_in(one_empty_in);
    const std::size_t longest = dice.one_in(2) ? first : longest_of(forms, first);
    for (std::uint64_t i = 0; i < other_forms; ++i) {
      const std::size_t at = (longest + i) % forms.size();
      if (page.hopeless[at] || (i > 0 && page.turns.few(at) && !page.turns.few(first))) continue;
      if (auto form = draw(forms[at], {.numel = numel, .empty = may_be_empty, .seed = dice.bits()},
                           others ? *others : dice))
        if (is_offered(form->call) && (may_be_empty || !has_zero_size(form->call))) return form;
    }
    return std::nullopt;
  }

  /// Among the forms that break the same rule as this one, the one with the fewest dimensions: its axes get
  /// longest.
  static std::size_t longest_of(const Forms& forms, std::size_t one) {
    std::size_t longest = one;
    for (std::size_t i = one + 1; i < one + forms.size(); ++i)
      if (const std::size_t at = i % forms.size(); forms[at].base().broken == forms[one].base().broken &&
                                                   dimensions(forms[at]) < dimensions(forms[longest]))
        longest = at;
    return longest;
  }

  bool is_offered(const spec::Call& call) const { return !wishes_.offered || wishes_.offered(call); }
  /// Whether calls of this form are, by the example of one.
  bool is_offered(const spec::CallForm& form, spec::Dice dice) const {
    if (!is_offered(form.call)) return false;
    if (!wishes_.few) return true;  // values decide only where an engine declares its kernels
    const auto made = instantiate(spec_, template_of(form), true, dice, dice);
    return !made || is_offered(made->call);
  }

  struct Varied {
    spec::CallForm form;
    bool offered = false;
    bool poor = false;  ///< better not used if another will do
  };
  /// `empty`: some tensor shall have no elements.
  Varied rated(spec::CallForm form, bool empty, const spec::Dice& dice) const {
    Varied varied{.form = std::move(form)};
    varied.offered = is_offered(varied.form, dice);
    varied.poor = !varied.offered || empty != has_zero_size(varied.form.call);
    return varied;
  }

  /// These forms can break their rule only with an empty tensor. The first sheet of each page therefore keeps
  /// one such call for each such rule, however the others turn out.
  static bool is_kept(const Forms& forms, std::size_t one) {
    const spec::Rule* broken = forms[one].base().broken;
    const auto same = [&](const spec::Variations& form) { return form.base().broken == broken; };
    return broken && std::ranges::find_if(forms, same) - forms.begin() == static_cast<std::ptrdiff_t>(one) &&
           std::ranges::all_of(forms, [&](const spec::Variations& form) {
             return !same(form) || has_zero_size(form.base().call);
           });
  }

  /// In how many templates of a form one shall have no elements. Index values that have no place show what
  /// nothing else does.
  std::int64_t one_empty_of(const spec::CallForm& base) const {
    if (!base.broken || !has_zero_size(base.call)) return one_empty_in;
    const bool index_without_places =
        base.by_values &&
        std::ranges::any_of(base.index, [](const auto& choices) { return !choices.bad.empty(); });
    return index_without_places ? one_kept_without_places_in : one_kept_empty_in;
  }

  Sheet vary(const Page& page, const Place& place) const {
    const Forms& forms = page.forms;
    spec::Dice dice(spec::random(~seed_, place.page), place.sheet);
    CallTemplates call_templates;
    std::vector<const spec::Rule*> breaks;
    Sizes sizes;
    for (std::size_t i = 0; i < forms.size(); ++i) {
      const bool kept = place.sheet == 0 && is_kept(forms, i);
      const bool repeats = i > 0 && !kept && dice.one_in(one_repeated_in);
      if (!repeats)
        sizes = {.numel = dice.one_in(one_sized_in) ? draw_numel(least_sized, most_sized, dice) : 0,
                 .seed = dice.bits()};
      const spec::CallForm& base = forms[i].base();
      const bool empty = kept || dice.one_in(one_empty_of(base));
      sizes.empty = empty;
      Varied chosen = vary(page, repeats ? i - 1 : i, sizes, dice);
      // Some rules are hard to break with elements, and tensors without elements show little.
      for (std::size_t k = 0; k < other_forms && (kept ? !chosen.offered : chosen.poor); ++k) {
        // First those that were solved for the same rule, which follow each other, then any.
        const std::size_t other =
            k < 2 ? (i + 1 + k) % forms.size() : static_cast<std::size_t>(&dice.pick(forms) - forms.data());
        if (k < 2 && forms[other].base().broken != forms[i].base().broken) continue;
        chosen = vary(page, other, sizes, dice);
      }
      if (!chosen.offered) continue;
      call_templates.push_back(template_of(std::move(chosen.form)));
      share_layouts(call_templates.back().form.call);
      breaks.push_back(call_templates.back().form.broken);
    }
    return {std::move(call_templates), turns_of(breaks)};
  }

  /// Many calls are made of this one: those of contiguous tensors share their layouts.
  static void share_layouts(spec::Call& call) {
    for (auto& [name, argument] : call.arguments)
      if (auto* tensor = std::get_if<spec::Tensor>(&argument)) *tensor = tensor->contiguous();
  }

  Varied vary(const Page& page, std::size_t form, const Sizes& sizes, spec::Dice& dice) const {
    if (page.hopeless[form]) return {.form = page.forms[form].base(), .poor = true};
    return vary(page.forms[form], sizes, dice);
  }

  /// The form as it was solved, where no variation comes out.
  Varied vary(const spec::Variations& form, Sizes sizes, spec::Dice& dice) const {
    std::optional<Varied> chosen;
    const int draws = wishes_.offered && !wishes_.few ? draws_for_an_engine : draws_a_variation;
    for (int i = 0; i < draws && !(chosen && !chosen->poor); ++i, sizes.seed = dice.bits())
      if (auto varied = draw(form, sizes, dice)) chosen = rated(*std::move(varied), sizes.empty, dice);
    return chosen ? *std::move(chosen) : rated(form.base(), sizes.empty, dice);
  }

  std::optional<spec::CallForm> draw(const spec::Variations& form, const Sizes& sizes,
                                     spec::Dice& dice) const {
    return wishes_.few ? form.draw(sizes, dice, wishes_.offered) : form.draw(sizes, dice);
  }

  const spec::OpSpec& spec_;
  std::uint64_t seed_;
  GenerationOptions wishes_;
  std::mutex mutex_;
  SolvedForms solved_;
  RecentValues<std::uint64_t, Page, solved_pages> pages_;
  RecentValues<std::pair<std::uint64_t, std::uint64_t>, Sheet, sheets_kept> sheets_;
};

bool has_zero_size(const spec::Call& call) {
  return std::ranges::any_of(call.arguments, [](const auto& argument) {
    const auto* tensor = std::get_if<spec::Tensor>(&argument.second);
    return tensor && tensor->numel() == 0;
  });
}

std::vector<std::string> draw_omitted(const spec::OpSpec& op, const spec::Call& call, std::uint64_t drawn) {
  std::vector<std::string> names = spec::at_default(op, call);
  if (names.empty() || drawn % one_omitting_in != 0) return {};
  const std::uint64_t chosen = 1 + drawn / one_omitting_in % ((std::uint64_t{1} << names.size()) - 1);
  std::size_t bit = 0;
  std::erase_if(names, [&](const std::string&) { return (chosen >> bit++ & 1) == 0; });
  return names;
}

std::string_view name(IndexMode mode) {
  constexpr std::string_view names[] = {"uniform",  "permutation", "all-duplicate", "hot",    "sorted",
                                        "boundary", "negative",    "one-bad",       "all-bad"};
  return names[static_cast<std::size_t>(mode)];
}

std::string_view name(DataMode mode) {
  constexpr std::string_view names[] = {"lattice", "sparse", "few", "real", "special", "wide"};
  return names[static_cast<std::size_t>(mode)];
}

Generator::Generator(const spec::OpSpec& spec, std::uint64_t seed, GenerationOptions wishes)
    : pages_(std::make_unique<Pages>(spec, seed, std::move(wishes))) {}
Generator::~Generator() = default;
Generator::Generator(Generator&&) noexcept = default;
std::optional<GeneratedCall> Generator::make(std::uint64_t number) { return pages_->make(number); }
std::vector<const spec::Rule*> Generator::breakable() const { return pages_->breakable(); }

}  // namespace scatterproof::runner::fuzz
