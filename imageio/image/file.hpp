// SPDX-License-Identifier: MIT
// imageio/image/file.hpp — an image file that is being written.
#pragma once
#include <cstdint>
#include <string>
#include "core/stream/stream.hpp"

namespace synthoscope::imageio {

/// A file that is being written. Unfinished, it can outlive its process and be resumed.
class ImageFile : public Sink {
 public:
  /// Makes everything written so far outlive this process, though not a power loss. Must not be
  /// called while a thread writes. In a file of chunks, planes of an unfinished layer are stored
  /// separately, once each; all other cases cost nothing.
  /// @returns the state that resume_image needs to continue from here, whatever is written
  ///          afterwards.
  /// @throws IoError
  [[nodiscard]] virtual std::string checkpoint() = 0;

  /// Changes with everything that is written, whole or in part, in a file that takes planes in
  /// order.
  [[nodiscard]] virtual std::int64_t written() const = 0;

  /// Makes the final file when all voxels are written, still under its partial name. close() does
  /// it as well; it may be interrupted and repeated.
  /// @throws IoError
  /// @throws Interrupted  `stop` of the spec was requested.
  virtual void build() {}

  /// Waits until what was settled outlives a power loss too. @throws IoError
  virtual void sync() = 0;

  /// Sets whether the unfinished file remains if this object is destroyed without close(). By
  /// default a created file is removed, and a resumed one remains.
  virtual void keep(bool is_kept) noexcept = 0;
};

}  // namespace synthoscope::imageio
