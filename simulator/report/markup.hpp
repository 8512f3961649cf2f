// SPDX-License-Identifier: MIT
// simulator/report/markup.hpp — pieces of an HTML page that refers to nothing outside itself.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace synthoscope::simulator {

/// `text` as it is read in a page: & < > " ' become entities.
std::string escaped(std::string_view text);

/// @source RFC 4648, section 4.
std::string base64(std::span<const std::byte> bytes);

/// A picture inside the page. @param png  the bytes of its file.
std::string picture(std::span<const std::byte> png, std::string_view described);

/// Rows of cells as text; the first row names the columns.
std::string table(const std::vector<std::vector<std::string>>& rows);

/// A headline and what stands below it.
std::string section(std::string_view title, std::string_view body);

/// What opens when it is asked for.
std::string folded(std::string_view title, std::string_view body);

/// The whole page.
std::string page(std::string_view title, std::string_view body);

}  // namespace synthoscope::simulator
