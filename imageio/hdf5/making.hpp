// SPDX-License-Identifier: MIT
// imageio/hdf5/making.hpp — a partial file made by the HDF5 library, without times in it.
#pragma once
#include <cstdint>
#include <string>
#include "imageio/hdf5/library.hpp"
#include "imageio/output/partial_file.hpp"

namespace synthoscope::imageio {

/// Under the library's lock, like all that is done with it.
class Hdf5Making {
 public:
  /// What differs from the library's usual way.
  struct Form {
    std::uint64_t aligned_from = 0;  ///< bytes; what is as large begins at a multiple of
    std::uint64_t alignment = 0;     ///< so many bytes; 0: as it comes
    bool format_of_1_10 = false;     ///< which older readers do not know
  };

  /// `file` is kept alive by the caller. @throws IoError
  explicit Hdf5Making(PartialFile& file) : Hdf5Making{file, Form{}} {}
  Hdf5Making(PartialFile& file, const Form& form);

  [[nodiscard]] std::int64_t get() const { return file_.get(); }

  /// A group in one that is there. @throws IoError
  [[nodiscard]] Hdf5Handle make_group(const std::string& name) const;

  /// @throws IoError  `is_done` is false: the library cannot `step`; says why, or that the disk is
  ///                  full.
  void check(bool is_done, const char* step) const;

  /// Flushes and closes the file. @throws IoError
  void finish();

 private:
  PartialFile& partial_;
  Hdf5Handle file_;
};

}  // namespace synthoscope::imageio
