// SPDX-License-Identifier: MIT
// tools/terminal/result.hpp — results on standard output, and small pieces of them.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>
#include "core/base/json_fwd.hpp"
#include "core/base/stopwatch.hpp"
#include "fftconv/executor.hpp"
#include "imageio/open.hpp"
#include "simulator/detector/camera_report.hpp"

namespace synthoscope::tools {

/// Prints to standard output. @throws IoError if it cannot be written (a full disk, a closed pipe).
void print_text(std::string_view text);
void print_json(const Json& object);
/// Prints a picture of half_blocks(), whose colours are control characters. @throws as print_text
void print_picture(std::string_view blocks);

/// Prints a few words about files that were made. The files are the result, so that nothing is
/// printed, and nothing fails, where the caller closed standard output. @throws what print_text
/// does
void print_summary(std::string_view text);

/// Makes sure that all of it arrived. @throws IoError
void flush_results();

/// Returns rows of words as lines with columns of equal width.
std::string columns_text(const std::vector<std::vector<std::string>>& rows);

Json json_of(const Extent3& extent);
Json json_of(const Index3& index);

/// Voxel size as [z, y, x] in micrometres; null for an axis that is not known.
Json voxel_size_json(const imageio::ImageInfo& info);

/// Seconds, stages and memory of a run, without its plan; `peak_rss_anon_bytes` is what a console
/// saw.
Json json_of(const fftconv::RunReport& report, std::int64_t peak_rss_anon_bytes);

Json json_of(const simulator::CameraReport& report);

/// Seconds by the name of the stage.
Json json_of(const Stages& stages);

/// Stages and their seconds, one per line, and the memory of a run.
std::string stages_text(const Stages& stages, std::int64_t peak_memory_bytes);

}  // namespace synthoscope::tools
