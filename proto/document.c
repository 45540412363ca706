/*
 * MessagePack through msgpack-c, JSON through jansson, both to msgpack_object: what follows knows one
 * form only. msgpack-c believes every count it reads, so bytes are walked over first (msgpack_scan.h).
 *
 * jansson refuses integers past 64 bits without saying where they stand. Reading the text once more
 * with every number as a real lets the decoder that meets it name the place.
 */
#include "proto/document.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "proto/json_scan.h"
#include "proto/msgpack_scan.h"

/* A query and its tree fit into the first; malloc serves it from the thread's own cache. */
enum { ZONE_SMALL = 960, ZONE_LARGE = 64 << 10, SMALL_MESSAGE = 512 };

static const double EXACT_MAX = 9007199254740992.0; /* every integer up to 2^53 is a double */

static int out_of_memory(struct fault *fault)
{
  return fault_set(fault, ERROR_NO_MEMORY, "out of memory while reading the message");
}

static int zone_init(msgpack_zone *zone, size_t message_bytes)
{
  return msgpack_zone_init(zone, message_bytes > SMALL_MESSAGE ? ZONE_LARGE : ZONE_SMALL) ? 0
                                                                                          : -ENOMEM;
}

void document_deinit(struct document *document)
{
  msgpack_zone_destroy(&document->zone);
  json_decref(document->json);
}

static int check_msgpack(const char *bytes, size_t length, const struct message_limits *limits,
                         struct fault *fault)
{
  struct msgpack_scan scan;
  msgpack_scan_init(&scan);
  enum scan_result result = msgpack_scan(&scan, limits, bytes, length, fault);
  if (result == SCAN_MORE)
    return fault_set(fault, ERROR_PARSE, "the message ends before its last item");
  if (result == SCAN_WHOLE && scan.at != length)
    return fault_set(fault, ERROR_PARSE, "the message ends before its last byte");
  return result == SCAN_WHOLE ? 0 : -EBADMSG;
}

int document_from_msgpack(const char *bytes, size_t length, const struct message_limits *limits,
                          struct document *document, struct fault *fault)
{
  struct document read = {0};
  if (check_msgpack(bytes, length, limits, fault))
    return -EBADMSG;
  if (zone_init(&read.zone, length))
    return out_of_memory(fault);
  /* The scan found the bytes whole and well formed: only memory can be missing now. */
  if (msgpack_unpack(bytes, length, NULL, &read.zone, &read.root) != MSGPACK_UNPACK_SUCCESS) {
    document_deinit(&read);
    return out_of_memory(fault);
  }
  *document = read;
  return 0;
}

static int convert(json_t *json, msgpack_zone *zone, msgpack_object *object);

static int convert_list(json_t *json, msgpack_zone *zone, msgpack_object *object)
{
  size_t size = json_array_size(json);
  msgpack_object *items = msgpack_zone_malloc(zone, size * sizeof *items);
  if (!items)
    return -ENOMEM;
  object->type = MSGPACK_OBJECT_ARRAY;
  object->via.array = (msgpack_object_array){(uint32_t)size, items};
  for (size_t i = 0; i < size; i++)
    if (convert(json_array_get(json, i), zone, &items[i]))
      return -ENOMEM;
  return 0;
}

static msgpack_object text_object(const char *text, size_t length)
{
  return (msgpack_object){.type = MSGPACK_OBJECT_STR, .via.str = {(uint32_t)length, text}};
}

static int convert_map(json_t *json, msgpack_zone *zone, msgpack_object *object)
{
  size_t size = json_object_size(json);
  msgpack_object_kv *entry = msgpack_zone_malloc(zone, size * sizeof *entry);
  if (!entry)
    return -ENOMEM;
  object->type = MSGPACK_OBJECT_MAP;
  object->via.map = (msgpack_object_map){(uint32_t)size, entry};
  for (void *at = json_object_iter(json); at; at = json_object_iter_next(json, at), entry++) {
    const char *key = json_object_iter_key(at);
    entry->key = text_object(key, strlen(key));
    if (convert(json_object_iter_value(at), zone, &entry->val))
      return -ENOMEM;
  }
  return 0;
}

