"""What a page of documentation asks its reader to type: blocks with their language and notes."""

import dataclasses
import re
import shlex

FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```", re.M | re.S)
INDENTED = re.compile(r"(?:^    \S[^\n]*\n)+", re.M)
NOTE = re.compile(r"<!-- (not run|before|exit|stop): (.*?) -->")
SHELLS = ("sh", "console")
PROGRAMS = ("spacedyn", "cmake", "ctest", "./quickstart", "apt-get", "echo", "export", "c++")


@dataclasses.dataclass
class Block:
    """One block of a page and what the comments just above it say about it."""
    line: int
    language: str
    text: str
    notes: dict

    def commands(self):
        """(command, expected output or None), a command as it would be typed."""
        if self.language == "console":
            for part in re.split(r"^\$ ", self.text, flags=re.M)[1:]:
                command, _, output = part.partition("\n")
                yield without_comment(command), output
            return
        lines = iter(re.sub(r"\\\n\s*", "", self.text).splitlines())
        for line in lines:
            if document := re.search(r"<<'(\w+)'$", line):
                # a document that the shell is given as it stands
                for more in lines:
                    line += "\n" + more
                    if more == document.group(1):
                        break
                yield line, None
            elif command := without_comment(line):
                yield command, None


def without_comment(line):
    """A line of shell without its comment; text after three blanks is a remark, too."""
    line = re.sub(r"\s+#( .*)?$", "", line.strip())
    return "" if line.startswith("#") else re.split(r" {3,}", line)[0]


def notes_above(text, start):
    """Notes in the comments that stand directly above a place."""
    above = text[:start].rstrip("\n").splitlines()
    notes = {}
    while above and (match := NOTE.fullmatch(above[-1])):
        notes[match.group(1)] = match.group(2)
        above.pop()
    return notes


def blocks(text):
    """All blocks of a page in their order; an indented one counts if a known program begins it."""
    found = []
    for match in FENCE.finditer(text):
        found.append((match.start(), match.group(1), match.group(2)))
    rest = FENCE.sub(lambda match: re.sub(r"[^\n]", " ", match.group(0)), text)
    for match in INDENTED.finditer(rest):
        if shlex_words(match.group(0))[:1] and shlex_words(match.group(0))[0] in PROGRAMS:
            found.append((match.start(), "sh", match.group(0)))
    for start, language, body in sorted(found):
        yield Block(text.count("\n", 0, start) + 1, language, body, notes_above(text, start))


def shlex_words(text):
    return shlex.split(text.splitlines()[0], comments=True)


def matches(shown, printed):
    """Whether an output is as shown; a line `…` stands for any number of lines."""
    lines = shown.rstrip("\n").splitlines()
    pattern = "".join(r"(?:.*\n)*" if line.strip() == "…" else re.escape(line) + r"\n"
                      for line in lines)
    return re.fullmatch(pattern + r"\n*", printed + "\n") is not None


def inline_commands(text):
    """Commands in running text that hold nothing to be filled in."""
    text = FENCE.sub("", text)
    for match in re.finditer(r"`((?:cmake|ctest|\./quickstart)(?: [^`…]*)?)`", text):
        if not match.group(1).startswith("cmake/"):
            yield match.group(1)
