// SPDX-License-Identifier: Apache-2.0
#include "lines.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "json_lines.hpp"

namespace scatterproof::spec {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_line = std::size_t{64} << 20;  // far more than any record has
constexpr std::size_t most_errors = 10;

/// A read that fails ends the file, as if it had been cut off there.
template <class Call>
std::size_t bytes_read(const Call& call) {
  ssize_t got = -1;
  do got = call();
  while (got < 0 && errno == EINTR);
  return got < 0 ? 0 : static_cast<std::size_t>(got);
}

}  // namespace

Result<LineSource> LineSource::open(const std::string& path) {
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  const auto unreadable = [&] {
    return Error{.file = path, .what = fmt::format("the file cannot be read: {}", failed.message())};
  };
  if (failed) return unreadable();
  if (fs::is_directory(status)) return Error{.file = path, .what = "this is a folder, not a file"};
  // A pipe has lines too: `report <(zcat run.gz)`.
  if (!fs::is_regular_file(status) && !fs::is_fifo(status))
    return Error{.file = path, .what = "this is not a regular file"};
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file >= 0) return LineSource(file, fs::is_fifo(status));
  failed = {errno, std::generic_category()};
  return unreadable();
}

LineSource::~LineSource() {
  if (file_ >= 0) ::close(file_);
}

LineSource::LineSource(LineSource&& other) noexcept
    : bytes_(std::move(other.bytes_)), file_(std::exchange(other.file_, -1)), is_pipe_(other.is_pipe_) {}

std::size_t LineSource::read(std::uint64_t place, char* to, std::size_t most) {
  if (file_ < 0 || place < bytes_.size()) return bytes_.read(place, to, most);
  if (!is_pipe_) return bytes_read([&] { return ::pread(file_, to, most, static_cast<off_t>(place)); });
  const std::size_t got = bytes_read([&] { return ::read(file_, to, most); });
  bytes_.append({to, got});
  return got;
}

bool LineReader::read_more() {
  bytes_.erase(0, used_);
  used_ = 0;
  const std::size_t there = bytes_.size();
  bytes_.resize(there + piece_);
  const std::size_t got = source_.read(begin_ + there, bytes_.data() + there, piece_);
  bytes_.resize(there + got);
  return got > 0;
}

LineReader::Read LineReader::next(StreamLine& line) {
  std::size_t searched = used_;
  std::size_t end = bytes_.find('\n', searched);
  while (end == std::string::npos && bytes_.size() - used_ <= longest_line) {
    searched = bytes_.size() - used_;
    if (!read_more()) break;
    end = bytes_.find('\n', searched);
  }
  const bool whole = end != std::string::npos;
  const std::size_t size = (whole ? end : bytes_.size()) - used_;
  if (size > longest_line) return Read::too_long;
  if (!whole && size == 0) return Read::nothing;
  line = {.text = std::string_view(bytes_).substr(used_, size), .whole = whole, .place = begin_};
  used_ += size + (whole ? 1 : 0);
  begin_ += size + (whole ? 1 : 0);
  return Read::line;
}

Errors read_lines(const std::string& path, LineSource& source, const TakeLine& take,
                  const std::function<bool()>& begun) {
  LineReader lines(source, 0);
  Errors errors;
  std::size_t more = 0;
  StreamLine line;
  LineReader::Read read = LineReader::Read::line;
  int number = 1;
  for (; (read = lines.next(line)) == LineReader::Read::line; ++number) {
    try {
      take(line);
    } catch (const Malformed& malformed) {
      if (errors.size() < most_errors)
        errors.push_back({.file = path, .at = {number, 1}, .what = malformed.what(), .hint = malformed.hint});
      else
        ++more;
      if (!begun()) return errors;
    }
    if (!line.whole) break;
  }
  if (more > 0) errors.push_back({.file = path, .what = fmt::format("and {} more lines like these", more)});
  if (read == LineReader::Read::too_long)
    errors.push_back({.file = path,
                      .at = {number, 1},
                      .what = fmt::format("the line is longer than {} MiB", longest_line >> 20)});
  else if (errors.empty() && !begun())
    errors.push_back({.file = path, .what = "the file is empty"});
  return errors;
}

}  // namespace scatterproof::spec
