// SPDX-License-Identifier: MIT
// simulator/data_set/annotations.hpp — the objects of a data set in the tables that other programs
// read: COCO's annotations, boxes for YOLO, points and tracks for napari.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>
#include "core/run/run_context.hpp"
#include "simulator/data_set/data_set.hpp"

namespace synthoscope::simulator {

/// Returns the classes of the objects that a scene has, as objects.csv names them, in the order of
/// kinds. A category of COCO is the place in this list plus 1; a class of YOLO is the place.
std::vector<std::string> object_classes(const SceneSpec& scene);

/// Returns the bytes that write_annotations holds.
std::int64_t annotation_bytes(const SceneSpec& scene, TruthLayout layout);

/// Writes the files of DataSetLayout::annotations() when the masks are finished. The files list
/// the objects that have a pixel. For joined parts they have the same bytes as for one process.
///
///     annotations.json   COCO's format for object detection. Image FRAME + 1 is FRAME; file names
///                        are relative to the folder of the set. Boxes are [x, y, width, height]
///                        and contain all pixels of the mask; areas are numbers of pixels; `label`
///                        is the value in the masks. Masks are uncompressed run lengths
///     labels/tFRAME.txt  "class x y width height", a line for each object: the centre of its box
///                        and its size, as fractions of the image
///     data.yaml          the names of classes. It gives no path, and its readers then use its own
///                        folder
///     points.csv         "index", axes, "id" and "class": centroids of masks, where the centre of
///                        the first pixel is 0. Axes are those of the folder of images, which
///                        napari opens as one layer: frame, z, y, x, without those of length 1.
///                        Frames count from the first of a part
///     tracks-napari.csv  ID, T, Z, Y, X, or without Z for one plane, ordered by ID and T
///
/// @param objects  content of objects.csv
/// @throws IoError    a file cannot be written.
/// @throws PlanError  annotation_bytes are beyond the budget.
void write_annotations(const SceneSpec& scene, std::string_view objects, const DataSet& files,
                       const RunContext& context);

}  // namespace synthoscope::simulator
