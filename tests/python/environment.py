# SPDX-License-Identifier: MIT
# tests/python/environment.py — a Python with packages of PyPI, for tests by programs that are not
# ours.
import os
import subprocess
import sys


def python_with(packages, module, environment):
    """An interpreter in the folder `environment` that has the packages, one of which brings
    `module`; none where they cannot be had, which is said."""
    python = os.path.join(environment, "bin", "python")
    has_tools = [python, "-c", f"import {module}"]
    if os.path.exists(python) and subprocess.run(has_tools, capture_output=True).returncode == 0:
        return python
    try:
        # Without the system's packages: those were built for its own numpy
        subprocess.run([sys.executable, "-m", "venv", "--clear", environment], check=True,
                       capture_output=True, timeout=120)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "--retries", "1", "--timeout",
                        "10", *packages], check=True, capture_output=True, timeout=300)
    except (subprocess.SubprocessError, OSError) as failure:
        print(f"skipped: {', '.join(packages)} cannot be had: {failure}")
        return None
    return python
