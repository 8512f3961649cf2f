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
      "TIFF or HDF5 file, as stack.tif or stack.h5:/path/to/dataset, of whole numbers: "
      "every one but 0 marks an object. A voxel of the grid has the label of the file's "
      "voxel that holds its centre. Where nuclei or beads are too, theirs come first",
      &VolumeSpec::labels);
  rows.add_optional(
      "none", "intensity", "", kAny,
      "TIFF or HDF5 file of light, of the size of labels if both are given: then light "
      "comes from here alone. It is shared out over the voxels of the grid, none is lost",
      &VolumeSpec::intensity);
  rows.add_optional("the first", "image", "", Range{0, 1e9},
                    "which image of the files, from 0; where they have several, which info lists",
                    &VolumeSpec::image);
  rows.add_optional("the only one", "channel", "", Range{0, 1023},
                    "which channel of the files, from 0; where they have several",
                    &VolumeSpec::channel);
  rows.add_optional("the only one", "frame", "", Range{0, 1e9},
                    "which frame of the files, from 0; where they have several",
                    &VolumeSpec::frame);
  rows.add_optional("what the file says", "pitch_nm", "nm", Range{0, 1e9, true},
                    "distance between the files' voxels along z, y and x", &VolumeSpec::pitch);
  rows.add_optional(
      "the middle of the file lies on that of the grid", "corner_um", "um", Range{-kHuge, kHuge},
      "where the corner of the file's first voxel lies, from that of the grid's, along z, "
      "y and x",
      &VolumeSpec::corner);
  rows.add("photons_per_um3", "photons per um^3 and exposure", Range{0, 1e12},
           "light of a cubic micrometre of every label, without intensity",
           &VolumeSpec::photons_per_um3);
  rows.add(
      "photons_per_value", "photons per exposure", Range{0, 1e12},
      "light of a voxel of intensity whose value is 1 above background, if all of it fell on one "
      "plane",
      &VolumeSpec::photons_per_value);
  rows.add("background", "as the file's voxels", Range{-1e12, 1e12},
           "value of intensity that is dark, such as a camera's offset; what is lower is dark, too",
           &VolumeSpec::background);
}

}  // namespace synthoscope::simulator
