// SPDX-License-Identifier: MIT
// core/base/json.hpp — JSON values whose keys keep their order. Reading and printing are compiled
// once, in this folder: elsewhere they would cost every file that does either seconds of compile
// time.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>
#include "core/base/json_fwd.hpp"

namespace synthoscope {

/// @throws Json::parse_error  `text` is no JSON, or nests deeper than 1000 arrays and objects: to
///                            copy and to print such a value recurses, and would overflow the
///                            stack.
Json parse_json(std::string_view text);

/// None where parse_json throws.
std::optional<Json> try_parse_json(std::string_view text);

/// Returns an integer from a file that others may have edited. get() would accept a real number,
/// which can lie beyond all integers.
/// @throws Json::type_error  the value is no integer of that size
std::int64_t whole_of(const Json& json);

/// As whole_of(), and none where that throws.
std::optional<std::int64_t> try_whole_of(const Json& json);

/// As whole_of(), of one that is not negative. @throws Json::type_error
std::uint64_t unsigned_of(const Json& json);

/// whole_of() each. @throws Json::type_error  it is no array of such
std::vector<std::int64_t> whole_numbers_of(const Json& array);

/// On one line. Bytes that are no UTF-8 become replacement characters.
std::string text_of(const Json& json);

/// A line for every key, indented by two.
std::string indented_text_of(const Json& json);

}  // namespace synthoscope
