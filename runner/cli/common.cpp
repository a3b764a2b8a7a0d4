// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "cli.hpp"
#include "progress.hpp"
#include "select.hpp"

namespace scatterproof::runner::cli {

int report_errors(const spec::Errors& errors) {
  Progress::wipe_line();
  std::fputs(spec::to_string(errors).c_str(), stderr);
  return usage;
}

namespace {

bool wants_colour() {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return value && *value;
  };
  if (set("NO_COLOR")) return false;
  if (set("CLICOLOR_FORCE") || set("FORCE_COLOR")) return true;
  const char* term = std::getenv("TERM");
  return isatty(STDOUT_FILENO) && term && std::string_view(term) != "dumb";
}

}  // namespace

reports::Style terminal_style() {
  reports::Style style;
  style.colour = wants_colour();
  winsize size{};
  const char* columns = std::getenv("COLUMNS");
  if (const int width = columns ? std::atoi(columns) : 0; width > 0)
    style.width = width;
  else if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.width = size.ws_col;
  return style;
}

void add_selection(CLI::App& verb, Selection& selection) {
  verb.add_option("what", selection.what,
                  "Case files, folders of them, or globs on ids; everything shipped when left out");
  verb.add_option("-k", selection.expression,
                  "Only cases whose id or tags hold: words with and, or, not, parentheses");
  verb.add_option("--shard", selection.shard, "I/N: the I-th of N parts, by a hash of the id");
  verb.add_option("--specs", selection.specs, "Another folder of op specs")->type_name("FOLDER");
}

spec::Errors unmatched(const std::vector<std::string>& globs, const std::vector<std::string>& names,
                       const std::string& what, const std::string& hint) {
  spec::Errors errors;
  for (const std::string& glob : globs) {
    if (std::ranges::any_of(names, [&](const auto& name) { return matches_glob(glob, name); })) continue;
    const auto near = spec::nearest(glob, names);
    errors.push_back({"",
                      {},
                      fmt::format(fmt::runtime(what), glob),
                      near ? fmt::format("did you mean '{}'?", *near) : hint,
                      ""});
  }
  return errors;
}

void add_jobs(CLI::App& verb, int& jobs, const std::string& what) {
  jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  verb.add_option("-j,--jobs", jobs, what + "; all cores when left out")->check(CLI::Range(1, 1024));
}

}  // namespace scatterproof::runner::cli
