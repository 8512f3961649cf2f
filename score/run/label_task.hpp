// SPDX-License-Identifier: MIT
// score/run/label_task.hpp — a truth and a result whose labels are compared.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include "score/sets/image_frames.hpp"
#include "score/sets/object_table.hpp"

namespace synthoscope::score {

/// A truth and a result with the same number of frames.
struct LabelTask {
  std::string name = {};  ///< of the data set, where several are scored
  ImageFrames truth, results;
  std::optional<ImageFrames> image = {};  ///< what was segmented, for pictures
  std::int64_t first_frame = 0;           ///< number of the first frame, which `snr` counts from
  ObjectSnr snr;                          ///< empty: it is not known
};

/// Returns the truth of a task, without its results: a data set with its image and the light of its
/// objects, or label images.
/// @param options  as for result_frames; labels are never inverted
/// @throws as DataSetReader, truth_frames and read_object_snr
LabelTask task_with_truth(const std::filesystem::path& truth, imageio::OpenOptions options,
                          const RunContext& context);

}  // namespace synthoscope::score
