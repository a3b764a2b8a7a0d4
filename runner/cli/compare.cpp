// SPDX-License-Identifier: Apache-2.0
// `compare`: how the APIs of a family take the same calls.

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "compare_answers.hpp"
#include "compare_choice.hpp"
#include "compare_code.hpp"
#include "compare_flags.hpp"
#include "options.hpp"
#include "scatterproof/runner/about/version.hpp"
#include "scatterproof/runner/calls/call_text.hpp"
#include "scatterproof/runner/catalogue/api_names.hpp"
#include "scatterproof/runner/compare/documents.hpp"
#include "scatterproof/runner/compare/gradients.hpp"
#include "scatterproof/runner/compare/readings.hpp"
#include "scatterproof/runner/compare/render.hpp"
#include "scatterproof/runner/fuzz/form_store.hpp"
#include "scatterproof/runner/shrink/regressions.hpp"
#include "session.hpp"
#include "written_on_site.hpp"

namespace scatterproof::runner::cli {
namespace {

constexpr std::size_t inputs_of_a_pair = 3;
/// For a family, without --thorough: a minute is promised, and the last calls and the ends of engines take
/// some of it. For the first family it begins with the command.
constexpr double usual_seconds = 54;
/// In any case, however long the engines took to start.
constexpr double least_seconds = usual_seconds / 3;
/// Inputs of one API in one class, without --thorough: an engine may compile each call, for a second.
constexpr std::size_t usual_alike = 4;

class CompareCommand {
 public:
  CompareCommand(const CompareFlags& flags, const Context& context)
      : flags_(flags), context_(context), session_(flags.session, context) {}

  int execute() {
    handle_interrupts();
    if (const int code = load(); code != as_expected) return code;
    const double before = spent();
    if (const int code = open_engines(); code != as_expected) return code;
    start_took_ = spent() - before;
    work_begins();
    int code = as_expected;
    try {
      code = flags_.check.empty() ? compare_all() : check_call();
    } catch (const nlohmann::json::exception&) {  // of --accepted: the one JSON that is read
      code = not_a_comparison();
    }
    session_.progress().finish();
    stop(session_.engines());
    return code;
  }

 private:
  int load() {
    auto specs = load_specs(flags_.session.specs, context_.places);
    if (!specs) return usage_error(specs.errors());
    specs_ = std::make_unique<spec::SpecLibrary>(std::move(specs).value());
    auto families = load_families(context_.places);
    if (!families) return usage_error(families.errors());
    families_ = std::make_unique<spec::FamilyLibrary>(std::move(families).value());
    choice_.emplace(*specs_, *families_);
    if (!flags_.accepted.empty())
      if (const int code = read_accepted(); code != as_expected) return code;
    if (!flags_.check.empty()) return read_call();
    const spec::Errors errors = choice_->choose(flags_.what);
    for (const std::string& note : choice_->notes()) say(note);
    return errors.empty() ? static_cast<int>(as_expected) : usage_error(errors);
  }

  int read_accepted() {
    std::ifstream file(flags_.accepted);
    accepted_ = nlohmann::json::parse(file, nullptr, false);
    const bool sound =
        accepted_.is_object() && accepted_.contains("families") && accepted_["families"].is_array();
    if (sound) return as_expected;
    return not_a_comparison();
  }

  int not_a_comparison() const {
    return usage_error({{.file = flags_.accepted,
                         .what = "this is not a comparison",
                         .hint = "--accepted takes what `compare --json FILE` has written"}});
  }

  int read_call() {
    auto loaded = load_call(flags_.check, "--check", flags_.session.specs, context_.places);
    if (!loaded) return usage_error(loaded.errors());
    call_ = std::move(loaded).value();
    const spec::Errors errors = choice_->choose_for_call(call_->api, flags_.what);
    return errors.empty() ? static_cast<int>(as_expected) : usage_error(errors);
  }

  int open_engines() {
    if (!flags_.predict)
      return session_.open_engines(*specs_,
                                   choice_->needed(installed_frameworks(context_.places), context_.places));
    session_.engines().push_back(compare::document_engine(*specs_));
    return as_expected;
  }

