// SPDX-License-Identifier: Apache-2.0
// What a page about a comparison of APIs shows, as plain data that the comparing code fills in.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace scatterproof::reports {

/// A column: an API on an engine.
struct PageMember {
  std::string api;
  std::string engine;  ///< with its version
};

/// One thing that a member does with the inputs of a class.
struct PageBehaviour {
  enum class Tone {
    same,
    refuses,
    reads,
    broken
  };  ///< as the family does; another way; a crash, or unexplained
  std::string letter;
  std::string name;
  std::string says;  ///< the reading in words; may be empty
  Tone tone = Tone::same;
  std::size_t inputs = 0;
  bool repeated = true;  ///< false: asked again, the member did something else
};

/// A row: an input class, and what each member does with its inputs. An empty cell: it was asked nothing.
struct PageClass {
  std::string id;  ///< empty: inputs of no class
  std::string says;
  std::vector<std::vector<PageBehaviour>> cells;  ///< by member
};

/// What one member did with the witness of a difference.
struct PageAnswer {
  std::size_t member = 0;  ///< a place in FamilyPage::members
  std::string does;
  std::string outcome;
  std::string document;  ///< what its document says of it, in few words
  bool contradicts = false;
  std::string sentence;  ///< what the document says, in our words; may be empty
  std::string snippet;   ///< a script in its framework's language; may be empty
};

struct PageDifference {
  std::string in;  ///< the input class, as PageClass::id
  std::string name;
  std::string kind;
  std::string witness;
  std::string caveat = {};            ///< what is to be known of the witness, in words; may be empty
  std::vector<std::string> portable;  ///< ways of writing the call that bring together members which part
  std::vector<PageAnswer> answers;
};

struct FamilyPage {
  std::string name;
  std::string summary;
  std::size_t inputs = 0;
  std::vector<PageMember> members;
  std::vector<PageClass> classes;
  std::vector<PageDifference> differences;
};

struct ComparisonPage {
  std::string tool_version;
  std::string made;  ///< when, and from what
  std::vector<FamilyPage> families;
};

/// One file of HTML under 5 MB, in the style of the report `html`: for each family a table of input classes
/// and members, with lettered cells that link to the differences below. What does not fit is counted.
void write_comparison_page(std::ostream& out, const ComparisonPage& page);

}  // namespace scatterproof::reports
