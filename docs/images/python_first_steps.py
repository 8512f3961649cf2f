# SPDX-License-Identifier: MIT
# docs/images/python_first_steps.py FOLDER — makes the picture of docs/do/python-first-steps.md by
# the Python that the page shows. FOLDER holds the package synthoscope.
import os
import pathlib
import re
import sys
import tempfile

from PIL import Image

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parent / "do" / "python-first-steps.md"


def main():
    sys.path.insert(0, os.path.abspath(sys.argv[1]))
    os.environ["MPLBACKEND"] = "Agg"
    blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    names = {}
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for block in blocks[:2]:  # the second one draws
            exec(compile(block, PAGE, "exec"), names)
        picture = Image.open("first_steps.png").convert("RGB").quantize(256)
        picture.save(HERE / "python_first_steps.png", optimize=True)


if __name__ == "__main__":
    main()
