// SPDX-License-Identifier: MIT
#include "imageio/hdf5/making.hpp"
#include <fmt/format.h>
#include <hdf5.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include "core/base/error.hpp"
#include "core/system/file_bytes.hpp"

namespace synthoscope::imageio {

Hdf5Making::Hdf5Making(PartialFile& file, const Form& form) : partial_{file} {
  const Hdf5Handle access{H5Pcreate(H5P_FILE_ACCESS), H5Pclose};
  const Hdf5Handle creation{H5Pcreate(H5P_FILE_CREATE), H5Pclose};
  H5Pset_file_locking(access.get(), false, true);  // the partial file is locked by us
  if (form.alignment > 0) H5Pset_alignment(access.get(), form.aligned_from, form.alignment);
  if (form.format_of_1_10) H5Pset_libver_bounds(access.get(), H5F_LIBVER_V110, H5F_LIBVER_V110);
  H5Pset_obj_track_times(creation.get(), false);
  // The library opens the file by its name, and empties what others may have put there
  const auto path = partial_path(file.path());
  if (!is_named(file.descriptor(), path)) fail_lost(file.path(), path, "was removed or replaced");
  errno = 0;
  file_ = {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose};
  check(static_cast<bool>(file_), "make the file");
}

Hdf5Handle Hdf5Making::make_group(const std::string& name) const {
  const Hdf5Handle creation{H5Pcreate(H5P_GROUP_CREATE), H5Pclose};
  H5Pset_obj_track_times(creation.get(), false);
  Hdf5Handle group{H5Gcreate2(file_.get(), name.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
                   H5Gclose};
  check(static_cast<bool>(group), "make a group");
  return group;
}

void Hdf5Making::check(bool is_done, const char* step) const {
  if (is_done) return;
  const int failure = errno;
  constexpr std::array kOfTheSystem{ENOSPC, EDQUOT, EFBIG, EMFILE, ENFILE};
  if (std::find(kOfTheSystem.begin(), kOfTheSystem.end(), failure) != kOfTheSystem.end())
    partial_.fail(failure, 0);
  throw IoError(
      fmt::format("write {}: the HDF5 library cannot {} ({}); check the disk and the "
                  "variable HDF5_USE_FILE_LOCKING",
                  partial_.path().string(), step, hdf5_complaint()));
}

void Hdf5Making::finish() {
  check(H5Fflush(file_.get(), H5F_SCOPE_LOCAL) >= 0, "flush the file");
  check(file_.close(), "close the file");
  partial_.accept_size();
}

}  // namespace synthoscope::imageio
