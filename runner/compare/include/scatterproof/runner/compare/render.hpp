// SPDX-License-Identifier: Apache-2.0
// A comparison as text: for a terminal, as a page, as data.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "scatterproof/reports/comparison.hpp"
#include "scatterproof/runner/compare/compare.hpp"

namespace scatterproof::runner::compare {

/// Makes a script in the framework's own language that shows what a member does with a call; empty: there is
/// none.
using MakeSnippet =
    std::function<std::string(const FamilyMember& member, const spec::Call& call, const Observation& answer)>;

/// The file that a call was saved in; empty: it was not.
using SavedAs = std::function<std::string(const spec::Call& call)>;

/// The matrix of members and input classes, lettered; below it each difference with its witness; and how many
/// there are. The three parts follow, for those who print each when it is known.
std::string as_console(const spec::FamilyComparison& comparison, const ComparisonResult& compared);
std::string rows_text(const spec::FamilyComparison& comparison, const ComparisonResult& compared);
std::string difference_text(const spec::FamilyComparison& comparison, const ComparisonResult& compared,
                            const Divergence& difference);
std::string closing_text(const spec::FamilyComparison& comparison, const ComparisonResult& compared);

/// A link to that section, and how much is in it: an item of a list.
std::string contents_line(const spec::FamilyComparison& comparison, const ComparisonResult& compared);
/// A section of Markdown: the matrix, and for each difference its witness, what each member did and what its
/// document says, and how to write the call portably.
std::string as_markdown(const spec::FamilyComparison& comparison, const ComparisonResult& compared);

/// The family's part of a page of HTML (reports::write_comparison_page).
reports::FamilyPage as_page(const spec::FamilyComparison& comparison, const ComparisonResult& compared,
                            const MakeSnippet& snippet);

/// `torch@2.13.0`: an engine's name may have its release already.
std::string name_with_release(const engines::EngineInfo& engine);
/// The words for what is not repeated.
inline constexpr std::string_view not_repeated_words =
    "asked again, a member did something else: by chance, or because of calls before";
/// The words for a member and a class that there was no time for.
inline constexpr std::string_view unasked_words = "was not asked: there was no time";
/// The calls, letters and differences that there was no time for; empty: none.
std::string left_out_words(const ComparisonResult& compared);
/// Whether some behaviour of a row is not repeated.
bool has_chance(const ComparisonResult& compared);
/// What the member's document says of its outcome, in few words.
std::string document_words(const Observation& answer);
/// The ways of writing the witness that make disagreeing members agree: whose meaning each keeps, what the
/// witness is then, and which members still differ; each in a few sentences.
std::vector<std::string> portable_words(const spec::FamilyComparison& comparison,
                                        const ComparisonResult& compared, const Divergence& difference);
/// Why a witness is large, or shows nothing when asked again; empty: it is small and repeats.
std::string witness_words(const Divergence& difference);

/// All observations, for programs (docs/use/compare.md). It alone decides whether a later run shows something
/// new. Each letter has a call behind it, and the call's result.
nlohmann::json as_json(const spec::FamilyComparison& comparison, const ComparisonResult& compared,
                       const MakeSnippet& snippet, const SavedAs& saved_as);

/// Each behaviour, in a class in which members differ, that a former `as_json` of the same family does not
/// have: `index/negative: torch.gather refuses`. Members that it does not have, and behaviours that were not
/// repeated, are left out.
std::vector<std::string> new_since(const nlohmann::json& former, const ComparisonResult& compared);

/// The input as the call of the family that it is: `data=f32[2] [1, 2], axis=0, ... (data: expanded)`.
std::string text_of(const spec::FamilyComparison& comparison, const Input& input);

}  // namespace scatterproof::runner::compare