static msgpack_object integer_object(json_int_t number)
{
  msgpack_object object = {.type = MSGPACK_OBJECT_POSITIVE_INTEGER};
  if (number < 0)
    object.type = MSGPACK_OBJECT_NEGATIVE_INTEGER;
  object.via.i64 = number;
  return object;
}

static int convert(json_t *json, msgpack_zone *zone, msgpack_object *object)
{
  switch (json_typeof(json)) {
  case JSON_ARRAY: return convert_list(json, zone, object);
  case JSON_OBJECT: return convert_map(json, zone, object);
  case JSON_STRING: *object = text_object(json_string_value(json), json_string_length(json)); break;
  case JSON_INTEGER: *object = integer_object(json_integer_value(json)); break;
  case JSON_REAL:
    *object = (msgpack_object){.type = MSGPACK_OBJECT_FLOAT64, .via.f64 = json_real_value(json)};
    break;
  case JSON_NULL: object->type = MSGPACK_OBJECT_NIL; break;
  default:
    *object = (msgpack_object){.type = MSGPACK_OBJECT_BOOLEAN, .via.boolean = json_is_true(json)};
  }
  return 0;
}

/* Undoes JSON_DECODE_INT_AS_REAL wherever the integer came through exactly. */
static void restore_integers(msgpack_object *object)
{
  if (object->type == MSGPACK_OBJECT_ARRAY)
    for (uint32_t i = 0; i < object->via.array.size; i++)
      restore_integers(&object->via.array.ptr[i]);
  if (object->type == MSGPACK_OBJECT_MAP)
    for (uint32_t i = 0; i < object->via.map.size; i++)
      restore_integers(&object->via.map.ptr[i].val);
  if (object->type == MSGPACK_OBJECT_FLOAT64 && fabs(object->via.f64) <= EXACT_MAX &&
      (double)(json_int_t)object->via.f64 == object->via.f64)
    *object = integer_object((json_int_t)object->via.f64);
}

/* jansson takes a string that it could not allocate for bad syntax; only errno knows better. */
static int json_fault(const json_error_t *error, int allocation_error, struct fault *fault)
{
  enum json_error_code code = json_error_code(error);
  if (allocation_error == ENOMEM)
    return out_of_memory(fault);
  bool is_json = code == json_error_numeric_overflow || code == json_error_null_byte_in_key ||
                 code == json_error_duplicate_key;
  return fault_set(fault, is_json ? ERROR_REQUEST : ERROR_PARSE, "byte %d of the JSON: %s",
                   error->position, error->text);
}

static void seed(void)
{
  json_object_seed(0);
}

static json_t *load(const char *text, size_t length, bool *rounded, json_error_t *error)
{
  static pthread_once_t seeded = PTHREAD_ONCE_INIT; /* jansson's own first use is a race */
  const size_t flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL;
  pthread_once(&seeded, seed);
  errno = 0;
  json_t *json = json_loadb(text, length, flags, error);
  *rounded = !json && json_error_code(error) == json_error_numeric_overflow;
  if (*rounded)
    json = json_loadb(text, length, flags | JSON_DECODE_INT_AS_REAL, error);
  return json;
}

static int check_json(const char *text, size_t length, const struct message_limits *limits,
                      struct fault *fault)
{
  struct json_scan scan = {0};
  if (length > limits->message_bytes)
    return fault_set(fault, ERROR_LIMIT, "the JSON is longer than the %llu bytes allowed",
                     (unsigned long long)limits->message_bytes);
  if (!json_scan(&scan, text, length, limits->depth))
    return fault_set(fault, ERROR_LIMIT, "lists and maps lie more than the %llu deep allowed",
                     (unsigned long long)limits->depth);
  return 0;
}

int document_from_json(const char *text, size_t length, const struct message_limits *limits,
                       struct document *document, struct fault *fault)
{
  struct document read = {0};
  json_error_t error = {0};
  bool rounded;
  if (check_json(text, length, limits, fault))
    return -EBADMSG;
  read.json = load(text, length, &rounded, &error);
  if (!read.json)
    return json_fault(&error, errno, fault);
  if (zone_init(&read.zone, length)) {
    json_decref(read.json);
    return out_of_memory(fault);
  }
  if (convert(read.json, &read.zone, &read.root)) {
    document_deinit(&read);
    return out_of_memory(fault);
  }
  if (rounded)
    restore_integers(&read.root);
  *document = read;
  return 0;
}
