"""reStructuredText of the public C++ interface, from the XML that Doxygen writes."""

import pathlib
import re
import textwrap
import xml.etree.ElementTree as ET

SECTIONS = {"simplesect": {"return": "Returns", "pre": "Before", "post": "After", "note": "Note", "see": "See",
                           "remark": "Note", "warning": "Warning"},
            "parameterlist": {"param": None, "exception": "throws", "templateparam": None, "retval": "Returns"}}


def escaped(text):
    text = re.sub(r"\s+", " ", text)
    return re.sub(r"([*|`\\_])", r"\\\1", text)


def inline(node):
    """Text of a paragraph; what is a block of its own is left to blocks()."""
    text = escaped(node.text or "")
    for child in node:
        if child.tag == "computeroutput":
            code = re.sub(r"\s+", " ", "".join(child.itertext())).strip()
            text += f"``{code}``" if code else ""
            if child.tail and re.match(r"\w", child.tail):
                text += "\\ "
        elif child.tag in ("emphasis", "bold", "ref", "ulink", "subscript", "superscript", "verbatim"):
            text += escaped("".join(child.itertext()))
        elif child.tag in ("linebreak", "sp"):
            text += " "
        elif child.tag not in ("parameterlist", "simplesect", "itemizedlist", "orderedlist", "programlisting"):
            text += inline(child)
        text += escaped(child.tail or "")
    return text


def listing(node):
    lines = ["".join(" " if part.tag == "sp" else (part.text or "") for part in line.iter()
                     if part is not line) for line in node.findall("codeline")]
    return ".. code-block:: cpp\n\n" + textwrap.indent("\n".join(lines), "   ") + "\n\n"


def entries(node):
    for item in node.findall("parameteritem"):
        names = ", ".join("".join(name.itertext()).strip() for name in item.iter("parametername"))
        yield names, blocks(item.find("parameterdescription")).strip().replace("\n", " ")


def blocks(node):
    """A description as paragraphs, lists and fields."""
    if node is None:
        return ""
    text = ""
    for para in node.iter("para") if node.tag != "para" else [node]:
        parents = {child: parent for parent in node.iter() for child in parent}
        above = parents.get(para)
        if above is not None and above is not node and above.tag not in ("sect1", "sect2"):
            continue  # inside a list, which writes it
        body = inline(para).strip()
        if body:
            text += body + "\n\n"
        for child in para:
            if child.tag == "programlisting":
                text += listing(child)
            elif child.tag in ("itemizedlist", "orderedlist"):
                text += "".join(f"* {blocks(item).strip()}\n".replace("\n\n", " ") for item in child) + "\n"
            elif child.tag == "simplesect":
                title = SECTIONS["simplesect"].get(child.get("kind"), "")
                text += f"*{title}:* " if title else ""
                text += blocks(child)
            elif child.tag == "parameterlist":
                word = SECTIONS["parameterlist"].get(child.get("kind"))
                for names, what in entries(child):
                    name = f"*{word}* ``{names}``" if word else f"``{names}``"
                    text += f"* {name}: {what}\n" if what else f"* {name}\n"
                text += "\n"
    return text


def plain(node):
    return re.sub(r"\s+", " ", "".join(node.itertext())).strip() if node is not None else ""


def described(node):
    return blocks(node.find("briefdescription")) + blocks(node.find("detaileddescription"))


def template_parameter(node):
    """Type, and the name where it stands apart."""
    name = node.find("declname")
    return plain(node.find("type")) + (f" {plain(name)}" if name is not None else "")


def template_of(node):
    parameters = node.find("templateparamlist")
    if parameters is None:
        return ""
    return "template <" + ", ".join(template_parameter(parameter) for parameter in parameters) + "> "


def declaration(member):
    """Directive and declaration of a member of a namespace or a class."""
    kind, name = member.get("kind"), plain(member.find("name"))
    if kind == "enum":
        strong = "enum-class" if member.get("strong") == "yes" else "enum"
        return strong, name
    type_text = plain(member.find("type")).replace("SPACEDYN_EXPORT", "").strip()
    arguments = plain(member.find("argsstring"))
    if kind == "typedef":
        return "type", f"{template_of(member)}{name} = {type_text}"
    if kind == "variable":
        return "var", f"{type_text} {name}{arguments}"
    arguments = re.sub(r"=\s*(default|delete)$", "", re.sub(r"\boverride\b|\bfinal\b", "", arguments)).strip()
    arguments = re.sub(r"=\s*0$", "= 0", arguments)
    static = "static " if member.get("static") == "yes" else ""
    virtual = "virtual " if member.get("virt") in ("virtual", "pure-virtual") else ""
    explicit = "explicit " if member.get("explicit") == "yes" else ""
    return "function", f"{template_of(member)}{explicit}{static}{virtual}{type_text} {name}{arguments}".replace("  ", " ")


def directive(kind, text, body):
    return f".. cpp:{kind}:: {text}\n\n" + textwrap.indent(body, "   ") + "\n"


def member_text(member):
    kind, text = declaration(member)
    body = described(member)
    if member.get("kind") == "enum":
        for value in member.findall("enumvalue"):
            body += directive("enumerator", plain(value.find("name")), described(value))
    return directive(kind, text, body)


def heading(section):
    """Title and text of a group of members."""
    title = plain(section.find("header"))
    return (f"*{escaped(title)}*\n\n" if title else "") + blocks(section.find("description"))


def public_members(node):
    for section in node.findall("sectiondef"):
        if section.get("kind", "").startswith(("private", "protected")):
            continue
        for member in section.findall("memberdef"):
            if member.get("prot") == "public" and member.get("kind") != "friend":
                yield section, member


class CppReference:
    """What each header declares."""

    def __init__(self, xml_folder, include):
        self.folder, self.include = pathlib.Path(xml_folder), str(include).rstrip("/") + "/"
        self.by_header = {}
        index = ET.parse(self.folder / "index.xml").getroot()
        for compound in index.findall("compound"):
            kind = compound.get("kind")
            if kind in ("class", "struct"):
                self.add_class(self.parsed(compound.get("refid")))
            elif kind == "namespace":
                self.add_namespace(self.parsed(compound.get("refid")))

    def parsed(self, refid):
        return ET.parse(self.folder / f"{refid}.xml").getroot().find("compounddef")

    def add(self, location, text):
        file = location.get("declfile") or location.get("file")
        line = int(location.get("declline") or location.get("line") or 0)
        header = file.split("include/")[-1]
        self.by_header.setdefault(header, []).append((line, text))

    def add_class(self, node):
        name = plain(node.find("compoundname"))
        if node.get("prot") == "private" or "@" in name or "detail::" in name:
            return
        body = described(node)
        last = None
        for section, member in public_members(node):
            body += ("" if section is last else heading(section)) + member_text(member)
            last = section
        if not body.strip():  # only named, not defined
            return
        kind = "struct" if node.get("kind") == "struct" else "class"
        self.add(node.find("location"), directive(kind, template_of(node) + name, body))

    def add_namespace(self, node):
        name = plain(node.find("compoundname"))
        if "detail" in name or "@" in name:
            return
        last = None
        for section, member in public_members(node):
            text = f".. cpp:namespace:: {name}\n\n" + ("" if section is last else heading(section))
            self.add(member.find("location"), text + member_text(member) + "\n.. cpp:namespace:: 0\n\n")
            last = section

    def header(self, name):
        """Everything that a header declares, in its order."""
        return "\n".join(text for _, text in sorted(self.by_header.get(name, [])))
