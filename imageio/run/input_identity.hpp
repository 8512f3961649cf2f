// SPDX-License-Identifier: MIT
// imageio/run/input_identity.hpp — the inputs of a run, and whether they are still what they were.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>
#include "imageio/input/file.hpp"
#include "imageio/input/read_digest.hpp"
#include "imageio/open.hpp"

namespace synthoscope {
class StopFlag;
}

namespace synthoscope::imageio {

/// An input of a run, as its record has it.
struct InputRecord {
  std::filesystem::path path;  ///< as it was given: it may name an array
  std::int64_t bytes = 0;
  std::string xxh64 = {};  ///< empty if the file is large and was not read in order
  std::string axes = {};   ///< of an image: the meaning of its axes, and the number of the image
  std::string xxh3_tree = {};  ///< ContentDigests::xxh3_tree; empty for a folder
};

/// The inputs of a run: noted before they are read, and compared before the result gets its name.
/// What is compared of a file is device, inode, size and time of the last change, so that a new
/// name or other permissions do no harm.
class InputsAsRead {
 public:
  /// Must be called before anything of `path` is read. `path` may name an array; of a folder, all
  /// files are noted. A missing file is noted as missing: the reader reports the error. A repeated
  /// call keeps the first note.
  void note(const std::filesystem::path& path) { insert(noted_.size(), {path}); }
  void note(const std::vector<std::filesystem::path>& paths) { insert(noted_.size(), paths); }

  /// The same for an image that was opened as `given`: notes its further files, and keeps its axes
  /// for the record.
  void note_image(const std::filesystem::path& given, const ImageInfo& info);

  /// Hashes a small file that was read completely, such as a scene; the file may change from now
  /// on.
  /// @throws as require_unchanged.
  void record_now(const std::filesystem::path& path);

  /// Returns the digests that readers of the inputs should be given: then `records` reads nothing
  /// again.
  [[nodiscard]] ReadDigests& digests() const { return *digests_; }

  /// To be called when everything is read, and before the result gets its name.
  /// @throws InputChanged  a file was replaced, removed or written to, or a folder has a new file.
  void require_unchanged() const;

  /// All inputs with the size and the hash of what was read: of an image its files in a row, and
  /// otherwise in the order of their notes. Reads what was not read with digests(). A run does so
  /// before its result gets its name: reading takes long, and a result whose run is interrupted
  /// would lack its record.
  /// @param pool  its threads read; null: the calling thread
  /// @throws as require_unchanged, IoError, and Interrupted: `stop` was requested.
  [[nodiscard]] std::vector<InputRecord> records(TaskPool* pool, const StopFlag* stop) const;

 private:
  struct Noted {
    std::filesystem::path path, file;
    std::string state;
    std::string axes = {};
    std::optional<InputRecord> recorded = {};  ///< if it is read, and may change
  };
  Noted* find(const std::filesystem::path& path);
  static void require_unchanged(const Noted& input);
  /// Inserts before `place`, in the order of `paths`, those that are not noted yet.
  void insert(std::size_t place, const std::vector<std::filesystem::path>& paths);

  static InputRecord record_of(const Noted& input, ReadDigests& digests, TaskPool* pool,
                               const StopFlag* stop);

  std::vector<Noted> noted_;
  std::unordered_map<std::string, std::size_t> places_;  ///< of paths in noted_
  std::unordered_map<std::string, std::string> states_;  ///< of files, when they were first noted
  std::unique_ptr<ReadDigests> digests_ = std::make_unique<ReadDigests>();
};

/// Returns size, modification time and XXH64 of the content as a JSON object; they must be
/// unchanged when a run is resumed. Files larger than 256 MiB are hashed in 64 blocks that are
/// spread evenly. A folder lists the same for all its files. @throws IoError
std::string identity_of_input(const std::filesystem::path& path);

}  // namespace synthoscope::imageio
