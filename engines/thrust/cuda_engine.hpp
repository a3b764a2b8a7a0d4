// SPDX-License-Identifier: Apache-2.0
// The engine thrust-cuda, for its own process.
#pragma once

#include <cstddef>
#include <memory>

#include "scatterproof/engines/native/native.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::engines {

/// Unavailable without a device. Timed calls keep their tensors on the device. An error that sticks to the
/// device's context ends the process. `specs` must outlive the engine.
std::unique_ptr<Engine> make_thrust_cuda(bool deterministic, const spec::SpecLibrary& specs);

/// A WalkFunction on memory of the host, which it copies to the device and back. start_cuda() comes first.
bool run_thrust_cuda(const Walk& walk, std::byte* result, const KernelSettings& settings);

}  // namespace scatterproof::engines
