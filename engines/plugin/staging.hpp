// SPDX-License-Identifier: Apache-2.0
// One call of a user's kernel, or question for its gradients: places its tensors where the kernel wants them,
// executes it, checks it afterwards.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "block.hpp"
#include "ended_calls.hpp"
#include "library.hpp"
#include "scatterproof/engines/kernels/plain_call.hpp"
#include "scatterproof/spec/core/outcome.hpp"

namespace scatterproof::engines::plugin {

class StagedCall {
 public:
  /// Throws Block::OutOfMemory. `library` must outlive it.
  StagedCall(const Library& library, PlainCall call);

  /// Puts the start values (others than a scatter's: a pattern) into the outputs. False when a device's copy
  /// fails.
  bool restart();
  /// Begins one execution on the outputs as they are; empty on success.
  std::optional<Complaint> begin();
  /// What the kernel wrote outside its tensors, or that this could not be checked; empty when all is well.
  std::string damage() const;
  /// The results of the execution: Produced, or Garbled when the kernel wrote where it must not. Inputs that
  /// it changed are changed in the PlainCall's tensors as well, so that the caller can compare them.
  spec::Outcome collect();
  /// Once collected: whether a scatter has changed its output.
  bool changed_output() const;
  /// Once collected: what the call's blocks hold from then on, unless a stray write changes them.
  EndedCall end() const;

 private:
  /// A tensor in a block of its own, or in that of an earlier input with whose tensor it shares its storage.
  struct Staged {
    spec::Tensor original;
    spec::Tensor
        laid_out;  ///< what the block was filled from: the original's whole storage, or a compact copy
    std::shared_ptr<Block> block;
    spec::Shape shape;
    spec::Shape strides;
  };
  struct Output {
    Staged staged;
    Block start;
    spec::Tensor written;  ///< once collected, with its whole storage
  };
  Staged in_new_block(const spec::Tensor& tensor, const spec::Tensor& laid_out) const;
  Staged stage_input(const spec::Tensor& tensor) const;
  Output stage_output(const spec::Tensor& tensor) const;
  scatterproof_tensor handle(Staged& staged) const;
  bool note_changes();
  bool begins_with_values() const;
  std::string output_name(std::size_t i) const;

  const Library& library_;
  PlainCall call_;
  std::vector<Staged> inputs_;
  std::vector<Output> outputs_;
  std::vector<scatterproof_tensor> input_handles_;
  std::vector<scatterproof_tensor> output_handles_;
};

}  // namespace scatterproof::engines::plugin