  /// Seconds since the command began.
  double spent() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  compare::Plan plan_of(const spec::FamilyComparison& comparison) {
    compare::Plan plan{.comparison = comparison,
                       .members = choice_->members(*comparison.family, session_.engines())};
    plan.wishes.seed = flags_.session.seed;
    plan.wishes.interrupted = &was_interrupted();
    plan.wishes.store = fuzz::FormStore::of_user();
    plan.wishes.progress = [this, &comparison](const std::string& what) {
      session_.progress().doing(comparison.family->name + ": " + what);
    };
    if (flags_.pairs) plan.wishes.both = inputs_of_a_pair;
    plan.timeout = session_.execute_options().timeout;
    if (!flags_.thorough) plan.wishes.alike = usual_alike;
    plan.shrink_seconds = flags_.shrink_seconds;
    plan.starts = start_took_;
    if (flags_.seconds)
      plan.seconds = *flags_.seconds + plan.starts;
    else if (!flags_.thorough)  // what came before is part of the first family's time
      plan.seconds = std::max(usual_seconds - (std::exchange(is_first_, false) ? spent() : 0), least_seconds);
    plan.drift = !flags_.from.empty();
    plan.found = [this, &comparison](const compare::ComparisonResult& compared) {
      Progress::wipe_line();
      fmt::print("{}", compared.differences.empty()
                           ? compare::rows_text(comparison, compared)
                           : compare::difference_text(comparison, compared, compared.differences.back()));
      std::fflush(stdout);
    };
    return plan;
  }

  int compare_all() {
    nlohmann::json data = {
        {"type", "comparison"}, {"seed", flags_.session.seed}, {"families", nlohmann::json::array()}};
    std::string contents, sections;
    reports::ComparisonPage html{.tool_version = tool_version(), .made = made(), .families = {}};
    const compare::MakeSnippet snippet = [this](const compare::FamilyMember& member, const spec::Call& call,
                                                const compare::Observation& answer) {
      return flags_.gradients ? "" : scripts_.script(member, call, answer.outcome);
    };
    std::vector<std::string> news;
    bool anything = false;
    for (const spec::Family* family : choice_->families()) {
      auto comparison = load_comparison(context_.places, *families_, *family);
      if (!comparison) return usage_error(comparison.errors());
      const compare::Plan plan = plan_of(*comparison);
      if (plan.members.size() < 2) continue;
      if (anything && !flags_.gradients) fmt::print("\n");
      const compare::ComparisonResult compared =
          flags_.gradients ? compare::compare_gradients(plan) : compare::compare(plan);
      if (compared.members.size() < 2) continue;
      if (was_interrupted()) {
        say("interrupted: the comparison is not whole, and no file was written");
        return interrupted;
      }
      if (flags_.gradients) {
        comparison = compare::gradient_classes(*comparison);
        Progress::wipe_line();
        fmt::print("{}{}", anything ? "\n" : "", compare::as_console(*comparison, compared));
      } else {
        fmt::print("{}", compare::closing_text(*comparison, compared));
        if (const spec::OpSpec* first =
                flags_.what.empty() ? nullptr : find_api(flags_.what.front(), *specs_))
          fmt::print("{}", scripts_.commands(plan, compared, *first));
      }
      anything = true;
      for (const nlohmann::json& former : former_of(*family))
        for (std::string& one : compare::new_since(former, compared))
          news.push_back(family->name + ": " + std::move(one));
      Files files;
      if (!flags_.save.empty())
        if (const int code = save(*comparison, compared, files); code != as_expected) return code;
      if (!flags_.json.empty())
        data["families"].push_back(
            compare::as_json(*comparison, compared, snippet, [&](const spec::Call& call) {
              const auto file = files.find(text_of(call));
              return file != files.end() ? file->second : "";
            }));
      if (!flags_.html.empty()) html.families.push_back(compare::as_page(*comparison, compared, snippet));
      if (!flags_.markdown.empty()) {
        contents += compare::contents_line(*comparison, compared);
        sections += "\n" + compare::as_markdown(*comparison, compared);
      }
    }
    if (!anything) {
      std::vector<std::string> words = flags_.what;
      words.insert(words.begin(), "scatterproof compare");
      words.push_back("--predict");
      say(fmt::format("nothing to compare: fewer than two of these APIs are offered by an engine{}",
                      flags_.what.size() == 1
                          ? "; a framework after an API adds its APIs: compare torch.scatter_add jax"
                          : ""));
      say(
          fmt::format("  hint: `{}` asks the documents alone; `scatterproof engines install torch` adds a "
                      "framework",
                      fmt::join(words, " ")));
      return nothing_ran;
    }
    for (const std::string& one : news) say("new: " + one);
    spec::Errors errors = write_file(flags_.json, [&] {
      return data.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    });
    for (spec::Error& error : write_file(flags_.markdown, [&] { return head() + contents + sections; }))
      errors.push_back(std::move(error));
    for (spec::Error& error : write_file(flags_.html, [&] { return html_of(html); }))
      errors.push_back(std::move(error));
    if (!errors.empty()) return usage_error(errors);
    return news.empty() ? as_expected : unexpected;
  }

