// SPDX-License-Identifier: MIT
// simulator/base/faults.hpp — finds all that is wrong with a scene, instead of the first thing.
#pragma once
#include <algorithm>
#include <string>
#include <vector>
#include "core/base/error.hpp"

namespace synthoscope::simulator {

/// What checks complain about.
class Faults {
 public:
  /// Calls `check` and keeps its complaint, once.
  template <class Check>
  void collect(Check&& check) {
    try {
      check();
    } catch (const SeveralInvalidSpecs& faults) {
      for (const std::string& sentence : faults.sentences) keep(sentence);
    } catch (const InvalidSpec& fault) {
      keep(fault.what());
    }
  }

  /// @throws InvalidSpec, SeveralInvalidSpecs  if there was a complaint.
  void throw_if_any() const {
    if (sentences_.size() == 1) throw InvalidSpec(sentences_.front());
    if (!sentences_.empty()) throw SeveralInvalidSpecs(sentences_);
  }

 private:
  void keep(const std::string& sentence) {
    if (std::find(sentences_.begin(), sentences_.end(), sentence) == sentences_.end())
      sentences_.push_back(sentence);
  }
  std::vector<std::string> sentences_;
};

/// Calls `check`, and puts `before` in front of each of its complaints.
template <class Check>
void with_prefix(const std::string& before, Check&& check) {
  try {
    check();
  } catch (const SeveralInvalidSpecs& faults) {
    std::vector<std::string> sentences = faults.sentences;
    for (std::string& sentence : sentences) sentence.insert(0, before);
    throw SeveralInvalidSpecs(std::move(sentences));
  } catch (const InvalidSpec& fault) {
    throw InvalidSpec(before + fault.what());
  }
}

}  // namespace synthoscope::simulator
