// SPDX-License-Identifier: Apache-2.0
// What the harness of a parser, a target of libFuzzer, is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace scatterproof::parsers {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A file with this content and without a name on any disk.
class MemoryFile {
 public:
  MemoryFile(const std::uint8_t* data, std::size_t size);
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile();
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

/// Ends the program when its scope takes more than a second of processor time. libFuzzer's own limit counts
/// the time of other programs too.
class TimeLimit {
 public:
  TimeLimit();
  TimeLimit(const TimeLimit&) = delete;
  TimeLimit& operator=(const TimeLimit&) = delete;
  ~TimeLimit();
};

}  // namespace scatterproof::parsers
