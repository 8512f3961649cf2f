// SPDX-License-Identifier: MIT
// tools/studio/open_browser.hpp — shows a page in the user's browser.
#pragma once
#include <string>

namespace synthoscope::tools {

/// Starts xdg-open with `address`, without a shell and without the terminal, and does not wait for
/// it. Nothing happens if there is no xdg-open, or no desktop that it could open a window on.
void open_browser(const std::string& address) noexcept;

}  // namespace synthoscope::tools
