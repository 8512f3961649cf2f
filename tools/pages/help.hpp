// SPDX-License-Identifier: MIT
// tools/pages/help.hpp — an option table as text for a terminal and as Markdown for the reference
// page.
#pragma once
#include <string>
#include <string_view>
#include "tools/options/table.hpp"

namespace synthoscope::tools {

/// "synthoscope convolve IMAGE KERNEL -o OUT [options]": options that are required or have a letter
/// are spelled out.
std::string usage_line(std::string_view command, const OptionTable& table);

/// "-o, --output OUT".
std::string spelled_option(const Option& option);

/// Help, unit and default in one sentence.
std::string explained_option(const Option& option);

/// Usage, summary, arguments and options in 80 columns.
std::string help_text(std::string_view command, std::string_view summary, const OptionTable& table);

/// One section of the reference page, with a table per group.
std::string help_markdown(std::string_view command, std::string_view summary,
                          const OptionTable& table);

}  // namespace synthoscope::tools
