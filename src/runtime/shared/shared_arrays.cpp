#include "runtime/shared/shared_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/arithmetic.hpp"
#include "cairn/error.hpp"
#include "runtime/over_ranks.hpp"
#include "schedule/effect.hpp"

namespace cairn {

namespace {

// Words from the start of a block that holds the node's parts of a matrix. Parts that lie side by side in the matrix do
// so in memory: those that an AllGather brings together are then one array already.
std::vector<Int> arranged(const Layout& l, const std::vector<Int>& ranks) {
  struct Key {
    Int copy, outer, inner;
    auto operator<=>(const Key&) const = default;
  };
  const auto first = [](const IndexSet& s) { return s.empty() ? 0 : s.pieces().front().lo; };
  std::vector<Key> keys;
  for (std::size_t m = 0; m < ranks.size(); ++m) {
    Int copy = 0;  // copies of the same part lie in different rows of the block
    for (std::size_t before = 0; before < m; ++before) copy += l.original(ranks[before]) == l.original(ranks[m]);
    const Int row = first(l.rows_at(ranks[m])), col = first(l.cols_at(ranks[m]));
    keys.push_back(l.order == Order::col ? Key{copy, row, col} : Key{copy, col, row});
  }
  std::vector<std::size_t> order(ranks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return keys[a] < keys[b]; });
  std::vector<Int> start(ranks.size(), 0);
  Int next = 0;
  for (std::size_t m : order) {
    start[m] = next;
    next += l.words(ranks[m]);
  }
  return start;
}

}  // namespace

SharedArrays::SharedArrays(const Comm& comm, const Schedule& schedule, ScalarType scalar, Int ranks_per_node)
    : comm_(comm),
      schedule_(schedule),
      scalar_(scalar),
      memory_(node_memory(comm, ranks_per_node)),
      sharing_(schedule, nodes_of(comm, ranks_per_node).of),
      blocks_(schedule.slots.size()),
      start_(schedule.slots.size()),
      open_(schedule.slots.size(), false) {
  memory_.prepare();
  obstacle_ = memory_.obstacle();
}

void SharedArrays::require(Int peak_words, const std::optional<Int>& limit) {
  const Int most = over_ranks(comm_, MPI_MAX, peak_words);
  if (limit && most > *limit && obstacle_.empty())
    obstacle_ = fmt::format("a rank's share of its node's memory needs {} words, {} are allowed", most, *limit);
}

// Not what nobody else reads: a rank's own memory serves it as well.
bool SharedArrays::shareable(Slot input) const {
  bool handed = false;
  for (const Effect& e : effects(schedule_)) {
    if (const Redistribute* x = as_redistribution(e); x && (x->src == input || x->dst == input)) return false;
    handed = handed || (handing_axis(e) >= 0 && schedule_.storage(access(e).reads[0]) == input);
  }
  return handed;
}

SharedBlock SharedArrays::share(Slot input) {
  SharedBlock& block = blocks_[place(input)];
  if (block || !obstacle().empty() || !shareable(input)) return block;
  const Layout& l = schedule_.layout(input);
  block = memory_.allocate(l.words(comm_.rank()) * size_of(scalar_));
  if (!block) return block;
  start_[place(input)] = arranged(l, sharing_.members(sharing_.node(comm_.rank())));
  return block;
}

std::byte* SharedArrays::own_part(Slot input) const {
  const SharedBlock& block = blocks_[place(input)];
  if (!block) return nullptr;
  return block.data() + start_[place(input)][sharing_.member(comm_.rank())] * size_of(scalar_);
}

const SharedBlock* SharedArrays::block(Slot input) const {
  return open_[place(input)] ? &blocks_[place(input)] : nullptr;
}

std::optional<Program> SharedArrays::prepare(const std::vector<Int>& leading, std::vector<bool> mine) {
  std::vector<int> all;
  for (std::size_t x = 0; x < schedule_.slots.size(); ++x)
    if (schedule_.slots[x].role == SlotInfo::Role::operand) all.push_back(mine[x] ? 1 : 0);
  over_ranks(comm_, MPI_MIN, all);
  std::size_t next = 0;
  for (std::size_t x = 0; x < schedule_.slots.size(); ++x)
    mine[x] = schedule_.slots[x].role == SlotInfo::Role::operand && all[next++] != 0;
  if (ready_ && mine == open_ && leading == arrays_.leading) return {};
  const bool others = !ready_ || mine != open_;  // the same on all ranks, unlike leading dimensions
  ready_ = false;
  open_ = std::move(mine);
  arrays_.leading = leading;
  arrays_.start.assign(schedule_.slots.size(), {});
  for (std::size_t x = 0; x < schedule_.slots.size(); ++x)
    if (open_[x]) arrays_.start[x] = start_[x];
  const NodeValues values(sharing_, sharing_.node(comm_.rank()), open_);
  if (others) grow(values);
  ready_ = true;
  return SharedCompiler(values, comm_.rank(), arrays_).run();
}

void SharedArrays::grow(const NodeValues& values) {
  if (over_ranks(comm_, MPI_MAX, Int{values.heap_words() * size_of(scalar_) > heap_.bytes()}) == 0) return;
  heap_ = {};
  heap_words_ = values.share(comm_.rank());
  heap_ = memory_.allocate(heap_words_ * size_of(scalar_));
  if (!heap_) throw RuntimeError("no memory for the values of a node that all of its ranks can map");
}

}  // namespace cairn
