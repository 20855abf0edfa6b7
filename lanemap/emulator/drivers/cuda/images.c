/* How many bytes an image has that a program gives without its size. What is read here was made by
   others, and may end anywhere. */

#include "core.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FATBIN = 0xBA55ED50, FATBIN_WRAPPER = 0x466243B1, MOST_IMAGE_BYTES = 1 << 30 };
struct Fatbin { /* fatbinary_section.h, and the header of what it points to */
  uint32_t magic;
  uint16_t version, header_bytes;
  uint64_t bytes;
};
struct Wrapper {
  uint32_t magic, version;
  const void *data;
  void *more;
};

/* Copy bytes of this process; the number of those that are there. */
static size_t copy_if_there(void *to, const void *from, size_t size) {
  struct iovec here = {to, size}, there = {(void *)from, size};
  ssize_t got = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
  if (got >= 0) return (size_t)got;
  unsigned char present; /* where that call is forbidden: is the first page mapped? */
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  void *start = (void *)((uintptr_t)from / page * page);
  if (mincore(start, 1, &present)) return 0;
  memcpy(to, from, size);
  return size;
}

static size_t text_bytes(const char *text) {
  char block[4096];
  for (size_t size = 0; size < MOST_IMAGE_BYTES;) {
    size_t part = sizeof block - (uintptr_t)(text + size) % sizeof block; /* within a page */
    size_t got = copy_if_there(block, text + size, part);
    const char *end = memchr(block, 0, got);
    if (end) return size + (size_t)(end - block);
    if (got < part) return 0;
    size += got;
  }
  return 0;
}

static size_t elf_bytes(const Elf64_Ehdr *header) {
  size_t sections = header->e_shoff + (size_t)header->e_shnum * header->e_shentsize;
  size_t segments = header->e_phoff + (size_t)header->e_phnum * header->e_phentsize;
  return sections > segments ? sections : segments;
}

/* The image and its bytes; 0 bytes where it is none. */
static size_t image_bytes(const void **image) {
  Elf64_Ehdr elf;
  struct Fatbin fat;
  struct Wrapper wrapper;
  uint32_t magic = 0;
  if (copy_if_there(&magic, *image, sizeof magic) < 1) return 0;
  if (magic == FATBIN_WRAPPER) {
    if (copy_if_there(&wrapper, *image, sizeof wrapper) < sizeof wrapper) return 0;
    *image = wrapper.data;
    if (copy_if_there(&magic, *image, sizeof magic) < sizeof magic) return 0;
  }
  if (magic == FATBIN) {
    if (copy_if_there(&fat, *image, sizeof fat) < sizeof fat) return 0;
    return fat.header_bytes + fat.bytes;
  }
  if (!memcmp(&magic, ELFMAG, SELFMAG)) {
    if (copy_if_there(&elf, *image, sizeof elf) < sizeof elf) return 0;
    return elf_bytes(&elf);
  }
  return text_bytes(*image);
}

/* A copy of an image; NULL where not all of it is there. */
static void *image_copy(const void *image, size_t *size) {
  *size = image ? image_bytes(&image) : 0;
  if (!*size || *size > MOST_IMAGE_BYTES) return NULL;
  void *copy = malloc(*size);
  if (copy && copy_if_there(copy, image, *size) < *size) {
    free(copy);
    return NULL;
  }
  return copy;
}
