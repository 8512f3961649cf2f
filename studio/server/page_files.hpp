// SPDX-License-Identifier: MIT
// studio/server/page_files.hpp — the files of the page, which are a part of the program.
#pragma once
#include <string_view>
#include <vector>

namespace synthoscope::studio {

/// A file of the folder studio/page/, as it was when the program was built.
struct PageFile {
  std::string_view name;  ///< path in that folder, such as "app.js"
  std::string_view content;
};

/// All of them. The build writes it (studio/embed_page.cmake).
std::vector<PageFile> page_files();

}  // namespace synthoscope::studio
