// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/catalogue/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>

#include "recorded_cases.hpp"
#include "scatterproof/runner/catalogue/api_names.hpp"
#include "scatterproof/runner/catalogue/call_notation.hpp"
#include "scatterproof/runner/select/suggest.hpp"

namespace scatterproof::runner {
namespace fs = std::filesystem;
namespace {

bool is_path(const std::string& word) {
  std::error_code ignored;
  return word.ends_with(".yaml") || word.ends_with(".yml") || word.ends_with(".jsonl") ||
         fs::exists(word, ignored);
}

void append(spec::GoodCases& to, spec::GoodCases from) {
  std::ranges::move(from.cases, std::back_inserter(to.cases));
  std::ranges::move(from.errors, std::back_inserter(to.errors));
}

/// A failure was seen on the API that it was saved for.
bool is_regression(const std::string& folder) {
  return fs::path(folder).parent_path().filename() == "regressions";
}

/// The shipped cases, and the failures saved next to them, of the APIs that have specs. The APIs of one spec
/// file share a folder, of the file's name.
std::vector<std::string> shipped_folders(const spec::SpecLibrary& specs, const engines::Places& places) {
  std::set<std::string> folders;
  for (const spec::OpSpec& op : specs.all()) {
    const std::string name = op.row ? fs::path(op.file).stem().string() : op.api;
    for (const std::string& folder : {fmt::format("{}/cases/{}/{}", places.data, op.framework, name),
                                      fmt::format("{}/cases/regressions/{}", places.data, op.api)})
      if (fs::is_directory(folder)) folders.insert(folder);
  }
  return {folders.begin(), folders.end()};
}

/// Records, filters and baselines identify cases by id: each id stands for one case, and none for a formula's
/// proof. Takes out the others.
spec::Errors settle_ids(std::vector<spec::Case>& sorted) {
  spec::Errors errors;
  std::vector<spec::Case> settled;
  for (spec::Case& one : sorted) {
    const bool twice = !settled.empty() && settled.back().id == one.id;
    const bool reserved = one.id.starts_with(one.call.api + "/formula/");
    if (twice)
      errors.push_back(
          {.file = one.file,
           .at = one.at,
           .what = fmt::format("duplicate id {}", one.id),
           .hint = fmt::format("also defined at {}:{}", settled.back().file, settled.back().at.line)});
    if (reserved)
      errors.push_back({.file = one.file,
                        .at = one.at,
                        .what = "ids below formula/ are reserved for the document's formulas",
                        .hint = "choose another id"});
    if (!twice && !reserved) settled.push_back(std::move(one));
  }
  sorted = std::move(settled);
  return errors;
}

/// The cases of the named files and folders together, or the shipped ones; and what is wrong with others.
spec::GoodCases read_cases(const std::vector<std::string>& files, const spec::SpecLibrary& specs,
                           const engines::Places& places) {
  spec::GoodCases read;
  std::set<fs::path> seen;
  const auto budget = std::make_shared<spec::LiteralBudget>();
  for (const std::string& file : files.empty() ? shipped_folders(specs, places) : files) {
    std::error_code ignored;
    if (budget->exhausted()) break;  // that is an error by now
    if (!seen.insert(fs::weakly_canonical(file, ignored)).second) continue;
    if (!fs::exists(file, ignored)) {
      read.errors.push_back(missing_file(file));
      continue;
    }
    spec::GoodCases some =
        file.ends_with(".jsonl") ? recorded_cases(file, specs) : spec::load_good_cases(file, specs, budget);
    if (files.empty() && !is_regression(file)) spec::add_variants(some.cases, specs);
    append(read, std::move(some));
  }
  std::ranges::stable_sort(read.cases, {}, &spec::Case::id);
  append(read, {{}, settle_ids(read.cases)});
  return read;
}

/// Whether what the user named is among the shipped cases, or nothing was named.
bool are_shipped(const std::vector<std::string>& files, const engines::Places& places) {
  std::error_code ignored;
  const fs::path cases = fs::weakly_canonical(places.data + "/cases", ignored);
  return std::ranges::all_of(files, [&](const std::string& file) {
    return *fs::weakly_canonical(file, ignored).lexically_relative(cases).begin() != "..";
  });
}

/// A formula's id as a case, so that one filter serves both.
spec::Case as_case(const FormulaCase& formula) {
  spec::Case one;
  one.id = formula.id;
  return one;
}

/// The formulas of every spec, or, when files were named, of the specs their cases are about.
std::vector<FormulaCase> all_formulas(const spec::SpecLibrary& specs,
                                      const std::vector<spec::Case>* only_of) {
  std::vector<FormulaCase> formulas;
  for (const spec::OpSpec& op : specs.all()) {
    const auto is_about = [&](const spec::Case& one) { return one.call.api == op.api; };
    if (only_of && std::none_of(only_of->begin(), only_of->end(), is_about)) continue;
    for (const spec::Formula& formula : op.formulas)
      formulas.push_back({op.api + "/formula/" + formula.id, &op, &formula});
  }
  return formulas;
}

std::vector<std::string> names_of(const spec::SpecLibrary& specs) {
  std::vector<std::string> names;
  for (const spec::OpSpec& op : specs.all()) names.push_back(op.api);
  return names;
}

/// What the globs, --api, -k and --shard of a selection let through.
class Sieve {
 public:
  static spec::Result<Sieve> make(const CaseSelection& selection, std::vector<std::string> globs) {
    Sieve sieve;
    sieve.globs_ = std::move(globs);
    sieve.apis_ = selection.apis;
    if (!selection.expression.empty()) {
      auto parsed = Filter::parse(selection.expression);
      if (!parsed) return parsed.errors();
      sieve.filter_ = *parsed;
    }
    if (!selection.shard.empty()) {
      auto parsed = Shard::parse(selection.shard);
      if (!parsed) return parsed.errors();
      sieve.shard_ = *parsed;
    }
    return sieve;
  }

