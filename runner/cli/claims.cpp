// SPDX-License-Identifier: Apache-2.0
// `claims`: published claims that two calls mean the same, verified by execution.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "options.hpp"
#include "scatterproof/runner/about/version.hpp"
#include "scatterproof/runner/claims/scorecard.hpp"
#include "scatterproof/runner/claims/scripts.hpp"
#include "scatterproof/runner/files/state.hpp"
#include "scatterproof/runner/select/select.hpp"
#include "scatterproof/runner/select/suggest.hpp"
#include "scatterproof/spec/core/shell_word.hpp"
#include "scatterproof/spec/record/engine_name.hpp"
#include "session.hpp"

namespace scatterproof::runner::cli {
namespace {

struct ClaimsFlags {
  SessionFlags session;
  std::vector<std::string> globs;
  std::string folder;  ///< of claims; empty: the shipped ones
  std::string json;
  std::string markdown;
  std::string scripts;
  std::uint64_t calls = 1000;
  std::uint64_t seed = 1;
  double shrink_seconds = 5;
};

class ClaimsCommand {
 public:
  ClaimsCommand(const ClaimsFlags& flags, const Context& context)
      : flags_(flags), context_(context), session_(flags.session, context) {}

  int execute() {
    handle_interrupts();
    if (const int code = load(); code != as_expected) return code;
    if (const int code = session_.open_engines(catalogue_->specs, usual_engines()); code != as_expected)
      return code;
    work_begins();
    claims::Scorecard card{.files = files_,
                           .checked = {},
                           .chosen = chosen_,
                           .date = utc_now().substr(0, 10),
                           .command = command(),
                           .engines = {},
                           .interrupted = false};
    for (const claims::MappingClaim* claim : chosen_)
      if (!claim->prints.empty())
        check_prints(*claim, card);
      else if (claim->because.empty())
        check_on_engines(*claim, card);
    card.interrupted = was_interrupted();
    session_.progress().finish();
    stop(session_.engines());
    fmt::print("{}", claims::console(card));
    return finish(card);
  }

 private:
  int load() {
    CaseSelection selection;
    selection.specs = flags_.session.specs;
    auto catalogue = load_catalogue(selection, context_.places);
    if (!catalogue) return usage_error(catalogue.errors());
    catalogue_ = std::make_unique<Catalogue>(std::move(catalogue).value());
    const std::string shipped = context_.places.data + "/spec/data/claims";
    auto files = claims::load_claims(flags_.folder.empty() ? shipped : flags_.folder, catalogue_->specs);
    if (!files) return usage_error(files.errors());
    files_ = std::move(files).value();
    if (const int code = choose(); code != as_expected) return code;
    return load_comparisons();
  }

  /// Of the families in which calls of the chosen claims are said.
  int load_comparisons() {
    auto families = load_families(context_.places);
    if (!families) return usage_error(families.errors());
    families_ = std::make_unique<spec::FamilyLibrary>(std::move(families).value());
    for (const claims::MappingClaim* claim : chosen_) {
      const spec::Family* family = claim->a ? families_->said_in(*claim->a) : nullptr;
      if (!family || comparisons_.contains(family)) continue;
      auto comparison = load_comparison(context_.places, *families_, *family);
      if (!comparison) return usage_error(comparison.errors());
      comparisons_.emplace(family, std::move(comparison).value());
    }
    return as_expected;
  }

  int choose() {
    std::vector<std::string> ids;
    for (const claims::ClaimFile& file : files_)
      for (const claims::MappingClaim& claim : file.claims) {
        ids.push_back(claim.id);
        if (flags_.globs.empty() || std::ranges::any_of(flags_.globs, [&](const std::string& glob) {
              return matches_glob(glob, claim.id);
            }))
          chosen_.push_back(&claim);
      }
    const spec::Errors errors = unmatched(flags_.globs, ids, "no claim is called '{}'",
                                          "spec/data/claims lists them; * matches anything");
    return errors.empty() ? static_cast<int>(as_expected) : usage_error(errors);
  }

  /// The frameworks that are installed, and their forms that chosen claims are about.
  std::vector<std::string> usual_engines() const {
    std::vector<std::string> names = installed_frameworks(context_.places);
    std::set<std::string> forms;
    for (const claims::MappingClaim* claim : chosen_)
      for (const std::string& name : names)
        if (!claim->form.empty() && spec::without_release(name) == claim->a->framework)
          forms.insert(spec::with_form(name, claim->form));
    names.insert(names.end(), forms.begin(), forms.end());
    return names;
  }

  static bool is_usual(const engines::Engine& engine) {
    return spec::without_form(engine.info().name) == engine.info().name;
  }

  /// A framework in its usual form; or, of a claim about another form, that form of A's engine.
  static bool is_pair(const claims::MappingClaim& claim, const engines::Engine& a, const engines::Engine& b) {
    if (!claims::offers(a, *claim.a) || !claims::offers(b, *claim.b) || !is_usual(a)) return false;
    return claim.form.empty() ? is_usual(b) : b.info().name == spec::with_form(a.info().name, claim.form);
  }

