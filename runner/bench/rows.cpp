// SPDX-License-Identifier: Apache-2.0
// Reads row files into rows; reports all errors of a file at once.
#include "scatterproof/runner/bench/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "parameters.hpp"
#include "row_reader.hpp"

namespace scatterproof::runner::bench {
namespace {

namespace fs = std::filesystem;
using spec::Reader;
using spec::yaml::Node;

/// An error that every combination of parameters causes is reported once.
spec::Errors told_once(const spec::Errors& errors) {
  spec::Errors once;
  std::set<std::tuple<int, int, std::string>> seen;
  for (const spec::Error& error : errors)
    if (seen.insert({error.at.line, error.at.column, error.what}).second) once.push_back(error);
  return once;
}

spec::Result<std::vector<BenchmarkRow>> read_rows(const spec::yaml::Document& document,
                                                  const spec::SpecLibrary& specs, bool quick) {
  if (const Node* old = document.root.find("family"))
    return document.error(old->at, "the key 'family' is now called 'benchmark'",
                          fmt::format("write 'benchmark: {}'", old->text));
  if (auto errors = spec::yaml::validate(document, "bench"); !errors.empty()) return errors;
  Reader reader(document);
  spec::Unique unique(reader, "row");
  std::vector<BenchmarkRow> rows;
  for (const Node& one : document.root.find("rows")->items) {
    const Node* instead = one.find("quick");
    check_names(reader, one.find("for"), instead);
    if (quick && !instead) continue;
    for (BenchmarkRow& row : read_template(reader, specs, document.root.find("benchmark")->text, one,
                                           quick ? instead : nullptr)) {
      unique.add(row.id, row.at);
      rows.push_back(std::move(row));
    }
  }
  if (!reader.errors().empty()) return told_once(reader.errors());
  return rows;
}

/// The largest value of a pattern used for `count` lookups, plus one; empty when it is out of all bounds.
std::optional<std::int64_t> reach(const AccessPattern& pattern, std::int64_t count) {
  if (count == 0) return 0;
  const auto length = static_cast<std::int64_t>(pattern.offsets.size());
  const std::int64_t whole = (count - 1) / length;  // uses of the pattern before the last one
  const auto used = pattern.offsets.begin() + (count - 1) % length + 1;
  std::int64_t last = 0, furthest = 0;
  if (__builtin_mul_overflow(whole, pattern.delta, &last)) return std::nullopt;
  furthest = last + *std::max_element(pattern.offsets.begin(), used);
  if (whole > 0)
    furthest = std::max(furthest, last - pattern.delta + *std::ranges::max_element(pattern.offsets));
  if (furthest >= spec::max_numel) return std::nullopt;
  return furthest + 1;
}

}  // namespace

std::vector<spec::Shape> shapes(const BenchmarkRow& row, std::int64_t largest) {
  std::vector<spec::Shape> all;
  for (const TensorPlan& tensor : row.tensors) {
    spec::Shape shape;
    for (const Size& size : tensor.shape) shape.push_back(std::min(size.count, largest));
    all.push_back(std::move(shape));
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t d = 0; d < all[i].size(); ++d) {
      const std::string& name = row.tensors[i].shape[d].reach;
      if (name.empty()) continue;
      const auto index = std::ranges::find(row.tensors, name, &TensorPlan::name);
      const auto far =
          reach(index->fill.pattern, spec::numel(all[static_cast<std::size_t>(index - row.tensors.begin())]));
      if (!far) return {};
      all[i][d] = *far;
    }
  for (const spec::Shape& shape : all)
    if (const auto count = spec::checked_numel(shape); !count || *count > spec::max_numel) return {};
  return all;
}

spec::Result<std::vector<BenchmarkRow>> load_rows(const std::string& path, const spec::SpecLibrary& specs,
                                                  bool quick) {
  const auto document = spec::yaml::read_file(path);
  if (!document) return document.errors();
  return read_rows(*document, specs, quick);
}

spec::Result<std::vector<BenchmarkRow>> load_rows_text(std::string file_name, std::string text,
                                                       const spec::SpecLibrary& specs, bool quick) {
  const auto document = spec::yaml::read_text(std::move(file_name), std::move(text));
  if (!document) return document.errors();
  return read_rows(*document, specs, quick);
}

spec::Result<std::vector<BenchmarkRow>> load_row_folder(const std::string& folder,
                                                        const spec::SpecLibrary& specs, bool quick) {
  std::vector<fs::path> paths;
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(folder, failed))
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
  if (failed)
    return spec::Error{.file = folder, .what = fmt::format("cannot read the folder: {}", failed.message())};
  // B2 comes before B10.
  std::ranges::sort(paths, {},
                    [](const fs::path& path) { return std::pair(path.native().size(), path.native()); });
  spec::Errors errors;
  std::vector<BenchmarkRow> rows;
  std::map<std::string, std::string> taken;
  for (const fs::path& path : paths) {
    auto loaded = load_rows(path.string(), specs, quick);
    if (!loaded) {
      errors.insert(errors.end(), loaded.errors().begin(), loaded.errors().end());
      continue;
    }
    for (BenchmarkRow& row : loaded.value()) {
      const auto [before, fresh] = taken.emplace(row.id, row.file);
      if (!fresh && before->second != row.file)
        errors.push_back({.file = row.file,
                          .at = row.at,
                          .what = fmt::format("row '{}' is already taken", row.id),
                          .hint = fmt::format("by {}", before->second)});
      rows.push_back(std::move(row));
    }
  }
  if (!errors.empty()) return errors;
  return rows;
}

}  // namespace scatterproof::runner::bench
