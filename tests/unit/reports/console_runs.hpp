// SPDX-License-Identifier: Apache-2.0
// Runs made of a few records, and the console that they give.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "scatterproof/reports/reporter.hpp"

namespace scatterproof::reports {

inline spec::Record record(const std::string& api, const std::string& engine, spec::Verdict verdict,
                           std::uint64_t count = 1, const std::string& reason = "") {
  spec::Record record;
  record.id = api + "/case";
  record.api = api;
  record.engine = engine;
  record.verdict = verdict;
  record.count = count;
  record.explanation = reason;
  return record;
}

inline spec::Record known(const std::string& api, const std::string& engine, std::uint64_t count,
                          const std::string& reason) {
  spec::Record one = record(api, engine, spec::Verdict::missing_error, count);
  one.disposition = spec::Disposition::known;
  one.known_reason = reason;
  return one;
}

inline spec::Record failed(const std::string& api, const std::string& engine) {
  spec::Record one = record(api, engine, spec::Verdict::mismatch);
  one.disposition = spec::Disposition::unexpected;
  return one;
}

inline spec::Run run_of(const std::vector<std::string>& engines, std::vector<spec::Record> records) {
  spec::Run run;
  for (const std::string& engine : engines) run.header.engines.push_back({engine, "1", "cpu", "ready"});
  run.records = std::move(records);
  run.trailer.emplace().ended = "2024-05-01T12:00:01Z";
  return run;
}

inline std::string console(const spec::Run& run, int verbosity = 0) {
  std::ostringstream out;
  replay(run, *make_reporter("console", out, {.colour = false, .width = 80, .verbosity = verbosity}));
  return out.str();
}

inline std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

inline std::size_t count(const std::string& text, const std::string& word) {
  std::size_t n = 0;
  for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

}  // namespace scatterproof::reports
