// SPDX-License-Identifier: MIT
// python/session/errors.hpp — our failures as the exceptions that Python's users expect.
#pragma once

namespace synthoscope::python {

/// From here on: ValueError for what was asked for wrongly, MemoryError for too small a budget or
/// machine, OSError for files, KeyboardInterrupt for a stop, RuntimeError for the rest.
void translate_errors();

}  // namespace synthoscope::python
