// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/select/suggest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "scatterproof/runner/select/select.hpp"

namespace scatterproof::runner {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view separators = "./";

/// The glob with its first misspelt segment corrected: `torch.gahter/*` -> `torch.gather/*`. Empty when the
/// first segment that no name continues with is like none of those that names do continue with.
std::string mend_segment(const std::string& glob, const std::vector<std::string>& names) {
  for (std::size_t from = 0; from < glob.size();) {
    const std::size_t to = std::min(glob.find_first_of(separators, from), glob.size());
    std::set<std::string> segments;
    for (const std::string& name : names)
      if (name.starts_with(glob.substr(0, from)))
        segments.insert(name.substr(from, name.find_first_of(separators, from) - from));
    const std::string word = glob.substr(from, to - from);
    if (!segments.contains(word)) {
      const auto near = spec::nearest(word, {segments.begin(), segments.end()});
      return near ? glob.substr(0, from) + *near + glob.substr(to) : "";
    }
    from = to + 1;
  }
  return "";
}

/// The first few.
std::vector<std::string> ending_with(const std::string& end, const std::vector<std::string>& names) {
  constexpr std::size_t few = 3;
  std::vector<std::string> found;
  for (const std::string& name : names)
    if (found.size() < few && name.ends_with(end)) found.push_back(name);
  return found;
}

}  // namespace

std::string did_you_mean(const std::string& word, const std::vector<std::string>& names,
                         const std::string& otherwise) {
  const bool is_glob = word.find_first_of("*?") != std::string::npos;
  const auto near = is_glob ? std::nullopt : spec::nearest(word, names);
  const std::string mended = near ? *near : mend_segment(word, names);
  if (!mended.empty()) return spec::did_you_mean(mended);
  const std::vector<std::string> longer = ending_with("." + word, names);
  return longer.empty() ? otherwise : spec::did_you_mean(fmt::format("{}", fmt::join(longer, "' or '")));
}

spec::Errors unmatched(const std::vector<std::string>& globs, const std::vector<std::string>& names,
                       const std::string& what, const std::string& hint,
                       const std::vector<std::string>& others) {
  std::vector<std::string> meant = names;
  meant.insert(meant.end(), others.begin(), others.end());
  spec::Errors errors;
  for (const std::string& glob : globs)
    if (std::ranges::none_of(names, [&](const auto& name) { return matches_glob(glob, name); }))
      errors.push_back(
          {.what = fmt::format(fmt::runtime(what), glob), .hint = did_you_mean(glob, meant, hint)});
  return errors;
}

spec::Error missing_file(const std::string& path) {
  std::error_code why;
  static_cast<void>(fs::status(path, why));
  if (why && why != std::errc::no_such_file_or_directory && why != std::errc::not_a_directory)
    return {.what = fmt::format("cannot open '{}': {}", path, why.message())};
  const fs::path folder = fs::path(path).parent_path();
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, ignored))
    names.push_back(entry.path().filename().string());
  const auto near = spec::nearest(fs::path(path).filename().string(), names);
  return {.what = fmt::format("no such file '{}'", path),
          .hint = near ? spec::did_you_mean((folder / *near).string()) : ""};
}

}  // namespace scatterproof::runner
