// SPDX-License-Identifier: MIT
#include "studio/run/run_state.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstring>
#include <optional>
#include <utility>
#include "core/base/json.hpp"

namespace synthoscope::studio {
namespace {

constexpr int kInterruptedCode = 7;  // of the program, after a signal (docs/reference/cli.md)
constexpr std::size_t kLongestLine = std::size_t{64} << 10;
constexpr std::size_t kMostWarnings = 100;

/// Removes "set 3/10: " from the name of a stage. Returns the sets that are done; none if it is
/// not a stage of a sweep.
std::optional<std::int64_t> take_set(std::string& stage) {
  constexpr std::string_view kSet = "set ";
  const auto colon = stage.find(": ");
  if (!stage.starts_with(kSet) || colon == std::string::npos) return std::nullopt;
  std::int64_t number = 0;
  const auto [end, failure] =
      std::from_chars(stage.data() + kSet.size(), stage.data() + colon, number);
  if (failure != std::errc{} || *end != '/') return std::nullopt;
  stage.erase(0, colon + 2);
  return number - 1;
}

std::int64_t whole_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

std::optional<std::string> sentence_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

Json json_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

}  // namespace

void take_line(RunState& state, std::string_view line) {
  constexpr std::string_view kPlainError = "synthoscope: error: ";
  if (line.starts_with(kPlainError)) state.error = line.substr(kPlainError.size());
  const auto object = try_parse_json(line);
  if (!object || !object->is_object()) return;
  if (const auto error = sentence_in(*object, "error")) state.error = *error;
  if (const auto warning = sentence_in(*object, "warning");
      warning && state.warnings.size() < kMostWarnings)
    state.warnings.push_back(*warning);
  if (auto stage = sentence_in(*object, "stage")) {
    if (const auto sets = take_set(*stage)) state.sets_done = *sets;
    state.stage = *std::move(stage);
    state.done = whole_in(*object, "done");
    state.total = whole_in(*object, "total");
  }
}

void take_end(RunState& state, const ChildEnd& end, bool is_stopped) {
  const std::string made = state.kind == RunKind::report ? "the report" : "the data set";
  if (end.signal == 0 && end.exit_code == 0) {
    state.phase = RunPhase::done;
    state.sets_done = static_cast<std::int64_t>(state.sets.size());
    state.error.clear();
  } else if (is_stopped || (end.signal == 0 && end.exit_code == kInterruptedCode)) {
    state.phase = RunPhase::stopped;
    state.error.clear();
  } else {
    state.phase = RunPhase::failed;
    if (state.error.empty() && end.signal != 0)
      state.error =
          fmt::format("make {}: signal {} ({}) ended the program{}; run it again", made, end.signal,
                      ::strsignal(end.signal),
                      end.signal == SIGKILL ? ", as the system does if memory is short" : "");
    else if (state.error.empty())
      state.error = fmt::format(
          "make {}: the program ended with exit code {} and gave no reason; run the command in a "
          "terminal to see more",
          made, end.exit_code);
  }
}

Json json_of(const RunState& state) {
  Json sets = nullptr;
  const bool has_ended = state.phase != RunPhase::running;
  if (!state.sets.empty()) sets = {{"done", state.sets_done}, {"total", state.sets.size()}};
  if (!state.sets.empty() && has_ended) sets["folders"] = state.sets;
  return {{"type", "run"},
          {"id", state.id},
          {"kind", name_in(kRunKindNames, state.kind)},
          {"state", name_in(kRunPhaseNames, state.phase)},
          {"stage", state.stage},
          {"done", state.done},
          {"total", state.total},
          {"seconds", state.seconds},
          {"output", state.output},
          {"sets", sets},
          {"page", json_or_null(state.page)},
          {"error", json_or_null(state.error)},
          {"warnings", has_ended ? Json(state.warnings) : Json::array()}};
}

std::vector<std::string> Lines::take(std::string_view piece) {
  std::vector<std::string> lines;
  rest_ += piece;
  std::size_t begin = 0;
  for (auto end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n', begin)) {
    lines.push_back(rest_.substr(begin, end - begin));
    begin = end + 1;
  }
  rest_.erase(0, begin);
  if (rest_.size() > kLongestLine) rest_.clear();
  return lines;
}

}  // namespace synthoscope::studio
