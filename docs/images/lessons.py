# SPDX-License-Identifier: MIT
# docs/images/lessons.py PROGRAM FOLDER [PAGE ...] — makes the pictures of docs/learn by running
# what the lessons, or some of them, show. FOLDER holds the package synthoscope. NAME.png of a
# lesson is stored as lesson_NAME.png.
import os
import pathlib
import sys
import tempfile

from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "docs"))
import run_page  # noqa: E402


def main():
    program, package = (os.path.abspath(argument) for argument in sys.argv[1:3])
    lessons = [pathlib.Path(name).resolve() for name in sys.argv[3:]]
    for lesson in lessons or sorted((ROOT / "docs" / "learn").glob("*.md")):
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as programs:
            run_page.prepare(folder, programs, program, package)
            run_page.run(str(lesson.relative_to(ROOT)))
            for picture in pathlib.Path(folder).glob("*.png"):
                few_colours = Image.open(picture).convert("RGB").quantize(256)
                few_colours.save(HERE / f"lesson_{picture.name}", optimize=True)
            os.chdir(ROOT)


if __name__ == "__main__":
    main()
