/* Loads, stores and atomics of all lanes: bounds, alignment, undefined bits, order. */
#include "access.h"

int resolve(Wave *w, u32 space, u32 lane, u64 address, u64 size, Place *p) {
  Launch *l = w->launch;
  if (space == SPACE_GENERIC) {
    space = SPACE_GLOBAL;
    if (address >> 32 == l->shared_aperture) space = SPACE_CLUSTER, address &= 0xffffffffull;
    else if (address >> 32 == l->private_aperture) space = SPACE_PRIVATE, address &= 0xffffffffull;
  }
  Cta *owner = w->cta;
  if (space == SPACE_CLUSTER) {
    u64 rank = address >> RANK_SHIFT;
    if (rank >= w->group->cta_count) return 0;
    owner = w->group->ctas[rank];
    space = SPACE_SHARED;
  }
  p->space = space;
  p->region = 0;
  if (space == SPACE_SHARED) {
    u64 offset = address - owner->shared_base;
    if (offset > owner->shared_size || size > owner->shared_size - offset) return 0;
    p->owner = owner;
    p->offset = offset;
    p->data = owner->shared_data + offset;
    p->undefined = owner->shared_undefined + offset;
    p->origin = owner->shared_origin ? owner->shared_origin + offset / 4 : 0;
    return 1;
  }
  if (space == SPACE_PRIVATE) {
    if (address > w->private_size || size > w->private_size - address) return 0;
    u64 offset = address + lane * w->private_size;
    p->offset = offset;
    p->data = w->private_data + offset;
    p->undefined = w->private_undefined + offset;
    p->origin = w->private_origin ? w->private_origin + offset / 4 : 0;
    return 1;
  }
  u64 i = w->last_region;
  if (i >= l->region_count || address - l->regions[i].base >= l->regions[i].size) {
    u64 low = 0, high = l->region_count;
    while (low < high) {
      u64 middle = (low + high) / 2;
      if (l->regions[middle].base <= address) low = middle + 1;
      else high = middle;
    }
    if (!low) return 0;
    i = low - 1;
    if (address - l->regions[i].base >= l->regions[i].size) return 0;
    w->last_region = i;
  }
  Region *r = &l->regions[i];
  u64 offset = address - r->base;
  if (size > r->size - offset) return 0;
  p->region = r;
  p->offset = offset;
  p->data = r->data + offset;
  p->undefined = r->undefined + offset;
  p->origin = r->origin ? r->origin + offset / 4 : 0;
  return 1;
}

COLD void out_of_bounds(Wave *w, u32 instruction, u32 space, u32 lane, u64 address, u64 size) {
  HazardRecord *h = lm_hazard(w, HAZARD_OUT_OF_BOUNDS, instruction, 1ull << lane);
  h->space = space;
  h->address = address;
  h->size = size;
  h->info[0] = w->group->cta_count;
  h->info[1] = w->cta->rank;
}

COLD void misaligned(Wave *w, u32 instruction, u32 space, u32 lane, u64 address, u64 size) {
  HazardRecord *h = lm_hazard(w, HAZARD_MISALIGNED, instruction, 1ull << lane);
  h->space = space;
  h->address = address;
  h->size = size;
}

static int is_undefined(const u8 *undefined, u64 size) {
  u8 any = 0;
  for (u64 i = 0; i < size; i++) any |= undefined[i];
  return any;
}

/* The origin of a loaded dword: what the memory remembers, else this load of never-written bytes. */
static u32 loaded_origin(Wave *w, u32 instruction, u32 lane, u32 space, u64 address,
                         const Place *p, u64 byte, u64 size) {
  for (u64 i = byte; i < byte + size; i++)
    if (p->undefined[i]) {
      u32 known = p->origin ? p->origin[(p->offset % 4 + i) / 4] : 0;
      return known ? known : lm_origin(w, ORIGIN_MEMORY, instruction, lane, space, address + i);
    }
  return 0;
}

static void read_row(Wave *w, u32 instruction, u32 lane, u32 row, u32 space, u64 address,
                     const Place *p, u64 byte, u64 size) {
  u32 value = 0, undefined = 0;
  for (u64 i = 0; i < size; i++) {
    value |= (u32)p->data[byte + i] << (8 * i);
    undefined |= (u32)p->undefined[byte + i] << (8 * i);
  }
  w->value[row][lane] = value;
  w->undefined[row][lane] = undefined;
  if (undefined && !w->launch->precise) w->stop = STOP_IMPRECISE;
  if (w->launch->origins)
    w->origin[row][lane] =
        undefined ? loaded_origin(w, instruction, lane, space, address, p, byte, size) : 0;
}

