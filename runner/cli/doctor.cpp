// SPDX-License-Identifier: Apache-2.0
// `doctor`: what is installed, what is missing, and what to type.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "doctor_checks.hpp"
#include "options.hpp"
#include "scatterproof/spec/core/text.hpp"
#include "settings.hpp"

namespace scatterproof::runner::cli {
namespace {

struct DoctorFlags {
  bool start = false;
  bool json = false;
};

const char* word_of(DoctorFinding::State state) {
  switch (state) {
    case DoctorFinding::State::ok:
      return "ok";
    case DoctorFinding::State::note:
      return "note";
    case DoctorFinding::State::missing:
      break;
  }
  return "missing";
}

std::size_t count_of(const DoctorFindings& findings, DoctorFinding::State state) {
  return static_cast<std::size_t>(std::ranges::count(findings, state, &DoctorFinding::state));
}

void print_findings(const DoctorFindings& findings) {
  for (const DoctorFinding& one : findings) {
    fmt::print("{:8} {:9} {}\n", word_of(one.state), one.subject, spec::one_line(one.what));
    if (!one.hint.empty()) fmt::print("{:19}hint: {}\n", "", spec::one_line(one.hint));
  }
  const std::size_t missing = count_of(findings, DoctorFinding::State::missing);
  const std::size_t notes = count_of(findings, DoctorFinding::State::note);
  fmt::print("\nSummary: {}, {}\n", missing == 0 ? "nothing is missing" : fmt::format("{} missing", missing),
             notes == 1 ? "1 note" : fmt::format("{} notes", notes));
}

void print_findings_as_json(const DoctorFindings& findings) {
  nlohmann::ordered_json all{{"missing", count_of(findings, DoctorFinding::State::missing)},
                             {"findings", nlohmann::ordered_json::array()}};
  for (const DoctorFinding& one : findings) {
    nlohmann::ordered_json object{
        {"state", word_of(one.state)}, {"subject", one.subject}, {"what", one.what}};
    if (!one.hint.empty()) object["hint"] = one.hint;
    all["findings"].push_back(std::move(object));
  }
  fmt::print("{}\n", all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

/// An engine that does not start is the engine's fault; whatever else is missing is a wrong file or setting.
int code_of(const DoctorFindings& findings) {
  int code = as_expected;
  for (const DoctorFinding& one : findings)
    if (one.state == DoctorFinding::State::missing) {
      if (one.subject != "engine") return usage;
      code = engine_missing;
    }
  return code;
}

int look_at_everything(CLI::App& app, const DoctorFlags& flags, const Context& context) {
  DoctorFindings all;
  for (const DoctorFindings& some :
       {check_program(context), check_data(context), check_settings(app, context), check_state(),
        check_history(flags.start), check_workers(), check_python(), check_cuda(), check_ci(),
        check_engines(context, flags.start)})
    all.insert(all.end(), some.begin(), some.end());
  flags.json ? print_findings_as_json(all) : print_findings(all);
  return code_of(all);
}

}  // namespace

void add_doctor(CLI::App& app, Context& context) {
  CLI::App* verb = add_verb(app, context,
                            {.name = "doctor",
                             .purpose = "Show what is installed, what is missing, and what to type",
                             .examples = {{"scatterproof doctor", "everything that a run may need"},
                                          {"scatterproof doctor --start --json",
                                           "with every installed engine started, for programs"}},
                             .group = "Inspect"});
  auto flags = std::make_shared<DoctorFlags>();
  verb->add_flag("--start", flags->start, "Start every installed engine, and a history on a server too")
      ->group(group::execute);
  verb->add_flag("--json", flags->json, "Print as JSON")->group(group::report);
  add_settings_flags(*verb, context);
  verb->callback([&app, flags, &context] { context.exit_code = look_at_everything(app, *flags, context); });
}

}  // namespace scatterproof::runner::cli
