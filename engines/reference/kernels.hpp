// SPDX-License-Identifier: Apache-2.0
// The six canonical operations. Each checks first, then copies, then runs one loop.
#pragma once

#include "scatterproof/engines/native/kernel.hpp"

namespace scatterproof::engines::reference {

// Precondition of the scatters: the call has updates.
spec::Outcome scatter_elements(const KernelCall& call);
spec::Outcome scatter_rows(const KernelCall& call);
spec::Outcome scatter_nd(const KernelCall& call);
spec::Outcome gather_elements(const KernelCall& call);
spec::Outcome gather_rows(const KernelCall& call);
spec::Outcome gather_nd(const KernelCall& call);

}  // namespace scatterproof::engines::reference
