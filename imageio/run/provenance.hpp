// SPDX-License-Identifier: MIT
// imageio/run/provenance.hpp — the record OUT.json of an output: command, inputs, machine, time.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>
#include "imageio/run/input_identity.hpp"

namespace synthoscope::imageio {

/// The record of one run. Equal requests give equal images, but not equal records. It has no names
/// of users or hosts.
struct RunRecord {
  std::vector<std::string> command_line;
  std::vector<InputRecord> inputs;  ///< from InputsAsRead::records
  std::string request_json;         ///< that determines the output; empty: left out
  std::string asked_json;           ///< the whole request; empty: left out
  std::string plan_json;            ///< the whole plan; empty: left out
  std::string found_json;           ///< what the run found on its way; empty: left out
  double seconds = 0;               ///< wall time of the run
  std::vector<std::pair<std::string, double>> stage_seconds;   ///< in the order they ran
  std::vector<std::pair<std::string, std::string>> libraries;  ///< further ones: {"FFTW", "3.3"}
  std::vector<std::string> warnings;                           ///< as the user saw them
};

/// Returns `output` + ".json"; for an HDF5 file, without the name of its array.
std::filesystem::path record_path(const std::filesystem::path& output);

/// Returns the record as indented JSON.
/// @throws InvalidSpec  `request_json` or `plan_json` is not JSON.
std::string print_record(const RunRecord& record);

/// Writes `print_record(record)` to `record_path(output)`.
/// @throws as print_record and write_file_atomically; NameTaken if another program has created a
///            record of that name since the run began.
void write_record(const std::filesystem::path& output, const RunRecord& record, bool overwrite);

/// Writes the record of each of several outputs.
void write_records(std::span<const std::filesystem::path> outputs, const RunRecord& record,
                   bool overwrite);

}  // namespace synthoscope::imageio
