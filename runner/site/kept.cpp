// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/site/kept.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "scatterproof/runner/files/replace_file.hpp"
#include "scatterproof/spec/core/version.hpp"
#include "scatterproof/spec/record/engine_name.hpp"

namespace scatterproof::runner::site {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::string_view kind_of_file = "kept results";

/// A file's name for any engine's.
std::string file_of(const KeptEngine& one) {
  std::string name = one.name();
  for (char& c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '_' || c == '-' || c == '+' || c == '@';
    if (!plain) c = '-';
  }
  return name + ".json";
}

json data_of(const KeptApi& one) {
  json data = {{"verdicts", one.verdicts}};
  if (!one.rules.empty()) data["rules"] = one.rules;
  for (const KeptFailure& failure : one.failures)
    data["failures"].push_back({failure.id, failure.verdict, failure.why});
  for (const auto& [input_class, seen] : one.seen)
    for (const KeptBehaviour& does : seen)
      data["classes"][input_class].push_back({does.name, does.inputs, does.repeated});
  return data;
}

KeptApi api_of(const json& data) {
  KeptApi one;
  data.at("verdicts").get_to(one.verdicts);
  if (data.contains("rules")) data.at("rules").get_to(one.rules);
  const json failures = data.value("failures", json::array());
  for (const json& failure : failures) one.failures.push_back({failure.at(0), failure.at(1), failure.at(2)});
  const json classes = data.value("classes", json::object());
  for (const auto& [input_class, seen] : classes.items())
    for (const json& does : seen) one.seen[input_class].push_back({does.at(0), does.at(1), does.at(2)});
  return one;
}

/// A line for each API, so that a renewed file can be reviewed.
std::string text_of(const KeptEngine& one) {
  const auto line = [](const json& data) {
    return data.dump(-1, ' ', false, json::error_handler_t::replace);
  };
  std::string text = fmt::format(
      "{{\"type\": {}, \"engine\": {}, \"release\": {}, \"device\": {}, \"date\": {}, \"apis\": {{\n",
      line(kind_of_file), line(one.engine), line(one.release), line(one.device), line(one.date));
  std::size_t left = one.apis.size();
  for (const auto& [api, kept] : one.apis)
    text += fmt::format(" {}: {}{}\n", line(api), line(data_of(kept)), --left > 0 ? "," : "");
  return text + "}}\n";
}

KeptEngine engine_of(const json& data) {
  if (data.at("type") != kind_of_file) throw std::invalid_argument("type");
  KeptEngine one{.engine = data.at("engine"),
                 .release = data.at("release"),
                 .device = data.at("device"),
                 .date = data.at("date"),
                 .apis = {}};
  for (const auto& [api, kept] : data.at("apis").items()) one.apis.emplace(api, api_of(kept));
  return one;
}

spec::Error not_kept(const std::string& path, const std::string& what, const std::string& hint) {
  return {.file = path, .what = what, .hint = hint};
}

}  // namespace

spec::Result<KeptResults> KeptResults::read(const std::string& folder) {
  KeptResults results;
  spec::Errors errors;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    try {
      results.engines_.push_back(engine_of(json::parse(file)));
    } catch (const std::exception&) {  // of the JSON, and of engine_of
      errors.push_back(not_kept(entry.path().string(), "this file does not keep results",
                                "`scatterproof site --keep FOLDER` writes such files"));
    }
  }
  if (!errors.empty()) return errors;
  results.sort();
  return results;
}

KeptEngine& KeptResults::engine(const std::string& name, const std::string& version) {
  const std::string plain = spec::without_release(name);
  const bool has_release = plain.size() + 1 < name.size();
  const std::string release = has_release       ? name.substr(plain.size() + 1)
                              : version.empty() ? "unknown"
                                                : version;
  for (KeptEngine& one : engines_)
    if (one.engine == plain && one.release == release) return one;
  engines_.push_back({.engine = plain, .release = release, .device = {}, .date = {}, .apis = {}});
  return engines_.back();
}

void KeptResults::sort() {
  std::ranges::sort(engines_, [](const KeptEngine& a, const KeptEngine& b) {
    if (a.engine != b.engine) return a.engine < b.engine;
    const int order = spec::compare_versions(a.release, b.release);
    return order != 0 ? order < 0 : a.release < b.release;
  });
}

spec::Errors KeptResults::write(const std::string& folder) const {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return {{.file = folder, .what = "cannot make the folder: " + failed.message()}};
  spec::Errors errors;
  for (const KeptEngine& one : engines_)
    for (spec::Error& error : replace_file((fs::path(folder) / file_of(one)).string(), text_of(one)))
      errors.push_back(std::move(error));
  return errors;
}

std::vector<const KeptEngine*> KeptResults::newest_with(const std::string& api) const {
  std::vector<const KeptEngine*> found;
  for (const KeptEngine& one : engines_) {
    if (!one.apis.contains(api)) continue;
    if (!found.empty() && found.back()->engine == one.engine) found.pop_back();
    found.push_back(&one);
  }
  return found;
}

}  // namespace scatterproof::runner::site
