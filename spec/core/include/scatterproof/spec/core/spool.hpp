// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace scatterproof::spec {

/// Bytes that are written once and read again. Beyond a mebibyte they are kept in an unnamed temporary file,
/// which disappears with the spool or the process. If no such file can be created or written, they stay in
/// memory.
class Spool {
 public:
  Spool() = default;
  ~Spool();
  Spool(Spool&& other) noexcept;
  Spool& operator=(Spool&& other) noexcept;

  /// Where the bytes begin.
  std::uint64_t append(std::string_view bytes);
  std::uint64_t size() const { return in_file_ + in_memory_.size(); }
  /// Copies up to `most` bytes from `place` on and returns their number. Throws std::runtime_error if the
  /// file cannot be read.
  std::size_t read(std::uint64_t place, char* to, std::size_t most) const;
  /// Precondition: they were appended.
  std::string read(std::uint64_t place, std::size_t size) const;

 private:
  void move_to_file();

  int file_ = -1;              ///< owned
  std::uint64_t in_file_ = 0;  ///< bytes; those in memory follow them
  std::string in_memory_;
  bool has_no_room_ = false;  ///< the file took no more
};

}  // namespace scatterproof::spec
