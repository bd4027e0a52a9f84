// Debian's dlib is built with BLAS, whose development files its package does not pull in. What is used here never
// calls it, so the two settings are taken back before dlib's own headers read them.
#include <dlib/test_for_odr_violations.h>
#include <dlib/assert.h>
#undef DLIB_USE_BLAS
#undef DLIB_USE_LAPACK

#include "include/CDlib.h"

#include <cmath>
#include <cstring>
#include <dlib/image_processing.h>
#include <dlib/image_processing/frontal_face_detector.h>
#include <fstream>
#include <new>

namespace grey {
// A picture in the caller's memory, as dlib's templates want it.
struct plain {
    CDlib_picture picture;
};
inline long num_rows(const plain &image) { return image.picture.height; }
inline long num_columns(const plain &image) { return image.picture.width; }
inline const void *image_data(const plain &image) { return image.picture.pixels; }
inline long width_step(const plain &image) { return image.picture.stride; }

// The same picture as if it were sixteen times as large. dlib's predictor takes its box and gives its points in
// whole pixels; in this view they are sixteenths of one, at no cost. The eyes are some ten pixels high.
constexpr int shift = 4, scale = 1 << shift, half = scale / 2;
struct magnified {
    CDlib_picture picture;
};
inline long num_rows(const magnified &image) { return image.picture.height * scale - half; }
inline long num_columns(const magnified &image) { return image.picture.width * scale - half; }
} // namespace grey

namespace dlib {
template <> struct image_traits<grey::plain> {
    typedef unsigned char pixel_type;
};
template <> struct image_traits<grey::magnified> {
    typedef unsigned char pixel_type;
};
template <> class const_image_view<grey::magnified> {
    CDlib_picture picture;
    struct row {
        const unsigned char *pixels;
        unsigned char operator[](long column) const { return pixels[(column + grey::half) >> grey::shift]; }
    };

public:
    const_image_view(const grey::magnified &image) : picture(image.picture) {}
    row operator[](long y) const { return {picture.pixels + picture.stride * ((y + grey::half) >> grey::shift)}; }
};
} // namespace dlib

using scanner_type = dlib::frontal_face_detector::image_scanner_type;

struct CDlib_filters {
    dlib::frontal_face_detector detector = dlib::get_frontal_face_detector();
    std::vector<scanner_type::fhog_filterbank> banks;
    std::vector<double> limits;
    CDlib_filters() {
        const auto &scanner = detector.get_scanner();
        for (unsigned long i = 0; i < detector.num_detectors(); ++i) {
            banks.push_back(scanner.build_fhog_filterbank(detector.get_w(i)));
            limits.push_back(detector.get_w(i)(scanner.get_num_dimensions()));
        }
    }
};

struct CDlib_scanner {
    const CDlib_filters *filters;
    scanner_type scanner;
    std::vector<std::pair<double, dlib::rectangle>> found;
    explicit CDlib_scanner(const CDlib_filters *filters) : filters(filters) {
        scanner.copy_configuration(filters->detector.get_scanner());
    }
};

struct CDlib_predictor {
    dlib::shape_predictor predictor;
};

// What `make` gives, or null where it throws.
template <typename Make> static auto create(Make make) noexcept -> decltype(make()) {
    try {
        return make();
    } catch (...) {
        return nullptr;
    }
}

CDlib_filters *CDlib_filters_create(void) {
    return create([] { return new CDlib_filters; });
}
void CDlib_filters_destroy(CDlib_filters *filters) { delete filters; }

CDlib_scanner *CDlib_scanner_create(const CDlib_filters *filters) {
    return create([=] { return new CDlib_scanner(filters); });
}
void CDlib_scanner_destroy(CDlib_scanner *scanner) { delete scanner; }

long CDlib_filter_count(const CDlib_filters *filters) { return long(filters->banks.size()); }

CDlib_status CDlib_scanner_load(CDlib_scanner *scanner, CDlib_picture picture, long levels) try {
    if (picture.width < 1 || picture.height < 1 || levels < 1) return CDlib_failed;
    scanner->scanner.set_max_pyramid_levels(levels);
    scanner->scanner.load(grey::plain{picture});
    return CDlib_done;
} catch (...) {
    return CDlib_failed;
}

CDlib_status CDlib_scanner_windows(CDlib_scanner *scanner, long filter, double threshold, CDlib_window *windows,
                                   long capacity, long *count) try {
    *count = 0;
    const auto &filters = *scanner->filters;
    if (filter < 0 || filter >= CDlib_filter_count(&filters) || !scanner->scanner.is_loaded_with_image())
        return CDlib_failed;
    scanner->scanner.detect(filters.banks[filter], scanner->found, filters.limits[filter] + threshold);
    for (const auto &[score, box] : scanner->found) {
        if (*count == capacity) break;
        windows[(*count)++] = {score - filters.limits[filter], double(box.left()), double(box.top()),
                               double(box.right()), double(box.bottom())};
    }
    return CDlib_done;
} catch (...) {
    return CDlib_failed;
}

CDlib_predictor *CDlib_predictor_create(const char *path, CDlib_status *status, char *message, long message_size) {
    const auto refuse = [&](CDlib_status reason, const char *text) -> CDlib_predictor * {
        *status = reason;
        if (message_size > 0) snprintf(message, message_size, "%s", text);
        return nullptr;
    };
    try {
        std::ifstream file(path, std::ios::binary);
        if (!file) return refuse(CDlib_missing, strerror(errno));
        auto loaded = std::make_unique<CDlib_predictor>();
        deserialize(loaded->predictor, file);
        if (loaded->predictor.num_parts() != 68) return refuse(CDlib_unreadable, "the model has not 68 points");
        *status = CDlib_done;
        return loaded.release();
    } catch (const std::exception &error) {
        return refuse(CDlib_unreadable, error.what());
    } catch (...) {
        return refuse(CDlib_unreadable, "an exception without a text");
    }
}
void CDlib_predictor_destroy(CDlib_predictor *predictor) { delete predictor; }

CDlib_status CDlib_landmarks(const CDlib_predictor *predictor, CDlib_picture picture, double left, double top,
                             double right, double bottom, float points[136]) try {
    const double reach = 1e6; // keeps the magnified box far inside what a long and a float hold exactly
    const bool usable = right - left >= 1 && bottom - top >= 1 && std::fabs(left) < reach && std::fabs(top) < reach &&
                        std::fabs(right) < reach && std::fabs(bottom) < reach;
    if (picture.width < 1 || picture.height < 1 || !usable) return CDlib_failed;
    const auto large = [](double value) { return std::lround(value * grey::scale); };
    const dlib::rectangle box(large(left), large(top), large(right), large(bottom));
    const auto shape = predictor->predictor(grey::magnified{picture}, box);
    for (unsigned long i = 0; i < 68; ++i) {
        points[2 * i] = float(shape.part(i).x()) / grey::scale;
        points[2 * i + 1] = float(shape.part(i).y()) / grey::scale;
    }
    return CDlib_done;
} catch (...) {
    return CDlib_failed;
}
