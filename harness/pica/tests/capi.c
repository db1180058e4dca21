// The C interface: results against bytes derived by hand, and an error of every field. `capi_memory.c` has the pointers.
#include "capi.h"

int checks, failures;
pica_vertex call_output[VERTICES];
pica_error call_error;
uint8_t call_span[8], call_index_span[4];

void check(int holds, const char *condition, const char *file, int line) {
  checks++;
  if (!holds) {
    failures++;
    printf("%s:%d: %s\n", file, line, condition);
  }
}

void call_new(struct call *call) {
  memset(call, 0, sizeof *call);
  memset(call_output, 0xa5, sizeof call_output);
  memset(&call_error, 0x5a, sizeof call_error);
  for (size_t n = 0; n < sizeof call_span; n++) {
    call_span[n] = (uint8_t)(10 + n);
  }
  for (size_t n = 0; n < sizeof call_index_span; n++) {
    call_index_span[n] = n & 1;
  }
  for (size_t n = 0; n < 13; n++) {
    call->attributes[n] = (pica_attribute){0, 1, 1, (uint8_t)n, 0};
    call->streams[n] = (pica_stream){call_span, sizeof call_span, 0, 4};
  }
  call->indices = (pica_indices){call_index_span, sizeof call_index_span, 0, 0};
  call->attributes_at = call->attributes;
  call->streams_at = call->streams;
  call->indices_at = &call->indices;
  call->attribute_count = call->stream_count = 1;
  call->count = 2;
  call->output = call_output;
  call->capacity = VERTICES;
  call->error = &call_error;
}

int32_t call_run(const struct call *c) {
  if (c->indexed) {
    return pica_decode_indexed(c->attributes_at, c->attribute_count, c->streams_at, c->stream_count,
                               c->indices_at, c->first, c->count, c->output, c->capacity, c->error);
  }
  return pica_decode(c->attributes_at, c->attribute_count, c->streams_at, c->stream_count, c->first,
                     c->count, c->output, c->capacity, c->error);
}

static int filled(const void *memory, size_t size, unsigned char byte) {
  const unsigned char *bytes = memory;
  for (size_t n = 0; n < size; n++) {
    if (bytes[n] != byte) {
      return 0;
    }
  }
  return 1;
}

// Holds a call to be refused in just these words, with the output untouched; also without an error, and as a validation.
static void refused(struct call *call, pica_error expected, int line) {
  check(call_run(call) == expected.kind, "the kind is returned", __FILE__, line);
  check(memcmp(&call_error, &expected, sizeof expected) == 0, "the report", __FILE__, line);
  check(filled(call_output, sizeof call_output, 0xa5), "the output is untouched", __FILE__, line);
  call->error = NULL;
  check(call_run(call) == expected.kind, "the kind without an error", __FILE__, line);
  if (expected.kind != PICA_KIND_CAPACITY) {
    call->output = NULL;
    call->capacity = 0;
    check(call_run(call) == expected.kind, "the kind of a validation", __FILE__, line);
  }
  check(filled(call_output, sizeof call_output, 0xa5), "the output is untouched", __FILE__, line);
}

// Starts a block in which `c` is a call to change, and `REFUSED` tells what must come of it.
#define CALL(change)                                                                               \
  call_new(&c);                                                                                    \
  change
#define REFUSED(...) refused(&c, (pica_error){__VA_ARGS__}, __LINE__)
#define NONE PICA_NONE

static void layouts(void) {
  struct call c;
  CALL(c.attribute_count = 13);
  REFUSED(PICA_KIND_LIMIT, PICA_FIELD_ATTRIBUTES, NONE, NONE, NONE, NONE, 13, 12, 0);
  CALL(c.stream_count = 13);
  REFUSED(PICA_KIND_LIMIT, PICA_FIELD_STREAMS, NONE, NONE, NONE, NONE, 13, 12, 0);
  CALL((c.stream_count = 2, c.streams[1].stride = 0));
  REFUSED(PICA_KIND_INVALID_LAYOUT, PICA_FIELD_STRIDE, NONE, 1, NONE, NONE, 0, 255, 0);
  CALL((c.stream_count = 2, c.streams[1].stride = 256));
  REFUSED(PICA_KIND_INVALID_LAYOUT, PICA_FIELD_STRIDE, NONE, 1, NONE, NONE, 256, 255, 0);
  CALL((c.attribute_count = 2, c.attributes[1].stream = 1));
  REFUSED(PICA_KIND_INVALID_LAYOUT, PICA_FIELD_ATTRIBUTE_STREAM, 1, NONE, NONE, NONE, 1, 0, 0);
  CALL(c.attributes[0].format = 4);
  REFUSED(PICA_KIND_UNSUPPORTED_FORMAT, PICA_FIELD_FORMAT, 0, NONE, NONE, NONE, 4, 3, 0);
  CALL(c.attributes[0].components = 0);
  REFUSED(PICA_KIND_INVALID_LAYOUT, PICA_FIELD_COMPONENTS, 0, NONE, NONE, NONE, 0, 4, 0);
  CALL(c.attributes[0].components = 5);
  REFUSED(PICA_KIND_INVALID_LAYOUT, PICA_FIELD_COMPONENTS, 0, NONE, NONE, NONE, 5, 4, 0);
  CALL(c.attributes[0].slot = 16);
  REFUSED(PICA_KIND_INVALID_LAYOUT, PICA_FIELD_SLOT, 0, NONE, NONE, NONE, 16, 15, 0);
  CALL((c.attribute_count = 3, c.attributes[2].slot = 1));
  REFUSED(PICA_KIND_INVALID_LAYOUT, PICA_FIELD_SLOT, 2, NONE, NONE, NONE, 1, 15, 0);
  CALL(c.attributes[0].offset = 4);
  REFUSED(PICA_KIND_INVALID_LAYOUT, PICA_FIELD_OFFSET, 0, NONE, NONE, NONE, 5, 4, 0);
  // 2^32 - 1 and the byte itself: no sum wraps.
  CALL(c.attributes[0].offset = UINT32_MAX);
  REFUSED(PICA_KIND_INVALID_LAYOUT, PICA_FIELD_OFFSET, 0, NONE, NONE, NONE, 4294967296, 4, 0);
  CALL((c.indexed = 1, c.indices.format = 2));
  REFUSED(PICA_KIND_UNSUPPORTED_FORMAT, PICA_FIELD_INDEX_FORMAT, NONE, NONE, NONE, NONE, 2, 1, 0);
}

