// SPDX-License-Identifier: MIT
// imageio/image/file.hpp — an image file that is being written.
#pragma once
#include <cstdint>
#include <string>
#include "core/stream/stream.hpp"

namespace synthoscope::imageio {

/// A file that is being written. An unfinished one can outlive its process and be resumed.
class ImageFile : public Sink {
 public:
  /// Ensures that everything written so far outlives this process, but not a power loss. Must not
  /// be called while a thread writes. In a file of chunks, planes of an unfinished layer are stored
  /// separately, once each; all other cases cost nothing.
  /// @returns the state that resume_image needs to continue from here, whatever is written
  ///          afterwards.
  /// @throws IoError
  [[nodiscard]] virtual std::string checkpoint() = 0;

  /// Returns a number that changes with every write: of voxels, planes or bytes, by format. In a
  /// file that takes planes in order, a write that failed half-way changes it too. A caller
  /// compares it to detect writes since the last step.
  [[nodiscard]] virtual std::int64_t written() const = 0;

  /// Makes the final file when all voxels are written, still under its partial name. close() calls
  /// it as well. It can be interrupted and repeated.
  /// @throws IoError
  /// @throws Interrupted  `stop` of the spec was requested.
  virtual void build() {}

  /// Waits until everything up to the last checkpoint outlives a power loss too. @throws IoError
  virtual void sync() = 0;

  /// Sets whether the unfinished file remains if this object is destroyed without close(). By
  /// default a created file is removed, and a resumed one remains.
  virtual void keep(bool is_kept) noexcept = 0;
};

}  // namespace synthoscope::imageio
