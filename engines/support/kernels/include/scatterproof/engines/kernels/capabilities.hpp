// SPDX-License-Identifier: Apache-2.0
// What a kernel library declares about its kernels (scatterproof/kernel_abi.h, "Describing").
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scatterproof/engines/native/kernel.hpp"
#include "scatterproof/spec/core/error.hpp"

namespace scatterproof::engines {

/// One operation, and the calls of it that are taken.
struct OfferedKernel {
  KernelOp op = KernelOp::gather_elements;
  std::vector<spec::Combiner> combiners{spec::Combiner::assign};
  std::vector<bool> include_start{true};
  std::vector<spec::DType> dtypes;
  std::vector<spec::DType> index_dtypes;
  bool strided = false;         ///< takes inputs of any layout; else they are made contiguous for it
  bool strided_output = false;  ///< the same of the output, whose elements do not overlap
  bool wrap_negative = false;
  bool gradient = false;  ///< it also computes the gradients of its calls
  std::size_t most_dimensions = spec::max_rank;
  std::vector<std::string> checks;  ///< refusal kinds that it checks for itself

  bool checks_for(const std::string& kind) const;
  bool takes_index(spec::DType dtype) const;
};
using OfferedKernels = std::vector<OfferedKernel>;

bool offers(const OfferedKernels& kernels, KernelOp op);

struct Capabilities {
  std::string name;
  std::string version;
  std::string device;
  OfferedKernels kernels;
};

/// Reads a library's description (spec/data/schema/kernels.schema.json).
spec::Result<Capabilities> read_capabilities(const std::string& json);

/// The list `kernels` of a description, alone: as a worker declares it.
std::string to_json(const OfferedKernels& kernels);
spec::Result<OfferedKernels> read_kernels(const std::string& json);

/// Why this kernel is not for the call, in words; empty when it is. Looks at everything but the index's dtype
/// and values, which may break a rule that the kernel checks for.
std::string not_covered(const OfferedKernel& kernel, const KernelCall& call);

}  // namespace scatterproof::engines