static void ranges(void) {
  static uint8_t large[PICA_MAX_SPAN + 1];
  static const uint8_t nan[8] = {0, 0, 0x80, 0x3f, 1, 0, 0xc0, 0x7f};
  struct call c;
  CALL((c.streams[0].bytes = large, c.streams[0].length = sizeof large));
  REFUSED(PICA_KIND_LIMIT, PICA_FIELD_STREAM_BYTES, NONE, 0, NONE, NONE, 4194305, 4194304, 0);
  CALL((c.indexed = 1, c.indices.bytes = large, c.indices.length = sizeof large));
  REFUSED(PICA_KIND_LIMIT, PICA_FIELD_INDEX_BYTES, NONE, NONE, NONE, NONE, 4194305, 4194304, 0);
  CALL((c.streams[0].bytes = large, c.streams[0].length = sizeof large - 1));
  CHECK(call_run(&c) == 1);
  CALL(c.count = 4097);
  REFUSED(PICA_KIND_LIMIT, PICA_FIELD_COUNT, NONE, NONE, NONE, NONE, 4097, 4096, 0);
  CALL(c.capacity = 1);
  REFUSED(PICA_KIND_CAPACITY, PICA_FIELD_COUNT, NONE, NONE, NONE, NONE, 2, 1, 0);
  CALL(c.first = UINT32_MAX);
  REFUSED(PICA_KIND_OVERFLOW, PICA_FIELD_FIRST, NONE, NONE, NONE, NONE, 4294967296, UINT32_MAX, 0);
  // Vertex 2 begins at byte 8 of 8.
  CALL(c.first = 1);
  REFUSED(PICA_KIND_TRUNCATED, PICA_FIELD_RANGE, 0, NONE, 2, NONE, 9, 8, 0);
  // (2^31 + 1) * 4 + 1 = 2^33 + 5.
  CALL(c.first = 1u << 31);
  REFUSED(PICA_KIND_OVERFLOW, PICA_FIELD_RANGE, 0, NONE, (1u << 31) + 1, NONE, 8589934597,
          UINT32_MAX, 0);
  CALL((c.indexed = 1, c.first = 3));
  REFUSED(PICA_KIND_TRUNCATED, PICA_FIELD_INDEX_RANGE, NONE, NONE, NONE, NONE, 5, 4, 0);
  CALL((c.indexed = 1, c.indices.offset = UINT32_MAX - 1));
  REFUSED(PICA_KIND_OVERFLOW, PICA_FIELD_INDEX_RANGE, NONE, NONE, NONE, NONE, 4294967296,
          UINT32_MAX, 0);
  // Two floats of stride 4, 1.0 and a NaN; the second is component 0 of vertex 1, and component 1 of a vertex of 8 bytes.
  CALL((c.streams[0].bytes = nan, c.attributes[0].format = 3));
  REFUSED(PICA_KIND_UNSUPPORTED_VALUE, PICA_FIELD_VALUE, 0, 0, 1, 0, 0x7fc00001, 0x7f7fffff, 4);
  CALL((c.streams[0] = (pica_stream){nan, 8, 0, 8}, c.count = 1));
  c.attributes[0] = (pica_attribute){0, 3, 2, 0, 0};
  REFUSED(PICA_KIND_UNSUPPORTED_VALUE, PICA_FIELD_VALUE, 0, 0, 0, 1, 0x7fc00001, 0x7f7fffff, 4);
}

