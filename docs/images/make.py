# SPDX-License-Identifier: MIT
# docs/images/make.py PROGRAM [NAME ...] — makes the pictures of the example scenes: simulates each
# and stores its preview, at most 1000 pixels wide.
import pathlib
import subprocess
import sys
import tempfile

from PIL import Image

WIDTH = 1000
HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples"


def preview_of(folder):
    """The only preview of a data set, the last one of a sweep."""
    return sorted(folder.rglob("preview.png"))[-1]


def main(program, names):
    for scene in sorted(EXAMPLES.glob("*.toml")):
        if scene.stem == "benchmark" or (names and scene.stem not in names):
            continue  # benchmark shows how sets are made, not what they can look like
        with tempfile.TemporaryDirectory() as folder:
            output = pathlib.Path(folder) / scene.stem
            subprocess.run([program, "simulate", scene, "-o", output, "--quiet"], check=True)
            picture = Image.open(preview_of(output)).convert("RGB")
            if picture.width > WIDTH:
                height = round(picture.height * WIDTH / picture.width)
                picture = picture.resize((WIDTH, height), Image.Resampling.LANCZOS)
            picture.save(HERE / f"{scene.stem}.png", optimize=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
