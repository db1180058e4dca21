// Pointers: null, misaligned, beyond the last address, and every way in which two things can share bytes.
#include "capi.h"

#include <stdlib.h>

#define NONE PICA_NONE

static void refused(struct call *call, pica_error expected, int line) {
  pica_vertex before[VERTICES];
  memcpy(before, call_output, sizeof before);
  check(call_run(call) == expected.kind, "the kind is returned", __FILE__, line);
  check(memcmp(&call_error, &expected, sizeof expected) == 0, "the report", __FILE__, line);
  check(memcmp(call_output, before, sizeof before) == 0, "the output is untouched", __FILE__, line);
}

// As `refused`, where nothing may be written to the error.
static void unreported(struct call *call, int32_t kind, int line) {
  pica_error before = call_error;
  pica_vertex vertices[VERTICES];
  memcpy(vertices, call_output, sizeof vertices);
  check(call_run(call) == kind, "the kind is returned", __FILE__, line);
  check(memcmp(&call_error, &before, sizeof before) == 0, "the error is untouched", __FILE__, line);
  check(memcmp(call_output, vertices, sizeof vertices) == 0, "the output too", __FILE__, line);
}

static void invalid(struct call *call, uint32_t field, uint32_t stream, const void *found, int line) {
  refused(call,
          (pica_error){PICA_KIND_INVALID_ARGUMENT, field, NONE, stream, NONE, NONE, (uintptr_t)found, 0, 0},
          line);
}

static void overflow(struct call *call, uint32_t field, uint32_t stream, const void *found, int line) {
  refused(call, (pica_error){PICA_KIND_OVERFLOW, field, NONE, stream, NONE, NONE, (uintptr_t)found, 0, 0},
          line);
}

#define CALL(change)                                                                               \
  call_new(&c);                                                                                    \
  change

static void null(void) {
  struct call c;
  CALL(c.attributes_at = NULL);
  invalid(&c, PICA_FIELD_ATTRIBUTES, NONE, NULL, __LINE__);
  CALL(c.streams_at = NULL);
  invalid(&c, PICA_FIELD_STREAMS, NONE, NULL, __LINE__);
  CALL((c.indexed = 1, c.indices_at = NULL, c.count = 0));
  invalid(&c, PICA_FIELD_INDICES, NONE, NULL, __LINE__);
  CALL(c.output = NULL);
  invalid(&c, PICA_FIELD_OUTPUT, NONE, NULL, __LINE__);
  CALL((c.stream_count = 2, c.streams[1].bytes = NULL));
  invalid(&c, PICA_FIELD_STREAM_BYTES, 1, NULL, __LINE__);
  CALL((c.indexed = 1, c.indices.bytes = NULL));
  invalid(&c, PICA_FIELD_INDEX_BYTES, NONE, NULL, __LINE__);
  CALL((c.error = NULL, c.count = 5));
  unreported(&c, PICA_KIND_CAPACITY, __LINE__);
}

static void misaligned(void) {
  struct call c;
  for (uintptr_t by = 1; by < 4; by++) {
    // The descriptions lie apart from the call, and with room behind them.
    static uint64_t room[8];
    const void *odd = (const void *)((uintptr_t)room + by);
    CALL(c.attributes_at = odd);
    invalid(&c, PICA_FIELD_ATTRIBUTES, NONE, odd, __LINE__);
    CALL(c.streams_at = odd);
    invalid(&c, PICA_FIELD_STREAMS, NONE, odd, __LINE__);
    CALL((c.indexed = 1, c.indices_at = odd));
    invalid(&c, PICA_FIELD_INDICES, NONE, odd, __LINE__);
    CALL((c.output = (pica_vertex *)((uintptr_t)call_output + by), c.capacity = 3));
    invalid(&c, PICA_FIELD_OUTPUT, NONE, c.output, __LINE__);
    CALL((c.output = (pica_vertex *)((uintptr_t)call_output + by), c.capacity = c.count = 0));
    invalid(&c, PICA_FIELD_OUTPUT, NONE, c.output, __LINE__);
    CALL((c.error = (pica_error *)((uintptr_t)room + by), c.count = 5));
    unreported(&c, PICA_KIND_INVALID_ARGUMENT, __LINE__);
  }
}

