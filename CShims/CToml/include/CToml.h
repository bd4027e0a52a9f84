// TOML documents for Swift: toml++ is C++ templates that throw, neither of which Swift imports. The document is
// walked once, depth first, and each value is handed out with its place; nothing of it is kept.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CToml_table_begin,
    CToml_array_begin,
    CToml_end, // of the table or array that was begun last
    CToml_string,
    CToml_integer,
    CToml_float,
    CToml_boolean,
    CToml_date // a date, a time or both
} CToml_kind;

/// One step of the walk. `key` is NULL inside an array and for the whole document; neither string ends in a NUL.
typedef struct {
    CToml_kind kind;
    const char *key;
    size_t key_length;
    const char *string;
    size_t string_length;
    int64_t integer;
    double number;
    bool boolean;
    uint32_t line;   // of the key, or of the value where there is none; counts from 1
    uint32_t column; // in code points, from 1
} CToml_node;

typedef struct {
    char message[256]; // ends in a NUL
    uint32_t line;     // 0 where the fault has no place
    uint32_t column;
} CToml_error;

/// Parses `text` and calls `visit` for each value. Returns false with `error` filled in, and without a call to
/// `visit`, where the text is no TOML or memory ran out. Tables of a depth beyond some 30,000 end the process in
/// toml++ itself: the caller bounds the text.
bool CToml_walk(const char *text, size_t length, void (*visit)(void *context, const CToml_node *node), void *context,
                CToml_error *error);

#ifdef __cplusplus
}
#endif
