// SPDX-License-Identifier: Apache-2.0
// A call with the lookups of a given one over and over.
#pragma once

#include <cstdint>
#include <optional>

#include "scatterproof/spec/family/family.hpp"

namespace scatterproof::runner::relations {

struct RepeatedLookups {
  spec::Call call;
  std::size_t along =
      0;  ///< the dimension of the stream: a gather's result is the other's, this often along it
};

/// The call with its lookups this often, index and updates. Empty: its family has no dimension of lookups, or
/// index and updates do not have the same number of them.
std::optional<RepeatedLookups> with_lookups_repeated(const spec::Family& family, const spec::OpSpec& spec,
                                                     const spec::Call& call, std::int64_t times);

/// The call with its lookups over and over, until `contributions` values land or somewhat more, for threads
/// that would have to be unlucky else. Empty: the call is not a scatter, or its family has no dimension of
/// lookups.
std::optional<spec::Call> crowded(const spec::Family& family, const spec::OpSpec& spec,
                                  const spec::Call& call, std::int64_t contributions);

}  // namespace scatterproof::runner::relations
