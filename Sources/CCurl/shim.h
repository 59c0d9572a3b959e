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

/// libcurl copies the bytes.
static inline CURLcode subtrackit_curl_set_body(CURL *easy, const char *bytes, long long count) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes);
}

static inline CURLcode subtrackit_curl_set_upload_size(CURL *easy, long long count) {
    return curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)count);
}

typedef size_t (*subtrackit_curl_data_function)(char *bytes, size_t size, size_t count, void *context);
typedef curl_socket_t (*subtrackit_curl_open_function)(void *context, curlsocktype purpose, struct curl_sockaddr *address);
typedef int (*subtrackit_curl_close_function)(void *context, curl_socket_t socket);
typedef int (*subtrackit_curl_debug_function)(
    CURL *easy, curl_infotype type, char *bytes, size_t count, void *context);

static inline CURLcode subtrackit_curl_set_data_function(
    CURL *easy, CURLoption option, subtrackit_curl_data_function value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode subtrackit_curl_set_open_function(CURL *easy, subtrackit_curl_open_function value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

static inline CURLcode subtrackit_curl_set_close_function(CURL *easy, subtrackit_curl_close_function value) {
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, value);
}

static inline CURLcode subtrackit_curl_set_debug_function(CURL *easy, subtrackit_curl_debug_function value) {
    return curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, value);
}

/// Restricts the protocols. The texts are lists such as `http,https`; the mask is for libcurl before 7.85.
static inline CURLcode subtrackit_curl_set_protocols(CURL *easy, const char *names, long mask) {
#if LIBCURL_VERSION_NUM >= 0x075500
    (void)mask;
    CURLcode code = curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, names);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS_STR, names);
#else
    (void)names;
    CURLcode code = curl_easy_setopt(easy, CURLOPT_PROTOCOLS, mask);
    return code != CURLE_OK ? code : curl_easy_setopt(easy, CURLOPT_REDIR_PROTOCOLS, mask);
#endif
}

static inline long subtrackit_curl_http_protocols(void) { return CURLPROTO_HTTP | CURLPROTO_HTTPS; }
static inline long subtrackit_curl_mail_protocols(void) { return CURLPROTO_SMTP | CURLPROTO_SMTPS; }

/// Lets a transfer end without waiting for the resolver's thread, which then ends by itself. Before libcurl 7.87 the
/// end of a transfer waits for it.
static inline CURLcode subtrackit_curl_set_quick_exit(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)easy;
    return CURLE_OK;
#endif
}

static inline long subtrackit_curl_info_long(CURL *easy, CURLINFO info) {
    long value = 0;
    return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

static inline CURLMcode subtrackit_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// Copies the bytes of an address that is about to be connected to.
/// Returns their number, 4 or 16; 0 for another family.
static inline int subtrackit_curl_address(
    const struct curl_sockaddr *address, unsigned char bytes[16], unsigned short *port) {
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

/// Opens a socket that child processes do not inherit.
static inline curl_socket_t subtrackit_curl_open_socket(const struct curl_sockaddr *address) {
#ifdef SOCK_CLOEXEC
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
#else
    return socket(address->family, address->socktype, address->protocol);
#endif
}

#endif
