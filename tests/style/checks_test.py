#!/usr/bin/env python3
"""The checks themselves are checked: each rule has a file that breaks it and one that does not."""

import pathlib
import tempfile
import unittest

import dictionary
import file_sizes
import include_direction
import prose
import test_names


class Tree(unittest.TestCase):
    """A small source tree in a temporary folder."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, path, *lines):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


class IncludeDirection(Tree):
    def assert_problems(self, *expected):
        self.assertEqual(include_direction.check(self.root), list(expected))

    def test_accepts_arrows_that_point_down(self):
        self.write("include/spacedyn/dynamics/a.hpp", '#include "spacedyn/math/types.hpp"',
                   '#include "spacedyn/error.hpp"', "#include <Eigen/Core>")
        self.write("src/loading/a.cpp", '#include "spacedyn/recording/channels.hpp"',
                   '#include "loading/yaml_reader.hpp"', "#include <yaml-cpp/yaml.h>")
        self.assert_problems()

    def test_refuses_an_arrow_that_points_up(self):
        self.write("include/spacedyn/math/a.hpp", "#pragma once",
                   '#include "spacedyn/model/model.hpp"')
        self.assert_problems("include/spacedyn/math/a.hpp:2: math must not include model")

    def test_refuses_an_arrow_between_private_headers(self):
        self.write("src/model/a.cpp", '#include "loading/yaml_reader.hpp"')
        self.assert_problems("src/model/a.cpp:1: model must not include loading")

    def test_refuses_loading_seen_from_reporting(self):
        self.write("src/reporting/a.cpp", '#include "spacedyn/loading/yaml.hpp"')
        self.assert_problems("src/reporting/a.cpp:1: reporting must not include loading")

    def test_refuses_an_arrow_that_points_up_within_a_folder(self):
        self.write("src/integration/steppers/a.cpp", '#include "integration/run/run.hpp"')
        self.assert_problems("src/integration/steppers/a.cpp:1: integration/steppers must not include "
                             "integration/run")

    def test_refuses_an_unknown_folder(self):
        self.write("src/model/a.cpp", '#include "spacedyn/utilities/a.hpp"')
        self.assert_problems("src/model/a.cpp:1: unknown folder 'utilities'")

    def test_refuses_a_private_library_in_a_public_header(self):
        self.write("include/spacedyn/loading/a.hpp", "#include <yaml-cpp/yaml.h>")
        self.assert_problems(
            "include/spacedyn/loading/a.hpp:1: a public header must not need yaml-cpp")

    def test_refuses_a_private_header_in_a_public_one(self):
        self.write("include/spacedyn/model/a.hpp", '#include "model/names.hpp"')
        self.assert_problems("include/spacedyn/model/a.hpp:1: public headers include as "
                             '"spacedyn/…", got "model/names.hpp"')

    def test_refuses_the_umbrella_header_inside_the_library(self):
        self.write("src/model/a.cpp", '#include "spacedyn/spacedyn.hpp"')
        self.assert_problems("src/model/a.cpp:1: the umbrella header is for users of the library")

    def test_keeps_the_headers_at_the_top_free_of_physics(self):
        self.write("include/spacedyn/error.hpp", '#include "spacedyn/model/model.hpp"')
        self.assert_problems("include/spacedyn/error.hpp:1: a header or source outside the folders "
                             "must not include model")

    def test_keeps_apps_out_of_the_library(self):
        self.write("apps/cli/options.hpp")
        self.write("apps/cli/main.cpp", '#include "cli/options.hpp"', '#include "options.hpp"',
                   '#include "spacedyn/loading/yaml.hpp"', '#include "model/names.hpp"')
        self.assert_problems('apps/cli/main.cpp:4: an app includes "spacedyn/…" or a file of its '
                             'own, got "model/names.hpp"')


class FileSizes(Tree):
    def test_accepts_files_at_the_limit(self):
        self.write("src/a.cpp", *[""] * 400)
        self.write("include/a.hpp", *[""] * 300)
        self.assertEqual(file_sizes.check(self.root), [])

    def test_refuses_longer_ones(self):
        self.write("src/a.cpp", *[""] * 401)
        self.write("include/a.hpp", *[""] * 301)
        self.assertEqual(file_sizes.check(self.root),
                         ["include/a.hpp: 301 lines, at most 300", "src/a.cpp: 401 lines, at most 400"])


class Dictionary(Tree):
    def write_page(self, *rows):
        self.write("include/spacedyn/a.hpp", "struct State { int q; };", "void forward_dynamics();")
        self.write("docs/dictionary.md", "# Page", "", "| theirs | here |", "|---|---|", *rows)

    def write_verification(self, *rows):
        self.write("tests/a/a_test.cpp", "TEST(State, Works) {}")
        self.write("apps/bench/CMakeLists.txt", "add_test(NAME bench.agree COMMAND agree)")
        self.write("docs/verification.md", "| theirs |", "|---|", "| a | b |", "", "| statement | suite |", "|---|---|",
                   *rows)

    def test_accepts_names_that_exist(self):
        self.write_page("| `SV` | `State::q`, `forward_dynamics` |")
        self.write_verification("| it works | `State`, `bench.agree` |")
        self.assertEqual(dictionary.check(self.root), [])

    def test_refuses_names_that_do_not(self):
        self.write_page("| `SV` | `State::qd` |")
        self.write_verification("| it works | `Stat` |")
        self.assertEqual(dictionary.check(self.root),
                         ["docs/dictionary.md:5: no header has 'State::qd'",
                          "docs/verification.md:7: no test suite is named 'Stat'"])

    def test_refuses_rows_that_say_nothing(self):
        self.write_page("| `SV` | |", "| `SV` |")
        self.assertEqual(dictionary.check(self.root),
                         ["docs/dictionary.md:5: the row gives no name under 'here'",
                          "docs/dictionary.md:6: the row has another number of cells than its "
                          "heading"])

    def test_refuses_a_page_without_the_column(self):
        self.write("docs/dictionary.md", "| theirs | ours |", "|---|---|", "| `SV` | `State` |")
        self.assertEqual(dictionary.check(self.root), ["docs/dictionary.md: no table has a column 'here'"])


class Prose(Tree):
    LONG = "word " * 30

    def test_accepts_wide_tables_blocks_and_headings(self):
        self.write("docs/a.md", "| " + self.LONG + " |", "", "    " + self.LONG, "", "```", self.LONG, "```",
                   "# " + self.LONG, "short")
        self.assertEqual(prose.check(self.root), [])

    def test_refuses_wide_lines_and_some_words(self):
        self.write("README.md", self.LONG, "- the way", "`the way`")
        self.assertEqual(prose.check(self.root),
                         ["README.md:1: 150 columns, at most 120; prose.py --fix wraps them",
                          "README.md:2: 'way': say it in a plainer word"])

    def write_suites(self):
        self.write("include/spacedyn/a.hpp", "class SPACEDYN_API State {};", "/// As Drag says.")
        self.write("tests/a_test.cpp", "TEST(State, Works) {}", "TEST_P(Drag, Slows) {}")

    def test_accepts_types_in_guides_and_suites_in_pages_about_tests(self):
        self.write_suites()
        self.write("docs/a.md", "`State`, `state.q` and `State.q`, Drag in words", "```", "`Drag`", "```")
        self.write("docs/verification.md", "| it slows | `Drag` |")
        self.assertEqual(prose.check(self.root), [])

    def test_refuses_suites_in_guides(self):
        self.write_suites()
        self.write("docs/a.md", "(tests: `State.*`,", "`a.All/Drag.Slows`)")
        self.write("README.md", "`Drag` holds it")
        self.assertEqual(prose.check(self.root),
                         ["README.md:1: 'Drag' is a test suite; its place is docs/verification.md",
                          "docs/a.md:1: 'State.*' is a test suite; its place is docs/verification.md",
                          "docs/a.md:2: 'a.All/Drag.Slows' is a test suite; its place is docs/verification.md"])

    def test_wraps_paragraphs_and_items_and_changes_no_word(self):
        lines = ["a " + self.LONG.strip() + " - b", "goes on", "", "- " + self.LONG.strip(), "  goes on", "",
                 "a " * 59 + "of |x|"]
        self.write("README.md", *lines)
        prose.fix(self.root / "README.md")
        text = (self.root / "README.md").read_text(encoding="utf-8")
        self.assertEqual(text.split(), " ".join(lines).split())
        self.assertEqual(prose.check(self.root), [])
        self.assertEqual([line[:2] for line in text.splitlines()],
                         ["a ", "wo", "", "- ", "  ", "", "a ", "of"])


class TestNames(Tree):
    def test_accepts_names_that_say_the_case(self):
        self.assertEqual(test_names.check_names(["math.Sizes/Shapes.AreFound/3_8", "style.format"]), [])

    def test_refuses_bytes_addresses_and_lines_wider_than_a_terminal(self):
        self.assertEqual(
            test_names.check_names(["a.A/B.C/64-byte object <70-43", "a.B.C/0x7ffe12ab", "a" * 74]),
            ["a.A/B.C/64-byte object <70-43: holds the bytes of a parameter",
             "a.B.C/0x7ffe12ab: holds an address", "a" * 74 + ": 74 characters, at most 73"])

    def test_finds_the_cases_of_a_program(self):
        listed = "Running main() from gtest_main.cc\nSo3.\n  Turns\nShapes/Sizes.\n  AreFound/3_8  # GetParam() = 7\n"
        self.assertEqual(test_names.cases("math", listed), ["math.So3.Turns", "math.Shapes/Sizes.AreFound/3_8"])

    def test_refuses_an_instantiation_without_names(self):
        self.write("tests/a_test.cpp", "INSTANTIATE_TEST_SUITE_P(All, Named, Values(1, 2), Names());",
                   'INSTANTIATE_TEST_SUITE_P(All, Unnamed, Values(Pair{1, ")"}, Pair{2, ","}));')
        self.assertEqual(test_names.check_sources(self.root),
                         ["tests/a_test.cpp:2: the cases have no names; give a generator "
                          "(support/case_name.hpp)"])


if __name__ == "__main__":
    unittest.main()
