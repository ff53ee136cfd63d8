// What was prepared for calls, kept for such calls to come.
#pragma once
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "cairn/types.hpp"

namespace cairn {

/// The least recently used value goes when there are too many: more than a few, of more bytes than are allowed. What is
/// prepared collectively must be found on all ranks or on none, so these tell the same bytes for a value and ask for
/// the same values in the same order.
class Cache {
 public:
  struct Value {
    std::shared_ptr<void> what;
    Int bytes = 0;  ///< without its key, whose bytes count, too
  };

  explicit Cache(Int most_bytes) : most_bytes_(most_bytes) {}

  /// The value for `key`; null if it is not there.
  std::shared_ptr<void> find(const std::string& key);
  /// The same, made if it is not there.
  std::shared_ptr<void> get(const std::string& key, const std::function<Value()>& make);
  template <class T>
  std::shared_ptr<T> get(const std::string& key, const std::function<Value()>& make) {
    return std::static_pointer_cast<T>(get(key, make));
  }
  void clear();

 private:
  static constexpr std::size_t always_kept = 16;

  struct Entry {
    std::string key;
    Value value;
    Int bytes() const { return value.bytes + std::ssize(key); }
  };
  std::list<Entry> entries_;  ///< latest use first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> places_;
  Int bytes_ = 0, most_bytes_;
};

}  // namespace cairn
