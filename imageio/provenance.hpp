// SPDX-License-Identifier: MIT
// imageio/provenance.hpp — the record OUT.json beside an output: what ran, on what, how long.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "imageio/open.hpp"

namespace synthoscope {
class StopFlag;
}

namespace synthoscope::imageio {

/// What happened in one run. It lies outside the byte promise: equal requests give equal images,
/// not equal records. No user or host names.
struct RunRecord {
  std::vector<std::string> command_line;
  std::vector<std::filesystem::path> inputs;  ///< recorded with size and XXH64
  /// Images among the inputs: the meaning of their axes, and the number of the image.
  std::vector<std::pair<std::filesystem::path, std::string>> axes;
  std::string request_json;  ///< what determines the output; empty: left out
  std::string asked_json;    ///< all that was asked for; empty: left out
  std::string plan_json;     ///< the whole plan; empty: left out
  double seconds = 0;        ///< wall time of the run
  std::vector<std::pair<std::string, double>> stage_seconds;   ///< in the order they ran
  std::vector<std::pair<std::string, std::string>> libraries;  ///< further ones: {"FFTW", "3.3"}
  std::vector<std::string> warnings;                           ///< as the user saw them
  const StopFlag* stop = nullptr;  ///< looked at while the inputs are read
  std::string inputs_json = {};    ///< what read_inputs found

  /// Adds the files of an image that was read, and its axes, before read_inputs. `given` may name a
  /// data set.
  void add_image(const std::filesystem::path& given, const ImageInfo& info);
  /// Its axes alone.
  void add_axes(const std::filesystem::path& given, const ImageInfo& info);
};

/// Reads every input of the record once, for its size and hash. A run does so before its result
/// gets its name: reading takes long, and a result whose run is interrupted would lack its record.
/// @throws IoError      an input cannot be read. @throws Interrupted  `stop` was requested.
void read_inputs(RunRecord& record);

/// `output` + ".json"; of an HDF5 file, without the name of its data set.
std::filesystem::path record_path(const std::filesystem::path& output);

/// The record as indented JSON. Its inputs have been read.
/// @throws InvalidSpec  `request_json` or `plan_json` is no JSON.
std::string print_record(const RunRecord& record);

/// Writes `print_record(record)` to `record_path(output)`.
/// @throws as print_record and write_file_atomically.
void write_record(const std::filesystem::path& output, const RunRecord& record, bool overwrite);

/// The same beside each of several outputs.
void write_records(std::span<const std::filesystem::path> outputs, const RunRecord& record,
                   bool overwrite);

}  // namespace synthoscope::imageio
