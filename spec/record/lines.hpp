// SPDX-License-Identifier: Apache-2.0
// The lines of a file that may be anything: of no format, without end, the wrong file altogether.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/core/spool.hpp"

namespace scatterproof::spec {

/// Bytes that can be read again: of a file, of a pipe, which are kept as they come, or of a spool.
class LineSource {
 public:
  /// Folders and devices are errors.
  static Result<LineSource> open(const std::string& path);
  explicit LineSource(Spool bytes) : bytes_(std::move(bytes)) {}
  ~LineSource();
  LineSource(LineSource&& other) noexcept;

  /// Copies up to `most` bytes from `place` on and returns their number; 0 at the end. For a pipe, `place` is
  /// not beyond what was read.
  std::size_t read(std::uint64_t place, char* to, std::size_t most);

 private:
  LineSource(int file, bool is_pipe) : file_(file), is_pipe_(is_pipe) {}

  Spool bytes_;
  int file_ = -1;  ///< owned; -1: the spool has all there is
  bool is_pipe_ = false;
};

struct StreamLine {
  std::string_view text;    ///< until the next line is read
  bool whole = true;        ///< it ends in a newline
  std::uint64_t place = 0;  ///< where it begins
};

/// Goes from line to line.
class LineReader {
 public:
  enum class Read { line, nothing, too_long };

  /// From `place` on, in pieces of `piece` bytes. The source must outlive it.
  LineReader(LineSource& source, std::uint64_t place, std::size_t piece = std::size_t{1} << 18)
      : source_(source), begin_(place), piece_(piece) {}
  Read next(StreamLine& line);

 private:
  /// False: there are no more bytes.
  bool read_more();

  LineSource& source_;
  std::uint64_t begin_;  ///< where the next line begins, at `used_`
  std::size_t piece_;
  std::string bytes_;
  std::size_t used_ = 0;
};

/// Takes one line. Throws Malformed.
using TakeLine = std::function<void(const StreamLine& line)>;

/// Hands over each line of the input called `path`. A Malformed becomes an error at its line: the first few
/// are reported, the others counted. While `begun` is false, reading stops at the first bad line: the file is
/// something else. A line that never ends is an error.
Errors read_lines(const std::string& path, LineSource& source, const TakeLine& take,
                  const std::function<bool()>& begun);

}  // namespace scatterproof::spec