  /// On each engine that offers one of the APIs whose calls are printed.
  void check_prints(const claims::MappingClaim& claim, claims::Scorecard& card) {
    for (const auto& engine : session_.engines()) {
      const auto is_offered = [&](const auto& one) { return claims::offers(*engine, *one.op); };
      if (was_interrupted() || !is_usual(*engine) || std::ranges::none_of(claim.prints, is_offered)) continue;
      session_.progress().doing(fmt::format("{} on {}", claim.id, engine->info().name));
      card.checked.push_back(claims::check_printed(
          claim, *engine,
          {.cases = {}, .timeout = session_.execute_options().timeout, .interrupted = was_interrupted()}));
      used_.insert(engine->info().name);
    }
  }

  /// On each pair of engines that offer its two APIs.
  void check_on_engines(const claims::MappingClaim& claim, claims::Scorecard& card) {
    std::vector<spec::Call> cases;
    for (const spec::Case& one : catalogue_->cases)
      if (one.call.api == claim.a->api) cases.push_back(one.call);
    const ExecuteOptions options = session_.execute_options();
    const auto comparison = comparisons_.find(families_->said_in(*claim.a));
    for (const auto& a : session_.engines())
      for (const auto& b : session_.engines()) {
        if (was_interrupted() || !is_pair(claim, *a, *b)) continue;
        session_.progress().doing(fmt::format("{} on {}", claim.id, b->info().name));
        card.checked.push_back(
            claims::check(claim, *a, *b,
                          {.comparison = comparison != comparisons_.end() ? &comparison->second : nullptr,
                           .cases = cases,
                           .seed = flags_.seed,
                           .calls = flags_.calls,
                           .timeout = options.timeout,
                           .shrink_seconds = flags_.shrink_seconds,
                           .interrupted = was_interrupted()}));
        used_.insert(a->info().name);
        used_.insert(b->info().name);
      }
  }

  std::string command() const {
    std::string text = "scatterproof claims";
    for (const std::string& glob : flags_.globs) text += " " + spec::shell_word(glob);
    return text + fmt::format(" --cases {} --seed {}", flags_.calls, flags_.seed);
  }

  int finish(claims::Scorecard& card) {
    card.engines.assign(used_.begin(), used_.end());
    spec::Errors errors = write_file(flags_.json, [&] { return claims::json(card, context_.places); });
    for (spec::Error& error : write_file(flags_.markdown, [&] { return claims::markdown(card); }))
      errors.push_back(std::move(error));
    for (const claims::CheckedClaim& one : card.checked)
      if (!flags_.scripts.empty())
        for (spec::Error& error : claims::save_scripts(flags_.scripts, one, context_.places))
          errors.push_back(std::move(error));
    print_errors(errors);
    return exit_code({.errors = !errors.empty(),
                      .unexpected = !std::ranges::all_of(card.checked, claims::is_as_recorded),
                      .anything = std::ranges::any_of(card.checked, claims::was_run)});
  }

  const ClaimsFlags& flags_;
  const Context& context_;
  RunSession session_;
  std::unique_ptr<Catalogue> catalogue_;  ///< claims point to its specs
  std::unique_ptr<spec::FamilyLibrary> families_;
  std::map<const spec::Family*, spec::FamilyComparison> comparisons_;  ///< point to families
  std::vector<claims::ClaimFile> files_;
  std::vector<const claims::MappingClaim*> chosen_;
  std::set<std::string> used_;
};

}  // namespace

void add_claims(CLI::App& app, Context& context) {
  CLI::App* verb = add_verb(
      app, context,
      {.name = "claims",
       .purpose = "Verify by execution what vendors claim about each other's calls",
       .examples = {{"scatterproof claims 'PD-*' -e torch -e paddle", "Paddle's claims about torch"},
                    {"scatterproof claims PD-01 --scripts shown", "save two scripts for each difference"}},
       .group = "Test"});
  auto flags = std::make_shared<ClaimsFlags>();
  verb->add_option("claim", flags->globs, "Ids of claims, or globs on them")
      ->type_name("CLAIM")
      ->default_str("every shipped claim");
  verb->add_option("--claims", flags->folder, "Read the claims from this folder")
      ->type_name("FOLDER")
      ->default_str("the shipped claims")
      ->check(existing_path())
      ->group(group::select);
  add_specs(*verb, flags->session.specs);
  add_number(*verb, "--cases", flags->calls, 1, "How many calls to generate for each claim")
      ->default_str("1000")
      ->group(group::generate);
  add_number(*verb, "--seed", flags->seed, 0, "Determines the calls")
      ->default_str("1")
      ->group(group::generate);
  add_execution(*verb, flags->session, "all frameworks that are installed");
  constexpr double a_day = 86400;
  add_duration(*verb, "--shrink-time", flags->shrink_seconds, a_day, "Longest time to shrink one witness")
      ->default_str("5s")
      ->group(group::judge);
  verb->add_option("--json", flags->json, "Write everything that was found")
      ->type_name("FILE")
      ->group(group::report);
  verb->add_option("--markdown", flags->markdown,
                   "Write the scorecard as a page; `site` has pages of all claims")
      ->type_name("FILE")
      ->group(group::report);
  verb->add_option("--scripts", flags->scripts, "Save the two scripts of each difference in this folder")
      ->type_name("FOLDER")
      ->group(group::report);
  verb->callback([flags, &context] { context.exit_code = ClaimsCommand(*flags, context).execute(); });
}

}  // namespace scatterproof::runner::cli