  /// When, from what seed and with which engines the pages were made.
  std::string made() const {
    std::vector<std::string> engines;
    for (const auto& engine : session_.engines())
      if (!engine->info().framework.empty()) engines.push_back(engine->info().name);
    if (engines.empty())
      for (const auto& engine : session_.engines()) engines.push_back(engine->info().name);
    return fmt::format("{:%Y-%m-%d} (seed {}): {}",
                       std::chrono::time_point_cast<std::chrono::days>(std::chrono::system_clock::now()),
                       flags_.session.seed, fmt::join(engines, ", "));
  }

  std::string head() const {
    return fmt::format(
        "# How the frameworks differ\n\nWritten by `scatterproof compare` on {}. "
        "docs/use/compare.md says how to read it. What is not named here is not on this page: "
        "`scatterproof compare --from ENGINE --to ENGINE:FORM` shows what compiling changes. What vendors "
        "claim to be "
        "the same, executed, is the scorecard that `scatterproof claims --markdown FILE` writes.\n\n",
        made());
  }

  static std::string html_of(const reports::ComparisonPage& page) {
    std::ostringstream out;
    reports::write_comparison_page(out, page);
    return out.str();
  }

  /// Where calls are saved, by their text, layouts included.
  using Files = std::map<std::string, std::string>;

  /// Every call behind a letter of the matrix or a difference, as a case that `run` executes again.
  int save(const spec::FamilyComparison& comparison, const compare::ComparisonResult& compared,
           Files& files) const {
    spec::Errors errors;
    const auto save_one = [&](std::size_t m, const compare::Input& input, const std::string& why) {
      const compare::FamilyMember& member = compared.members[m];
      const auto call = std::get<spec::Call>(compare::call_of(comparison, member, input.said));
      const auto saved =
          shrink::save_regression(flags_.save, call, why, {"compared", member.engine->info().name});
      if (saved)
        files.try_emplace(text_of(call), saved->file);
      else if (errors.empty())
        errors = saved.errors();
    };
    for (const compare::Divergence& one : compared.differences)
      for (const compare::Divergence::Side& side : one.sides)
        for (const std::size_t m : side.members)
          save_one(m, one.witness, one.name() + "; here: " + side.does);
    for (const compare::ClassRow& row : compared.rows)
      for (std::size_t m = 0; m < row.cells.size(); ++m)
        for (const compare::Behaviour& does : row.cells[m].does)
          save_one(m, compared.inputs[does.input],
                   fmt::format("{}: {}", compare::name_of(comparison, row.classes), does.name));
    return errors.empty() ? as_expected : usage_error(errors);
  }

  std::vector<nlohmann::json> former_of(const spec::Family& family) const {
    std::vector<nlohmann::json> found;
    if (accepted_.is_object())
      for (const nlohmann::json& one : accepted_["families"])
        if (one.value("family", "") == family.name) found.push_back(one);
    return found;
  }