static void beyond_the_last_address(void) {
  struct call c;
  const uint8_t *top = (const uint8_t *)(UINTPTR_MAX - 7);
  CALL(c.attribute_count = SIZE_MAX);
  overflow(&c, PICA_FIELD_ATTRIBUTES, NONE, c.attributes, __LINE__);
  CALL(c.attributes_at = (const pica_attribute *)(uintptr_t)top);
  overflow(&c, PICA_FIELD_ATTRIBUTES, NONE, top, __LINE__);
  CALL(c.stream_count = SIZE_MAX);
  overflow(&c, PICA_FIELD_STREAMS, NONE, c.streams, __LINE__);
  // Their product is 2^64 + 8 where a size has 64 bits: it must not wrap to 8.
  CALL(c.stream_count = SIZE_MAX / sizeof(pica_stream) + 1);
  overflow(&c, PICA_FIELD_STREAMS, NONE, c.streams, __LINE__);
  CALL((c.indexed = 1, c.indices_at = (const pica_indices *)(uintptr_t)top));
  overflow(&c, PICA_FIELD_INDICES, NONE, top, __LINE__);
  CALL(c.streams[0].length = SIZE_MAX);
  overflow(&c, PICA_FIELD_STREAM_BYTES, 0, call_span, __LINE__);
  CALL(c.streams[0].bytes = top);
  overflow(&c, PICA_FIELD_STREAM_BYTES, 0, top, __LINE__);
  CALL((c.indexed = 1, c.indices.length = SIZE_MAX));
  overflow(&c, PICA_FIELD_INDEX_BYTES, NONE, call_index_span, __LINE__);
  // Nobody can tell what belongs to such an output, so the error is left alone too.
  CALL(c.capacity = SIZE_MAX);
  unreported(&c, PICA_KIND_OVERFLOW, __LINE__);
  CALL(c.capacity = SIZE_MAX / sizeof(pica_vertex) + 1);
  unreported(&c, PICA_KIND_OVERFLOW, __LINE__);
  CALL(c.error = (pica_error *)(uintptr_t)top);
  unreported(&c, PICA_KIND_OVERFLOW, __LINE__);
}

// Everything a call has, in one piece of memory.
enum part { ATTRIBUTES, STREAMS, INDICES, SPAN0, SPAN1, INDEX_SPAN, OUTPUT, ERROR, PARTS };

static const size_t sizes[PARTS] = {
    2 * sizeof(pica_attribute), 2 * sizeof(pica_stream), sizeof(pica_indices),
    24, 16, 7, 2 * sizeof(pica_vertex), sizeof(pica_error),
};
// Steps in which a part can be moved: the alignment that its pointer needs.
static const size_t steps[PARTS] = {4, 8, 8, 1, 1, 1, 4, 8};
static const uint32_t fields[PARTS] = {
    PICA_FIELD_ATTRIBUTES, PICA_FIELD_STREAMS, PICA_FIELD_INDICES,
    PICA_FIELD_STREAM_BYTES, PICA_FIELD_STREAM_BYTES, PICA_FIELD_INDEX_BYTES,
};

#define ARENA 4096

