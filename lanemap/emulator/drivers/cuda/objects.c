/* Handles and regions of memory, which a program may name wrongly. */

#include "core.h"

#include <stdlib.h>
#include <string.h>

/* A handle is a place in this table and how often that place was taken before; never a pointer. */
enum { FIRST_PLACE = 16, GENERATION_SHIFT = 32, PLACE_SHIFT = 4 };
static struct {
  struct Object *rows;
  uint32_t count, room;
  uint32_t *unused;
  uint32_t unused_count;
} objects;

static void lock(void) { pthread_mutex_lock(&driver.lock); }
static void unlock(void) { pthread_mutex_unlock(&driver.lock); }

static void *handle_at(uint32_t place) {
  uint64_t generation = objects.rows[place].generation;
  return (void *)(generation << GENERATION_SHIFT | (uint64_t)place << PLACE_SHIFT);
}

/* Keep a thing; its handle, or 0 where there is no memory left. */
static void *keep(struct Object object) {
  lock();
  uint32_t place;
  if (objects.unused_count) {
    place = objects.unused[--objects.unused_count];
  } else {
    if (objects.count == objects.room) {
      uint32_t room = objects.room ? 2 * objects.room : 256;
      struct Object *rows = realloc(objects.rows, room * sizeof *rows);
      uint32_t *unused = rows ? realloc(objects.unused, room * sizeof *unused) : NULL;
      if (rows) objects.rows = rows;
      if (!unused) {
        unlock();
        return NULL;
      }
      objects.unused = unused, objects.room = room;
      if (!objects.count) objects.count = FIRST_PLACE;
    }
    place = objects.count++;
    objects.rows[place].generation = 0;
  }
  object.generation = objects.rows[place].generation + 1;
  objects.rows[place] = object;
  void *handle = handle_at(place);
  unlock();
  return handle;
}

static struct Object *row_of(const void *handle, enum Kind kind) {
  uint64_t number = (uint64_t)handle, place = (number & UINT32_MAX) >> PLACE_SHIFT;
  if (place < FIRST_PLACE || place >= objects.count) return NULL;
  struct Object *row = &objects.rows[place];
  bool same = row->kind == kind && row->generation == number >> GENERATION_SHIFT;
  return same ? row : NULL;
}

/* Copy what a handle stands for; whether it stands for a thing of that kind. */
static bool find(const void *handle, enum Kind kind, struct Object *object) {
  lock();
  struct Object *row = row_of(handle, kind);
  if (row && object) *object = *row;
  unlock();
  return row != NULL;
}

static bool replace(const void *handle, struct Object object) {
  lock();
  struct Object *row = row_of(handle, object.kind);
  if (row) object.generation = row->generation, *row = object;
  unlock();
  return row != NULL;
}

static bool drop(const void *handle, enum Kind kind, struct Object *object) {
  lock();
  struct Object *row = row_of(handle, kind);
  if (row) {
    if (object) *object = *row;
    row->kind = NONE;
    objects.unused[objects.unused_count++] = (uint32_t)(row - objects.rows);
  }
  unlock();
  return row != NULL;
}

/* -- regions, by their address ------------------------------------------------------------------
 */
static struct {
  struct Region *rows;
  size_t count, room;
  uint64_t last_id;
} regions;

static size_t first_behind(uint64_t address) {
  size_t low = 0, high = regions.count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (regions.rows[middle].base <= address) low = middle + 1;
    else high = middle;
  }
  return low;
}

static bool add_region(struct Region region) {
  lock();
  if (regions.count == regions.room) {
    size_t room = regions.room ? 2 * regions.room : 64;
    struct Region *rows = realloc(regions.rows, room * sizeof *rows);
    if (!rows) {
      unlock();
      return false;
    }
    regions.rows = rows, regions.room = room;
  }
  size_t place = first_behind(region.base);
  struct Region *here = &regions.rows[place];
  if (place && here[-1].base == region.base) { /* a variable that was asked for before */
    unlock();
    return true;
  }
  memmove(here + 1, here, (regions.count - place) * sizeof *here);
  region.id = ++regions.last_id;
  *here = region;
  regions.count++;
  unlock();
  return true;
}

/* The region that holds an address, as kernels or as the program have it. */
static bool region_at(uint64_t address, struct Region *found) {
  lock();
  size_t place = first_behind(address);
  struct Region *row = place ? &regions.rows[place - 1] : NULL;
  if (row && address - row->base >= (row->size ? row->size : 1)) row = NULL;
  if (!row) { /* memory of the program's that was registered */
    for (size_t i = 0; i < regions.count && !row; i++) {
      struct Region *each = &regions.rows[i];
      if (each->kind == REGISTERED && address - each->host < each->size) row = each;
    }
  }
  if (row) *found = *row;
  unlock();
  return row != NULL;
}

static bool drop_region(uint64_t base) {
  lock();
  size_t place = first_behind(base);
  bool there = place && regions.rows[place - 1].base == base;
  if (there) {
    struct Region *row = &regions.rows[place - 1];
    memmove(row, row + 1, (regions.count - place) * sizeof *row);
    regions.count--;
  }
  unlock();
  return there;
}

/* Whether kernels' memory has a range; a copy of nothing needs none. */
static bool holds(uint64_t address, size_t size) {
  struct Region region;
  if (!size) return true;
  if (!region_at(address, &region) || address < region.base) return false;
  return size <= region.size && address - region.base <= region.size - size;
}
