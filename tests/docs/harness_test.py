#!/usr/bin/env python3
"""The harness that types commands of pages finds them all and notices what is not as shown."""

import unittest

import page_commands


def commands(text):
    return [command for block in page_commands.blocks(text) for command, _ in block.commands()]


class Blocks(unittest.TestCase):
    def test_finds_fenced_and_indented_commands_in_their_order(self):
        text = "a\n\n    spacedyn check a.yaml   its remark\n\n```sh\nspacedyn new b  # remark\n```\n"
        self.assertEqual(commands(text), ["spacedyn check a.yaml", "spacedyn new b"])

    def test_leaves_indented_text_alone_that_is_no_command(self):
        self.assertEqual(commands("a\n\n    results/slew/slew.h5\n"), [])

    def test_reads_the_notes_directly_above_a_block(self):
        text = "<!-- exit: 3 -->\n<!-- before: true -->\n```sh\nspacedyn check a\n```\n"
        self.assertEqual(next(page_commands.blocks(text)).notes, {"exit": "3", "before": "true"})
        apart = "<!-- exit: 3 -->\n\ntext\n```sh\nspacedyn check a\n```\n"
        self.assertEqual(next(page_commands.blocks(apart)).notes, {})

    def test_splits_a_console_into_commands_and_what_they_print(self):
        block = next(page_commands.blocks("```console\n$ a  # why\n1\n2\n$ b\n```\n"))
        self.assertEqual(list(block.commands()), [("a", "1\n2\n"), ("b", "")])

    def test_finds_commands_in_running_text(self):
        text = "`ctest --preset long`, `cmake --build …`, `cmake/packages.txt`, `./quickstart test`"
        self.assertEqual(list(page_commands.inline_commands(text)),
                         ["ctest --preset long", "./quickstart test"])


class Outputs(unittest.TestCase):
    def test_must_be_as_shown(self):
        self.assertTrue(page_commands.matches("a\nb\n", "a\nb\n"))
        self.assertFalse(page_commands.matches("a\nb\n", "a\nc\n"))
        self.assertFalse(page_commands.matches("a\n", "a\nb\n"))

    def test_may_leave_out_lines(self):
        self.assertTrue(page_commands.matches("a\n…\n", "a\nb\nc\n"))
        self.assertTrue(page_commands.matches("…\nc", "a\nb\nc\n"))
        self.assertFalse(page_commands.matches("a\n…\nd", "a\nb\nc\n"))


if __name__ == "__main__":
    unittest.main()
