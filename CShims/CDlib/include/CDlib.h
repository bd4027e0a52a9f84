// C over dlib's frontal face detector and 68-point predictor.
//
// Why Swift can't reach dlib itself: both are header templates, instantiated by whoever includes them, and they
// report errors by C++ exceptions. Everything here takes plain memory, and no exception leaves it.
//
// Pictures are 8-bit grey, `stride` bytes from one row to the next. Coordinates are pixels, with pixel centres at
// whole numbers. An empty picture or a box without area gives no result, never a crash; a box may reach outside.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    CDlib_done = 0,
    CDlib_missing = 1,    // the model file can't be opened
    CDlib_unreadable = 2, // it is not a 68-point model, or damaged
    CDlib_failed = 3      // dlib threw (memory), or the arguments are empty
} CDlib_status;

typedef struct {
    const unsigned char *pixels;
    long width, height, stride;
} CDlib_picture;

/// One position of a filter's window whose score reached the threshold; neighbours are not merged.
typedef struct {
    double score; // over the detector's own limit: dlib reports a face from 0 on
    double left, top, right, bottom;
} CDlib_window;

/// The detector's filters (dlib's own, no file). Constant once made: threads may share them.
typedef struct CDlib_filters CDlib_filters;
/// The memory that a scan needs. One thread at a time.
typedef struct CDlib_scanner CDlib_scanner;
/// The 68-point model. Constant once made: threads may share it.
typedef struct CDlib_predictor CDlib_predictor;

/// Null where memory ran out. Takes about 0.3 s.
CDlib_filters *CDlib_filters_create(void);
void CDlib_filters_destroy(CDlib_filters *filters);

/// Null where memory ran out. `filters` must outlive it.
CDlib_scanner *CDlib_scanner_create(const CDlib_filters *filters);
void CDlib_scanner_destroy(CDlib_scanner *scanner);

/// How many filters the detector has: faces that look straight, to the left, to the right, and straight but rolled
/// either way.
long CDlib_filter_count(const CDlib_filters *filters);

/// Takes the picture's gradients, and those of `levels` - 1 copies of it, each 5/6 of the one before, as far as they
/// are not too small. The picture itself is not needed after that.
CDlib_status CDlib_scanner_load(CDlib_scanner *scanner, CDlib_picture picture, long levels);

/// Slides one filter's window of 80 x 80 pixels over what was loaded. Writes up to `capacity` windows that score
/// `threshold` or more, best first, and their number to `count`.
CDlib_status CDlib_scanner_windows(CDlib_scanner *scanner, long filter, double threshold, CDlib_window *windows,
                                   long capacity, long *count);

/// Loads the model file; takes about 0.6 s. Null with the reason in `status` and, for `message_size` > 0, a text.
CDlib_predictor *CDlib_predictor_create(const char *path, CDlib_status *status, char *message, long message_size);
void CDlib_predictor_destroy(CDlib_predictor *predictor);

/// Fits the 68 points to the face in the box; `points` takes x and y of each, with fractions of a pixel.
CDlib_status CDlib_landmarks(const CDlib_predictor *predictor, CDlib_picture picture, double left, double top,
                             double right, double bottom, float points[136]);

#ifdef __cplusplus
}
#endif
