"""Looks at a page as everybody does who may come: wide, narrow, light, dark, enlarged."""

from collections import Counter
from dataclasses import dataclass, field
from importlib.resources import files

import html5lib
from browser import NARROW, SMALLEST, WIDE, size
from crawl import LINKS

EVERY_WIDTH = (WIDE, NARROW)
AXE = (files("axe_playwright_python") / "axe.min.js").read_text()
AXE_TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# What passes is not gathered: that takes longer than to find what does not.
RUN_AXE = """async options => {
    const found = await axe.run(document, {...options, reporter: "no-passes"});
    return found.violations.flatMap(
        rule => rule.nodes.map(node => `${rule.id} at ${node.target.join(" ")}: ${rule.help}`));
}"""
# Two thirds of axe's time go to the rules about colours, which judge each text by itself. Texts that
# look alike on the same backdrop get the same verdict: it is asked for once for all pages.
COLOUR_RULES = ["color-contrast", "link-in-text-block"]
ALL_RULES = {"runOnly": AXE_TAGS}
ALL_BUT_COLOURS = {**ALL_RULES, "rules": {rule: {"enabled": False} for rule in COLOUR_RULES}}
# The looks of a page's texts. The page remembers a text of each, of which it may be asked next.
LOOKS = """() => {
    const backdrops = new Map([[null, ""]]), opacities = new Map([[null, ""]]);
    window.looks = new Map();
    const isOpaque = style =>
        style.backgroundImage === "none" && /^rgb\\(/.test(style.backgroundColor);
    const hasText = node => node.matches("input, select, textarea")
        || [...node.childNodes].some(one => one.nodeType === 3 && one.textContent.trim());
    for (const node of document.querySelectorAll("html, body, body *")) {
        const style = getComputedStyle(node), parent = node.parentElement;
        const own = [style.backgroundColor, style.backgroundImage].join();
        backdrops.set(node, isOpaque(style) ? own : `${own} on ${backdrops.get(parent)}`);
        // What is around a text makes it pale whatever lies between.
        const pale = style.opacity === "1" ? "" : `${style.opacity} of ${backdrops.get(parent)} `;
        opacities.set(node, pale + opacities.get(parent));
        if (!hasText(node) || !node.checkVisibility({visibilityProperty: true})) continue;
        const look = [
            style.color, style.fill, style.textShadow, style.fontSize, style.fontWeight,
            node.matches("a") && [style.textDecorationLine, getComputedStyle(parent).color],
            backdrops.get(node), opacities.get(node)].join();
        if (!window.looks.has(look)) window.looks.set(look, node);
    }
    return [...window.looks.keys()];
}"""
# Of those looks, what cannot be read, which can, and of which axe says nothing: what is out of sight,
# drawn, or without a text.
JUDGE_COLOURS = """async ([unknown, rules]) => {
    const found = await axe.run(
        {include: unknown.map(look => window.looks.get(look))},
        {runOnly: {type: "rule", values: rules}, elementRef: true, preload: false});
    const passed = new Set(found.passes.flatMap(rule => rule.nodes.map(node => node.element)));
    const failed = new Set();
    const wrong = found.violations.flatMap(rule => rule.nodes.map(node => {
        failed.add(node.element);
        return `${rule.id} at ${node.target.join(" ")}: ${rule.help}`;
    }));
    const whose = isMeant => unknown.filter(look => isMeant(window.looks.get(look)));
    return [
        wrong, whose(node => passed.has(node) && !failed.has(node)),
        whose(node => !passed.has(node) && !failed.has(node))];
}"""

# What a page says, without moments: those of the machine go on.
TEXT = """() => {
    const main = document.querySelector("main").cloneNode(true);
    main.querySelectorAll("time").forEach(node => node.remove());
    return main.textContent.split(/\\s+/).join(" ").trim();
}"""
# By how much the page is wider than its window, and what is to blame.
OVERFLOW = """() => {
    const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (over <= 0) return [];
    const right = document.documentElement.clientWidth + 1;
    const scrolls = node => node.closest(".scroll, pre");
    const wide = [...document.body.querySelectorAll("*")].filter(
        node => !scrolls(node) && node.getBoundingClientRect().right > right);
    const name = node => node.tagName.toLowerCase() + (node.className?.baseVal ?? node.className
        ? "." + (node.className.baseVal ?? node.className) : "");
    return [`${over} px too wide, by ${wide.slice(-3).map(name).join(", ")}`];
}"""
# Words that are broken letter by letter, since what they stand in is too narrow.
SQUEEZED = """() => [...document.querySelectorAll("main :is(caption, td, th, dd, p, h1, h2)")]
    .filter(node => {
        const box = node.getBoundingClientRect();
        return box.width > 1 && box.width < 40 && box.height > 80;
    }).map(node => `squeezed: ${node.textContent.trim().slice(0, 40)}`)"""
# Forced colours take backgrounds away: what can be pushed or filled in has a border left.
BORDERLESS = """() => [...document.querySelectorAll("button, input, select, textarea")]
    .filter(node => {
        const style = getComputedStyle(node);
        const isSeen = style.borderTopStyle !== "none" && parseFloat(style.borderTopWidth) >= 1
            && !/, 0\\)$/.test(style.borderTopColor);
        return !["hidden", "checkbox", "radio"].includes(node.type) && !isSeen;
    }).map(node => `no border around ${node.textContent.trim() || node.name}`)"""
