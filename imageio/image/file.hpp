// SPDX-License-Identifier: MIT
// imageio/image/file.hpp — an image file that is being written.
#pragma once
#include <cstdint>
#include <string>
#include "core/stream/stream.hpp"

namespace synthoscope::imageio {

/// A file that can outlive the process that writes it, unfinished, and be gone on with.
class ImageFile : public Sink {
 public:
  /// Everything written so far outlives this process, though not a power loss. Not to be called
  /// while a thread writes. Planes of a layer of chunks that is not finished are put aside as they
  /// are, once each; all else costs nothing.
  /// @returns what resume_image needs to go on from here, whatever is written afterwards.
  /// @throws IoError
  [[nodiscard]] virtual std::string settle() = 0;

  /// Changes with everything that is written, whole or in part, in a file that takes planes in
  /// order.
  [[nodiscard]] virtual std::int64_t written() const = 0;

  /// All voxels are written: makes the file what it will be, under the name that it has by now.
  /// close() does it too; this may be interrupted and done again.
  /// @throws IoError  @throws Interrupted  `stop` of the spec was requested.
  virtual void build() {}

  /// Waits until what was settled outlives a power loss too. @throws IoError
  virtual void sync() = 0;

  /// Whether the unfinished file stays when this goes without close(). Until it is told, one that
  /// was created goes, and one that was gone on with stays.
  virtual void keep(bool is_kept) noexcept = 0;
};

}  // namespace synthoscope::imageio
