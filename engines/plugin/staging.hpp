// SPDX-License-Identifier: Apache-2.0
// One call of a user's kernel: places its tensors where the kernel wants them, executes it, checks it
// afterwards.
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

  /// Puts the start values (a gather: a pattern) into the output. False when a device's copy fails.
  bool restart();
  /// Begins one execution on the output as it is; empty on success.
  std::optional<Complaint> begin();
  /// What the kernel wrote outside its tensors, or that this could not be checked; empty when all is well.
  std::string damage() const;
  /// The result of the execution: Produced, or Garbled when the kernel wrote where it must not. Inputs that
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
  Staged in_new_block(const spec::Tensor& tensor, const spec::Tensor& laid_out) const;
  Staged stage_input(const spec::Tensor& tensor) const;
  scatterproof_tensor handle(Staged& staged) const;
  bool note_changes();

  const Library& library_;
  PlainCall call_;
  std::vector<Staged> inputs_;
  Staged output_;
  Block start_;
  spec::Tensor written_;  ///< the output once collected, with its whole storage
  std::vector<scatterproof_tensor> input_handles_;
  scatterproof_tensor output_handle_{};
};

}  // namespace scatterproof::engines::plugin
