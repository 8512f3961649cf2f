// SPDX-License-Identifier: MIT
#include "tools/terminal/exit_code.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <filesystem>
#include <new>
#include <system_error>
#include "core/base/error.hpp"
#include "core/system/system_failure.hpp"

namespace synthoscope::tools {
namespace {

template <class Failure>
bool holds(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const Failure&) {
    return true;
  } catch (...) {
    return false;
  }
}

struct Row {
  ExitCode code;
  const char* meaning;
  bool (*matches)(const std::exception_ptr&);
};

bool is_io_failure(const std::exception_ptr& failure) {
  return holds<IoError>(failure) || holds<std::filesystem::filesystem_error>(failure);
}

bool is_memory_failure(const std::exception_ptr& failure) {
  return holds<PlanError>(failure) || holds<std::bad_alloc>(failure);
}

constexpr std::array kRows{
    Row{ExitCode::done, "done", nullptr},
    Row{ExitCode::usage, "the command line or a scene is wrong", holds<InvalidSpec>},
    Row{ExitCode::input,
        "an input file is invalid or not supported, or finalize found that something is missing",
        holds<InvalidInput>},
    Row{ExitCode::io, "reading or writing failed, for example because a disk is full",
        is_io_failure},
    Row{ExitCode::memory, "no plan fits the memory, or the requested strategy is not available",
        is_memory_failure},
    Row{ExitCode::device, "a GPU failed or has no more memory", holds<CudaError>},
    Row{ExitCode::interrupted, "a signal stopped the run", holds<Interrupted>},
    Row{ExitCode::verification, "a result that was computed again differs too much",
        holds<VerificationFailed>},
    Row{ExitCode::defect, "a defect in the program", nullptr},
};

}  // namespace

std::vector<std::string> sentences_of(const std::exception_ptr& failure) {
  std::vector<std::string> sentences;
  try {
    std::rethrow_exception(failure);
  } catch (const SeveralInvalidSpecs& faults) {
    sentences = faults.sentences;
  } catch (const Error& error) {
    sentences = {error.what()};
  } catch (const std::bad_alloc&) {
    sentences = {std::string{kNoMemory}};
  } catch (const std::filesystem::filesystem_error& error) {
    sentences = {
        fmt::format("use {}: {}; {}", error.path1().string(), error.code().message(),
                    remedy_of(error.code().value(), "check the name and its permissions"))};
  } catch (const std::exception& error) {
    sentences = {
        fmt::format("this is a defect of the program, please report it: {}", error.what())};
  } catch (...) {
    sentences = {"this is a defect of the program, please report it: an unknown exception"};
  }
  for (std::string& sentence : sentences) std::replace(sentence.begin(), sentence.end(), '\n', ' ');
  return sentences;
}

ExitCode exit_code_of(const std::exception_ptr& failure) {
  for (const Row& row : kRows)
    if (row.matches && row.matches(failure)) return row.code;
  return ExitCode::defect;
}

std::vector<std::pair<int, std::string_view>> exit_code_meanings() {
  std::vector<std::pair<int, std::string_view>> meanings;
  for (const Row& row : kRows) meanings.emplace_back(static_cast<int>(row.code), row.meaning);
  return meanings;
}

}  // namespace synthoscope::tools
