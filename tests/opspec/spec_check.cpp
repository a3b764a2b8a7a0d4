// SPDX-License-Identifier: Apache-2.0
// spec_check SPEC-FOLDER [CASE-FILE...]: every error of specs and cases, proofs of formulas, doubts, rule
// coverage.
// `-q` leaves the proofs out.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "scatterproof/spec/coverage.hpp"
#include "scatterproof/spec/doubt.hpp"
#include "scatterproof/spec/oracle.hpp"

using namespace scatterproof::spec;

namespace {

int errors_seen = 0;

void print(const Errors& errors) {
  fmt::print("{}", to_string(errors));
  errors_seen += static_cast<int>(errors.size());
}

/// The specs that load; the errors of the others are printed.
SpecLibrary load_specs(const std::string& folder) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path().string());
  std::ranges::sort(paths);
  std::vector<OpSpec> specs;
  for (const std::string& path : paths) {
    auto loaded = load_op_spec(path);
    if (loaded)
      specs.push_back(std::move(loaded).value());
    else
      print(loaded.errors());
  }
  return SpecLibrary(std::move(specs));
}

void prove_all(const OpSpec& spec) {
  for (const Formula& formula : spec.formulas) {
    const auto begin = std::chrono::steady_clock::now();
    const ProofResult proof = prove(spec, formula);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    fmt::print("{} formula {}: {} on {} calls ({} write), {}{}, {:.2f} s\n", spec.api, formula.id,
               proof.proved()  ? "proved"
               : formula.wrong ? "differs, as marked"
                               : "NOT PROVED",
               proof.calls, proof.writing, proof.bounds, proof.exhaustive ? "" : ", sampled", took.count());
    if (!proof.proved()) fmt::print("    {}\n", proof.disagreement);
    if (proof.counterexample) fmt::print("    {}\n", to_string(*proof.counterexample));
    if (proof.proved() == formula.wrong) ++errors_seen;
  }
  for (const Doubt& doubt : spec.doubts) {
    fmt::print("{} doubt {}: {}\n", spec.api, doubt.id, doubt.about);
    const std::vector<ClaimResult> results = run_doubt(spec, doubt);
    for (const ClaimResult& claim : results) fmt::print("    - {}\n      {}\n", claim.says, claim.text);
  }
}

void check_cases(const SpecLibrary& specs, const std::vector<std::string>& paths) {
  std::vector<Case> cases;
  for (const std::string& path : paths) {
    const auto loaded = load_cases(path, specs);
    if (!loaded)
      print(loaded.errors());
    else
      cases.insert(cases.end(), loaded->begin(), loaded->end());
  }
  for (const Case& one : cases) {
    const auto expectation = expect(*specs.find(one.call.api), one.call);
    if (!expectation) fmt::print("{}:{}: {}\n", one.file, one.at.line, one.id), print(expectation.errors());
  }
  for (const OpSpec& spec : specs.all()) {
    const auto ours = [&](const Case& one) { return one.call.api == spec.api; };
    if (std::ranges::none_of(cases, ours)) continue;
    Errors problems;
    const std::vector<RuleCoverage> rules = coverage(spec, cases, problems);
    print(problems);
    std::vector<std::string> missing;
    for (const RuleCoverage& rule : rules) {
      if (rule.obeys.empty()) missing.push_back(rule.rule + "/obeys");
      if (rule.breaks.empty()) missing.push_back(rule.rule + "/breaks");
    }
    fmt::print("{}: {} cases, {} rules, missing: {}\n", spec.api, std::ranges::count_if(cases, ours),
               rules.size(), missing.empty() ? "none" : fmt::format("{}", fmt::join(missing, " ")));
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const bool quick = std::erase(words, "-q") > 0;
  if (words.empty()) {
    fmt::print("usage: spec_check [-q] SPEC-FOLDER [CASE-FILE...]\n");
    return 4;
  }
  const SpecLibrary specs = load_specs(words.front());
  for (const OpSpec& spec : specs.all())
    if (!quick) print(lint(spec)), prove_all(spec);
  check_cases(specs, {words.begin() + 1, words.end()});
  fmt::print("{} specs, {} problems\n", specs.all().size(), errors_seen);
  return errors_seen == 0 ? 0 : 1;
}
