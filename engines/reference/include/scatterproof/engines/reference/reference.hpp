// SPDX-License-Identifier: Apache-2.0
// The scalar reference engine: each canonical operation as one plain loop, after all of its checks.
#pragma once

#include <memory>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/engines/native/kernel.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::engines {

/// The engine called `reference`. It offers every API whose spec names a kernel. `specs` must outlive it.
std::unique_ptr<Engine> make_reference(const spec::SpecLibrary& specs);

/// One canonical operation: Produced with one contiguous tensor of storage of its own, or Refused with a kind
/// of docs/understand/terms.md. The call's tensors may have any layout and are only read.
spec::Outcome run_reference_kernel(const KernelCall& call);

}  // namespace scatterproof::engines
