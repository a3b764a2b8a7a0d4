// SPDX-License-Identifier: Apache-2.0
// `spec list|show|lint`; `coverage` and `documents` have files of their own.
#include "spec.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "options.hpp"
#include "scatterproof/runner/catalogue/spec_text.hpp"
#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/select/suggest.hpp"
#include "scatterproof/spec/family/family.hpp"
#include "scatterproof/spec/oracle/lint.hpp"
#include "scatterproof/spec/solve/solve.hpp"

namespace scatterproof::runner::cli {
namespace {

struct SpecFlags {
  std::vector<std::string> globs;
  std::string folder;
};

int list(const std::vector<const spec::OpSpec*>& specs) {
  for (const spec::OpSpec* op : specs) fmt::print("{:32} {}\n", op->api, op->summary);
  return as_expected;
}

int show(const std::vector<const spec::OpSpec*>& specs) {
  for (const spec::OpSpec* op : specs) fmt::print("{}\n", describe(*op));
  return as_expected;
}

/// The families hold all specs together: they are looked at whichever specs were chosen. How many findings.
std::size_t lint_families(const spec::SpecLibrary& library, const engines::Places& places) {
  const auto families = load_families(places);
  const spec::Errors errors = families ? spec::lint(*families, library) : families.errors();
  if (families)
    for (const spec::Family& family : families->all())
      fmt::print("{:32} {} relations\n", "family " + family.name, family.relations.size());
  print_errors(errors);
  return errors.size();
}

int lint(const std::vector<const spec::OpSpec*>& specs, std::size_t found) {
  for (const spec::OpSpec* op : specs) {
    spec::Errors errors = spec::lint(*op);
    std::ranges::move(spec::lint_rules(*op), std::back_inserter(errors));
    found += errors.size();
    fmt::print("{:32} {}\n", op->api,
               errors.empty() ? fmt::format("{} rules, {} formulas proved, {} doubts", op->rules.size(),
                                            op->formulas.size(), op->doubts.size())
                              : fmt::format("{} findings", errors.size()));
    print_errors(errors);
  }
  return found ? unexpected : as_expected;
}

using Action = std::function<int(const std::vector<const spec::OpSpec*>&, const spec::SpecLibrary&,
                                 const SpecFlags&, Context&)>;

void add_action(CLI::App& parent, Context& context, const VerbText& text, Action action) {
  CLI::App* verb = add_verb(parent, context, text);
  auto flags = std::make_shared<SpecFlags>();
  verb->add_option("api", flags->globs, "APIs or globs on them")->type_name("API")->default_str("all");
  add_specs(*verb, flags->folder);
  verb->callback([flags, action = std::move(action), &context] {
    const auto library = load_specs(flags->folder, context.places);
    if (!library) {
      context.exit_code = usage_error(library.errors());
      return;
    }
    const auto chosen = select_specs(*library, flags->globs);
    context.exit_code = chosen ? action(*chosen, *library, *flags, context) : usage_error(chosen.errors());
  });
}

}  // namespace

spec::Result<std::vector<const spec::OpSpec*>> select_specs(const spec::SpecLibrary& library,
                                                            const std::vector<std::string>& globs) {
  std::vector<const spec::OpSpec*> chosen;
  for (const spec::OpSpec& op : library.all())
    if (globs.empty() ||
        std::any_of(globs.begin(), globs.end(), [&](const auto& g) { return matches_glob(g, op.api); }))
      chosen.push_back(&op);
  if (auto errors = unmatched_apis(globs, library); !errors.empty()) return errors;
  return chosen;
}

void add_spec(CLI::App& app, Context& context) {
  CLI::App* verb = add_verb(
      app, context,
      {.name = "spec",
       .purpose = "Print and check the op specs",
       .examples = {{"scatterproof spec show torch.gather", "what the document says, as it is executed"},
                    {"scatterproof spec lint", "check every spec"}},
       .group = "Inspect"});
  verb->require_subcommand(1);
  add_action(*verb, context,
             {.name = "list",
              .purpose = "Print every API that has a spec, one per line",
              .examples = {{"scatterproof spec list", "all of them"},
                           {"scatterproof spec list 'onnx.*'", "those of one framework"}}},
             [](const auto& specs, const auto&, const auto&, Context&) { return list(specs); });
  add_action(*verb, context,
             {.name = "show",
              .purpose = "Print rules, meaning, formulas and doubts in words",
              .examples = {{"scatterproof spec show torch.gather", "one spec"},
                           {"scatterproof spec show 'torch.*' | less", "all specs of one framework"}}},
             [](const auto& specs, const auto&, const auto&, Context&) { return show(specs); });
  add_action(*verb, context,
             {.name = "lint",
              .purpose = "Check specs and families: formulas against meanings, doubts, rules",
              .examples = {{"scatterproof spec lint", "every spec and family"},
                           {"scatterproof spec lint mine.op --specs my-specs", "a spec of your own"}}},
             [](const auto& specs, const spec::SpecLibrary& library, const auto&, Context& c) {
               return lint(specs, lint_families(library, c.places));
             });
  add_spec_coverage(*verb, context);
  add_spec_documents(*verb, context);
}

}  // namespace scatterproof::runner::cli
