// SPDX-License-Identifier: MIT
// imageio/output/leftover.hpp — marks unfinished files of this program, so that only these are ever
// replaced.
#pragma once
#include <sys/stat.h>
#include <sys/types.h>
#include <filesystem>

namespace synthoscope::imageio {

/// An unfinished file or folder carries the sticky bit from the moment it exists until it has its
/// name. The bit means nothing for files, costs no second file, and no other program sets it.
inline constexpr mode_t kUnfinishedMode = S_ISVTX;

/// Sets or removes the mark of an open file. Does nothing if the file system has no such bit, or if
/// the file belongs to another user.
void mark(int descriptor) noexcept;
void unmark(int descriptor) noexcept;

/// Marks a finished folder before it is exchanged with an unfinished one and removed, so that a
/// killed run leaves it recognisable.
void mark_folder(const std::filesystem::path& folder) noexcept;

/// Refuses to begin `output` if a file that no run made has the name of one of its unfinished
/// files: OUTPUT.partial, its journal, or the list of shards.
/// @throws InvalidSpec  names the file
void require_leftover_is_ours(const std::filesystem::path& output, bool is_folder);

/// Returns whether the file begins like a journal (journal.hpp).
bool is_journal(const std::filesystem::path& path);

/// Returns whether `path` does not exist, or is the record of a run (provenance.hpp).
bool may_replace_record(const std::filesystem::path& path);

}  // namespace synthoscope::imageio
