// SPDX-License-Identifier: Apache-2.0
#include "written_on_site.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "scatterproof/runner/cli/cli.hpp"
#include "scatterproof/runner/site/site.hpp"

namespace scatterproof::runner::cli {

std::string written_on_site(const spec::OpSpec& op, const std::string& framework,
                            const spec::SpecLibrary& specs, const spec::FamilyLibrary& families,
                            const engines::Places& places) {
  const auto comparisons = load_comparisons(places, families);
  if (!comparisons) return "";
  const auto code = site::load_porting_code(places.data + "/runner/site/bridges.yaml", *comparisons);
  if (!code) return "";
  const std::vector<std::string> pages = site::pages_with_code(op, framework, specs, families, *code);
  if (pages.empty()) return "";
  return fmt::format(
      "some lines of code around another API make it: `scatterproof site DIR` writes them to DIR/{}",
      fmt::join(pages, " and DIR/"));
}

}  // namespace scatterproof::runner::cli
