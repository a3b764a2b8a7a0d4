// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/claims/scripts.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string_view>

#include "scatterproof/runner/snippet/snippet.hpp"
#include "scatterproof/spec/record/engine_name.hpp"

namespace scatterproof::runner::claims {
namespace {

namespace fs = std::filesystem;

spec::Result<std::string> script(const spec::OpSpec& op, const spec::Call& call,
                                 const snippet::ObservedOutcome& seen, const engines::Places& places) {
  const auto syntax = snippet::load_python_syntax(seen.engine.name, places);
  if (!syntax) return syntax.errors();
  return snippet::make_snippet(op, call, *syntax, seen);
}

std::string comment(std::string_view what, const TensorMapping& made) {
  return fmt::format("# {} sizes {} and at each position p the value\n#   {}\n", what, made.sizes->text(),
                     made.each->text());
}

spec::Errors write(const fs::path& path, const spec::Result<std::string>& text) {
  if (!text) return {};
  std::ofstream file(path);
  file << *text;
  file.close();
  if (file) return {};
  return {{.file = path.string(), .what = "cannot write the script"}};
}

}  // namespace

spec::Result<std::string> script_of_a(const CheckedClaim& checked, const ClaimDifference& difference,
                                      const engines::Places& places) {
  const ClaimTrial& witness = difference.witness;
  return script(*checked.claim->a, witness.a,
                {.engine = checked.a, .outcome = witness.outcome_a, .judgement = witness.judgement_a},
                places);
}

namespace {

/// Of a call that the claim prints.
spec::Result<std::string> script_of_printed(const CheckedClaim& checked, const ClaimDifference& difference,
                                            const engines::Places& places) {
  const ClaimTrial& witness = difference.witness;
  const PrintedCall& printed = checked.claim->prints[difference.when.front()];
  const snippet::ObservedOutcome seen{
      .engine = checked.b,
      .outcome = witness.outcome_b,
      .judgement = witness.judgement_b,
      .stands_for = fmt::format("a call that the source of claim {} prints, by which the verdict is",
                                checked.claim->id)};
  const auto text = script(*printed.op, witness.b, seen, places);
  if (!text) return text;
  return *text + fmt::format("# By the source, it gives {}\n",
                             printed.gives ? spec::to_string(*printed.gives) : "an error");
}

}  // namespace

spec::Result<std::string> script_of_b(const CheckedClaim& checked, const ClaimDifference& difference,
                                      const engines::Places& places) {
  if (!checked.claim->prints.empty()) return script_of_printed(checked, difference, places);
  const ClaimTrial& witness = difference.witness;
  const std::string_view how = checked.claim->gives ? "what follows {} (claim {}), whose result it gets"
                                                    : "{} (claim {}), whose document the verdict is by";
  const snippet::ObservedOutcome seen{
      .engine = checked.b,
      .outcome = witness.outcome_b,
      .judgement = witness.judgement_b,
      .stands_for = fmt::format(fmt::runtime(how), spec::to_string(witness.a), checked.claim->id)};
  auto text = script(*checked.claim->b, witness.b, seen, places);
  if (!text) return text;
  std::string more;
  if (const auto& made = checked.claim->result) more = comment("The claim's result has", *made);
  if (const auto& gives = checked.claim->gives) more += comment("By the claim, it has", *gives);
  return *text + more;
}

spec::Errors save_scripts(const std::string& folder, const CheckedClaim& checked,
                          const engines::Places& places) {
  if (checked.differences.empty()) return {};
  const auto plain = [](const std::string& engine) { return spec::without_release(engine); };
  const fs::path own = fs::path(folder) / fmt::format("{}-{}-{}", checked.claim->id, plain(checked.a.name),
                                                      plain(checked.b.name));
  std::error_code failed;
  fs::create_directories(own, failed);
  if (failed) return {{.file = own.string(), .what = "cannot make the folder: " + failed.message()}};
  spec::Errors errors;
  for (std::size_t i = 0; i < checked.differences.size(); ++i)
    for (const bool a : {true, false}) {
      if (a && !checked.claim->prints.empty()) continue;  // it has no A
      const auto text = (a ? script_of_a : script_of_b)(checked, checked.differences[i], places);
      const spec::Errors own_errors = write(own / fmt::format("{}-{}.py", i + 1, a ? 'a' : 'b'), text);
      errors.insert(errors.end(), own_errors.begin(), own_errors.end());
    }
  return errors;
}

}  // namespace scatterproof::runner::claims
