# SPDX-License-Identifier: MIT
"""Puts the gallery into the site: its page, and the parts of the studio's page that it imports."""
import html
import os
import shutil

ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PAGE = os.path.join(ROOT, "docs", "gallery", "page")
STUDIO = os.path.join(ROOT, "studio", "page")
PICTURES = os.path.join(STUDIO, "pictures")
DOCUMENT, PLACE = "docs/do/gallery", "<!-- cards -->"


def copy_page(site):
    """Writes the folder gallery/ of a site, and keeps stacks that are there."""
    gallery = os.path.join(site, "gallery")
    shutil.copytree(PAGE, gallery, dirs_exist_ok=True)
    shutil.copytree(STUDIO, os.path.join(gallery, "studio"), dirs_exist_ok=True,
                    ignore=shutil.ignore_patterns("index.html", "app.js"))


def names_of_pictures():
    """Names of all examples, such as "textures/actin"; whole scenes come first."""
    found = [os.path.relpath(os.path.join(folder, name), PICTURES).removesuffix(".webp")
             for folder, _, names in os.walk(PICTURES) for name in names if name.endswith(".webp")]
    return sorted(found, key=lambda name: (name.count(os.sep), name != "first", name))


def card_of(name):
    title = html.escape(name.split("/")[-1].replace("_", " "))
    return (f'<a href="../../gallery/index.html?example={name}">'
            f'<img src="../../gallery/studio/pictures/{name}.webp" alt="" width="240" height="180" '
            f'loading="lazy"><span>{title}</span></a>')


def insert_cards(_app, page, source):
    """Gives the page on the gallery a card for every example, which opens it."""
    if page == DOCUMENT:
        cards = "\n".join(map(card_of, names_of_pictures()))
        source[0] = source[0].replace(PLACE, f'<div class="gallery-cards">\n{cards}\n</div>')


def finish(app, problem):
    if problem is None and app.builder.name == "html":
        copy_page(app.outdir)
