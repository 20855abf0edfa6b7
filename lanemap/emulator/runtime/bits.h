/* A bit for each byte: is it defined? And for each 8 bytes: are they an object's? */
#ifndef LANEMAP_BITS_H
#define LANEMAP_BITS_H
#include "pages.h"

INLINE int all_set(const u64 *bits, u64 from, u64 count) {
  u64 first = from >> 6, last = (from + count - 1) >> 6;
  u64 low = ~0ull << (from & 63), high = ~0ull >> (63 - ((from + count - 1) & 63));
  if (first == last) return !(~bits[first] & low & high);
  u64 missing = (~bits[first] & low) | (~bits[last] & high);
  for (u64 i = first + 1; i < last; i++) missing |= ~bits[i];
  return !missing;
}

INLINE int any_set(const u64 *bits, u64 from, u64 count) {
  u64 first = from >> 6, last = (from + count - 1) >> 6;
  u64 low = ~0ull << (from & 63), high = ~0ull >> (63 - ((from + count - 1) & 63));
  if (first == last) return (bits[first] & low & high) != 0;
  u64 found = (bits[first] & low) | (bits[last] & high);
  for (u64 i = first + 1; i < last; i++) found |= bits[i];
  return found != 0;
}

INLINE void set_all(u64 *bits, u64 from, u64 count, int locks) {
  u64 first = from >> 6, last = (from + count - 1) >> 6;
  u64 low = ~0ull << (from & 63), high = ~0ull >> (63 - ((from + count - 1) & 63));
  if (first == last) {
    set_word(&bits[first], low & high, locks);
    return;
  }
  set_word(&bits[first], low, locks);
  for (u64 i = first + 1; i < last; i++) bits[i] = ~0ull;
  set_word(&bits[last], high, locks);
}

/* Are the bytes defined? And make them so. */
INLINE int defined_at(const Memory *m, u64 offset, u64 size) {
  u64 first = offset >> PAGE_SHIFT, last = (offset + size - 1) >> PAGE_SHIFT;
  if (first == last) return m->pages[first] & PAGE_DEFINED || all_set(m->defined, offset, size);
  for (u64 page = first; page <= last; page++) {
    u64 from = page == first ? offset : page << PAGE_SHIFT;
    u64 to = page == last ? offset + size : (page + 1) << PAGE_SHIFT;
    if (!(m->pages[page] & PAGE_DEFINED) && !all_set(m->defined, from, to - from)) return 0;
  }
  return 1;
}

INLINE void define_at(const Memory *m, u64 offset, u64 size, int locks) {
  u64 first = offset >> PAGE_SHIFT, last = (offset + size - 1) >> PAGE_SHIFT;
  for (u64 page = first; page <= last; page++) {
    if (m->pages[page] & PAGE_DEFINED) continue;
    u64 from = page == first ? offset : page << PAGE_SHIFT;
    u64 to = page == last ? offset + size : (page + 1) << PAGE_SHIFT;
    set_all(m->defined, from, to - from, locks);
  }
}

/* Do the bytes meet an object? */
INLINE int meets_object(const Memory *m, u64 offset, u64 size) {
  u64 first = offset / 8, last = (offset + size - 1) / 8;
  return m->objects && any_set(m->objects, first, last - first + 1);
}
#endif
