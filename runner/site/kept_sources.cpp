// SPDX-License-Identifier: Apache-2.0
// What is kept of a run and of a comparison.
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "scatterproof/reports/practice.hpp"
#include "scatterproof/runner/site/kept.hpp"
#include "scatterproof/spec/core/text.hpp"
#include "scatterproof/spec/record/stream_file.hpp"

namespace scatterproof::runner::site {
namespace {

constexpr std::size_t most_failures = 30;  // kept of an API
constexpr std::size_t longest_kept = 160;  // bytes of a line

std::string first_line(const std::string& text) {
  const std::string line = spec::printable(text.substr(0, text.find('\n')));
  return line.size() <= longest_kept ? line : spec::printable(line.substr(0, longest_kept)) + " ..";
}

void take_record(const spec::Record& record, KeptApi& api) {
  api.verdicts[std::string(name(record.verdict))] += record.count;
  const bool failed = record.disposition != spec::Disposition::as_expected;
  if (failed && api.failures.size() < most_failures)
    api.failures.push_back({record.id, std::string(name(record.verdict)), first_line(record.explanation)});
}

}  // namespace

spec::Errors KeptResults::add_run(const std::string& path) {
  reports::PracticeTable practices;
  std::set<const KeptApi*> renewed;
  std::map<std::string, std::string> versions;  // by engine, as records name it
  const auto take = [&](const spec::Record& record, std::uint64_t) {
    versions.try_emplace(record.engine, record.version);
    KeptEngine& of = engine(record.engine, record.version);
    of.device = record.device;
    KeptApi& api = of.apis[record.api];
    if (renewed.insert(&api).second) api = {.verdicts = {}, .rules = {}, .failures = {}, .seen = api.seen};
    take_record(record, api);
    reports::add(record, practices);
  };
  const auto stream = spec::StreamFile::open(path, take);
  if (!stream) return stream.errors();
  for (const auto& [where, by_engine] : practices)
    for (const auto& [of, practice] : by_engine)
      engine(of, versions.at(of)).apis[where.first].rules[where.second] = practice.text();
  for (const auto& [of, version] : versions) {
    std::string& date = engine(of, version).date;
    date = std::max(date, stream->header().started.substr(0, 10));
  }
  sort();
  return {};
}

void KeptResults::add_family(const nlohmann::json& family) {
  const nlohmann::json& members = family.at("members");
  const auto api_of_member = [&](std::size_t m) -> KeptApi& {
    const nlohmann::json& member = members.at(m);
    KeptEngine& of = engine(member.at("engine"), member.value("version", ""));
    of.device = member.value("device", "");
    return of.apis[member.at("api")];
  };
  for (std::size_t m = 0; m < members.size(); ++m) api_of_member(m).seen.clear();
  for (const nlohmann::json& cell : family.at("cells")) {
    const std::string input_class = cell.at("class");
    if (input_class.find(" + ") != std::string::npos) continue;  // of two classes
    for (const nlohmann::json& does : cell.at("does"))
      api_of_member(cell.at("member"))
          .seen[input_class]
          .push_back({.name = does.at("name"), .inputs = does.at("inputs"), .repeated = does.at("repeated")});
  }
}

spec::Errors KeptResults::add_comparison(const std::string& path) {
  std::ifstream file(path);
  KeptResults added = *this;
  try {
    const nlohmann::json comparison = nlohmann::json::parse(file);
    for (const nlohmann::json& family : comparison.at("families")) added.add_family(family);
  } catch (const nlohmann::json::exception&) {
    return {{.file = path,
             .what = "this is not a comparison",
             .hint = "`scatterproof compare --json FILE` writes it"}};
  }
  *this = std::move(added);
  sort();
  return {};
}

}  // namespace scatterproof::runner::site
