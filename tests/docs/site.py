# SPDX-License-Identifier: MIT
# tests/docs/site.py — the site is built without a warning, and whole: no link leads nowhere, and
# nothing but a link leads elsewhere.
import html.parser
import importlib.util
import os
import subprocess
import sys
import tempfile
import urllib.parse

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SKIPPED = 77


class Links(html.parser.HTMLParser):
    """What a page links to, what it loads, and the places in it that can be linked to."""

    def __init__(self):
        super().__init__()
        self.links, self.loaded, self.places = [], [], set()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.places.add(attributes.get("id"))
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        elif tag == "link" and attributes.get("rel") == "stylesheet":
            self.loaded.append(attributes["href"])
        elif tag in ("script", "img", "iframe", "source") and attributes.get("src"):
            self.loaded.append(attributes["src"])


def build(site, scratch):
    subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "auto", "-c",
                    os.path.join(ROOT, "docs", "site"), "-d", scratch, ROOT, site], check=True)


def pages_of(site):
    found = {}
    for folder, _, names in os.walk(site):
        for name in names:
            if name.endswith(".html") and "_downloads" not in folder:
                path = os.path.join(folder, name)
                found[path] = Links()
                with open(path, encoding="utf-8") as file:
                    found[path].feed(file.read())
    return found


def is_elsewhere(link):
    return bool(urllib.parse.urlsplit(link).scheme or urllib.parse.urlsplit(link).netloc)


def leads_somewhere(page, link, pages):
    parts = urllib.parse.urlsplit(link)
    path = urllib.parse.unquote(parts.path)
    target = os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page
    if not os.path.isfile(target):
        return False
    return not parts.fragment or target not in pages or parts.fragment in pages[target].places


def complaints_of(page, pages):
    for link in pages[page].loaded:
        if is_elsewhere(link) and not link.startswith("data:"):
            yield f"loads {link} from elsewhere"
    for link in pages[page].links + pages[page].loaded:
        if not is_elsewhere(link) and not leads_somewhere(page, link, pages):
            yield f"{link} leads nowhere"


def main():
    if not all(importlib.util.find_spec(name) for name in ("furo", "myst_parser", "sphinx")):
        print("skipped: python3-myst-parser and furo, which make the site, are not here")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as site, tempfile.TemporaryDirectory() as scratch:
        build(site, scratch)
        pages = pages_of(site)
        found = [f"{os.path.relpath(page, site)}: {complaint}"
                 for page in sorted(pages) for complaint in complaints_of(page, pages)]
    print("\n".join(found) or f"site: no complaints about {len(pages)} pages")
    sys.exit(1 if found or len(pages) < 50 else 0)


if __name__ == "__main__":
    main()
