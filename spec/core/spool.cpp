// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/spec/core/spool.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace scatterproof::spec {
namespace {

constexpr std::size_t most_in_memory = std::size_t{1} << 20;

/// A file that no other process sees; -1: it cannot be created.
int temporary_file() {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  if (failed) return -1;
  int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
  std::string name = (folder / "scatterproof-XXXXXX").string();  // not every file system can do that
  file = ::mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0) ::unlink(name.c_str());
  return file;
}

bool write_all(int file, std::string_view bytes, std::uint64_t place) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
    place += static_cast<std::uint64_t>(written);
  }
  return true;
}

std::size_t read_some(int file, std::uint64_t place, char* to, std::size_t most) {
  while (true) {
    const ssize_t got = ::pread(file, to, most, static_cast<off_t>(place));
    if (got > 0) return static_cast<std::size_t>(got);
    if (got == 0 || errno != EINTR) throw std::runtime_error("a temporary file cannot be read");
  }
}

}  // namespace

Spool::~Spool() {
  if (file_ >= 0) ::close(file_);
}

Spool::Spool(Spool&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      in_file_(std::exchange(other.in_file_, 0)),
      in_memory_(std::move(other.in_memory_)),
      has_no_room_(other.has_no_room_) {}

Spool& Spool::operator=(Spool&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(in_file_, other.in_file_);
  std::swap(in_memory_, other.in_memory_);
  std::swap(has_no_room_, other.has_no_room_);
  return *this;
}

std::uint64_t Spool::append(std::string_view bytes) {
  const std::uint64_t place = size();
  in_memory_ += bytes;
  if (in_memory_.size() > most_in_memory && !has_no_room_) move_to_file();
  return place;
}

void Spool::move_to_file() {
  if (file_ < 0) file_ = temporary_file();
  has_no_room_ = file_ < 0 || !write_all(file_, in_memory_, in_file_);
  if (has_no_room_) return;
  in_file_ += in_memory_.size();
  in_memory_.clear();
}

std::size_t Spool::read(std::uint64_t place, char* to, std::size_t most) const {
  std::size_t got = 0;
  while (got < most && place + got < size()) {
    const std::uint64_t at = place + got;
    if (at < in_file_) {
      const auto left = static_cast<std::size_t>(std::min<std::uint64_t>(most - got, in_file_ - at));
      got += read_some(file_, at, to + got, left);
      continue;
    }
    const std::size_t begin = at - in_file_, n = std::min(most - got, in_memory_.size() - begin);
    std::memcpy(to + got, in_memory_.data() + begin, n);
    got += n;
  }
  return got;
}

std::string Spool::read(std::uint64_t place, std::size_t size) const {
  std::string bytes(size, '\0');
  read(place, bytes.data(), size);
  return bytes;
}

}  // namespace scatterproof::spec