  /// How every member of the family takes one call.
  int check_call() {
    const auto comparison = load_comparison(context_.places, *families_, *choice_->families().front());
    if (!comparison) return usage_error(comparison.errors());
    const spec::OpSpec& op = *specs_->find(call_->api);
    auto said = spec::family_call_of(*comparison->family, op, *call_);
    if (const auto* why = std::get_if<std::string>(&said)) return usage_error({{.what = *why}});
    const compare::Plan plan = plan_of(*comparison);
    const compare::ComparisonSetting setting{
        .comparison = *comparison, .members = plan.members, .timeout = plan.timeout};
    const compare::Input input =
        compare::classified(*comparison, std::get<spec::FamilyCall>(std::move(said)));
    const std::vector<compare::Observation> answers = compare::ask(setting, {&input, 1}).front();
    fmt::print("{}{}\n", comparison->family->name, compare::text_of(*comparison, input));
    for (const std::size_t c : input.classes)
      fmt::print("  {}: {}\n", comparison->classes[c].id, comparison->classes[c].says);
    const bool alike = none_differ(answers);
    const Takers takers = print_answers(plan.members, answers);
    if (!is_asked(op, plan.members))
      fmt::print("{}, whose call this is, was not asked: no engine offers it (scatterproof engines list)\n",
                 op.api);
    if (!alike) fmt::print("not portable\n");
    int code = alike ? say_portable(takers) : unexpected;
    // Who cannot express the call as it is may take it written otherwise.
    std::vector<compare::Portable> ways;
    if (!alike || takers.took.size() == 1) ways = print_advice(setting, input, answers);
    for (const auto& [why, names] : takers.absent) fmt::print("{}: {}\n", why, fmt::join(names, ", "));
    for (const std::string& framework : choice_->frameworks_without(plan.members)) {
      fmt::print("{}\n", why_no_answer(op, framework));
      code = unexpected;
    }
    std::string scripts = scripts_.in_others(plan, *call_, input, answers);
    if (scripts.empty() && !ways.empty()) scripts = written_portably(plan, op, ways.front());
    fmt::print("{}", scripts);
    return code;
  }

  /// In the other frameworks, the call as it then is.
  std::string written_portably(const compare::Plan& plan, const spec::OpSpec& op,
                               const compare::Portable& way) {
    for (const compare::FamilyMember& own : plan.members)
      if (own.spec->base_api() == op.base_api())
        if (const auto said = compare::call_of(plan.comparison, own, way.input.said);
            const auto* call = std::get_if<spec::Call>(&said))
          return scripts_.in_others(plan, *call, way.input, way.answers);
    return "";
  }

  /// Of a framework that was named.
  std::string why_no_answer(const spec::OpSpec& op, const std::string& framework) const {
    const bool is_open = std::ranges::any_of(
        session_.engines(), [&](const auto& engine) { return engine->info().framework == framework; });
    if (!is_open && choice_->has_part(framework))
      return flags_.session.engines.empty()
                 ? fmt::format("{0} was not asked: it is not installed (scatterproof engines install {0})",
                               framework)
                 : fmt::format("{} was not asked: no engine was named that offers its APIs for this call",
                               framework);
    const std::string site = written_on_site(op, framework, *specs_, *families_, context_.places);
    return fmt::format("no API of {} can be given this call{}{}", framework, site.empty() ? "" : "; ", site);
  }

  static bool is_asked(const spec::OpSpec& op, const std::vector<compare::FamilyMember>& members) {
    return std::ranges::any_of(
        members, [&](const compare::FamilyMember& one) { return one.spec->base_api() == op.base_api(); });
  }

  const CompareFlags& flags_;
  const Context& context_;
  RunSession session_;
  std::unique_ptr<spec::SpecLibrary> specs_;
  std::unique_ptr<spec::FamilyLibrary> families_;
  std::optional<CompareChoice> choice_;
  std::optional<spec::Call> call_;  ///< of --check
  nlohmann::json accepted_;
  double start_took_ = 0;  ///< seconds until all engines had started
  bool is_first_ = true;   ///< of the families
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  MemberScripts scripts_{context_.places};
};

}  // namespace

void add_compare(CLI::App& app, Context& context) {
  CLI::App* verb = add_verb(
      app, context,
      {.name = "compare",
       .purpose = "Show how APIs of several frameworks handle the same calls",
       .examples =
           {{"scatterproof compare torch.gather numpy.take_along_axis", "two APIs"},
            {"scatterproof compare torch.scatter_add jax", "an API, and what it is in another framework"},
            {"scatterproof compare scatter_elements", "a family, in every framework that is installed"},
            {"scatterproof compare --from torch@1.13.0a0 --to torch@2.13.0", "what an upgrade changes"},
            {"scatterproof compare --check 'torch.gather([[1., 2.]], 1, [[-1]])'",
             "whether a call is portable"}},
       .group = "Test"});
  auto flags = std::make_shared<CompareFlags>();
  add_compare_flags(*verb, *flags);
  verb->callback([flags, &context] {
    if (!flags->from.empty()) flags->session.engines = {flags->from, flags->to};
    context.exit_code = CompareCommand(*flags, context).execute();
  });
}

}  // namespace scatterproof::runner::cli
