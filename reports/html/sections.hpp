// SPDX-License-Identifier: Apache-2.0
// The parts of the HTML reports. All text on a page is in its HTML: scripts only hide, open and copy.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "overview.hpp"
#include "scatterproof/reports/past.hpp"

namespace scatterproof::reports {

/// Where things are: within one page, or on a page for each API.
struct Links {
  std::function<std::string(const std::string& api)> page_of;  ///< empty: on the page itself
  std::string index = {};                                      ///< the page of the whole run; empty: the same
  std::string api(const std::string& name) const;
  std::string place(const std::string& api, const std::string& anchor) const;
};

class Sections {
 public:
  /// All of them must outlive it.
  Sections(const Overview& run, const spec::Trailer& trailer, const Past& past, Links links);

  /// The verdict of the run in a sentence; what is missing or stale; calls by verdict.
  std::string head() const;
  /// APIs down, engines across, in at most about `most` bytes.
  std::string matrix(std::size_t most) const;
  /// One API: its engines, what they do where rules are broken, and its failing cases by rule. Cases that do
  /// not fit into `most` bytes are counted, and get no link. Empty if even the API's tables do not fit.
  std::string api(const std::string& name, std::size_t most);
  std::size_t failing_cases(const std::string& api) const;
  /// Groups of failures, the largest first; after the APIs, so that it is known which cases have a place.
  /// `known`: of those that a baseline entry describes.
  std::string groups(bool known, std::size_t most) const;
  /// How it was run, and what the words mean.
  std::string about() const;

 private:
  std::string details_of(const FailureText& failure) const;
  std::string group(const Failures& failures, const Failures::Group& group) const;
  std::string case_of(const CaseFailure& failure, const FailureText& text) const;
  std::string engines_of(const std::string& api) const;
  std::string rules_of(const std::string& api) const;
  std::string column_name(const std::string& engine) const;
  std::string link_to(const CaseFailure& failure, const spec::Record& record) const;
  std::string anchor_of(const CaseFailure& failure, const spec::Record& record) const;

  const Overview& run_;
  const spec::Trailer& trailer_;
  const Past& past_;
  Links links_;
  /// Of cases of one name the second and those that follow, by their numbers.
  std::unordered_map<const CaseFailure*, std::size_t> repeated_;
  struct Failing {
    const Failures* among;
    const CaseFailure* failure;
  };
  std::map<std::string, std::vector<Failing>> by_api_;
  std::set<const CaseFailure*> placed_;  ///< those that api() has shown
  std::set<std::string> placed_apis_;    ///< and its APIs
};

}  // namespace scatterproof::reports
