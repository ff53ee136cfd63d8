#include "runtime/cache.hpp"

namespace cairn {

std::shared_ptr<void> Cache::find(const std::string& key) {
  const auto found = places_.find(key);
  if (found == places_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, found->second);
  return found->second->value.what;
}

std::shared_ptr<void> Cache::get(const std::string& key, const std::function<Value()>& make) {
  if (auto found = find(key)) return found;
  entries_.push_front({key, make()});
  places_[entries_.front().key] = entries_.begin();
  bytes_ += entries_.front().bytes();
  while (entries_.size() > always_kept && bytes_ > most_bytes_) {
    bytes_ -= entries_.back().bytes();
    places_.erase(entries_.back().key);
    entries_.pop_back();
  }
  return entries_.front().value.what;
}

void Cache::clear() {
  places_.clear();
  entries_.clear();
  bytes_ = 0;
}

}  // namespace cairn
