// SPDX-License-Identifier: Apache-2.0
#include "scatterproof/runner/site/site.hpp"

#include "contents.hpp"

namespace scatterproof::runner::site {

std::size_t write_site(reports::Folder& folder, const SiteSources& sources) {
  SiteContents contents(sources);
  reports::SiteWriter writer(folder, {.tool_version = sources.tool_version,
                                      .made = sources.made,
                                      .from = sources.from,
                                      .entry = index_file,
                                      .pages = {link("APIs", index_file), link("Findings", findings_file),
                                                link("Claims", claims_file), link("Figures", figures_file)}});
  std::size_t written = 0;
  const auto write = [&](const reports::SitePage& page) {
    writer.write(page);
    ++written;
  };
  for (const spec::OpSpec& op : contents.specs().all()) {
    if (sources.interrupted) return written;
    for (const Twin& twin : contents.twins(op)) write(pair_page(contents, op, twin));
    write(api_page(contents, op));
  }
  for (const PublishedFinding& finding : sources.findings) write(finding_page(contents, finding));
  for (const claims::ClaimFile& file : sources.claims) write(claims_page(contents, file));
  for (const reports::SitePage& page : framework_pages(contents)) write(page);
  write(findings_page(contents));
  write(claims_page(contents));
  write(figures_page(contents));
  write(index_page(contents));  // last: a site that was interrupted has none
  return written;
}

}  // namespace scatterproof::runner::site
