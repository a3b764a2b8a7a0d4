// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/files/file_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace scatterproof::runner {

spec::Result<FileLock> FileLock::take(const std::string& path) {
  FileLock lock;
  struct stat facts {};
  if (::stat(path.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode)) return lock;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0)
    return spec::Error{.file = path, .what = fmt::format("cannot open the file: {}", std::strerror(errno))};
  lock.descriptor_ = std::shared_ptr<const int>(new int(descriptor), [](const int* one) {
    ::close(*one);
    delete one;
  });
  // A file system without locks gives other errors: there the file is written all the same.
  if (::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    return spec::Error{.file = path,
                       .what = "another run, or another report of this one, is writing this file",
                       .hint = "give each a file of its own"};
  return lock;
}

}  // namespace scatterproof::runner
