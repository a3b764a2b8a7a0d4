// SPDX-License-Identifier: Apache-2.0
// `site`: what is known, as a folder of pages.
#include "scatterproof/runner/site/site.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "options.hpp"
#include "scatterproof/runner/about/version.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/files/file_lock.hpp"
#include "scatterproof/runner/files/state.hpp"
#include "scatterproof/runner/run/execute.hpp"
#include "session.hpp"

namespace scatterproof::runner::cli {
namespace {

namespace fs = std::filesystem;

struct SiteFlags {
  std::string folder;
  std::string results;  ///< empty: the shipped ones
  std::string keep;
  std::vector<std::string> runs;
  std::vector<std::string> comparisons;
};

/// Loads all that the site is made from, and makes it.
class SiteCommand {
 public:
  SiteCommand(const SiteFlags& flags, const Context& context) : flags_(flags), context_(context) {}

  int execute() {
    handle_interrupts();
    if (spec::Errors errors = load_results(); !errors.empty()) return usage_error(errors);
    if (spec::Errors errors = load_documents(); !errors.empty()) return usage_error(errors);
    work_begins();
    return write();
  }

 private:
  std::string data(const std::string& path) const { return context_.places.data + "/" + path; }

  spec::Errors load_results() {
    auto kept = site::KeptResults::read(flags_.results.empty() ? data("engines/results") : flags_.results);
    if (!kept) return kept.errors();
    kept_ = std::move(kept).value();
    for (const std::string& path : flags_.runs)
      if (spec::Errors errors = kept_.add_run(path); !errors.empty()) return errors;
    for (const std::string& path : flags_.comparisons)
      if (spec::Errors errors = kept_.add_comparison(path); !errors.empty()) return errors;
    return flags_.keep.empty() ? spec::Errors{} : kept_.write(flags_.keep);
  }

  spec::Errors load_documents() {
    auto catalogue = load_catalogue({}, context_.places);
    if (!catalogue) return catalogue.errors();
    catalogue_ = std::make_unique<Catalogue>(std::move(catalogue).value());
    auto families = load_families(context_.places);
    if (!families) return families.errors();
    families_ = std::make_unique<spec::FamilyLibrary>(std::move(families).value());
    auto comparisons = load_comparisons(context_.places, *families_);
    if (!comparisons) return comparisons.errors();
    comparisons_ = std::move(comparisons).value();
    if (fs::exists(data("spec/data/claims"))) {
      auto claims = claims::load_claims(data("spec/data/claims"), catalogue_->specs);
      if (!claims) return claims.errors();
      claims_ = std::move(claims).value();
    }
    auto findings = site::load_findings(data("engines/workers"));
    if (!findings) return findings.errors();
    findings_ = std::move(findings).value();
    auto code = site::load_porting_code(data("runner/site/bridges.yaml"), comparisons_);
    if (!code) return code.errors();
    code_ = std::move(code).value();
    return {};
  }

  static std::string made() {
    return fmt::format("Made by scatterproof {} on {}.", tool_version(), utc_now().substr(0, 10));
  }

  std::string from() const {
    std::vector<std::string> engines;
    for (const site::KeptEngine& one : kept_.all())
      engines.push_back(one.date.empty() ? one.name() : one.name() + " of " + one.date);
    if (engines.empty()) return "No results of engines are kept: the pages show what documents say.";
    return fmt::format("Results of engines: {}.", fmt::join(engines, ", "));
  }

  int write() {
    std::error_code failed;
    fs::create_directories(flags_.folder, failed);
    if (failed)
      return usage_error({{.file = flags_.folder, .what = "cannot make the folder: " + failed.message()}});
    if (reports::Folder::holds_other_files(flags_.folder))
      return usage_error({{.file = flags_.folder,
                           .what = "the folder holds files that are not part of a site",
                           .hint = "name a new folder, or one that holds an earlier site and nothing else"}});
    auto lock = FileLock::take((fs::path(flags_.folder) / reports::Folder::list_of_files).string());
    if (!lock) return usage_error(lock.errors());
    reports::Folder folder(flags_.folder);
    const std::size_t pages = site::write_site(
        folder, {.catalogue = *catalogue_,
                 .families = *families_,
                 .comparisons = comparisons_,
                 .claims = claims_,
                 .findings = findings_,
                 .code = code_,
                 .kept = kept_,
                 .tool_version = tool_version(),
                 .made = made(),
                 .from = from(),
                 .doing = [](const std::string& family) { say("what documents say of " + family + " ..."); },
                 .interrupted = was_interrupted()});
    if (!folder.failed().empty())
      return usage_error({{.file = folder.failed(), .what = "cannot be written"}});
    if (was_interrupted()) {
      say("interrupted: the site is not whole");
      return interrupted;
    }
    fmt::print("{} pages: {}\n", pages, (fs::path(flags_.folder) / "index.html").string());
    return as_expected;
  }

  const SiteFlags& flags_;
  const Context& context_;
  site::KeptResults kept_;
  std::unique_ptr<Catalogue> catalogue_;  ///< claims point to its specs
  std::unique_ptr<spec::FamilyLibrary> families_;
  std::vector<spec::FamilyComparison> comparisons_;  ///< point to families
  std::vector<claims::ClaimFile> claims_;
  std::vector<site::PublishedFinding> findings_;
  site::PortingCode code_;
};

}  // namespace

void add_site(CLI::App& app, Context& context) {
  CLI::App* verb = add_verb(
      app, context,
      {.name = "site",
       .purpose =
           "Write a static site: each API, how to write its calls in other frameworks, findings, claims",
       .examples = {{"scatterproof site public", "from documents and the shipped results"},
                    {"scatterproof site public --run run.jsonl --compare now.json", "with results of today"},
                    {"scatterproof site public --run run.jsonl --keep results",
                     "and keep them, in small files"}},
       .group = "Inspect"});
  auto flags = std::make_shared<SiteFlags>();
  verb->add_option("folder", flags->folder,
                   "Where: a new folder, or one that holds an earlier site and nothing else")
      ->type_name("DIR")
      ->required();
  verb->add_option("--results", flags->results, "Kept results to start from: a folder of --keep")
      ->type_name("FOLDER")
      ->default_str("the shipped ones")
      ->check(existing_path())
      ->group(group::select);
  verb->add_option("--run", flags->runs, "Results of `run --report jsonl=FILE`; repeatable")
      ->type_name("STREAM")
      ->allow_extra_args(false)
      ->check(existing_path())
      ->group(group::select);
  verb->add_option("--compare", flags->comparisons, "Results of `compare --json FILE`; repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->check(existing_path())
      ->group(group::select);
  verb->add_option("--keep", flags->keep,
                   "Write all results that the site is made from, one small file for each engine and release")
      ->type_name("FOLDER")
      ->group(group::report);
  verb->callback([flags, &context] { context.exit_code = SiteCommand(*flags, context).execute(); });
}

}  // namespace scatterproof::runner::cli
