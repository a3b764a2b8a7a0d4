// SPDX-License-Identifier: Apache-2.0
// Writes headers, records and trailers as JSON lines (docs/formats/record-format.md).
#include <optional>

#include "json_lines.hpp"
#include "scatterproof/spec/record/record.hpp"
#include "scatterproof/spec/record/stream_file.hpp"

namespace scatterproof::spec {
namespace {

/// JSON has no NaN and no infinity; a field that would hold one is left out.
void put_number(ordered_json& object, const char* key, const std::optional<double>& value) {
  if (value && std::isfinite(*value)) object[key] = *value;
}

ordered_json to_object(const OutcomeSummary& outcome) {
  ordered_json object;
  object["kind"] = outcome.kind;
  if (!outcome.classes.empty()) object["classes"] = outcome.classes;
  if (!outcome.wrote.empty()) object["wrote"] = outcome.wrote;
  if (outcome.digest.empty()) return object;
  object["dtype"] = outcome.dtype;
  object["shape"] = outcome.shape;
  object["digest"] = outcome.digest;
  if (!outcome.values.empty()) object["values"] = outcome.values;
  return object;
}

ordered_json json_of(const std::vector<StaleEntry>& entries) {
  ordered_json all = ordered_json::array();
  for (const StaleEntry& entry : entries) {
    ordered_json one;
    one["file"] = entry.file;
    one["line"] = entry.line;
    one["text"] = entry.text;
    if (entry.fixed) one["fixed"] = true;
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace

std::string to_json_line(const Header& header) {
  ordered_json object;
  object["type"] = "header";
  object["stream_version"] = header.stream_version;
  object["tool_version"] = header.tool_version;
  if (!header.run.empty()) object["run"] = header.run;
  object["started"] = header.started;
  object["command_line"] = header.command_line;
  object["machine"] = header.machine;
  if (!header.host.empty()) object["host"] = header.host;
  object["seed"] = header.seed;
  object["planned"] = header.planned;
  if (header.allow_fixed) object["allow_fixed"] = true;
  if (header.fail_on_flaky) object["fail_on_flaky"] = true;
  if (header.jobs > 0) object["jobs"] = header.jobs;
  if (!header.shard.empty()) object["shard"] = header.shard;
  object["libraries"] = header.libraries;
  object["engines"] = ordered_json::array();
  for (const EngineSummary& engine : header.engines) {
    ordered_json one;
    one["name"] = engine.name;
    one["version"] = engine.version;
    one["device"] = engine.device;
    one["state"] = engine.state;
    if (!engine.declared.empty()) one["declared"] = engine.declared;
    object["engines"].push_back(std::move(one));
  }
  return one_line(object);
}

std::string to_json_line(const Record& record) {
  ordered_json object;
  object["type"] = "record";
  object["id"] = record.id;
  object["api"] = record.api;
  if (!record.operation.empty()) object["operation"] = record.operation;
  object["engine"] = record.engine;
  object["version"] = record.version;
  object["device"] = record.device;
  object["verdict"] = name(record.verdict);
  object["rung"] = name(record.mode);
  object["disposition"] = name(record.disposition);
  if (record.diagnosis.kind != DiagnosisKind::none) object["diagnosis"] = to_string(record.diagnosis);
  if (record.outcome) object["outcome"] = to_object(*record.outcome);
  if (!record.broken.empty()) object["broken"] = record.broken;
  if (record.practice.kind != DiagnosisKind::none) object["practice"] = to_string(record.practice);
  if (!record.recast.empty()) object["recast"] = record.recast;
  object["explanation"] = record.explanation;
  for (const Diagnosis& cause : record.causes) object["causes"].push_back(to_string(cause));
  if (!record.message.empty()) object["message"] = record.message;
  object["reproduce"] = record.reproduce;
  if (!record.known_reason.empty()) object["known_reason"] = record.known_reason;
  if (!record.known_file.empty()) object["known_file"] = record.known_file;
  if (record.known_line > 0) object["known_line"] = record.known_line;
  if (!record.file.empty()) object["file"] = record.file;
  if (record.line > 0) object["line"] = record.line;
  for (const Verdict verdict : record.retried) object["retried"].push_back(name(verdict));
  put_number(object, "bound", record.bound);
  put_number(object, "sensitivity", record.sensitivity);
  if (!record.snippet.empty()) object["snippet"] = record.snippet;
  if (record.elements > 0) object["elements"] = record.elements;
  if (record.count != 1) object["count"] = record.count;
  if (record.number) object["number"] = *record.number;
  for (const CallGlob& one : record.call_globs)
    object["call_globs"].push_back({{"glob", one.glob}, {"passed", one.passed}});
  if (record.passed > 0) object["passed"] = record.passed;
  object["seed"] = record.seed;
  object["call_seconds"] = finite(record.call_seconds);
  object["judge_seconds"] = finite(record.judge_seconds);
  return one_line(object);
}

std::string to_json_line(const Trailer& trailer) {
  ordered_json object;
  object["type"] = "end";
  object["ended"] = trailer.ended;
  object["interrupted"] = trailer.interrupted;
  if (trailer.whole) object["whole"] = true;
  object["records"] = trailer.records;
  object["exit_code"] = trailer.exit_code;
  object["stale"] = json_of(trailer.stale);
  if (!trailer.unmatched.empty()) object["unmatched"] = json_of(trailer.unmatched);
  if (!trailer.resume.empty()) object["resume"] = trailer.resume;
  if (trailer.calls_per_second > 0) object["calls_per_second"] = finite(trailer.calls_per_second);
  for (const FailedGate& gate : trailer.gates)
    object["gates"].push_back({{"gate", gate.gate}, {"text", gate.text}});
  for (const Reach& one : trailer.reach)
    object["reach"].push_back(
        {{"engine", one.engine}, {"calls", one.calls}, {"reached", one.reached}, {"never", one.never}});
  if (!trailer.next.empty()) object["next"] = trailer.next;
  for (const Skipped& one : trailer.skipped)
    object["skipped"].push_back({{"engine", one.engine}, {"api", one.api}, {"calls", one.calls}});
  if (!trailer.unreached.empty()) object["unreached"] = trailer.unreached;
  return one_line(object);
}

}  // namespace scatterproof::spec