// Three vertices of 13 bytes behind one byte of something else: s8 x 2, u8, s16 (unaligned), f32 x 2.
static const uint8_t vertices[40] = {
    0xee,                                                 // Not of a vertex.
    0x80, 0x7f, 0xff, 0x00, 0x80, 0,    0, 0x80, 0xbf, 1, 0, 0, 0x80, // -128 127; 255; -32768; -1 -denormal
    0xff, 0x00, 0x00, 0xff, 0x7f, 0,    0, 0,    0x80, 0, 0, 0, 0,    // -1 0; 0; 32767; -0 0
    0x01, 0x02, 0x03, 0x04, 0x00, 0xff, 0xff, 0x7f, 0x7f, 0, 0, 0, 0x3f, // 1 2; 3; 4; largest 0.5
};

#define ONE 0x3f800000u
// Slots 2, 0, 15 and 7 of the three vertices.
static const uint32_t expected[3][4][4] = {
    {{0xc3000000, 0x42fe0000, 0, ONE},
     {0x437f0000, 0, 0, ONE},
     {0xc7000000, 0, 0, ONE},
     {0xbf800000, 0x80000001, 0, ONE}},
    {{0xbf800000, 0, 0, ONE},
     {0, 0, 0, ONE},
     {0x46fffe00, 0, 0, ONE},
     {0x80000000, 0, 0, ONE}},
    {{ONE, 0x40000000, 0, ONE},
     {0x40400000, 0, 0, ONE},
     {0x40800000, 0, 0, ONE},
     {0x7f7fffff, 0x3f000000, 0, ONE}},
};

static void is_vertex(const pica_vertex *found, int number) {
  static const uint32_t unset[4] = {0, 0, 0, ONE};
  static const int slots[4] = {2, 0, 15, 7};
  for (int slot = 0; slot < 16; slot++) {
    const uint32_t *words = unset;
    for (int n = 0; n < 4; n++) {
      words = slots[n] == slot ? expected[number][n] : words;
    }
    CHECK(memcmp(found->slots[slot], words, 16) == 0);
  }
}

static void results(void) {
  static const uint8_t order[9] = {0xee, 9, 9, 2, 0, 0, 0, 2, 0};
  struct call c;
  CALL(c.attribute_count = 4);
  c.attributes[0] = (pica_attribute){0, 0, 2, 2, 0};
  c.attributes[1] = (pica_attribute){0, 1, 1, 0, 2};
  c.attributes[2] = (pica_attribute){0, 2, 1, 15, 3};
  c.attributes[3] = (pica_attribute){0, 3, 2, 7, 5};
  c.streams[0] = (pica_stream){vertices, sizeof vertices, 1, 13};
  c.count = 3;
  CHECK(call_run(&c) == 0x8085);
  for (int n = 0; n < 3; n++) {
    is_vertex(&call_output[n], n);
  }
  CHECK(filled(&call_output[3], sizeof call_output[3], 0xa5));
  CHECK(filled(&call_error, sizeof call_error, 0x5a));

  // Indices 2, 0, 2 from the second on, at odd addresses.
  memset(call_output, 0xa5, sizeof call_output);
  c.indexed = 1;
  c.indices = (pica_indices){order, sizeof order, 1, 1};
  c.first = 1;
  CHECK(call_run(&c) == 0x8085);
  is_vertex(&call_output[0], 2);
  is_vertex(&call_output[1], 0);
  is_vertex(&call_output[2], 2);
  CHECK(filled(&call_output[3], sizeof call_output[3], 0xa5));

  memset(call_output, 0xa5, sizeof call_output);
  c.output = NULL;
  c.capacity = 0;
  CHECK(call_run(&c) == 0x8085);
  CHECK(filled(call_output, sizeof call_output, 0xa5));
  CHECK(filled(&call_error, sizeof call_error, 0x5a));
}

static void nothing(void) {
  struct call c;
  CALL((c.count = 0, c.first = UINT32_MAX));
  CHECK(call_run(&c) == 1);
  c.indexed = 1;
  CHECK(call_run(&c) == 1);
  // No attributes, no streams, no bytes: every pointer but that to the indices' description may be null.
  c.attribute_count = c.stream_count = c.capacity = 0;
  c.attributes_at = NULL;
  c.streams_at = NULL;
  c.output = NULL;
  c.error = NULL;
  c.indices = (pica_indices){NULL, 0, 0, 0};
  CHECK(call_run(&c) == 0);
  CHECK(filled(call_output, sizeof call_output, 0xa5));
  CALL((c.streams[0].bytes = NULL, c.streams[0].length = 0, c.count = 0));
  CHECK(call_run(&c) == 1);
  // Vertices without attributes are (0, 0, 0, 1) throughout.
  CALL((c.attribute_count = 0, c.first = 7));
  CHECK(call_run(&c) == 0);
  static const uint32_t unset[4] = {0, 0, 0, ONE};
  for (int slot = 0; slot < 32; slot++) {
    CHECK(memcmp(call_output[slot / 16].slots[slot % 16], unset, 16) == 0);
  }
}

int main(void) {
  CHECK(pica_abi() == PICA_ABI);
  layouts();
  ranges();
  results();
  nothing();
  memory_tests();
  printf("%d checks, %d failures\n", checks, failures);
  return failures != 0;
}
