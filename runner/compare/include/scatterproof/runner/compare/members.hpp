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
  /// Of an API of another family: the relation by which it is given what the family's calls say, and that
  /// family. Null: it belongs to the family.
  const spec::Relation* restated = nullptr;
  const spec::Family* other = nullptr;

  /// `torch.Tensor.scatter_`, or with the engine behind it where several of `all` have it.
  std::string name(std::span<const FamilyMember> all) const;
};

/// The APIs of the family that the engines offer, by API, variants too.
std::vector<FamilyMember> members_of(const spec::Family& family, const spec::FamilyLibrary& families,
                                     const spec::SpecLibrary& specs,
                                     std::span<const std::unique_ptr<engines::Engine>> engines);

/// The APIs of other families that the engines offer, which a relation of the family restates its calls for.
std::vector<FamilyMember> restated_members(const spec::Family& family, const spec::FamilyLibrary& families,
                                           const spec::SpecLibrary& specs,
                                           std::span<const std::unique_ptr<engines::Engine>> engines);

/// The relation of a family by which another one's members are given its calls; null: there is none.
const spec::Relation* restating(const spec::Family& family, const spec::Family& other);

}  // namespace scatterproof::runner::compare
