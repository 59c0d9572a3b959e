// libcurl as Swift sees it. Swift cannot call functions with variable arguments: each type of an option's value has
// a function here.

#ifndef SUBTRACKIT_CCURL_SHIM_H
#define SUBTRACKIT_CCURL_SHIM_H

#include <curl/curl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

static inline CURLcode subtrackit_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

/// libcurl copies the text.
static inline CURLcode subtrackit_curl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

/// The list must outlive the transfer.
static inline CURLcode subtrackit_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}

/// The context of callbacks.
static inline CURLcode subtrackit_curl_set_context(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode subtrackit_curl_set_upload_size(CURL *easy, long long count) {
    return curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)count);
}

/// The bytes must outlive the transfer.
static inline CURLcode subtrackit_curl_set_body(CURL *easy, const void *bytes, long long count) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_POSTFIELDS, bytes ? bytes : "");
}

typedef size_t (*subtrackit_curl_data_function)(char *bytes, size_t size, size_t count, void *context);
typedef int (*subtrackit_curl_debug_function)(CURL *easy, curl_infotype type, char *bytes, size_t count, void *context);
typedef int (*subtrackit_curl_progress_function)(
    void *context, curl_off_t toCome, curl_off_t come, curl_off_t toGo, curl_off_t gone);

typedef curl_socket_t (*subtrackit_curl_open_function)(void *context, curlsocktype purpose, struct curl_sockaddr *address);

static inline CURLcode subtrackit_curl_set_open_function(CURL *easy, subtrackit_curl_open_function value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode subtrackit_curl_set_data_function(
    CURL *easy, CURLoption option, subtrackit_curl_data_function value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode subtrackit_curl_set_debug_function(CURL *easy, subtrackit_curl_debug_function value) {
    return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, value);
}

static inline CURLcode subtrackit_curl_set_progress_function(CURL *easy, subtrackit_curl_progress_function value) {
    return curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, value);
}

/// Restricts a transfer to SMTP. The mask is for libcurl before 7.85.
static inline CURLcode subtrackit_curl_set_mail_protocols(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
#else
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_SMTP | CURLPROTO_SMTPS));
#endif
}

/// Restricts a transfer to HTTP. The mask is for libcurl before 7.85.
static inline CURLcode subtrackit_curl_set_web_protocols(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/// Lets a transfer end in time while a name is still being resolved. Before 7.87 its end waits for the resolver.
static inline CURLcode subtrackit_curl_set_quick_exit(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)easy;
    return CURLE_OK;
#endif
}

/// Opens the socket of a connection that libcurl is about to make; -1 where none can be had.
static inline curl_socket_t subtrackit_curl_open_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype, address->protocol);
}

/// Copies the bytes of an address that is about to be connected to.
/// Returns their number, 4 or 16; 0 for another family.
static inline int subtrackit_curl_address(const struct curl_sockaddr *address, unsigned char bytes[16], unsigned short *port) {
    const void *start = &address->addr;
    if (address->family == AF_INET) {
        struct sockaddr_in value;
        memcpy(&value, start, sizeof value);
        memcpy(bytes, &value.sin_addr, 4);
        *port = ntohs(value.sin_port);
        return 4;
    }
    if (address->family == AF_INET6) {
        struct sockaddr_in6 value;
        memcpy(&value, start, sizeof value);
        memcpy(bytes, &value.sin6_addr, 16);
        *port = ntohs(value.sin6_port);
        return 16;
    }
    return 0;
}

static inline long subtrackit_curl_info_long(CURL *easy, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

#endif
