// SPDX-License-Identifier: MIT
// python/session/errors.hpp — our failures as the exceptions that Python's users expect.
#pragma once
#include <string>

namespace synthoscope::python {

/// "give --memory 123 or more" for people at a command line is "give memory=123 or more" here.
std::string in_python_terms(std::string sentence);

/// From here on: ValueError for what was asked for wrongly, MemoryError for too small a budget or
/// machine, OSError for files, KeyboardInterrupt for a stop, RuntimeError for the rest.
void translate_errors();

}  // namespace synthoscope::python
