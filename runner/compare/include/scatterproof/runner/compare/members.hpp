// SPDX-License-Identifier: Apache-2.0
// Who is compared: an API on an engine that offers it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "scatterproof/engines/core/engine.hpp"
#include "scatterproof/spec/family/family.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::runner::compare {

struct FamilyMember {
  const spec::OpSpec* spec = nullptr;
  engines::Engine* engine = nullptr;

  /// `torch.Tensor.scatter_`, or with the engine behind it where several of `all` have it.
  std::string name(std::span<const FamilyMember> all) const;
};

/// The APIs of the family that the engines offer, by API. A variant has its spec's meaning, and is left out.
std::vector<FamilyMember> members_of(const spec::Family& family, const spec::FamilyLibrary& families,
                                     const spec::SpecLibrary& specs,
                                     std::span<const std::unique_ptr<engines::Engine>> engines);

}  // namespace scatterproof::runner::compare
