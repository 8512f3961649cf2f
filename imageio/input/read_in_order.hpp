// SPDX-License-Identifier: MIT
// imageio/input/read_in_order.hpp — reads a stretch of a file piece by piece.
#pragma once
#include <cstdint>
#include <functional>
#include <span>

namespace synthoscope {
class StopFlag;
}

namespace synthoscope::imageio {

class InputFile;

/// Calls `take(offset, bytes)` for the bytes of `file` from `from` to `end`, in order.
/// @param stop  checked before each piece; null: not
/// @throws IoError, InputChanged, Interrupted, and what `take` throws
void read_in_order(const InputFile& file, std::int64_t from, std::int64_t end, const StopFlag* stop,
                   const std::function<void(std::int64_t, std::span<const std::byte>)>& take);

}  // namespace synthoscope::imageio
