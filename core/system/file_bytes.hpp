// SPDX-License-Identifier: MIT
// core/system/file_bytes.hpp — bytes between memory and an open file, all of them or the reason why
// not.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace synthoscope {

/// How far a transfer came, and what ended it.
struct Moved {
  std::size_t bytes = 0;
  int errno_value = 0;  ///< 0 where all is moved, a read met the end, or a write stopped short
};

/// Fills `out` from byte `offset` on; fewer bytes only at the end of the file or after a failure.
/// Several threads may read at once. A signal does not end it.
Moved read_bytes(int descriptor, std::int64_t offset, std::span<std::byte> out);

/// Writes `bytes` from byte `offset` on. Several threads may write disjoint ranges at once. A
/// signal does not end it.
Moved write_bytes(int descriptor, std::int64_t offset, std::span<const std::byte> bytes);

/// Appends `bytes` to a file that was opened with O_APPEND. Bytes that other processes append stay
/// apart from them. Continues after a signal.
Moved append_bytes(int descriptor, std::span<const std::byte> bytes);

/// Takes disk space for `count` bytes of a file from byte `begin` on; what has space keeps it. A
/// signal does not end it. Returns 0 or errno's value: EOPNOTSUPP if the file system cannot.
int allocate_bytes(int descriptor, std::int64_t begin, std::int64_t count);

/// Whether the name still leads to what is open: another process may have removed or renamed it.
bool is_named(int descriptor, const std::filesystem::path& path);

}  // namespace synthoscope
