// SPDX-License-Identifier: Apache-2.0
// Texts as clauses: what is one, and what changes nothing.
#include "scatterproof/spec/documents/clauses.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace scatterproof::spec::testing {
namespace {

using ::testing::ElementsAre;

/// Each clause as `section: text`, printed ones with a bar.
std::vector<std::string> cut(std::string_view text) {
  std::vector<std::string> found;
  for (const Clause& one : clauses(text))
    found.push_back(one.section + (one.printed ? "| " : ": ") + one.text);
  return found;
}

std::vector<std::string> fingerprints(std::string_view text) {
  std::vector<std::string> found;
  for (const Clause& one : clauses(text)) found.push_back(one.fingerprint);
  return found;
}

TEST(Clauses, AreSentences) {
  EXPECT_THAT(
      cut("It moves rows. It may fail, i.e. raise (see below.) Nothing\nelse happens! Why? e.g. this."),
      ElementsAre(": It moves rows.", ": It may fail, i.e. raise (see below.)", ": Nothing else happens!",
                  ": Why?", ": e.g. this."));
  EXPECT_THAT(cut("两个张量。 它们相同。"), ElementsAre(": 两个张量。", ": 它们相同。"));
}

TEST(Clauses, HowLinesAreWrappedChangesNothing) {
  const auto plain = fingerprints("Every index is less than the size of the axis. No two are equal.");
  EXPECT_EQ(
      fingerprints("    Every index is\n    less than the size of\n    the axis.  No two\n    are equal.\n"),
      plain);
  EXPECT_EQ(
      fingerprints("Every *index* is less than the ``size`` of the :attr:`axis`. **No two** are equal."),
      plain);
  EXPECT_EQ(fingerprints("Every :term:`index` is less than the `size <page.html>`_ of the :attr:`~axis`. "
                         "No\u00A0two are equal."),
            plain);
  EXPECT_EQ(
      fingerprints("Every [index](https://x.org/a) is less than the size of the axis. No two are equal."),
      plain);
  EXPECT_EQ(fingerprints("the caller\u2019s array \u2014 as it was"),
            fingerprints("the caller's array - as it was"));
  EXPECT_EQ(fingerprints("the ``i``\\ th row"), fingerprints("the ith row"));
}

TEST(Clauses, AWordThatChangesIsAnotherClause) {
  EXPECT_NE(fingerprints("Every index is less than it."), fingerprints("Each index is less than it."));
  EXPECT_NE(fingerprints("where f is + or * as given"), fingerprints("where f is + or as given"));
}

TEST(Clauses, KnowReStructuredText) {
  EXPECT_THAT(cut(R"(pick(input, dim) -> Tensor

Picks values. The result is::

    out[i] = input[index[i]]  # if dim == 0

    out[i] = 0

.. warning::

    The order is free.

.. versionchanged:: 2.3
    The default is -1.

Args:
    input (Tensor): the source
    dim (int): the axis. It may be
        negative.

Example::

    >>> pick(t, 1)
    tensor([1, 2])
    >>> t

    >>> 3
)"),
              ElementsAre(": pick(input, dim) -> Tensor", ": Picks values.",
                          ": The result is:", "| out[i] = input[index[i]] # if dim == 0 out[i] = 0",
                          "warning: The order is free.", "versionchanged 2.3: The default is -1.",
                          "Args: input (Tensor): the source", "Args: dim (int): the axis.",
                          "Args: It may be negative.", "Example| >>> pick(t, 1) tensor([1, 2]) >>> t",
                          "Example| >>> 3"));
}

TEST(Clauses, KnowWhatADirectiveIsGiven) {
  EXPECT_THAT(cut(R"(Picks values.

.. image:: pick.png
    :alt: a picture

.. code-block:: pycon
    :name: example-1

    >>> pick(t, 1)

.. code-block:: text

    Given:
        * one: t = [1]

**NOTICE**: the order is free.
)"),
              ElementsAre(": Picks values.", "code-block| >>> pick(t, 1)",
                          "code-block| Given: * one: t = [1]", "code-block: NOTICE: the order is free."));
}

TEST(Clauses, KnowNumpydoc) {
  EXPECT_THAT(cut(R"(Takes values.

    Parameters
    ----------
    a : array
        The source.
        A second sentence.
    axis : int, optional

    See Also
    --------
    put : The other way
    puts :
        Many of them
)"),
              ElementsAre(": Takes values.", "Parameters: a : array", "Parameters: The source.",
                          "Parameters: A second sentence.", "Parameters: axis : int, optional",
                          "See Also: put : The other way", "See Also: puts : Many of them"));
}

TEST(Clauses, KnowMarkdown) {
  EXPECT_THAT(cut(R"(# Opset 3

1) r >= 1 holds.
2) So does
   this.

| data | result |
| --- | --- |
| (P, Q) | (Q) |

The loop is:
    for i in x:
        y[i] = 0
It ends.

**Example 1**
```
data = [1,
  2]
```
- axis (INT, default 0): which axis
• index: a vector
)"),
              ElementsAre("Opset 3: r >= 1 holds.", "Opset 3: So does this.", "Opset 3: | data | result |",
                          "Opset 3: | (P, Q) | (Q) |", "Opset 3: The loop is:",
                          "Opset 3| for i in x: y[i] = 0", "Opset 3: It ends.", "Example 1| data = [1, 2]",
                          "Example 1: axis (INT, default 0): which axis", "Example 1: index: a vector"));
}

TEST(Clauses, AnAnchorHasThreeWords) {
  EXPECT_EQ(anchor(clauses("One \"two\" three four.").front()).words, "One two three");
  EXPECT_EQ(anchor(clauses("Short.").front()).words, "Short.");
  EXPECT_EQ(anchor(clauses("两个张量。").front()).words, "两个张");
  EXPECT_EQ(anchor(clauses("```\n#\n```").front()).words, "-");
}

TEST(Clauses, NumbersAndLinesCount) {
  const auto found = clauses("One. Two.\n\nThree\nlines.\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[1].number, 2);
  EXPECT_EQ(found[1].line, 1);
  EXPECT_EQ(found[2].line, 3);
}

RC_GTEST_PROP(Clauses, TakeAnyText, ()) {
  const auto pieces = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "`", "``", "```", "*", "**", ":a:`", "\n", "\n    ", "|", "[", "](http", ")", "::", ". ", "---\n",
      ">>> ", "\\", "\xff", "\xe3\x80\x82", "x", " ", "1) ", "Args:\n", ".. a:: b", "# ", "_"));
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  for (const Clause& one : clauses(text)) {
    RC_ASSERT(!one.text.empty());
    RC_ASSERT(one.fingerprint.size() == 8u);
  }
}

}  // namespace
}  // namespace scatterproof::spec::testing
