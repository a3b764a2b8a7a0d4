// SPDX-License-Identifier: Apache-2.0
// Bytes from disk, with the size checked before anything is read.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "scatterproof/spec/yaml/yaml.hpp"

namespace scatterproof::spec::yaml {
namespace {

class Descriptor {
 public:
  // Without O_NONBLOCK, opening a named pipe would wait for a writer.
  explicit Descriptor(const std::string& path)
      : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

std::string reason(int code) { return std::error_code(code, std::generic_category()).message(); }

Error about(const std::string& path, std::string what, std::string hint = {}) {
  return {.file = path, .what = std::move(what), .hint = std::move(hint)};
}

Error too_large(const std::string& path, std::size_t bytes, const TextLimits& limits) {
  return about(path, fmt::format("the file has {} bytes: more than the {} allowed", bytes, limits.file_bytes),
               "split the file");
}

}  // namespace

Result<Document> read_file(const std::string& path, const TextLimits& limits) {
  const Descriptor file(path);
  if (file.get() < 0) return about(path, fmt::format("the file cannot be opened: {}", reason(errno)));
  struct stat facts {};
  if (::fstat(file.get(), &facts) != 0)
    return about(path, fmt::format("the file cannot be read: {}", reason(errno)));
  if (S_ISDIR(facts.st_mode)) return about(path, "this is a folder, not a file");
  if (!S_ISREG(facts.st_mode)) return about(path, "this is not a regular file");
  const auto size = static_cast<std::size_t>(facts.st_size);
  if (size > limits.file_bytes) return too_large(path, size, limits);

  // Room for one byte more than expected shows whether the file grew (or lies about its size, as /proc does).
  std::string text(size + 1, '\0');
  std::size_t filled = 0;
  while (filled <= limits.file_bytes) {
    if (filled == text.size()) text.resize(std::min(2 * filled, limits.file_bytes + 1));
    const ssize_t count = ::read(file.get(), text.data() + filled, text.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return about(path, fmt::format("the file cannot be read: {}", reason(errno)));
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  if (filled > limits.file_bytes) return too_large(path, filled, limits);
  text.resize(filled);
  return read_text(path, std::move(text), limits);
}

}  // namespace scatterproof::spec::yaml
