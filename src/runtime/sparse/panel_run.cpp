#include "runtime/sparse/panel_run.hpp"

#include <limits>
#include <set>

#include "base/scalars.hpp"
#include "cairn/error.hpp"
#include "local/sparse/block_operations.hpp"
#include "local/sparse/large_pages.hpp"
#include "local/sparse/product_filter.hpp"

namespace cairn {

template <class T>
PanelRun<T>::PanelRun(const Comm& comm, const PanelSchedule& schedule, const SizedPanels& sizes, std::vector<int> ranks,
                      const std::array<Blocks<T>, 3>& none, const PanelRules& rules)
    : comm_(comm),
      schedule_(schedule),
      s_(schedule.wire),
      sizes_(sizes),
      ranks_(std::move(ranks)),
      none_(none),
      rules_(rules),
      room_(rules.room),
      me_(std::find(ranks_.begin(), ranks_.end(), comm.rank()) - ranks_.begin()),
      messages_{Messages(comm, none[A], KeptMemory::of(comm)), Messages(comm, none[B], KeptMemory::of(comm)),
                Messages(comm, none[C], KeptMemory::of(comm))},
      local_(rules.threads) {
  if (rules_.filter_eps > 0) limits_.resize(none[A].row_sizes->size());
}

template <class T>
void PanelRun<T>::load(Matrix matrix, Place place, BlockPanel<T> panel) {
  memory(s_.callers()[matrix])[place].panel = std::make_shared<BlockPanel<T>>(std::move(panel));
}

template <class T>
void PanelRun<T>::load(Place place, Blocks<T> c) {
  memory(s_.callers()[C])[place].sum = std::make_shared<SumOfThreads<T>>(std::move(c));
}

template <class T>
PanelWork PanelRun<T>::run(T alpha) {
  alpha_ = alpha;
  const Uses& uses = schedule_.uses;
  if (rules_.window) expose();
  ask();
  for (std::size_t t = 0; t < uses.does.size(); ++t, ++step_) {
    for_each_sent(uses.does[t], t, [&](Slot src, Place place, Int to, Int asked_by) {
      if (asked_by >= 0 || !fetched(src, place)) send(src, place, to, asked_by);
    });
    if (concerns(s_, uses.does[t], me_)) std::visit([&](const auto& effect) { carry_out(effect); }, uses.does[t]);
    for (Messages& m : messages_) m.progress();
    const Access used = access(uses.does[t]);
    for (Slot x : {used.reads[0], used.reads[1], used.reads[2]})
      if (x >= 0 && !s_[s_.storage(x)].callers() && uses.last[static_cast<std::size_t>(s_.storage(x))] == t)
        forget(s_.storage(x));
  }
  for (Messages& m : messages_) {
    m.finish();
    work_.arrived += m.arrived();
  }
  work_.wait_seconds = waited();
  work_.products = local_.products();
  return work_;
}

template <class T>
Blocks<T> PanelRun<T>::take(Place place) {
  return std::move(sum_at(s_.callers()[C], place));
}

template <class T>
template <class F>
void PanelRun<T>::for_each_element(const IndexSet& rows, const IndexSet& cols, F f) const {
  for_each_panel(rows, cols, [&](Int i, Int j) { f(Place(i, j)); });
}

template <class T>
template <class F>
void PanelRun<T>::for_each_wanted(Slot src, Slot dst, const Region& r, Int to, F f) const {
  if (to == me_) return;
  const WantedPanels wanted(schedule_, sizes_, dst, to);
  for_each_element(r.rows, r.cols, [&](Place place) {
    if (!wanted(place.first, place.second)) return;
    const auto asked = wanted.asked(place.first, place.second);
    f(src, place, to, asked ? asked->by : -1);
  });
}

template <class T>
template <class F>
void PanelRun<T>::for_each_sent(const Effect& step, std::size_t t, F f) const {
  if (!concerns(s_, step, me_)) return;
  if (const Move* const m = as_move(step))
    for_each_reader(s_.grid, *m, me_,
                    [&](Int to) { for_each_wanted(m->src, m->dst, travelling(s_, *m, me_, to), to, f); });
  if (const Redistribute* const x = as_redistribution(step))
    for (const Transfer& transfer : schedule_.transfers[t].outgoing)
      for (const Transfer::Region& r : transfer.regions)
        for_each_wanted(x->src, x->dst, {r.rows, r.cols}, transfer.peer, f);
}

// What lies in callers' matrices never changes; what is larger than MPI counts is sent in pieces.
template <class T>
bool PanelRun<T>::fetched(Slot src, Place place) const {
  return rules_.window && s_[s_.storage(src)].callers() && schedule_.matrix(src) != C &&
         sizes_.of(src).at(place.first, place.second).words <= std::numeric_limits<int>::max();
}

// Copies what others fetch into the window.
template <class T>
void PanelRun<T>::expose() {
  std::set<std::pair<Matrix, Place>> there;
  const Uses& uses = schedule_.uses;
  for (std::size_t t = 0; t < uses.does.size(); ++t)
    for_each_sent(uses.does[t], t, [&](Slot src, Place place, Int, Int asked_by) {
      const Matrix matrix = schedule_.matrix(src);
      if (asked_by >= 0 || !fetched(src, place) || !there.insert({matrix, place}).second) return;
      const PanelPlaces::Place to = rules_.places->of(matrix, place.first, place.second);
      write(*panel_at(src, place), rules_.window->data() + to.index, rules_.window->data() + to.values);
    });
  rules_.window->open(comm_);
}

// Says, before anything is multiplied, which blocks are needed of panels that are multiplied with own ones: by this
// rank, or by another one that gets both straight from their owners.
template <class T>
void PanelRun<T>::ask() {
  const Uses& uses = schedule_.uses;
  for (std::size_t t = 0; t < uses.does.size(); ++t) {
    const Slot dst = access(uses.does[t]).writes;
    const Matrix matrix = schedule_.matrix(dst);
    const int tag = static_cast<int>(t);
    for (const PanelSchedule::Met& x : schedule_.met[t]) {
      const Int owner = schedule_.owner(matrix, x.row, x.col);
      if (owner != x.to) ask(WantedPanels(schedule_, sizes_, dst, x.to), matrix, {x.row, x.col}, owner, tag);
    }
    if (matrix == C || schedule_.straight[static_cast<std::size_t>(s_.storage(dst))] ||
        !concerns(s_, uses.does[t], me_))
      continue;
    const WantedPanels wanted(schedule_, sizes_, dst, me_);
    std::visit(
        [&](const auto& effect) {
          arriving(effect, t, [&](Slot, Slot, const IndexSet& rows, const IndexSet& cols, Int from, Update) {
            if (from != me_) for_each_element(rows, cols, [&](Place place) { ask(wanted, matrix, place, from, tag); });
          });
        },
        uses.does[t]);
  }
}

template <class T>
void PanelRun<T>::ask(const WantedPanels& wanted, Matrix matrix, Place place, Int owner, int tag) {
  const Int i = place.first, j = place.second;  // lambdas cannot have [i, j] with clang and OpenMP
  const auto asked = wanted(i, j) ? wanted.asked(i, j) : std::nullopt;
  if (!asked || asked->by != me_) return;
  const Matrix other = matrix == A ? B : A;
  NeededBlocks needed(filter());
  wanted.for_each_partner(i, j, [&](Int row, Int col) {
    if (BlockPanel<T>* const own = panel_at(s_.callers()[other], {row, col}))
      needed.meet(other == A ? NeededBlocks::Side::A : NeededBlocks::Side::B, *own);
  });
  messages_[matrix].ask(needed.numbers(), ranks_[static_cast<std::size_t>(owner)], tag);
}

template <class T>
template <class F>
void PanelRun<T>::arriving(const Move& m, std::size_t, F f) const {
  bool first = true;
  for_each_source(s_.grid, m, me_, [&](Int from) {
    const Region r = travelling(s_, m, from, me_);
    f(m.src, m.dst, r.rows, r.cols, from, first || m.from != Move::From::terms ? m.update : Update::accumulate);
    first = false;
  });
}

template <class T>
template <class F>
void PanelRun<T>::arriving(const Redistribute& x, std::size_t t, F f) const {
  if (x.conjugate || x.scaled) throw RuntimeError("block-sparse: panels can only be redistributed as they are");
  const PanelSchedule::Transfers& all = schedule_.transfers[t];
  const auto take = [&](const Transfer& transfer) {
    for (const Transfer::Region& r : transfer.regions) f(x.src, x.dst, r.rows, r.cols, transfer.peer, x.update);
  };
  take(all.kept);
  for (const Transfer& transfer : all.incoming)
    if (transfer.peer != me_) take(transfer);
}

template <class T>
template <class Transport>
void PanelRun<T>::carry_out(const Transport& x) {
  arriving(x, static_cast<std::size_t>(step_), [&](auto... what) { receive(what...); });
}

template <class T>
void PanelRun<T>::carry_out(const Compute& x) {
  if (x.kernel != Kernel::gemm || x.factor != Factor::alpha || x.op_a != Op::none || x.op_b != Op::none ||
      x.conjugate_a || x.conjugate_b)
    throw RuntimeError("block-sparse: only products of panels as they are can be carried out");
  const double start = MPI_Wtime() - waited();
  const Region a = region(s_.layout(x.A), me_), c = region(s_.layout(x.C), me_);
  if (x.update == Update::overwrite) for_each_element(c.rows, c.cols, [&](Place p) { sum_at(x.C, p) = none_[C]; });
  PanelSizes::for_each(a.cols, [&](Int k) {
    for_each_element(c.rows, c.cols, [&](Place p) {
      BlockPanel<T>*const left = panel_at(x.A, {p.first, k}), *const right = panel_at(x.B, {k, p.second});
      if (left && right) multiply(*left, *right, shared_sum_at(x.C, p));
    });
  });
  work_.multiply_seconds += MPI_Wtime() - waited() - start;  // panels may be waited for when they are needed
}

template <class T>
double PanelRun<T>::waited() const {
  double seconds = 0;
  for (const Messages& m : messages_) seconds += m.waited();
  return seconds;
}

template <class T>
void PanelRun<T>::multiply(BlockPanel<T>& a, BlockPanel<T>& b, SumOfThreads<T>& c) {
  ProductFilter filter;
  filter.retain_sparsity = rules_.retain_sparsity, filter.upper = rules_.upper;
  if (rules_.filter_eps > 0) {
    find_norms(a), find_norms(b);
    for (std::size_t r = 0; r < a.blocks.rows.size(); ++r)
      limits_[static_cast<std::size_t>(a.blocks.rows[r])] = limit_of_row(rules_.filter_eps, a.in_row[r]);
    filter.limits = limits_, filter.norms_a = a.norms, filter.norms_b = b.norms;
  }
  work_.flops += local_.multiply(alpha_, a.view(), b.view(), filter, c);
}

template <class T>
void PanelRun<T>::send(Slot src, Place place, Int to, Int asked_by) {
  const Matrix matrix = schedule_.matrix(src);
  const int rank = ranks_[static_cast<std::size_t>(to)];
  PanelPointer panel;
  if (matrix == C)
    panel = std::make_shared<BlockPanel<T>>(panel_of(compact<T>(sum_at(src, place))));
  else
    panel_at(src, place), panel = memory(src).at(place).panel;
  if (asked_by >= 0) {
    const NeededBlocks needed(filter(), messages_[matrix].asked(ranks_[static_cast<std::size_t>(asked_by)], step_));
    const auto part =
        std::make_shared<BlockPanel<T>>(needed.of(matrix == A ? NeededBlocks::Side::A : NeededBlocks::Side::B, *panel));
    if (!rules_.most || part->words <= room_) panel = part, room_ -= part->words;
  }
  messages_[matrix].send(panel, rank, step_);
}

template <class T>
void PanelRun<T>::receive(Slot src, Slot dst, const IndexSet& rows, const IndexSet& cols, Int from, Update update) {
  const Matrix matrix = schedule_.matrix(src);
  const int rank = ranks_[static_cast<std::size_t>(from)];
  const WantedPanels wanted(schedule_, sizes_, dst, me_);
  for_each_element(rows, cols, [&](Place place) {
    if (from == me_) {
      const auto found = memory(src).find(place);
      if (found == memory(src).end()) return;
      const Element own = found->second;
      return own.sum ? put(dst, place, own.sum->whole(), update) : void(memory(dst)[place] = own);
    }
    if (!wanted(place.first, place.second)) return;
    const PanelSizes::Size& size = sizes_.of(src).at(place.first, place.second);
    const double share = wanted.share(place.first, place.second);
    work_.expected_words += share * static_cast<double>(size.words);
    if (matrix == C) {
      return put(dst, place, messages_[C].receive(rank, step_)->view(), update);
    }
    memory(dst)[place] = {
        {},
        share == 1 && fetched(src, place)
            ? messages_[matrix].fetch(*rules_.window, rules_.places->of(matrix, place.first, place.second),
                                      size.numbers, size.words, rank)
            : messages_[matrix].expect(size.numbers, size.words, rank, step_),
        {}};
  });
}

// Panels of others that were sent on are otherwise there until they have left.
template <class T>
void PanelRun<T>::forget(Slot storage) {
  const Matrix matrix = schedule_.matrix(storage);
  if (rules_.most && matrix != C)
    for (const auto& [place, e] : memory_[storage])
      if (!memory(s_.callers()[matrix]).contains(place)) messages_[matrix].finish(e.panel);
  memory_.erase(storage);
}

template <class T>
void PanelRun<T>::put(Slot dst, Place place, const BlocksView<T>& sum, Update update) {
  Blocks<T>& to = sum_at(dst, place);
  if (update == Update::overwrite && !rules_.most) return void(to = compact(sum));
  if (update == Update::overwrite) to = none_[C];  // but for its memory
  add(to, T(1), sum);
}

// None if it has no elements.
template <class T>
BlockPanel<T>* PanelRun<T>::panel_at(Slot x, Place place) {
  const auto found = memory(x).find(place);
  if (found == memory(x).end()) return nullptr;
  Element& e = found->second;
  if (e.arriving) e.panel = e.arriving->take(), e.arriving.reset();
  return e.panel.get();
}

template <class T>
SumOfThreads<T>& PanelRun<T>::shared_sum_at(Slot x, Place place) {
  std::shared_ptr<SumOfThreads<T>>& sum = memory(x)[place].sum;
  if (sum) return *sum;
  Blocks<T> start = none_[C];
  if (rules_.most)
    reserve(start.values, static_cast<std::size_t>(rules_.most->of(x).at(place.first, place.second).words));
  sum = std::make_shared<SumOfThreads<T>>(std::move(start));
  return *sum;
}

#define CAIRN_INSTANTIATE(T) template class PanelRun<T>;
CAIRN_FOR_EACH_SCALAR(CAIRN_INSTANTIATE)

}  // namespace cairn
