// SPDX-License-Identifier: Apache-2.0
// Numbers are divided into pages, each with its own forms: solving a form costs a thousand times what filling
// one does. Early pages are short, so that a short run sees many forms too.
#include "generator.hpp"

#include <algorithm>
#include <deque>
#include <mutex>

#include "scatterproof/spec/oracle/oracle.hpp"
#include "select.hpp"
#include "values.hpp"

namespace scatterproof::runner::fuzz {
namespace {

using Moulds = std::vector<Mould>;

constexpr std::size_t pages_kept = 8;  // more than arbitrary.hpp draws from
constexpr std::uint64_t draws_a_page = 15;
constexpr std::uint64_t forms_a_draw = 2;
constexpr std::uint64_t forms_a_page = draws_a_page * forms_a_draw;
constexpr std::uint64_t calls_a_form = 8;  // in the first two pages; each further two double it
constexpr std::uint64_t most_doublings = 10;
constexpr std::int64_t one_large_in = 8;  // pages: sizes beyond what vectors and unrolled loops take at once
constexpr spec::FormLimits large{3, 40, 2048};

struct Page {
  std::uint64_t number = 0;
  std::uint64_t end = 0;  ///< the first call beyond it
};

Page page_of(std::uint64_t call) {
  Page page{0, forms_a_page * calls_a_form};
  while (call >= page.end) {
    ++page.number;
    page.end += (forms_a_page * calls_a_form) << std::min(page.number / 2, most_doublings);
  }
  return page;
}

bool multiplies(const spec::OpSpec& spec, const spec::Form& form) {
  return spec::combiner_of(spec, form.call) == spec::Combiner::prod;
}

}  // namespace

class Generator::Pages {
 public:
  Pages(const spec::OpSpec& spec, std::uint64_t seed, Wishes wishes)
      : spec_(spec), seed_(stable_hash(spec.api, seed)), wishes_(std::move(wishes)), small_(spec) {
    if (wishes_.rule.empty() && wishes_.sides == Wishes::Sides::valid) return;
    for (const spec::Rule& rule : spec.rules)
      if ((wishes_.rule.empty() || wishes_.rule == rule.id) && small_.possible(&rule))
        breakable_.push_back(&rule);
  }

  std::optional<Generated> make(std::uint64_t number) {
    const Page page = page_of(number);
    const std::shared_ptr<const Moulds> moulds = moulds_of(page.number);
    if (moulds->empty()) return std::nullopt;
    spec::Dice dice(seed_, number);
    return cast(spec_, (*moulds)[number % moulds->size()], dice);
  }

  const std::vector<const spec::Rule*>& breakable() const { return breakable_; }

 private:
  /// Keeps the last pages asked for: whoever makes calls makes them nearly in order.
  std::shared_ptr<const Moulds> moulds_of(std::uint64_t page) {
    const std::scoped_lock lock(mutex_);
    for (const auto& [number, moulds] : kept_)
      if (number == page) return moulds;
    auto made = std::make_shared<const Moulds>(solve(page));
    if (kept_.size() == pages_kept) kept_.pop_front();
    kept_.emplace_back(page, made);
    return made;
  }

  Moulds solve(std::uint64_t page) {
    std::vector<const spec::Rule*> broken;
    for (std::uint64_t draw = 0; draw < draws_a_page; ++draw)
      broken.push_back(side(page * draws_a_page + draw));
    const bool is_large = page % one_large_in == one_large_in - 1;
    if (is_large && !large_) large_.emplace(spec_, large);
    const spec::FormSolver& solver = is_large ? *large_ : small_;
    spec::Dice dice(~seed_, page);
    std::vector<spec::Form> forms = wishes_.from ? solver.draw_near(*wishes_.from, broken, forms_a_draw, dice)
                                                 : solver.draw(broken, forms_a_draw, dice);
    Moulds moulds;
    for (spec::Form& form : forms) {
      const bool products = multiplies(spec_, form);
      moulds.push_back({std::move(form), products});
    }
    return moulds;
  }

  /// Three draws in five obey every rule; the others break the rules in turn.
  const spec::Rule* side(std::uint64_t draw) const {
    const bool valid = wishes_.rule.empty() && (wishes_.sides == Wishes::Sides::valid || breakable_.empty() ||
                                                (wishes_.sides == Wishes::Sides::both && draw % 5 < 3));
    if (valid || breakable_.empty()) return nullptr;
    const std::uint64_t turn = wishes_.sides == Wishes::Sides::both ? draw / 5 * 2 + draw % 5 - 3 : draw;
    return breakable_[turn % breakable_.size()];
  }

  const spec::OpSpec& spec_;
  std::uint64_t seed_;
  Wishes wishes_;
  const spec::FormSolver small_;
  std::optional<const spec::FormSolver> large_;  ///< once a page asks for it
  std::vector<const spec::Rule*> breakable_;
  std::mutex mutex_;
  std::deque<std::pair<std::uint64_t, std::shared_ptr<const Moulds>>> kept_;
};

std::string_view name(IndexMode mode) {
  constexpr std::string_view names[] = {"uniform",  "permutation", "all-duplicate", "hot",    "sorted",
                                        "boundary", "negative",    "one-bad",       "all-bad"};
  return names[static_cast<std::size_t>(mode)];
}

std::string_view name(DataMode mode) {
  constexpr std::string_view names[] = {"lattice", "real", "special"};
  return names[static_cast<std::size_t>(mode)];
}

Generator::Generator(const spec::OpSpec& spec, std::uint64_t seed, Wishes wishes)
    : pages_(std::make_unique<Pages>(spec, seed, std::move(wishes))) {}
Generator::~Generator() = default;
Generator::Generator(Generator&&) noexcept = default;
std::optional<Generated> Generator::make(std::uint64_t number) { return pages_->make(number); }
const std::vector<const spec::Rule*>& Generator::breakable() const { return pages_->breakable(); }

}  // namespace scatterproof::runner::fuzz
