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

/// Marks a folder that is about to change names with an unfinished one, and then goes.
void mark_folder(const std::filesystem::path& folder) noexcept;

/// Refuses to begin `output` if a file that no run made has one of the names that are used until
/// the output is whole: OUTPUT.partial, its journal, or the list of shares.
/// @throws InvalidSpec  names what is there
void require_leftover_is_ours(const std::filesystem::path& output, bool is_folder);

/// Whether it begins as a journal does (journal.hpp).
bool is_journal(const std::filesystem::path& path);

/// Whether nothing is at `path`, or the record of a run (provenance.hpp).
bool may_replace_record(const std::filesystem::path& path);

}  // namespace synthoscope::imageio
