// SPDX-License-Identifier: MIT
// kernels/operation/window_reader.hpp — reads consecutive windows of a source into memory.
#pragma once
#include "core/run/task_pool.hpp"
#include "core/stream/stream.hpp"
#include "kernels/operation/window.hpp"

namespace synthoscope::kernels {

/// Holds one window at a time; what the next window shares with it is moved, not read again.
class WindowReader {
 public:
  /// @param room  space for the largest window; kept alive by the caller.
  WindowReader(Source& source, std::byte* room) : source_{source}, room_{room} {}

  /// Reads `box`, as held_box returns it, with the threads of `pool`. Invalidates the window
  /// before.
  /// @throws what the source throws.
  Window read(const Box3& box, TaskPool& pool);

  /// Lets the source prepare for what read(next) would read now.
  void expect(const Box3& next);

 private:
  /// Returns the part of `box` that is not held; all of it if no whole planes, or rows of a single
  /// plane, are held.
  [[nodiscard]] Box3 missing_of(const Box3& box) const;
  void fill(const Box3& box, const Box3& missing, TaskPool& pool);

  Source& source_;
  std::byte* room_;
  Box3 held_{};  ///< empty at first
};

}  // namespace synthoscope::kernels
