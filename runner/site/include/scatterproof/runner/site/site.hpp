// SPDX-License-Identifier: Apache-2.0
// The site: what documents say, what engines do, and how a call of one framework is written in another, as
// pages that need no server.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scatterproof/reports/site.hpp"
#include "scatterproof/runner/catalogue/catalogue.hpp"
#include "scatterproof/runner/claims/claim.hpp"
#include "scatterproof/runner/site/kept.hpp"
#include "scatterproof/spec/family/comparison.hpp"

namespace scatterproof::runner::site {

/// Where released frameworks do something that their documents do not say: a file of
/// engines/workers/<framework>/findings.
struct PublishedFinding {
  struct Quotation {
    std::string where, says;
    bool against = false;  ///< it speaks for what happens
  };
  std::string id, title, severity, configuration, status, link, because, fixed_in, searched, silent,
      mathematics, what;
  std::map<std::string, std::vector<std::string>> seen;                ///< releases by engine
  std::vector<std::pair<std::string, std::vector<std::string>>> apis;  ///< with the rules that calls break
  std::vector<std::string> threads;
  std::vector<Quotation> clauses;
  std::vector<std::string> scripts;
};
/// All below a folder of workers, by number. Errors: a file that cannot be read.
spec::Result<std::vector<PublishedFinding>> load_findings(const std::string& workers);

/// How calls of one family are written with APIs of another: an entry of bridges.yaml.
struct Bridge {
  std::string from, to;              ///< families
  std::vector<std::string> combine;  ///< the words of `combine` that it holds for; empty: all
  std::string says;
  std::string code;    ///< Python with numpy over the roles of `from`: sets `new_<role>` of `to`
  std::string result;  ///< what is made of the result, `{}` standing for the call; empty: nothing
};
/// What is done with the arguments of a call first, where the API that it is written with would take them in
/// another way: an entry of bridges.yaml.
struct Preparation {
  std::vector<std::string> in;       ///< families of the call
  std::vector<std::string> classes;  ///< input classes that it is for
  std::string does;      ///< what the call's own document says of these: `as defined`, or the id of a reading
  std::string to;        ///< the framework that it is for; empty: each
  bool bridged = false;  ///< also before the code of a bridge
  /// A role, and Python with numpy over the roles; of a policy, the value that the other API is given.
  std::vector<std::pair<std::string, std::string>> sets;
  std::string result;  ///< as of a bridge
};

/// All of bridges.yaml.
struct PortingCode {
  std::vector<Bridge> bridges;
  std::vector<Preparation> preparations;
};
/// Errors: the file's, and unknown families, classes, readings and roles.
spec::Result<PortingCode> load_porting_code(const std::string& path,
                                            const std::vector<spec::FamilyComparison>& comparisons);

/// The files of the site's pages that write calls of an API with APIs of other families that this framework
/// has, where it has none in the API's own.
std::vector<std::string> pages_with_code(const spec::OpSpec& from, const std::string& framework,
                                         const spec::SpecLibrary& specs, const spec::FamilyLibrary& families,
                                         const PortingCode& code);

/// All that the site is made from.
struct SiteSources {
  const Catalogue& catalogue;
  const spec::FamilyLibrary& families;
  const std::vector<spec::FamilyComparison>& comparisons;  ///< of all families, in their order
  const std::vector<claims::ClaimFile>& claims;
  const std::vector<PublishedFinding>& findings;
  const PortingCode& code;
  const KeptResults& kept;
  std::string tool_version;
  std::string made;  ///< by what and when, in a sentence
  std::string from;  ///< from which results, in another
  std::function<void(const std::string& what)> doing = {};
  const std::atomic<bool>& interrupted;
};

/// Writes every page. Answers how many; fewer if it was interrupted.
std::size_t write_site(reports::Folder& folder, const SiteSources& sources);

}  // namespace scatterproof::runner::site
