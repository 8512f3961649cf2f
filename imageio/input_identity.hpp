// SPDX-License-Identifier: MIT
// imageio/input_identity.hpp — whether an input is still the file that it was.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>
#include "core/error.hpp"

namespace synthoscope {
class StopFlag;
}

namespace synthoscope::imageio {

/// An input was changed while it was read: what was made of it may be a mixture.
struct InputChanged final : InvalidInput {
  using InvalidInput::InvalidInput;
};

/// An input of a run, as its record has it.
struct InputRecord {
  std::filesystem::path path;  ///< as it was given: it may name a data set
  std::int64_t bytes = 0;
  std::string xxh64;
};

/// Notes which files a run reads, and finds out whether they were changed before its end.
class InputsAsRead {
 public:
  /// To be called before anything of `path` is read: of a folder, all files in it are noted. It may
  /// name a data set. Whoever opens it says what is wrong with it; a path that is noted stays as it
  /// was noted first.
  void note(const std::filesystem::path& path);
  void note(const std::vector<std::filesystem::path>& paths) {
    for (const auto& path : paths) note(path);
  }

  /// To be called when all is read, and before the result gets its name.
  /// @throws InputChanged  the size, the times, the inode or the disk of a file is another than it
  ///                       was noted, or a file is gone or new in a folder.
  void require_unchanged() const;

  /// Size and hash of what was read from `recorded`, which are noted if they were not. Reads each
  /// of them once. @throws as require_unchanged, IoError, and Interrupted: `stop` was requested.
  [[nodiscard]] std::vector<InputRecord> records(const std::vector<std::filesystem::path>& recorded,
                                                 const StopFlag* stop);

 private:
  struct Noted {
    std::filesystem::path file;
    std::string state;
  };
  std::vector<Noted> noted_;
};

/// Size, time of the last change and XXH64 of the content, as a JSON object: what must be the same
/// when a run is resumed. Of a file beyond 256 MiB the hash is that of 64 blocks spread evenly over
/// it, and the time of its status counts, too, which every change sets and nobody can set back. Of
/// a folder the same holds for all files in it.
/// @throws IoError
std::string identity_of_input(const std::filesystem::path& path);

}  // namespace synthoscope::imageio
