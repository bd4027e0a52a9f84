// Debian ships the parser compiled; as a header it would cost 3 s a build.
#define TOML_HEADER_ONLY 0
#include "CToml.h"

#include <cstdio>
#include <exception>
#include <string_view>
#include <toml++/toml.h>

namespace {

struct Walk {
    void (*visit)(void *, const CToml_node *);
    void *context;

    void enter(const toml::node &value, const toml::key *key) const {
        CToml_node node = {};
        const auto &place = key ? key->source() : value.source();
        node.line = place.begin.line;
        node.column = place.begin.column;
        if (key) {
            node.key = key->str().data();
            node.key_length = key->str().size();
        }
        if (const auto *table = value.as_table()) {
            node.kind = CToml_table_begin;
            visit(context, &node);
            for (const auto &[inner, child] : *table) enter(child, &inner);
            leave();
        } else if (const auto *array = value.as_array()) {
            node.kind = CToml_array_begin;
            visit(context, &node);
            for (const auto &child : *array) enter(child, nullptr);
            leave();
        } else {
            scalar(value, node);
            visit(context, &node);
        }
    }

    void leave() const {
        CToml_node node = {};
        node.kind = CToml_end;
        visit(context, &node);
    }

    static void scalar(const toml::node &value, CToml_node &node) {
        if (const auto *string = value.as_string()) {
            node.kind = CToml_string;
            node.string = string->get().data();
            node.string_length = string->get().size();
        } else if (const auto *integer = value.as_integer()) {
            node.kind = CToml_integer;
            node.integer = integer->get();
        } else if (const auto *number = value.as_floating_point()) {
            node.kind = CToml_float;
            node.number = number->get();
        } else if (const auto *boolean = value.as_boolean()) {
            node.kind = CToml_boolean;
            node.boolean = boolean->get();
        } else {
            node.kind = CToml_date;
        }
    }
};

void describe(CToml_error *error, std::string_view message, const toml::source_position &place) {
    std::snprintf(error->message, sizeof error->message, "%.*s", static_cast<int>(message.size()), message.data());
    error->line = place.line;
    error->column = place.column;
}

} // namespace

bool CToml_walk(const char *text, size_t length, void (*visit)(void *context, const CToml_node *node), void *context,
                CToml_error *error) {
    try {
        const toml::table document = toml::parse(std::string_view(text, length));
        Walk{visit, context}.enter(document, nullptr);
        return true;
    } catch (const toml::parse_error &failure) {
        describe(error, failure.description(), failure.source().begin);
    } catch (const std::exception &failure) {
        describe(error, failure.what(), {});
    } catch (...) {
        describe(error, "unknown failure of the parser", {});
    }
    return false;
}
