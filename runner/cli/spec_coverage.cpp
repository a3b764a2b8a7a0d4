// SPDX-License-Identifier: Apache-2.0
// Which rules have cases on both sides, what the document promises of breaking them, and what engines do.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "options.hpp"
#include "scatterproof/reports/practice.hpp"
#include "scatterproof/runner/run/execute.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/cases/coverage.hpp"
#include "scatterproof/spec/oracle/rules.hpp"
#include "session.hpp"
#include "spec.hpp"

namespace scatterproof::runner::cli {
namespace {

struct CoverageFlags {
  std::vector<std::string> globs;
  std::string specs;
  SessionFlags session;  ///< its engines
};

class Coverage {
 public:
  Coverage(const CoverageFlags& flags, const Context& context)
      : flags_(flags), context_(context), session_(flags.session, context) {}

  int execute() {
    CaseSelection everything;
    everything.specs = flags_.specs;
    auto loaded = load_catalogue(everything, context_.places);
    if (!loaded) return usage_error(loaded.errors());
    Catalogue catalogue = std::move(loaded).value();
    const auto chosen = select_specs(catalogue.specs, flags_.globs);
    if (!chosen) return usage_error(chosen.errors());
    std::vector<Rows> rows;
    for (const spec::OpSpec* op : *chosen) rows.push_back(spec::coverage(*op, catalogue.cases, problems_));
    if (!flags_.session.engines.empty()) {
      std::erase_if(catalogue.cases, [&](const spec::Case& one) {
        return !one.breaks || std::ranges::find(*chosen, one.call.api, &spec::OpSpec::api) == chosen->end();
      });
      if (const int code = ask_engines(catalogue); code != as_expected) return code;
    }
    bool gaps = false;
    for (std::size_t i = 0; i < rows.size(); ++i) gaps |= print(*(*chosen)[i], rows[i]);
    stop(session_.engines());
    print_errors(problems_);
    return gaps || !problems_.empty() ? unexpected : as_expected;
  }

 private:
  using Rows = std::vector<spec::RuleCoverage>;

  int ask_engines(const Catalogue& breaking) {
    if (const int code = session_.open_engines(breaking.specs, false); code != as_expected) return code;
    ExecuteOptions options = session_.execute_options();
    options.judged = [this](const spec::Record& record) { reports::add(record, practices_); };
    const RunResult executed = runner::execute(breaking, session_.engines(), session_.baseline(), options);
    return executed.errors.empty() ? static_cast<int>(as_expected) : usage_error(executed.errors);
  }

  /// Whether the rule holds for the newest release on a CPU, or for an engine that was named.
  bool is_applicable(const spec::OpSpec& op, const spec::Rule& rule) const {
    if (session_.engines().empty()) return spec::holds_for(rule.applies, op, {});
    return std::ranges::any_of(session_.engines(), [&](const auto& engine) {
      return spec::holds_for(rule.applies, op, target_of(op, engine->info()));
    });
  }

  /// A line for each spec; every rule of specs asked for by name, and with engines. Returns whether a side
  /// has no case.
  bool print(const spec::OpSpec& op, const Rows& rows) {
    std::vector<std::string> gaps, elsewhere;
    std::size_t applicable = 0, promised = 0;
    for (const spec::RuleCoverage& row : rows) {
      if (row.obeys.empty()) gaps.push_back(row.rule + " (obeys)");
      if (row.breaks.empty()) gaps.push_back(row.rule + " (breaks)");
      if (!is_applicable(op, *op.any_rule(row.rule))) {
        elsewhere.push_back(row.rule);
      } else {
        ++applicable;
        promised += row.promised;
      }
    }
    fmt::print(
        "{:32} {:3} rules, {:3} % of sides covered; broken: {} promised, {} exercised{}{}\n", op.api,
        rows.size(), rows.empty() ? 100 : (rows.size() * 2 - gaps.size()) * 100 / (rows.size() * 2), promised,
        applicable - promised,
        elsewhere.empty() ? "" : fmt::format("; not of an available release: {}", fmt::join(elsewhere, ", ")),
        gaps.empty() ? "" : fmt::format("; missing: {}", fmt::join(gaps, ", ")));
    if (!flags_.globs.empty() || !flags_.session.engines.empty()) print_rules(op.api, rows);
    return !gaps.empty();
  }

  /// How many cases are on either side, and the first of each; and what each engine does with those that
  /// break it.
  void print_rules(const std::string& api, const Rows& rows) const {
    const auto side = [](const std::vector<std::string>& ids) {
      return ids.empty() ? std::string("none") : fmt::format("{} ({})", ids.size(), ids.front());
    };
    for (const spec::RuleCoverage& row : rows) {
      fmt::print("  {:26} obeys: {}\n  {:26} breaks: {}: {}\n", row.rule, side(row.obeys), "",
                 side(row.breaks), row.promise);
      if (const auto done = practices_.find({api, row.rule}); done != practices_.end())
        for (const auto& [engine, practice] : done->second)
          fmt::print("  {:26} {}: {}\n", "", engine, practice.text());
    }
  }

  const CoverageFlags& flags_;
  const Context& context_;
  RunSession session_;
  reports::PracticeTable practices_;
  spec::Errors problems_;
};

}  // namespace

void add_spec_coverage(CLI::App& spec, Context& context) {
  CLI::App* verb = add_verb(
      spec, context,
      {.name = "coverage",
       .purpose =
           "Print which rules have a case that obeys and one that breaks them, and what breaking them means",
       .examples = {{"scatterproof spec coverage", "a line for each API"},
                    {"scatterproof spec coverage torch.gather", "a line for each rule of one API"},
                    {"scatterproof spec coverage -e torch", "what torch does where a rule is broken"}}});
  auto flags = std::make_shared<CoverageFlags>();
  verb->add_option("api", flags->globs, "APIs or globs on them")->type_name("API")->default_str("all");
  add_specs(*verb, flags->specs);
  add_engine(*verb, flags->session.engines, "none");
  verb->callback([flags, &context] { context.exit_code = Coverage(*flags, context).execute(); });
}

}  // namespace scatterproof::runner::cli
