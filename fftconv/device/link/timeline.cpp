// SPDX-License-Identifier: MIT
#include "fftconv/device/link/timeline.hpp"
#include "core/base/error.hpp"

namespace synthoscope::fftconv::device {

Timeline::Timeline(cuda::DeviceId device) : stream_{device}, start_{device} {
  start_.record(stream_);
  start_.finish();
  clock_start_ = std::chrono::steady_clock::now();
}

double Timeline::now() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - clock_start_).count();
}

Timeline::Marks& Timeline::begin(std::string_view what, int slot, const cuda::Stream& stream) {
  cuda::Event from{stream.device()}, to{stream.device()};
  from.record(stream);
  const std::scoped_lock lock{mutex_};
  return marks_.emplace_back(Marks{what, slot, std::move(from), std::move(to)});
}

void Timeline::add(const Span& span) {
  const std::scoped_lock lock{mutex_};
  spans_.push_back(span);
}

std::vector<Timeline::Span> Timeline::spans() const {
  const std::scoped_lock lock{mutex_};
  std::vector<Span> all = spans_;
  for (const Marks& m : marks_)
    all.push_back({m.what, m.slot, cuda::seconds_between(start_, m.from),
                   cuda::seconds_between(start_, m.to)});
  return all;
}

Noted::Noted(Timeline* timeline, std::string_view what, int slot)
    : timeline_{timeline}, span_{what, slot, timeline ? timeline->now() : 0, 0} {}

Noted::Noted(Timeline* timeline, std::string_view what, int slot, const cuda::Stream& stream)
    : timeline_{timeline}, stream_{&stream} {
  if (timeline_) marks_ = &timeline_->begin(what, slot, stream);
}

Noted::~Noted() {
  if (!timeline_) return;
  try {
    if (marks_) {
      marks_->to.record(*stream_);
    } else {
      span_.to = timeline_->now();
      timeline_->add(span_);
    }
  } catch (const std::exception&) {
    return;  // a line of the figure is missing; the failed work reports the error itself
  }
}

}  // namespace synthoscope::fftconv::device