// Builds the call whose parts are at these places, and says what comes of it.
static int32_t placed(unsigned char *arena, const size_t places[PARTS], uint32_t count) {
  const pica_attribute attributes[2] = {{0, 1, 4, 0, 0}, {1, 1, 4, 1, 0}};
  const pica_stream streams[2] = {
      {arena + places[SPAN0], sizes[SPAN0], 0, 4},
      {arena + places[SPAN1], sizes[SPAN1], 0, 4},
  };
  const pica_indices indices = {arena + places[INDEX_SPAN], sizes[INDEX_SPAN], 0, 0};
  memset(arena, 0, ARENA);
  memcpy(arena + places[ATTRIBUTES], attributes, sizeof attributes);
  memcpy(arena + places[STREAMS], streams, sizeof streams);
  memcpy(arena + places[INDICES], &indices, sizeof indices);
  static unsigned char before[ARENA];
  memcpy(before, arena, ARENA);
  int32_t result = pica_decode_indexed(
      (const void *)(arena + places[ATTRIBUTES]), 2, (const void *)(arena + places[STREAMS]), 2,
      (const void *)(arena + places[INDICES]), 0, count, (void *)(arena + places[OUTPUT]), 2,
      (void *)(arena + places[ERROR]));
  // But for the output of a success and the report of a failure, no byte may have changed.
  enum part changed = result < 0 ? ERROR : OUTPUT;
  size_t end = places[changed] + sizes[changed];
  CHECK(memcmp(arena, before, places[changed]) == 0);
  CHECK(memcmp(arena + end, before + end, ARENA - end) == 0);
  if (result < 0 && places[ERROR] != 0) {
    memcpy(&call_error, arena + places[ERROR], sizeof call_error);
    const unsigned char *old = before + places[ERROR];
    int written = memcmp(&call_error, old, sizeof call_error) != 0;
    call_error.kind = written ? call_error.kind : 0;
  }
  return result;
}

// Moves `moved` through all places from just before `fixed` to just behind it.
static void slide(unsigned char *arena, enum part moved, enum part fixed, uint32_t count) {
  size_t places[PARTS] = {64, 128, 192, 256, 320, 384, 1024, 448};
  size_t start = 2048, end = start + sizes[fixed];
  places[fixed] = start;
  size_t step = steps[moved];
  int shared = 0, apart = 0;
  size_t place = start - (sizes[moved] + step - 1) / step * step;
  for (; place < end + step; place += step) {
    places[moved] = place;
    int32_t result = placed(arena, places, count);
    if (place + sizes[moved] <= start || place >= end) {
      apart++;
      CHECK(result == 3);
      continue;
    }
    shared++;
    CHECK(result == PICA_KIND_ALIAS);
    if (moved == ERROR || fixed == ERROR) {
      CHECK(call_error.kind == 0);
      continue;
    }
    enum part input = moved == OUTPUT ? fixed : moved;
    CHECK(call_error.kind == PICA_KIND_ALIAS);
    CHECK(call_error.field == fields[input]);
    CHECK(call_error.stream == (input == SPAN0 ? 0 : input == SPAN1 ? 1 : NONE));
    CHECK(call_error.found == (uintptr_t)(arena + (place > start ? place : start)));
  }
  // What ends before and what begins behind was allowed, and some places were not.
  CHECK(apart >= 2 && shared >= 2);
}

static void aliases(void) {
  unsigned char *arena = malloc(ARENA);
  CHECK(arena != NULL);
  for (uint32_t count = 0; count <= 2; count += 2) {
    for (enum part input = 0; input < OUTPUT; input++) {
      slide(arena, input, OUTPUT, count);
      slide(arena, input, ERROR, count);
      slide(arena, OUTPUT, input, count);
      slide(arena, ERROR, input, count);
    }
    slide(arena, OUTPUT, ERROR, count);
    slide(arena, ERROR, OUTPUT, count);
  }
  // Inputs may share bytes: both spans and the indices are one place.
  size_t places[PARTS] = {64, 128, 192, 256, 256, 256, 1024, 448};
  CHECK(placed(arena, places, 2) == 3);
  free(arena);
}

// What `malloc` gives is not initialised: a valid output, of exactly its size.
static void uninitialised(void) {
  struct call c;
  CALL((c.output = malloc(2 * sizeof(pica_vertex)), c.capacity = 2));
  CHECK(c.output != NULL);
  CHECK(call_run(&c) == 1);
  CHECK(c.output[0].slots[0][0] == 10 && c.output[1].slots[0][0] == 14);
  CHECK(c.output[1].slots[15][2] == 0 && c.output[1].slots[15][3] == 1);
  free(c.output);
}

void memory_tests(void) {
  null();
  misaligned();
  beyond_the_last_address();
  aliases();
  uninitialised();
}
