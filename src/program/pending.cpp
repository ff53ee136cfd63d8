#include "program/pending.hpp"

#include <algorithm>

namespace cairn {

namespace {

// From the first to the last, as a set may wrap around.
Range hull(const IndexSet& x) {
  Range all;
  for (Range r : x.pieces()) all = all.empty() ? r : Range{std::min(all.lo, r.lo), std::max(all.hi, r.hi)};
  return all;
}

constexpr Range one_column{0, 1};

}  // namespace

void PendingRequests::add(Pending pending) {
  Span& span = pending.span;
  if (span.storage < 0) span.rows = span.words, span.cols = one_column;
  const Range rows = hull(span.rows), cols = hull(span.cols), requests = pending.requests;
  Storage& s = storages_.try_emplace(span.storage, Storage{span}).first->second;
  s.rows = std::max(s.rows, rows.size()), s.cols = std::max(s.cols, cols.size());
  by_requests_.emplace(requests, s.parts.emplace(Corner{cols.lo, rows.lo}, std::move(pending)));
}

// From one first column to the next, and in each those rows that may reach so far.
template <class Visit>
void PendingRequests::Storage::meeting(const IndexSet& of_rows, const IndexSet& of_cols, Visit visit) const {
  const Range down = hull(of_rows), across = hull(of_cols);
  const Int from = down.lo - rows + 1;
  auto at = parts.lower_bound({across.lo - cols + 1, from});
  while (at != parts.end() && at->first.first < across.hi) {
    const auto [col, row] = at->first;
    if (row < from) {
      at = parts.lower_bound({col, from});
    } else if (row >= down.hi) {
      at = parts.lower_bound({col + 1, from});
    } else {
      const Span& s = at->second.span;
      if (s.rows.meets(of_rows) && s.cols.meets(of_cols)) visit(at->second);
      ++at;
    }
  }
}

void PendingRequests::touching(const Span& span, bool written, std::vector<Range>& requests) const {
  const auto touch = [&](const Pending& p) {
    if (written || p.writes) requests.push_back(p.requests);
  };
  for (const auto& [storage, s] : storages_) {
    if (storage < 0 && span.space < 0)
      s.meeting(span.words, one_column, touch);
    else if (storage >= 0 && storage == span.storage)
      s.meeting(span.rows, span.cols, touch);
    else if (storage >= 0 && s.place.same_place(span))
      for (const auto& [corner, p] : s.parts) touch(p);
  }
}

std::optional<std::size_t> PendingRequests::complete(Range requests) {
  const auto [first, last] = by_requests_.equal_range(requests);
  if (first == last) return {};
  const std::size_t operation = first->second->second.operation;
  for (auto at = first; at != last; ++at) {
    const auto storage = storages_.find(at->second->second.span.storage);
    storage->second.parts.erase(at->second);
    if (storage->second.parts.empty()) storages_.erase(storage);
  }
  by_requests_.erase(first, last);
  return operation;
}

}  // namespace cairn
