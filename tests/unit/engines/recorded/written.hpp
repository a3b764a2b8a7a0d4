// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace scatterproof::engines::testing {

/// A file with this text, which is removed again.
class Written {
 public:
  explicit Written(const std::string& text)
      : path(::testing::TempDir() + "recording-" + std::to_string(getpid())) {
    std::ofstream(path, std::ios::binary) << text;
  }
  Written(const Written&) = delete;
  Written& operator=(const Written&) = delete;
  ~Written() { std::remove(path.c_str()); }
  const std::string path;
};

}  // namespace scatterproof::engines::testing
