// SPDX-License-Identifier: Apache-2.0
// Runs in which every string holds the same bytes, and the bytes that have broken readers before.
#pragma once

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "scatterproof/reports/reporter.hpp"

namespace scatterproof::reports {

inline std::vector<std::string> hostile_strings() {
  std::string every_byte;
  for (int b = 0; b < 256; ++b) every_byte += static_cast<char>(b);
  return {every_byte,
          "]]>",
          "<!-- -- > -->",
          "\xef\xbf\xbe\xef\xbf\xbf",
          "\xed\xa0\x80",
          "\xc0\x80",
          std::string(100000, '\x12'),
          "&amp;&#0;",
          "<script>alert(1)</script>",
          "\"'><img src=x onerror=alert(1)>",
          "</style></script></pre></details><h1>",
          "\xe2\x80\xae\xef\xbf\xbd",
          "a\n::error::b\n%0A::add-mask::c",
          "x # SKIP \\# TODO",
          "`code` ``` | [a](http://example.org) @everyone <b>",
          "javascript:alert(1)",
          "../../etc/passwd",
          std::string(100000, '`'),
          ""};
}

inline spec::Record hostile_record(const std::string& hostile, spec::Verdict verdict,
                                   spec::Disposition disposition) {
  spec::Record record;
  record.id = record.api = record.engine = record.version = record.device = hostile;
  record.explanation = record.reproduce = record.known_reason = hostile;
  record.message = record.snippet = record.file = hostile;
  record.broken = {hostile};
  record.line = 3;
  record.outcome = spec::OutcomeSummary{.kind = hostile, .classes = {hostile}, .wrote = {hostile}};
  record.outcome->dtype = record.outcome->digest = record.outcome->values = hostile;
  record.practice.kind = spec::DiagnosisKind::refused;
  record.verdict = verdict;
  record.disposition = disposition;
  return record;
}

/// Every way a case can end, an engine that is not there, a stale entry, a gate that fails, and an
/// interruption.
inline spec::Run hostile_run(const std::string& hostile) {
  spec::Run run;
  run.header.started = run.header.machine = run.header.host = run.header.tool_version = hostile;
  run.header.command_line = hostile;
  run.header.libraries[hostile] = hostile;
  run.header.engines = {{hostile, hostile, hostile, "unavailable: " + hostile}};
  using enum spec::Verdict;
  for (const auto verdict : {pass, weak, open, unsupported})
    run.records.push_back(hostile_record(hostile, verdict, spec::Disposition::as_expected));
  for (const auto verdict : {mismatch, crash})
    for (const auto disposition : {spec::Disposition::unexpected, spec::Disposition::known})
      run.records.push_back(hostile_record(hostile, verdict, disposition));
  run.trailer = spec::Trailer{hostile + ".", true, run.records.size(), 1, {{hostile, 1, hostile}}, hostile};
  run.trailer->gates = {{hostile, hostile}};
  return run;
}

/// Failures that all differ, spread over APIs, each with an explanation of some length.
inline spec::Run large_run(std::size_t failures, std::size_t passes) {
  spec::Run run;
  run.header.started = "2024-05-01T12:00:00Z";
  run.header.engines = {{"alpha@1", "1", "cpu", "ready"}, {"beta@2", "2", "cpu", "ready"}};
  for (std::size_t i = 0; i < failures + passes; ++i) {
    spec::Record record;
    record.api = "api.number" + std::to_string(i % 40);
    record.id = record.api + "/case/" + std::to_string(i);
    record.engine = i % 2 == 0 ? "alpha@1" : "beta@2";
    record.reproduce = "scatterproof run " + record.id;
    const bool fails = i < failures;
    record.verdict = !fails       ? spec::Verdict::pass
                     : i % 7 == 0 ? spec::Verdict::crash
                                  : spec::Verdict::mismatch;
    if (fails) {
      record.disposition = spec::Disposition::unexpected;
      std::string letters;  // numbers alone make no group
      for (std::size_t n = i; n > 0; n /= 26) letters += static_cast<char>('a' + n % 26);
      record.explanation = "out[0] is " + letters + ", expected 1\n" + std::string(300, 'x') + letters;
    }
    run.records.push_back(std::move(record));
  }
  run.header.planned = run.records.size();
  run.trailer =
      spec::Trailer{"2024-05-01T12:00:09Z", false, run.records.size(), failures > 0 ? 1 : 0, {}, ""};
  return run;
}

inline std::string rendered_as(const std::string& kind, const spec::Run& run, const Style& style = {}) {
  std::ostringstream out;
  replay(run, *make_reporter(kind, out, style));
  return out.str();
}

}  // namespace scatterproof::reports
