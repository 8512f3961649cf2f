// SPDX-License-Identifier: MIT
#include "studio/server/event_stream.hpp"
#include <fmt/format.h>
#include "core/base/json.hpp"

namespace synthoscope::studio {

void EventStream::publish(const Json& event) {
  const std::string data = text_of(event);  // one line
  {
    const std::lock_guard lock{mutex_};
    events_.push_back(fmt::format("id: {}\ndata: {}\n\n", ++latest_, data));
    if (events_.size() > kept_) events_.pop_front();
  }
  has_come_.notify_all();
}

std::uint64_t EventStream::latest() const {
  const std::lock_guard lock{mutex_};
  return latest_;
}

std::string EventStream::wait_after(std::uint64_t& last, std::chrono::milliseconds patience) {
  std::unique_lock lock{mutex_};
  has_come_.wait_for(lock, patience, [&] { return latest_ > last; });
  std::string text = events_after(last);
  last = latest_;
  return text;
}

std::string EventStream::events_after(std::uint64_t last) const {
  std::string text;
  const std::uint64_t first = latest_ - events_.size() + 1;
  for (std::uint64_t number = first; number <= latest_; ++number)
    if (number > last) text += events_[number - first];
  return text;
}

}  // namespace synthoscope::studio
