// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "scatterproof/spec/core/spool.hpp"
#include "scatterproof/spec/record/record.hpp"

namespace scatterproof::reports {

/// Records that a report shows only at its end, out of memory where they are many.
class RecordSpool {
 public:
  /// Its place.
  std::uint64_t add(const spec::Record& record);
  /// Precondition: it was added. Throws std::runtime_error where the temporary file cannot be read.
  spec::Record read(std::uint64_t place) const;

 private:
  spec::Spool bytes_;
};

}  // namespace scatterproof::reports
