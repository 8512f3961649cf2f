// SPDX-License-Identifier: MIT
// tools/going_on.hpp — failures behind which finished work stays.
#pragma once
#include <functional>
#include <string_view>

namespace synthoscope::tools {

/// Does `body`. Where it fails, `leave` keeps what is finished and says whether anything stays:
/// then a failure that another day may not bring (of disk, memory or GPU, or a stop) says so by
/// `how`, "the same command with --resume goes on with it". Nothing is kept of an output that
/// others removed (OutputLost), or if an input was changed (InputChanged). @throws what `body`
/// throws
void keep_where_it_fails(const std::function<void()>& body, const std::function<bool()>& leave,
                         std::string_view how);

}  // namespace synthoscope::tools
