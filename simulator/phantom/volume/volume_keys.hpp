// SPDX-License-Identifier: MIT
// simulator/phantom/volume/volume_keys.hpp — the keys of [volume].
#pragma once
#include "simulator/base/range.hpp"
#include "simulator/phantom/volume/volume_spec.hpp"

namespace synthoscope::simulator {

template <class Rows>
void list_volume_keys(Rows& rows) {
  rows.add_optional(
      "none", "labels", "", kAny,
      "TIFF or HDF5 file of whole numbers, as stack.tif or stack.h5:/path/to/dataset: every number "
      "except 0 marks an object. A voxel of the grid has the label of the file's voxel that "
      "contains its centre. If there are also nuclei or beads, theirs come first",
      &VolumeSpec::labels);
  rows.add_optional(
      "none", "intensity", "", kAny,
      "TIFF or HDF5 file of light, of the size of labels if both are given: then all light comes "
      "from this file. It is distributed over the voxels of the grid without loss",
      &VolumeSpec::intensity);
  rows.add_optional(
      "the first", "image", "", Range{0, 1e9},
      "number of the image in the files, from 0, if they have several; info lists them",
      &VolumeSpec::image);
  rows.add_optional("the only one", "channel", "", Range{0, 1023},
                    "number of the channel in the files, from 0, if they have several",
                    &VolumeSpec::channel);
  rows.add_optional("the only one", "frame", "", Range{0, 1e9},
                    "number of the frame in the files, from 0, if they have several",
                    &VolumeSpec::frame);
  rows.add_optional("the voxel size in the file", "pitch_nm", "nm", Range{0, 1e9, true},
                    "distance between the files' voxels along z, y and x", &VolumeSpec::pitch);
  rows.add_optional(
      "the middle of the file at the middle of the grid", "corner_um", "um", Range{-kHuge, kHuge},
      "position of the corner of the file's first voxel, from the corner of the grid's "
      "first voxel, along z, y and x",
      &VolumeSpec::corner);
  rows.add("photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
           "light of a cubic micrometre of every label, without intensity",
           &VolumeSpec::photons_per_um3);
  rows.add("photons_per_value", "photons per exposure", Range{0, 1e12},
           "expected photons from a voxel of intensity whose value is 1 above background, added up "
           "over the pixels of the plane in focus",
           &VolumeSpec::photons_per_value);
  rows.add("background", "as the file's voxels", Range{-1e12, 1e12},
           "value of intensity that is dark, such as a camera's offset; lower values are dark, too",
           &VolumeSpec::background);
}

}  // namespace synthoscope::simulator
