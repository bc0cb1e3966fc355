#include <curl/curl.h>

// curl_easy_setopt takes a variable number of arguments, which Swift cannot pass: a function for
// each kind of value.

static inline CURLcode curl_start(void) { return curl_global_init(CURL_GLOBAL_ALL); }

static inline CURLcode curl_set_number(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode curl_set_list(
    CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

/// Where the bytes come from that go out.
static inline CURLcode curl_set_source(
    CURL *handle, curl_read_callback read, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_READFUNCTION, read);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_READDATA, context);
}

/// Who is told of each line that goes out and comes in.
static inline CURLcode curl_set_listener(
    CURL *handle, curl_debug_callback listen, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, listen);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_DEBUGDATA, context);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_VERBOSE, 1L);
}

/// Who is asked now and then whether it goes on.
static inline CURLcode curl_set_watch(
    CURL *handle, curl_xferinfo_callback watch, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, watch);
    if (code == CURLE_OK) code = curl_easy_setopt(handle, CURLOPT_XFERINFODATA, context);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
}
