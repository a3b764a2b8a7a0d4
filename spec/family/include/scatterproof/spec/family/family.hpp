// SPDX-License-Identifier: Apache-2.0
// Families: the APIs that lower to one canonical operation, so that a call of one can be translated to
// another, and the metamorphic relations between such calls. spec/data/families/<operation>.yaml,
// docs/understand/families.md.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "scatterproof/spec/core/call.hpp"
#include "scatterproof/spec/core/error.hpp"
#include "scatterproof/spec/language/language.hpp"
#include "scatterproof/spec/opspec/op_spec.hpp"

namespace scatterproof::spec {

/// A field of the members' kernel entries.
struct Role {
  enum class Kind { tensor, tensor_or_scalar, integer, sizes, boolean, word };
  std::string name;
  Kind kind = Kind::tensor;
  std::optional<Argument> fallback = {};  ///< for members whose kernel entry does not set it
  ExpressionPtr left_out =
      {};               ///< what it is, over the roles before it, where a call leaves it out; may be null
  bool policy = false;  ///< how a member reads its arguments; not part of what a call says
  std::string list =
      {};  ///< of an item of a list of tensors: the list's name, which stands for all items in expressions
  bool optional = false;  ///< a call may have no such item
};

/// An index that a relation makes element by element, or a list of them.
struct MadeIndex {
  std::string role;            ///< or the name of the list
  ExpressionPtr items = {};    ///< of a list: how many; null: it is none
  ExpressionPtr sizes = {};    ///< of a list: of each `item`
  ExpressionPtr element = {};  ///< the integer at position p, of a list that of each `item`
};

/// What must hold between a member's call and other calls derived from it.
struct Relation {
  std::string id;  ///< unique in its family
  std::string says;
  std::string by;      ///< how the others are derived: a word of the schema
  std::string in;      ///< the family whose members the others are made for
  ExpressionPtr when;  ///< over roles, policies, lets and `collides`; null: always
  std::vector<std::pair<std::string, ExpressionPtr>> values;  ///< roles that are said in another way
  std::vector<std::pair<std::string, ExpressionPtr>> shapes;  ///< tensors with the same elements, reshaped
  std::vector<MadeIndex> makes;
  bool refused_alike = false;  ///< if one call is refused, the others must be refused too
  Position at;
};

struct Family {
  std::string name;  ///< the canonical operation's
  std::string file;
  std::string summary;
  std::vector<Role> roles;  ///< policies last
  std::vector<std::pair<std::string, ExpressionPtr>> lets;
  ExpressionPtr stream;  ///< sizes of what lands or is read
  ExpressionPtr
      index_lookups;  ///< the dimension of the index along which lookups follow one another; may be null
  ExpressionPtr stream_lookups;  ///< the same of the stream
  ExpressionPtr table;           ///< a dimension of data that the index addresses; may be null
  ExpressionPtr
      counts;  ///< the size within which the element at position p of an index counts, or of its item-th one
  std::vector<Relation> relations;

  const Role* role(std::string_view role_name) const;
  /// Places in `roles`: of the role with a name, or of the items of the list with that name.
  std::vector<std::size_t> places(std::string_view of) const;
};

Result<Family> load_family(const std::string& path);
Result<Family> load_family_text(std::string file_name, std::string text);

class FamilyLibrary {
 public:
  /// All of a folder; errors of all files together.
  static Result<FamilyLibrary> load(const std::string& folder);
  /// Errors where relations name unknown families or roles.
  static Result<FamilyLibrary> make(std::vector<Family> families);
  const Family* find(std::string_view name) const;
  /// The family of an API; null when its spec names no kernel, or one without a family.
  const Family* of(const OpSpec& spec) const { return find(spec.kernel.op); }
  /// The family whose roles express a call of the API, though relations may not hold for every such call.
  const Family* said_in(const OpSpec& spec) const { return find(spec.said().op); }
  const std::vector<Family>& all() const { return families_; }  ///< sorted by name
  /// For a name that none of them has: the one that was meant, or all.
  std::string hint(const std::string& name) const;

 private:
  std::vector<Family> families_;
};

/// Errors in the kernel and family entries of the specs: an unknown family, a missing role without a default,
/// and in a family entry a word that is not one of the roles.
Errors lint(const FamilyLibrary& families, const SpecLibrary& specs);

/// What a call says: the values of its family's roles, in their order, each of the role's kind; None for a
/// role that is left out.
struct FamilyCall {
  std::vector<Argument> values;
};
/// A missing role, or a value that a role of its kind cannot have, gives a reason fit for a report.
std::variant<FamilyCall, std::string> family_call_of(const Family& family, const OpSpec& spec,
                                                     const Call& call);

/// The call of an API of the family that says this, or why there is none: the API has no such word, or has
/// one argument for two roles. Arguments that no role fills come from `base`, a call of the same API, or,
/// when it is null, from the document's defaults. Policies are the API's own. Rules are not checked.
std::variant<Call, std::string> say(const Family& family, const OpSpec& spec, const FamilyCall& said,
                                    const Call* base = nullptr);

/// The values of roles, policies and lets, for the family's expressions. A let without a value is none.
/// Points into `said`.
language::Frame frame_of(const Family& family, const FamilyCall& said);

}  // namespace scatterproof::spec
