// Distributed matrices: a layout and this rank's part of it.
#pragma once
#include <limits>
#include <memory>
#include <new>

#include "cairn/error.hpp"
#include "cairn/layout.hpp"
#include "cairn/types.hpp"

namespace cairn {

/// Pointer, sizes and distance between the starts of neighbouring columns (Order::col) or rows (Order::row).
template <class T>
struct MatrixView {
  T* data = nullptr;
  Int rows = 0, cols = 0;
  Int ld = 0;
  Order order = Order::col;
  T& operator()(Int i, Int j) const { return order == Order::col ? data[i + j * ld] : data[i * ld + j]; }
};

/// This rank's part of a distributed matrix of float, double, complex<float> or complex<double>: `own`ed, or `borrow`ed
/// from the caller, who keeps it alive. Copies share the elements. All three throw ArgumentError for a layout that has
/// a problem().
template <class T>
class DistMatrix {
 public:
  /// Allocate rank's part of `layout`, 64-byte aligned, zero.
  static DistMatrix own(Layout layout, Int rank) {
    require(layout);
    const Int words = layout.words(rank);
    if (static_cast<std::size_t>(words) > (std::numeric_limits<std::size_t>::max() - 63) / sizeof(T))
      throw std::bad_array_new_length();
    const std::size_t bytes = (static_cast<std::size_t>(words) * sizeof(T) + 63) / 64 * 64;
    std::shared_ptr<T> data(static_cast<T*>(::operator new(bytes, std::align_val_t(64))),
                            [](T* p) { ::operator delete(p, std::align_val_t(64)); });
    std::fill_n(data.get(), words, T(0));
    return DistMatrix(std::move(layout), rank, data.get(), words, 0, data);
  }
  /// Use the caller's memory of `words` elements. `ld` 0 means dense. A null, short or too narrow buffer is reported by
  /// the call that uses the matrix, on every rank.
  static DistMatrix borrow(Layout layout, Int rank, T* data, Int words, Int ld = 0) {
    require(layout);
    return DistMatrix(std::move(layout), rank, data, words, ld, nullptr);
  }
  /// Memory of `words` elements that someone else owns too, dense; kept alive with the matrix.
  static DistMatrix share(Layout layout, Int rank, std::shared_ptr<T> data, Int words) {
    require(layout);
    T* const start = data.get();
    return DistMatrix(std::move(layout), rank, start, words, 0, std::move(data));
  }

  const Layout& layout() const { return layout_; }
  Int rank() const { return rank_; }
  T* data() const { return data_; }
  /// Elements of memory at data().
  Int words() const { return words_; }
  Int ld() const { return ld_; }
  /// The local array; with arbitrary blocks (Layout::blocks), use patches.
  MatrixView<T> local() const {
    return {data_, layout_.rows_at(rank_).size(), layout_.cols_at(rank_).size(), ld_, layout_.order};
  }

  /// f(i, j, element) for every element that this rank holds, i and j global.
  template <class F>
  void for_each(F f) const {
    T* patch = data_;
    for (const Patch& p : layout_.patches(rank_)) {
      const Int ld = layout_.blocks ? (layout_.order == Order::col ? p.rows.size() : p.cols.size()) : ld_;
      Int b = 0;
      for (Range c : p.cols.pieces())
        for (Int j = c.lo; j < c.hi; ++j, ++b) {
          Int a = 0;
          for (Range r : p.rows.pieces())
            for (Int i = r.lo; i < r.hi; ++i, ++a)
              f(i, j, layout_.order == Order::col ? patch[a + b * ld] : patch[a * ld + b]);
        }
      patch += p.words();
    }
  }

 private:
  static void require(const Layout& layout) {
    if (const auto problem = layout.problem()) throw ArgumentError("layout: " + *problem);
  }
  DistMatrix(Layout layout, Int rank, T* data, Int words, Int ld, std::shared_ptr<T> owner)
      : layout_(std::move(layout)), rank_(rank), data_(data), words_(words), ld_(ld), owner_(std::move(owner)) {
    if (ld_ == 0 && !layout_.blocks)
      ld_ = std::max<Int>(1, (layout_.order == Order::col ? layout_.rows_at(rank) : layout_.cols_at(rank)).size());
  }

  Layout layout_;
  Int rank_ = 0;
  T* data_ = nullptr;
  Int words_ = 0, ld_ = 0;
  std::shared_ptr<T> owner_;
};

}  // namespace cairn
