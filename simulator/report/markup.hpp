// SPDX-License-Identifier: MIT
// simulator/report/markup.hpp — pieces of an HTML page without external references.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace synthoscope::simulator {

/// Returns `text` for a page: & < > " ' become entities.
std::string escaped(std::string_view text);

/// Returns `bytes` as base64.
/// @source RFC 4648, section 4.
std::string base64(std::span<const std::byte> bytes);

/// Returns a picture inside the page. @param png  the bytes of its file.
std::string picture(std::span<const std::byte> png, std::string_view described);

/// Returns rows of cells as text; the first row names the columns.
std::string table(const std::vector<std::vector<std::string>>& rows);

/// Returns a headline and the content below it.
std::string section(std::string_view title, std::string_view body);

/// Returns content that is hidden until the reader opens it.
std::string folded(std::string_view title, std::string_view body);

/// Returns the whole page.
std::string page(std::string_view title, std::string_view body);

}  // namespace synthoscope::simulator
