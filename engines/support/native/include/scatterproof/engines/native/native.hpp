// SPDX-License-Identifier: Apache-2.0
// What the native engines have in common: a call is lowered by its spec, and a function executes the kernel
// call.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/engines/native/kernel.hpp"
#include "scatterproof/engines/native/walk.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::engines {

/// Executes a kernel call from first check to result: Produced with one contiguous tensor that has its own
/// storage, or Refused with a refusal kind of docs/understand/terms.md, or Unsupported.
using KernelFunction = std::function<spec::Outcome(const KernelCall& call)>;

/// The gradients of a kernel call that has produced a result: of its data, and of its updates if they are a
/// tensor. Each has as many elements as that tensor, in row-major order.
struct KernelGradients {
  spec::Tensor data;
  spec::Tensor updates;
};

/// The derivatives of a kernel call that has produced a result, in reverse and in forward mode.
struct KernelDerivatives {
  std::function<KernelGradients(const KernelCall& call, const spec::Tensor& cotangent)> gradients = nullptr;
  /// Those of data and updates; null: it does not move. The tangent has as many elements as the result, in
  /// row-major order.
  std::function<spec::Tensor(const KernelCall& call, const spec::Tensor* of_data,
                             const spec::Tensor* of_updates)>
      tangent = nullptr;
};

/// An engine in this process that offers every API whose spec names a kernel. `specs` must outlive it.
/// `derivatives`: of null functions, if it has none.
std::unique_ptr<Engine> make_native_engine(std::string name, std::string device, KernelFunction kernel,
                                           const spec::SpecLibrary& specs,
                                           KernelDerivatives derivatives = {});

/// How a fast kernel executes.
struct KernelSettings {
  int threads = 0;             ///< 0: as many as the machine or OMP_NUM_THREADS says
  bool deterministic = false;  ///< the same bits for any number of threads: combines in the documents' order
};

/// A planned call, executed in place. `result` is contiguous, of walk.result_numel elements of walk.dtype;
/// for a scatter it holds the start values, for a gather anything, and it overlaps no input. True when done;
/// false when a value of the index is out of range: then nothing was written.
using WalkFunction = bool (*)(const Walk& walk, std::byte* result, const KernelSettings& settings);

/// The engine around a WalkFunction: plans, makes the result and executes; timed calls do the same.
/// `settings.threads` is overridden by CallRequest::threads and TimingOptions::threads.
std::unique_ptr<Engine> make_walk_engine(std::string name, std::string device, WalkFunction execute,
                                         KernelSettings settings, const spec::SpecLibrary& specs);

}  // namespace scatterproof::engines
