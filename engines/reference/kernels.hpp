// SPDX-License-Identifier: Apache-2.0
// The six canonical operations. Each checks first, then copies, then runs one loop.
#pragma once

#include "cells.hpp"
#include "scatterproof/engines/native/kernel.hpp"

namespace scatterproof::engines::reference {

// Precondition of the scatters: the call has updates. They take note of what each cell receives, unless
// `received` is null.
spec::Outcome scatter_elements(const KernelCall& call, ReceivedValues* received = nullptr);
spec::Outcome scatter_rows(const KernelCall& call, ReceivedValues* received = nullptr);
spec::Outcome scatter_nd(const KernelCall& call, ReceivedValues* received = nullptr);
spec::Outcome gather_elements(const KernelCall& call);
spec::Outcome gather_rows(const KernelCall& call);
spec::Outcome gather_nd(const KernelCall& call);

}  // namespace scatterproof::engines::reference