  bool narrows() const { return !globs_.empty() || !apis_.empty() || filter_ || shard_.total > 1; }

  bool lets_through(const spec::Case& one) const {
    return is_among(globs_, one.id) && is_among(apis_, one.id.substr(0, one.id.find('/'))) &&
           (!filter_ || filter_->holds(one)) && shard_.has(one.id);
  }

  /// Globs that match none of the ids. An API may be meant too.
  spec::Errors unmatched_among(const std::vector<std::string>& ids, const spec::SpecLibrary& specs) const {
    return unmatched(globs_, ids, "'{}' is not a file and matches no case id",
                     "`scatterproof list` prints every id; * matches anything", names_of(specs));
  }

 private:
  /// Whether no glob is there, or one matches.
  static bool is_among(const std::vector<std::string>& globs, const std::string& name) {
    return globs.empty() || std::ranges::any_of(globs, [&](const auto& g) { return matches_glob(g, name); });
  }

  std::vector<std::string> globs_;
  std::vector<std::string> apis_;  ///< globs too
  std::optional<Filter> filter_;
  Shard shard_;
};

void add_call(const std::string& text, const spec::SpecLibrary& specs, spec::GoodCases& to) {
  auto call = read_call_text(text, specs);
  if (!call) return (void)to.errors.insert(to.errors.end(), call.errors().begin(), call.errors().end());
  spec::Case one;
  one.id = call->api + "/call";
  one.why = "as it was given";
  one.call = std::move(call).value();
  to.cases.push_back(std::move(one));
}

}  // namespace

spec::Result<spec::Call> load_call(const std::string& word, const std::string& option,
                                   const std::string& specs, const engines::Places& places) {
  CaseSelection selection;
  selection.what = {word};
  selection.specs = specs;
  auto catalogue = load_catalogue(selection, places);
  if (!catalogue) return catalogue.errors();
  if (catalogue->cases.size() != 1)
    return spec::Error{.what = fmt::format("'{}' matches {} cases", word, catalogue->cases.size()),
                       .hint = option + " takes the id or the file of one case"};
  return std::move(catalogue->cases.front().call);
}

spec::Errors unmatched_apis(const std::vector<std::string>& globs, const spec::SpecLibrary& specs) {
  return unmatched(globs, names_of(specs), "no API matches '{}'",
                   "`scatterproof spec list` prints every API");
}

spec::Result<spec::SpecLibrary> load_specs(const std::string& folder, const engines::Places& places) {
  return spec::SpecLibrary::load(folder.empty() ? places.data + "/spec/data/ops" : folder);
}

spec::Result<Catalogue> load_catalogue(const CaseSelection& selection, const engines::Places& places,
                                       spec::Errors* bad_cases) {
  std::vector<std::string> files, calls, globs;
  for (const std::string& word : selection.what)
    (is_path(word) ? files : is_call_text(word) ? calls : globs).push_back(word);
  for (std::string& text : calls) text = on_one_line(text);  // as a printed command names it
  auto specs = load_specs(selection.specs, places);
  if (!specs) return specs.errors();
  if (spec::Errors errors = unmatched_apis(selection.apis, *specs); !errors.empty()) return errors;
  for (std::string& glob : globs)
    if (const spec::OpSpec* op = find_api(glob, *specs)) glob = op->api + "/*";
  const auto sieve = Sieve::make(selection, globs);
  if (!sieve) return sieve.errors();
  spec::GoodCases read;
  if (calls.empty() || !files.empty()) read = read_cases(files, *specs, places);
  for (const std::string& text : calls) add_call(text, *specs, read);
  files.insert(files.end(), calls.begin(), calls.end());  // what the user named
  const bool goes_on = bad_cases && !files.empty() && !read.cases.empty();
  if (!read.errors.empty() && !goes_on) return std::move(read.errors);

  Catalogue catalogue{std::move(specs).value(),  {}, {}, files, files.empty() && !sieve->narrows(),
                      are_shipped(files, places)};
  catalogue.formulas = all_formulas(catalogue.specs, files.empty() ? nullptr : &read.cases);
  std::vector<std::string> ids;
  for (const spec::Case& one : read.cases) ids.push_back(one.id);
  for (const FormulaCase& formula : catalogue.formulas) ids.push_back(formula.id);
  if (spec::Errors errors = sieve->unmatched_among(ids, catalogue.specs); !errors.empty()) {
    read.errors.insert(read.errors.end(), errors.begin(),
                       errors.end());  // the case may be among the bad ones
    return std::move(read.errors);
  }
  if (bad_cases) *bad_cases = std::move(read.errors);

  for (spec::Case& one : read.cases)
    if (sieve->lets_through(one)) catalogue.cases.push_back(std::move(one));
  std::erase_if(catalogue.formulas, [&](const FormulaCase& f) { return !sieve->lets_through(as_case(f)); });
  return catalogue;
}

}  // namespace scatterproof::runner
