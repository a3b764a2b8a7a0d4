// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/engines/registry/locate.hpp"

#include <unistd.h>

#include <filesystem>

namespace scatterproof::engines {

namespace fs = std::filesystem;

std::string find_above_program(std::string_view what) {
  std::error_code ignored;
  for (fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
       folder != folder.parent_path(); folder = folder.parent_path())
    if (const auto found = folder / what; access(found.c_str(), X_OK) == 0) return found.string();
  return {};
}

}  // namespace scatterproof::engines
