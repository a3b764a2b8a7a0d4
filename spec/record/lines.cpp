// SPDX-License-Identifier: Apache-2.0
#include "lines.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "json_lines.hpp"

namespace scatterproof::spec {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_line = std::size_t{64} << 20;  // far more than any record has
constexpr std::size_t most_errors = 10;

/// Why the file cannot be read line by line; empty when it can. A pipe has lines too: `report <(zcat run.gz)`.
std::string refusal(const std::string& path) {
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (failed) return fmt::format("the file cannot be read: {}", failed.message());
  if (fs::is_directory(status)) return "this is a folder, not a file";
  if (!fs::is_regular_file(status) && !fs::is_fifo(status)) return "this is not a regular file";
  return {};
}

enum class Read { line, last_line, nothing, too_long };

/// std::getline with a limit.
Read read_line(std::streambuf& from, std::string& line) {
  using Traits = std::streambuf::traits_type;
  line.clear();
  for (auto c = from.sbumpc(); !Traits::eq_int_type(c, Traits::eof()); c = from.sbumpc()) {
    if (Traits::to_char_type(c) == '\n') return Read::line;
    if (line.size() == longest_line) return Read::too_long;
    line += Traits::to_char_type(c);
  }
  return line.empty() ? Read::nothing : Read::last_line;
}

}  // namespace

Errors read_lines(const std::string& path, const TakeLine& take, const std::function<bool()>& begun) {
  if (std::string why = refusal(path); !why.empty()) return {{.file = path, .what = std::move(why)}};
  std::filebuf file;
  if (!file.open(path, std::ios::in | std::ios::binary))
    return {{.file = path,
             .what = fmt::format("the file cannot be read: {}",
                                 std::error_code(errno, std::generic_category()).message())}};
  Errors errors;
  std::size_t more = 0;
  std::string line;
  Read read = Read::line;
  int number = 1;
  for (; (read = read_line(file, line)) == Read::line || read == Read::last_line; ++number) {
    try {
      take(line, read == Read::line);
    } catch (const Malformed& malformed) {
      if (errors.size() < most_errors)
        errors.push_back({.file = path, .at = {number, 1}, .what = malformed.what()});
      else
        ++more;
      if (!begun()) return errors;
    }
    if (read == Read::last_line) break;
  }
  if (more > 0) errors.push_back({.file = path, .what = fmt::format("and {} more lines like these", more)});
  if (read == Read::too_long)
    errors.push_back({.file = path,
                      .at = {number, 1},
                      .what = fmt::format("the line is longer than {} MiB", longest_line >> 20)});
  else if (errors.empty() && !begun())
    errors.push_back({.file = path, .what = "the file is empty"});
  return errors;
}

}  // namespace scatterproof::spec