STRUCTURE = """() => {
    const ids = [...document.querySelectorAll("[id]")].map(node => node.id);
    const again = ids.filter((id, index) => ids.indexOf(id) !== index);
    const nowhere = [...document.querySelectorAll("a[href^='#']")]
        .map(link => link.getAttribute("href").slice(1)).filter(id => !ids.includes(id));
    const count = document.querySelectorAll("h1").length;
    const complaints = again.map(id => `several have the id ${id}`)
        .concat(nowhere.map(id => `a link leads to #${id}, which is not there`));
    if (count !== 1) complaints.push(`${count} headings of level 1`);
    if (!document.querySelector("h1")?.textContent.trim()) complaints.push("an empty heading");
    if (!document.title.split("·")[0].trim()) complaints.push("no title");
    if (!document.documentElement.lang) complaints.push("no language");
    return complaints;
}"""


@dataclass
class Page:
    """What was found at an address."""

    address: str
    status: int
    length: int
    main: str
    links: list
    mistakes: list
    structure: list
    messages: list
    strangers: list
    # By what the page looked like: what is wrong with it.
    inaccessible: dict = field(default_factory=dict)
    looks_asked_about: int = 0
    overflowing: dict = field(default_factory=dict)
    borderless: list = field(default_factory=list)


class Inspector:
    """Looks at pages in one tab, and at links of theirs that lead below a root."""

    # Looks of texts that can be read, wherever they were seen, and how often axe said nothing of
    # others: elsewhere it may.
    _readable = set()
    _undecided = Counter()
    MOST_QUESTIONS = 3

    def __init__(self, context, url, links=LINKS):
        self._url = url
        self._links = links
        self._messages = []
        self._requests = []
        self._tab = context.new_page()
        self._tab.on("console", lambda one: one.type == "error" and self._messages.append(one.text))
        self._tab.on("pageerror", lambda error: self._messages.append(str(error)))
        self._tab.on("dialog", self._note_dialog)
        self._tab.on("request", lambda request: self._requests.append(request.url))

    def _note_dialog(self, dialog):
        self._messages.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def look(self, address, rules_at=(NARROW,)):
        """What is found at an address.

        At other widths than those only colours are judged, and what is measured.
        """
        self._messages.clear()
        self._requests.clear()
        tab = self._tab
        tab.set_viewport_size(size(WIDE))
        tab.emulate_media(color_scheme="light", forced_colors="none")
        response = tab.goto(self._url + address)
        body = response.body()
        page = Page(
            address, response.status, len(body), main=tab.evaluate(TEXT),
            links=tab.evaluate(self._links), mistakes=mistakes(body), structure=tab.evaluate(STRUCTURE),
            messages=self._messages[:], strangers=[])
        self._look_all_ways(page, rules_at)
        page.messages = [one for one in self._messages if not self._is_about_status(one, page)]
        page.strangers = [one for one in self._requests if not one.startswith(self._url + "/")]
        return page

    def _is_about_status(self, message, page):
        """Browsers complain of each page that says 4xx: that is the test's to judge."""
        return page.status >= 400 and f"status of {page.status}" in message

    def _look_all_ways(self, page, rules_at):
        """Everything is measured at every width, and colours are judged in every scheme.

        The other rules do not depend on the scheme.
        """
        tab = self._tab
        for pixels in EVERY_WIDTH:
            tab.set_viewport_size(size(pixels))
            self._measure(page, pixels)
            for scheme in ("light", "dark"):
                tab.emulate_media(color_scheme=scheme)
                page.inaccessible[scheme, pixels[0]] = self._judge_colours(page)
            if pixels in rules_at:
                page.inaccessible["any", pixels[0]] = self._ask_axe(RUN_AXE, ALL_BUT_COLOURS)
        tab.set_viewport_size(size(SMALLEST))
        page.overflowing["any", SMALLEST[0]] = tab.evaluate(OVERFLOW)
        tab.emulate_media(forced_colors="active")
        page.borderless = tab.evaluate(BORDERLESS)

    def _judge_colours(self, page):
        unknown = [
            look for look in self._tab.evaluate(LOOKS)
            if look not in self._readable and self._undecided[look] < self.MOST_QUESTIONS]
        page.looks_asked_about += len(unknown)
        if not unknown:
            return []
        wrong, readable, undecided = self._ask_axe(JUDGE_COLOURS, [unknown, COLOUR_RULES])
        self._readable.update(readable)
        self._undecided.update(undecided)
        return wrong

    def _ask_axe(self, question, about):
        """Gives it to the page first, if nothing was asked of it yet: to read it takes a while."""
        if self._tab.evaluate("!window.axe"):
            self._tab.evaluate(AXE)
        return self._tab.evaluate(question, about)

    def _measure(self, page, pixels):
        """As it is, and with text of twice the size."""
        tab = self._tab
        page.overflowing["any", pixels[0]] = tab.evaluate(OVERFLOW) + tab.evaluate(SQUEEZED)
        tab.evaluate("document.documentElement.style.fontSize = '200%'")
        page.overflowing["text of 200 %", pixels[0]] = tab.evaluate(OVERFLOW)
        tab.evaluate("document.documentElement.style.fontSize = ''")


def mistakes(body):
    """What a parser that keeps to the standard complains of."""
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    parser.parse(body, transport_encoding="utf-8")
    return [f"{code} at line {place[0]}: {about}" for place, code, about in parser.errors]
