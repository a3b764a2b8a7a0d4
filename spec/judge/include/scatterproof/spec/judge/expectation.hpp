// SPDX-License-Identifier: Apache-2.0
// What a document allows for one call: made by the oracle; the judge checks outcomes against it.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "scatterproof/spec/judge/bag.hpp"

namespace scatterproof::spec {

/// A text that is built only when it is asked for, since most reasons are never read. The spec it refers to
/// must outlive it.
class Reason {
 public:
  Reason() = default;
  Reason(std::string text) {
    if (!text.empty()) make_ = [text = std::move(text)] { return text; };
  }
  Reason(const char* text) : Reason(std::string(text)) {}
  explicit Reason(std::function<std::string()> make) : make_(std::move(make)) {}
  bool empty() const { return !make_; }
  std::string text() const { return make_ ? make_() : std::string(); }

 private:
  std::function<std::string()> make_;
};

/// The document requires a refusal; or lets the engine refuse.
struct RefusalExpected {
  std::vector<std::string> classes;  ///< acceptable exception classes; empty: any
  std::string native;                ///< acceptable kind from a native engine; empty: any
  Reason because;                    ///< the broken rule's sentence, with document and section
};
/// The document promises nothing (`undefined`), or is silent (`open`).
struct Free {
  bool undefined = false;
  Reason because;
};

struct Expectation {
  std::variant<Bag, RefusalExpected, Free> what;
  bool may_refuse = false;                  ///< a refusal is allowed as well as the result
  std::vector<std::string> broken;          ///< ids of the broken rules
  Reason because;                           ///< formula or rule and its document, for explanations
  std::vector<std::string> unchanged = {};  ///< arguments that a refused call leaves as they were
  Reason unchanged_because = {};            ///< the document's sentence that promises it
};

}  // namespace scatterproof::spec
