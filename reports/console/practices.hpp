// SPDX-License-Identifier: Apache-2.0
// What each engine does where calls break rules, whatever the document says of it.
#pragma once

#include <map>
#include <string>

#include "page.hpp"
#include "scatterproof/reports/practice.hpp"
#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::reports {

class PracticeTable {
 public:
  void add(const spec::Record& record);
  /// A line for each engine; or, if verbose or when there are few, for each rule.
  void print(const Page& page) const;

 private:
  void print_rules(const Page& page) const;
  void print_engines(const Page& page) const;

  std::map<std::pair<std::string, std::string>, std::map<std::string, Practice>>
      rules_;  ///< by API and rule; then by engine
};

}  // namespace scatterproof::reports
