// SPDX-License-Identifier: MIT
// simulator/imaging/psf_memory.hpp — keeps the last PSF for data sets that share it.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include "simulator/optics/psf.hpp"

namespace synthoscope::simulator {

/// The last PSF that was computed. The data sets of a sweep follow each other, and often differ
/// only in their objects. Used by one thread.
class PsfMemory {
 public:
  /// Returns the kept PSF if it was computed for the same `key`; otherwise computes and keeps one.
  /// @param key  everything that determines the PSF
  std::shared_ptr<const Psf> get(const std::string& key, const std::function<Psf()>& compute) {
    if (kept_ && key == key_) return kept_;
    kept_.reset();  // before the next one takes its memory
    kept_ = std::make_shared<const Psf>(compute());
    key_ = key;
    return kept_;
  }

  /// Releases the memory of the PSF. Returns whether one was kept.
  bool forget() {
    const bool had_one = kept_ != nullptr;
    kept_.reset();
    return had_one;
  }

 private:
  std::string key_;
  std::shared_ptr<const Psf> kept_;
};

}  // namespace synthoscope::simulator
