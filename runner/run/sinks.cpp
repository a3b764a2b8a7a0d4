// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/run/sinks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <span>

namespace scatterproof::runner {
namespace {

/// A device or a pipe has nothing to lose.
void make_empty(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) std::filesystem::resize_file(path, 0, ignored);
}

}  // namespace

spec::Result<std::unique_ptr<Sinks>> Sinks::open(const std::vector<std::string>& wanted, bool console,
                                                 const reports::Style& style) {
  auto sinks = std::make_unique<Sinks>();
  spec::Errors errors;
  if (console) errors = sinks->add("console", "-", true, style);
  const std::size_t of_console = sinks->sinks_.size();
  for (const std::string& want : wanted) {
    const std::size_t equals = want.find('=');
    const std::string kind = want.substr(0, equals);
    const std::string path = equals == std::string::npos ? "-" : want.substr(equals + 1);
    std::ranges::move(sinks->add(kind, path, true, style), std::back_inserter(errors));
  }
  if (!errors.empty()) {
    sinks->remove_empty(true);
    return errors;
  }
  for (const Sink& sink : std::span(sinks->sinks_).subspan(of_console)) make_empty(sink.path);
  return sinks;
}

spec::Errors Sinks::keep_stream(const std::string& path) {
  const spec::Errors errors = add("jsonl", path, false, {});
  if (errors.empty()) make_empty(path);
  return errors;
}

spec::Errors Sinks::add(const std::string& kind, const std::string& path, bool asked_for,
                        const reports::Style& style) {
  if (std::ranges::find(sinks_, path, &Sink::path) != sinks_.end())
    return {{.what = fmt::format("two reports go to {}", path == "-" ? "stdout" : path),
             .hint = "give each a path of its own: --report KIND=PATH"}};
  const std::vector<std::string> known = reports::kinds();
  if (std::ranges::find(known, kind) == known.end())
    return {{.what = fmt::format("unknown report kind '{}'", kind),
             .hint = fmt::format("use KIND=PATH with one of {}", fmt::join(known, ", "))}};
  Sink sink{.path = path,
            .asked_for = asked_for,
            .lock = {},
            .file = nullptr,
            .folder = nullptr,
            .reporter = nullptr};
  if (reports::is_folder(kind)) return open_folder(kind, std::move(sink), style);
  if (path != "-") {
    auto lock = FileLock::take(path);
    if (!lock) return lock.errors();
    sink.lock = std::move(lock).value();
    // What it holds stays until all reports are open.
    sink.file = std::make_unique<std::ofstream>(path, std::ios::binary | std::ios::app);
    if (!*sink.file)
      return {{.file = path, .what = fmt::format("cannot write the report: {}", std::strerror(errno))}};
  }
  const reports::Style plain{
      .colour = false, .width = style.width, .verbosity = style.verbosity, .data = style.data};
  sink.reporter = reports::make_reporter(kind, sink.file ? *sink.file : std::cout, sink.file ? plain : style);
  sinks_.push_back(std::move(sink));
  return {};
}

spec::Errors Sinks::open_folder(const std::string& kind, Sink sink, const reports::Style& style) {
  if (sink.path == "-")
    return {{.what = fmt::format("the report {} is a folder", kind),
             .hint = fmt::format("--report {}=FOLDER", kind)}};
  std::error_code failed;
  std::filesystem::create_directories(sink.path, failed);
  if (failed) return {{.file = sink.path, .what = "cannot make the folder: " + failed.message()}};
  if (reports::Folder::holds_other_files(sink.path))
    return {{.file = sink.path,
             .what = "the folder holds files that are not part of a report",
             .hint = "name a new folder, or one that holds an earlier report and nothing else"}};
  auto lock = FileLock::take((std::filesystem::path(sink.path) / reports::Folder::list_of_files).string());
  if (!lock) return lock.errors();
  sink.lock = std::move(lock).value();
  sink.folder = std::make_unique<reports::Folder>(sink.path);
  sink.reporter = reports::make_reporter(kind, *sink.folder, style);
  sinks_.push_back(std::move(sink));
  return {};
}

void Sinks::past_known(const reports::Past& past) {
  for (Sink& sink : sinks_) sink.reporter->past_known(past);
}
void Sinks::timed(const spec::TimingRun& run) {
  for (Sink& sink : sinks_) sink.reporter->timed(run);
}
void Sinks::run_started(const spec::Header& header) {
  for (Sink& sink : sinks_) sink.reporter->run_started(header);
}
void Sinks::call_judged(const spec::Record& record) {
  for (Sink& sink : sinks_) sink.reporter->call_judged(record);
}
void Sinks::run_finished(const spec::Trailer& trailer) {
  for (Sink& sink : sinks_) {
    sink.reporter->run_finished(trailer);
    if (!sink.folder) (sink.file ? *sink.file : std::cout).flush();
  }
  remove_empty(false);
}

bool Sinks::is_whole(const Sink& sink) {
  if (sink.folder) return sink.folder->failed().empty();
  return sink.file ? sink.file->good() : std::cout.good();
}

void Sinks::remove_empty(bool all) {
  std::error_code ignored;
  for (const Sink& sink : sinks_)
    if (sink.file && (all || !is_whole(sink)) && std::filesystem::is_regular_file(sink.path, ignored) &&
        std::filesystem::file_size(sink.path, ignored) == 0)
      std::filesystem::remove(sink.path, ignored);
}

std::string Sinks::failed(bool asked_for) const {
  std::vector<std::string> names;
  for (const Sink& sink : sinks_)
    if (sink.asked_for == asked_for && !is_whole(sink))
      names.push_back(sink.folder ? sink.folder->failed() : sink.path == "-" ? "on stdout" : sink.path);
  return names.empty() ? ""
                       : fmt::format("the report{} {} could not be written completely",
                                     names.size() == 1 ? "" : "s", fmt::join(names, " and "));
}
std::string Sinks::failed() const { return failed(true); }
std::string Sinks::failed_to_keep() const { return failed(false); }

}  // namespace scatterproof::runner
