// SPDX-License-Identifier: Apache-2.0
// The words for a record's disposition.
#include "scatterproof/spec/record/record.hpp"

#include <array>

namespace scatterproof::spec {
namespace {

constexpr std::array<std::string_view, 5> disposition_names = {"as_expected", "unexpected", "known", "flaky",
                                                               "expired"};

}  // namespace

std::string_view name(Disposition disposition) {
  return disposition_names[static_cast<std::size_t>(disposition)];
}

std::optional<Disposition> parse_disposition(std::string_view name) {
  for (std::size_t i = 0; i < disposition_names.size(); ++i)
    if (disposition_names[i] == name) return static_cast<Disposition>(i);
  return {};
}

}  // namespace scatterproof::spec
