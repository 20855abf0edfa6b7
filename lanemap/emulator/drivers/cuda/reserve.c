/* Allocations without a request: we take the next bytes of a reserve, and say so in the ledger. */

#include "core.h"

#include "../../runtime/bits.h"

/* What is larger is worth a request, and so is what has been freed and not been given back. */
enum { GUARD_BYTES = 1 << 16, MOST_BYTES = 1 << 24, MOST_FREED_BYTES = 1 << 26 };

/* What lanemap sets in a process that it runs in: it notes which line allocates. */
API void (*lanemap_made)(uint64_t address) = NULL;

static struct {
  struct Reserve whole;
  uint64_t next, next_state; /* bytes of it that are taken */
  uint64_t freed_bytes;      /* of which the emulator does not know yet */
} reserve;

static uint64_t pages_of(uint64_t size) { return (size + PAGE_BYTES - 1) >> PAGE_SHIFT; }

/* Take the next bytes; they begin at a page, as does what is known of them, so that both can be
   given back. Whether there are so many. */
static bool take(struct Region *region) {
  uint64_t pages = pages_of(region->size), defined_bytes = pages * (PAGE_BYTES / 8);
  uint64_t state_bytes = defined_bytes + pages * sizeof(uint32_t), room = pages * PAGE_BYTES;
  lock();
  uint64_t start = reserve.next, state = reserve.next_state;
  bool there = start + room <= reserve.whole.size && state + state_bytes <= reserve.whole.size / 4;
  if (there) {
    reserve.next += room + GUARD_BYTES;
    reserve.next_state += pages_of(state_bytes) * PAGE_BYTES;
    region->base = reserve.whole.base + start;
    region->noted = reserve.whole.state + state;
    uint64_t words[] = {reserve.whole.data + start, region->noted, region->noted + defined_bytes};
    region->state = state_of(words);
  }
  unlock();
  return there;
}

static CUresult next_reserve(void) {
  struct Request request = {.operation = RESERVE};
  TRY(ask(&request));
  lock();
  memcpy(&reserve.whole, request.words, sizeof reserve.whole);
  reserve.next = reserve.next_state = 0;
  unlock();
  return CUDA_SUCCESS;
}

/* Write an entry; the emulator reads it before it does anything that is asked for later. */
static CUresult note(uint64_t base, uint64_t size, uint64_t state, uint64_t freed_bytes) {
  for (;;) {
    lock();
    struct Ledger *ledger = (struct Ledger *)(reserve.whole.ledger + line.shift);
    uint64_t written = ledger->written, read = __atomic_load_n(&ledger->read, __ATOMIC_ACQUIRE);
    if (read == written) reserve.freed_bytes = 0;
    bool room = written - read < reserve.whole.entries && reserve.freed_bytes < MOST_FREED_BYTES;
    if (room) {
      uint64_t place = written % reserve.whole.entries;
      ledger->entries[place].base = base;
      ledger->entries[place].size = size;
      ledger->entries[place].state = state;
      reserve.freed_bytes += freed_bytes;
      __atomic_store_n(&ledger->written, written + 1, __ATOMIC_RELEASE);
    }
    unlock();
    if (room) return CUDA_SUCCESS;
    TRY(ask_words(SETTLE, 0, 0, 0, 0));
  }
}

/* Allocate from the reserve; CUDA_ERROR_OUT_OF_MEMORY where that has no room for so many bytes. */
static CUresult allocate_here(struct Region *region) {
  if (region->size > MOST_BYTES) return CUDA_ERROR_OUT_OF_MEMORY;
  if (!take(region)) {
    TRY(next_reserve());
    REQUIRE(take(region), CUDA_ERROR_OUT_OF_MEMORY);
  }
  if (lanemap_made) lanemap_made(region->base);
  return note(region->base, region->size, region->noted, 0);
}

static CUresult free_here(const struct Region *region) {
  return note(region->base, 0, 0, pages_of(region->size) * PAGE_BYTES);
}