static void write_row(Wave *w, u32 instruction, u32 lane, u32 row, const Place *p, u64 byte,
                      u64 size) {
  u32 value = w->value[row][lane], undefined = w->undefined[row][lane];
  for (u64 i = 0; i < size; i++) {
    p->data[byte + i] = (u8)(value >> (8 * i));
    p->undefined[byte + i] = (u8)(undefined >> (8 * i));
  }
  if (undefined && !w->launch->precise) w->stop = STOP_IMPRECISE;
  if (!p->origin || !undefined) return;
  /* what reaches global memory may be handed to the host, which then asks who stored it */
  u32 origin = w->origin[row][lane];
  if (p->region) origin = lm_origin(w, ORIGIN_STORE, instruction, lane, SPACE_GLOBAL, origin);
  p->origin[(p->offset % 4 + byte) / 4] = origin;
}

static int same_bytes(Wave *w, u32 lane, u32 row, const Place *p, u64 size) {
  for (u64 i = 0; i < size; i++)
    if (p->data[i] != (u8)(w->value[row + i / 4][lane] >> (8 * (i % 4))) ||
        p->undefined[i] != (u8)(w->undefined[row + i / 4][lane] >> (8 * (i % 4))))
      return 0;
  return 1;
}

void next_access(Wave *w, u32 space) {
  if (space == SPACE_GLOBAL || space == SPACE_GENERIC) w->sequence[0]++;
  if (space != SPACE_GLOBAL && space != SPACE_PRIVATE) w->sequence[1]++;
}

/* Addresses in `address`, `size` bytes (1, 2 or whole dwords) into rows row.. ; narrower than four
 * bytes is zero-extended. Lanes out of bounds read zero. */
void lm_load(Wave *w, u32 instruction, u32 space, u64 mask, u32 size, u32 align, u32 row,
             u32 kind) {
  /* nobody must be ordered after a relaxed load of global memory: polls leave no trace */
  if (space != SPACE_GLOBAL || !(kind & ACCESS_RELAXED)) next_access(w, space);
  for (u32 lane = 0; lane < w->launch->lanes; lane++) {
    if (!(mask >> lane & 1)) continue;
    u64 address = w->address[lane];
    Place p;
    int good = resolve(w, space, lane, address, size, &p);
    if (!good) out_of_bounds(w, instruction, space, lane, address, size);
    else if (address & (align - 1)) {
      misaligned(w, instruction, space, lane, address, align);
      good = 0;
    }
    if (!good) {
      for (u32 i = 0; i < size; i += 4) {
        w->value[row + i / 4][lane] = 0;
        w->undefined[row + i / 4][lane] = 0;
      }
      continue;
    }
    order_access(w, instruction, lane, &p, size, ACCESS_LOAD | kind, 0);
    for (u32 i = 0; i < size; i += 4)
      read_row(w, instruction, lane, row + i / 4, p.space, address, &p, i,
               size - i < 4 ? size - i : 4);
  }
}

void lm_store(Wave *w, u32 instruction, u32 space, u64 mask, u32 size, u32 align, u32 row,
              u32 kind) {
  next_access(w, space);
  for (u32 lane = 0; lane < w->launch->lanes; lane++) {
    if (!(mask >> lane & 1)) continue;
    u64 address = w->address[lane];
    Place p;
    if (!resolve(w, space, lane, address, size, &p)) {
      out_of_bounds(w, instruction, space, lane, address, size);
      continue;
    }
    if (address & (align - 1)) {
      misaligned(w, instruction, space, lane, address, align);
      continue;
    }
    if (p.region && p.region->read_only) {
      HazardRecord *h = lm_hazard(w, HAZARD_READ_ONLY, instruction, 1ull << lane);
      h->address = address;
      h->size = size;
      continue;
    }
    int same = same_bytes(w, lane, row, &p, size);
    order_access(w, instruction, lane, &p, size, ACCESS_STORE | kind, same);
    if (!same && p.space != SPACE_PRIVATE) w->launch->changes++;
    for (u32 i = 0; i < size; i += 4)
      write_row(w, instruction, lane, row + i / 4, &p, i, size - i < 4 ? size - i : 4);
  }
}

/* One uniform load (SMEM): the address is address[0], the rows are filled in lane 0 alone. */
void lm_load_uniform(Wave *w, u32 instruction, u32 space, u32 size, u32 align, u32 row) {
  lm_load(w, instruction, space, 1, size, align, row, 0);
}

/* Whether any byte that the lanes would read is undefined (for callers that must know first). */
u32 lm_any_undefined(Wave *w, u32 space, u64 mask, u32 size) {
  for (u32 lane = 0; lane < w->launch->lanes; lane++) {
    Place p;
    if (mask >> lane & 1 && resolve(w, space, lane, w->address[lane], size, &p) &&
        is_undefined(p.undefined, size))
      return 1;
  }
  return 0;
}
