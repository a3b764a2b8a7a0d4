// SPDX-License-Identifier: Apache-2.0
// A stream that is read record by record, as often as wanted: it may be larger than memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/core/spool.hpp"
#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::spec {

class LineSource;

/// Takes a record, and where its line begins in the stream.
using TakeRecord = std::function<void(const Record& record, std::uint64_t place)>;

/// A run whose records are handed over one by one, in order, each time that they are asked for. The errors:
/// the stream has changed since it was opened.
struct StoredRun {
  Header header;
  std::optional<Trailer> trailer;  ///< absent: the stream was cut off
  std::size_t records = 0;
  std::function<Errors(const TakeRecord& take)> each;
};

/// What `path` holds, as of the time it was opened: a run may still write to it. The bytes of a pipe are kept
/// in a spool.
class StreamFile {
 public:
  /// Reads all of it once, so that its errors are known before it is used, and passes each record to `look`,
  /// also the records of a stream that turns out to be wrong further on. A truncated last line is tolerated
  /// (no trailer); any other bad line is an error with its number.
  static Result<StreamFile> open(const std::string& path, const TakeRecord& look = {});
  /// The same for lines that were already read; errors call them `name`.
  static Result<StreamFile> of(std::string name, Spool lines, const TakeRecord& look = {});
  ~StreamFile();
  StreamFile(StreamFile&&) noexcept;
  StreamFile& operator=(StreamFile&&) noexcept;

  const std::string& name() const { return name_; }
  const Header& header() const { return header_; }
  const std::optional<Trailer>& trailer() const { return trailer_; }
  std::size_t records() const { return records_; }
  /// Hands over the records again, in one pass over the file.
  Errors each(const TakeRecord& take) const;
  /// The record whose line begins there.
  Result<Record> at(std::uint64_t place) const;

 private:
  StreamFile(std::string name, std::unique_ptr<LineSource> source);
  static Result<StreamFile> read(StreamFile stream, const TakeRecord& look);
  Error changed() const;

  std::string name_;
  std::unique_ptr<LineSource> source_;
  Header header_;
  std::optional<Trailer> trailer_;
  std::size_t records_ = 0;
  std::uint64_t first_ = 0;  ///< where the first record begins
};

/// The run of a stream, for those who do not mind where it is. It owns the stream.
StoredRun stored(StreamFile stream);

/// A header and an end without the records between them: of the first and the last line.
Result<Run> read_ends(const std::string& name, const std::string& header, const std::string& end);

}  // namespace scatterproof::spec
