// SPDX-License-Identifier: Apache-2.0
#include "compare_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scatterproof/runner/calls/call_text.hpp"
#include "scatterproof/runner/trial/trial.hpp"
#include "scatterproof/spec/core/shell_word.hpp"
#include "scatterproof/spec/record/engine_name.hpp"

namespace scatterproof::runner::cli {
namespace {

/// The name by which `show --snippet` knows the member's language: a native engine has none of its own.
std::string language_of(const compare::FamilyMember& member) {
  const engines::EngineInfo& info = member.engine->info();
  return info.framework.empty() ? member.spec->framework : spec::without_release(info.name);
}

/// The framework itself, not another engine that runs its calls.
bool is_framework(const compare::FamilyMember& member) {
  return spec::without_release(member.engine->info().name) == member.spec->framework;
}

/// Whether a member gave the family's meaning for some call of a row; the smallest of these.
const compare::Behaviour* as_defined(const compare::Cell& cell) {
  const auto found = std::ranges::find(cell.does, "as defined", &compare::Behaviour::name);
  return found != cell.does.end() && found->repeated ? &*found : nullptr;
}

}  // namespace

const snippet::PythonSyntax* MemberScripts::syntax_of(const std::string& language) {
  auto [syntax, is_new] = syntaxes_.try_emplace(language);
  if (is_new)
    if (auto loaded = snippet::load_python_syntax(language, places_))
      syntax->second = std::move(loaded).value();
  return syntax->second ? &*syntax->second : nullptr;
}

std::string MemberScripts::script(const compare::FamilyMember& member, const spec::Call& call,
                                  const spec::Outcome& outcome, const std::string& stands_for) {
  const snippet::PythonSyntax* syntax = syntax_of(member.engine->info().name);
  const auto trial = judge_call(*member.spec, call, member.engine->info(), outcome);
  if (!syntax || !trial) return "";
  const auto text = snippet::make_snippet(*member.spec, call, *syntax,
                                          {member.engine->info(), outcome, trial->judgement, stands_for});
  return text ? *text : "";
}

std::string MemberScripts::command(const compare::FamilyMember& member, const spec::Call& call) {
  const std::string language = language_of(member);
  if (!syntax_of(language)) return "";
  return fmt::format("in {}: scatterproof show {} --snippet {}\n", member.spec->framework,
                     spec::shell_word(text_of(call)), spec::shell_word(language));
}

std::string MemberScripts::in_others(const compare::Plan& plan, const spec::Call& call,
                                     const compare::Input& input,
                                     std::span<const compare::Observation> answers) {
  const std::string own = call.api.substr(0, call.api.find('.'));
  std::map<std::string, std::size_t> members;  // the first of each framework that gave a result, or its own
  for (std::size_t m = 0; m < answers.size(); ++m) {
    if (answers[m].kind != compare::Observation::Kind::produced || plan.members[m].spec->framework == own)
      continue;
    std::size_t& chosen = members.try_emplace(plan.members[m].spec->framework, m).first->second;
    if (!is_framework(plan.members[chosen]) && is_framework(plan.members[m])) chosen = m;
  }
  if (members.size() == 1) {
    const auto& [framework, m] = *members.begin();
    const compare::FamilyMember& member = plan.members[m];
    const auto said = compare::call_of(plan.comparison, member, input.said);
    const std::string code = script(member, std::get<spec::Call>(said), answers[m].outcome, text_of(call));
    if (!code.empty()) return fmt::format("\nin {}:\n{}", framework, code);
  }
  std::string text;
  for (const auto& [framework, m] : members)
    text += syntax_of(plan.members[m].engine->info().name)
                ? fmt::format("in {}: scatterproof compare --check {} {}\n", framework,
                              spec::shell_word(text_of(call)), framework)
                : command(plan.members[m], call);
  return text;
}

std::string MemberScripts::commands(const compare::Plan& plan, const compare::ComparisonResult& compared,
                                    const spec::OpSpec& op) {
  const auto is_asked = [&](const compare::FamilyMember& one) {
    return one.spec->base_api() == op.base_api();
  };
  const auto own = std::ranges::find_if(compared.members, is_asked);
  if (own == compared.members.end()) return "";
  const auto place = static_cast<std::size_t>(own - compared.members.begin());
  std::map<std::string, std::string> commands;
  for (const compare::ClassRow& row : compared.rows) {
    const compare::Behaviour* does = as_defined(row.cells[place]);
    if (!does) continue;
    const auto call = compare::call_of(plan.comparison, *own, compared.inputs[does->input].said);
    for (std::size_t m = 0; m < row.cells.size(); ++m)
      if (const compare::FamilyMember& member = compared.members[m];
          member.spec->framework != own->spec->framework && as_defined(row.cells[m]))
        if (std::string& one = commands[member.spec->framework]; row.classes.empty() || one.empty())
          one = command(member, std::get<spec::Call>(call));
  }
  std::string text;
  for (const auto& [framework, one] : commands)
    if (!one.empty()) text += fmt::format("{} {}", op.api, one);
  return text;
}

}  // namespace scatterproof::runner::cli
