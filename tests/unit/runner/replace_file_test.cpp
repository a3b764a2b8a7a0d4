// SPDX-License-Identifier: Apache-2.0
// Files written at once, also where there is no room for them.
#include "scatterproof/runner/files/replace_file.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace scatterproof::runner {
namespace {

namespace fs = std::filesystem;

/// Files may have 100 bytes: what a full disk is to a writer.
class NoRoom {
 public:
  NoRoom() {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit little{100, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &little);
  }
  ~NoRoom() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int) = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before_{};
};

class ReplaceFile : public testing::Test {
 protected:
  ReplaceFile() {
    std::string name = (fs::temp_directory_path() / "replace-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    path_ = (folder_ / "file").string();
  }
  ~ReplaceFile() override { fs::remove_all(folder_); }

  std::string text() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  auto files() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

  fs::path folder_;
  std::string path_;
};

TEST_F(ReplaceFile, LeavesNothingBesideAFileThatItCannotWrite) {
  EXPECT_TRUE(replace_file(path_, "before").empty());
  {
    const NoRoom full;
    const spec::Errors errors = replace_file(path_, std::string(10'000, 'x'));
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_EQ(spec::to_string(errors), path_ + ": error: cannot write the file: File too large\n");
  }
  EXPECT_EQ(text(), "before");
  EXPECT_EQ(files(), 1);
  EXPECT_TRUE(replace_file(path_, std::string(10'000, 'x')).empty());
  EXPECT_EQ(text().size(), 10'000u);
  EXPECT_EQ(files(), 1);
}

TEST_F(ReplaceFile, WritesWhatALinkLeadsTo) {
  fs::create_symlink("file", folder_ / "link");
  EXPECT_TRUE(replace_file(path_, "before").empty());
  EXPECT_TRUE(replace_file((folder_ / "link").string(), "after").empty());
  EXPECT_EQ(text(), "after");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
}

}  // namespace
}  // namespace scatterproof::runner
