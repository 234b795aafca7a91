"""A small processor of XForms 1.1, written from the recommendation: instances, binds, validity, relevance, submission.

XPath 1.0 is that of libxml2. `check_xforms` holds a document against the content models and the references of the
schema, as far as forms of this project use it.
"""

from __future__ import annotations

import copy
import re
from typing import Any

from lxml import etree

XF = "{http://www.w3.org/2002/xforms}"
XHTML = "{http://www.w3.org/1999/xhtml}"
EVENT = "{http://www.w3.org/2001/xml-events}event"
LANG = "{http://www.w3.org/XML/1998/namespace}lang"

CONTROL = ({"label", "hint", "alert", "help"}, {"ref", "bind", "incremental", "appearance", "value"})
RULES: dict[str, tuple[set[str], set[str], set[str]]] = {
    # Children of XForms, attributes, and those of them that there must be.
    "model": ({"instance", "bind", "submission"}, {"id"}, set()),
    "instance": (set(), {"id", "src", "resource"}, set()),
    "bind": ({"bind"}, {"id", "nodeset", "type", "required", "constraint", "relevant", "readonly", "calculate"}, set()),
    "submission": (
        {"setvalue"},
        {"id", "ref", "resource", "method", "replace", "mediatype", "encoding", "indent", "includenamespaceprefixes"},
        {"id", "resource", "method"},
    ),
    "setvalue": (set(), {"ref", "value", EVENT}, {"ref"}),
    "group": ({"label", "input", "output", "group"}, {"ref", "appearance"}, set()),
    "input": (*CONTROL, {"ref"}),
    "output": (*CONTROL, set()),
    "select1": (CONTROL[0] | {"item"}, CONTROL[1], {"ref"}),
    "item": ({"label", "value"}, set(), set()),
    "value": (set(), {"ref"}, set()),
    "label": ({"output"}, {"ref"}, set()),
    "hint": ({"output"}, {"ref"}, set()),
    "alert": ({"output"}, {"ref"}, set()),
    "submit": ({"label"}, {"submission"}, {"submission"}),
    "trigger": ({"label", "reset"}, set(), set()),
    "reset": (set(), {"model", EVENT}, {"model"}),
}
LABELLED = {"input", "select1", "submit", "trigger", "item"}
DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)")


class Form:
    """A form that is being filled in."""

    def __init__(self, text: str) -> None:
        self.root = etree.fromstring(text.encode())
        (self.model,) = self.root.iter(f"{XF}model")
        self.instances: dict[str, Any] = {}
        # In one document, because libxml2 copies what functions return out of another.
        together = etree.Element("instances")
        for instance in self.model.findall(f"{XF}instance"):
            (inside,) = (child for child in instance if isinstance(child.tag, str))
            self.instances[instance.get("id")] = copy.deepcopy(inside)
            together.append(self.instances[instance.get("id")])
        self.first = next(iter(self.instances.values()))
        self.recalculate()

    def find(self, path: str, context: Any = None) -> Any:
        """The value of an expression of XPath, with the function `instance`."""
        extensions = {(None, "instance"): lambda _, name: [self.instances[str(name)]]}
        return etree.XPath(path, extensions=extensions)(self.first if context is None else context)

    def text(self, path: str) -> str:
        """What a reference or a value says."""
        found = self.find(f"string({path})")
        return str(found)

    def set(self, key: str, value: str) -> None:
        """Type into a control."""
        (node,) = self.find(f"instance('form')/{key}")
        node.text = value
        self.recalculate()

    def recalculate(self) -> None:
        for bind in self.binds():
            if bind.get("calculate") is not None:
                for node in self.find(bind.get("nodeset")):
                    value = self.find(bind.get("calculate"), self.home(node))
                    if isinstance(value, list):
                        value = value[0].text or ""
                    if hasattr(node, "attrname"):
                        node.getparent().set(node.attrname, str(value))
                    else:
                        node.text = str(value)

    def binds(self) -> list[Any]:
        return list(self.model.findall(f"{XF}bind"))

    @staticmethod
    def home(node: Any) -> Any:
        return node.getparent() if hasattr(node, "attrname") else node

    def wrong(self) -> list[str]:
        """Nodes that are not valid, by the paths of their binds."""
        found = []
        for bind in self.binds():
            for node in self.find(bind.get("nodeset")):
                if hasattr(node, "attrname"):
                    continue
                text = node.text or ""
                kind = bind.get("type")
                typed = kind is None or (text == "" and kind.startswith("xf:")) or DECIMAL.fullmatch(text) is not None
                there = text != "" or bind.get("required") != "true()"
                holds = bind.get("constraint") is None or self.find(f"boolean({bind.get('constraint')})", node)
                if not (typed and there and holds):
                    found.append(bind.get("nodeset"))
        return found

    def submit(self) -> str | None:
        """What the submission sends: relevant nodes of its instance; None where something is not valid."""
        (submission,) = self.model.findall(f"{XF}submission")
        if self.wrong():
            return None
        gone = []
        for bind in self.binds():
            relevant = bind.get("relevant")
            if relevant is not None and not self.find(f"boolean({relevant})"):
                gone += [(self.home(node), getattr(node, "attrname", None)) for node in self.find(bind.get("nodeset"))]
        whole = self.find(submission.get("ref"))[0]
        sent = copy.deepcopy(whole)
        twins = dict(zip(whole.iter(), sent.iter(), strict=True))
        parts = [(twins[element], name) for element, name in gone]
        for element, name in parts:
            if name is not None:
                element.attrib.pop(name, None)
            elif element.getparent() is not None:
                element.getparent().remove(element)
        if submission.get("includenamespaceprefixes") == "":
            etree.cleanup_namespaces(sent)
        return etree.tostring(sent, encoding="unicode", with_tail=False)


def check_xforms(text: str) -> None:
    """Content models, required attributes, references by id, expressions that can be read, nodes that are there."""
    form = Form(text)
    root = form.root
    assert root.tag == f"{XHTML}html" and [child.tag for child in root] == [f"{XHTML}head", f"{XHTML}body"]
    ids = [element.get("id") for element in root.iter(f"{XF}*") if element.get("id")]
    assert len(ids) == len(set(ids))
    for element in root.iter(f"{XF}*"):
        name = element.tag.removeprefix(XF)
        if any(parent.tag == f"{XF}instance" for parent in element.iterancestors()):
            continue
        children, attributes, needed = RULES[name]
        if name != "instance":
            own = {child.tag.removeprefix(XF) for child in element if child.tag.startswith(XF)}
            assert own <= children, (name, own - children)
        else:
            assert len(element) == 1
        given = set(element.attrib)
        assert given <= attributes and needed <= given, (name, given)
        if name in LABELLED or (name == "group"):
            assert element[0].tag == f"{XF}label", name
        if name == "submit":
            assert element.get("submission") in ids
        for key in ("ref", "nodeset"):
            if key in element.attrib:
                found = form.find(element.get(key))
                assert len(found) == 1, (name, element.get(key), found)
        for key in ("value", "calculate", "relevant", "constraint"):
            if key in element.attrib and name != "value":
                form.find(element.get(key))
    bound = [bind.get("nodeset") for bind in form.binds()]
    assert len(bound) == len(set(bound))
    for control in root.iter(f"{XF}input"):
        assert control.get("ref") in bound
