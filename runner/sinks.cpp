// SPDX-License-Identifier: Apache-2.0
#include "sinks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iostream>

namespace scatterproof::runner {

spec::Result<std::unique_ptr<Sinks>> Sinks::open(const std::vector<std::string>& wanted, bool console,
                                                 const reports::Style& style) {
  auto sinks = std::make_unique<Sinks>();
  if (console) sinks->sinks_.push_back({"-", nullptr, reports::make_reporter("console", std::cout, style)});
  for (const std::string& want : wanted) {
    const std::size_t equals = want.find('=');
    const std::string kind = want.substr(0, equals);
    const std::string path = equals == std::string::npos ? "-" : want.substr(equals + 1);
    const auto same = [&](const Sink& other) { return other.path == path; };
    if (std::any_of(sinks->sinks_.begin(), sinks->sinks_.end(), same))
      return spec::Error{
          .what = fmt::format("two reports would be written to {}", path == "-" ? "stdout" : path),
          .hint = "KIND=PATH, with a path of its own for each"};
    const std::vector<std::string> known = reports::kinds();
    if (std::find(known.begin(), known.end(), kind) == known.end())
      return spec::Error{.what = fmt::format("there is no report '{}'", kind),
                         .hint = fmt::format("KIND=PATH with one of {}", fmt::join(known, ", "))};
    Sink sink{path, nullptr, nullptr};
    if (path != "-") {
      sink.file = std::make_unique<std::ofstream>(path, std::ios::binary | std::ios::trunc);
      if (!*sink.file)
        return spec::Error{.file = path,
                           .what = fmt::format("cannot write the report: {}", std::strerror(errno))};
    }
    const reports::Style plain{false, style.width, style.verbosity};
    sink.reporter =
        reports::make_reporter(kind, sink.file ? *sink.file : std::cout, sink.file ? plain : style);
    sinks->sinks_.push_back(std::move(sink));
  }
  return sinks;
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
    (sink.file ? *sink.file : std::cout).flush();
  }
}

std::string Sinks::failed() const {
  for (const Sink& sink : sinks_)
    if (sink.file ? !sink.file->good() : !std::cout.good())
      return fmt::format("the report {} could not be written whole",
                         sink.path == "-" ? "on stdout" : sink.path);
  return "";
}

}  // namespace scatterproof::runner
