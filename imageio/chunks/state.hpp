// SPDX-License-Identifier: MIT
// imageio/chunks/state.hpp — the state of an unfinished file of chunks, for a run that resumes it.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>
#include "imageio/chunks/written_pieces.hpp"
#include "imageio/image/name.hpp"
#include "imageio/image/spec.hpp"

namespace synthoscope::imageio {

/// JSON of these numbers, and of what image the file will hold.
std::string print_state(const ImageSpec& spec,
                        std::initializer_list<std::pair<const char*, std::int64_t>> numbers);

/// The same, with the boxes that were written.
std::string print_state(const ImageSpec& spec,
                        std::initializer_list<std::pair<const char*, std::int64_t>> numbers,
                        const WrittenPieces& pieces);

/// Returns the numbers of these keys.
/// @throws InvalidSpec  one is missing or negative, or the state is that of another image.
std::vector<std::int64_t> read_state(const ImageName& name, const ImageSpec& spec,
                                     const std::string& state,
                                     std::initializer_list<const char*> keys);

/// The boxes that a state names. @throws InvalidSpec  there are none.
void read_pieces(const ImageName& name, const std::string& state, WrittenPieces& pieces);

/// @throws InvalidSpec  always
[[noreturn]] void refuse_to_resume(const ImageName& name);

}  // namespace synthoscope::imageio
