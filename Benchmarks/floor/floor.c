// The floor: what the database itself gives. Runs the statements of one request over and over, on so many connections,
// each with a thread that blocks, and does nothing else but fetch all rows.
//
//   floor SOCKET DATABASE STATEMENTS ITEMS CONNECTIONS SECONDS
//
// STATEMENTS is what `bench` saw the service send: per statement a line "setup BYTES" (once per connection),
// "prepared BYTES" or "plain BYTES" (for each request), the statement, and a line for each of its values: "user",
// "subscription" (ids from a random line of ITEMS), "fresh" (16 random bytes), "int N", "date YYYY-MM-DD", "null", or
// "text BYTES" with the text on the next line. ITEMS has lines of token, user and subscription, the latter two in
// hexadecimal, and the tenant whose database they are in where DATABASE has a place for it, as in "subtrackit_{tenant}";
// lines of one tenant follow each other. Each connection serves a part of the databases, and has prepared its statements
// for these: nothing is asked of the server but to run them.
//
// Prints requests, errors and seconds.
#include <errno.h>
#include <mysql.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ID_BYTES = 16, MAX_STATEMENTS = 32, MAX_VALUES = 64, MAX_COLUMNS = 128, CELL_BYTES = 1024 };

typedef enum { USER, SUBSCRIPTION, FRESH, INT, DATE, TEXT, NOTHING } Kind;

typedef struct {
    Kind kind;
    long long number;
    MYSQL_TIME date;
    char *text;
    unsigned long length;
} Value;

typedef enum { SETUP, PREPARED, PLAIN } Way;

typedef struct {
    Way way;
    char *sql;
    unsigned long length;
    int value_count;
    Value values[MAX_VALUES];
} Statement;

typedef struct {
    unsigned char user[ID_BYTES], subscription[ID_BYTES];
} Item;

// A database, and which of the items are in it.
typedef struct {
    char name[256], tenant[128];
    size_t first, count;
} Database;

typedef struct {
    pthread_t thread;
    uint64_t random;
    int number;
    long requests, errors;
    char message[512];
} Worker;

static Statement statements[MAX_STATEMENTS];
static int statement_count;
static Item *items;
static size_t item_count;
static Database *databases;
static int database_count;
static int connections;
static const char *socket_path, *database_pattern;
static atomic_bool stopping;
static pthread_barrier_t barrier;

static void die(const char *what) {
    fprintf(stderr, "floor: %s\n", what);
    exit(1);
}

static char *read_bytes(FILE *file, unsigned long count) {
    char *bytes = malloc(count + 1);
    if (!bytes || fread(bytes, 1, count, file) != count || fgetc(file) != '\n') die("the statements end too early");
    bytes[count] = 0;
    return bytes;
}

static void read_statements(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) die("the statements cannot be read");
    char line[256];
    Statement *statement = NULL;
    while (fgets(line, sizeof line, file)) {
        unsigned long length;
        if (sscanf(line, "setup %lu", &length) == 1 || sscanf(line, "prepared %lu", &length) == 1
            || sscanf(line, "plain %lu", &length) == 1) {
            if (statement_count == MAX_STATEMENTS) die("too many statements");
            statement = &statements[statement_count++];
            statement->way = line[0] == 's' ? SETUP : line[1] == 'r' ? PREPARED : PLAIN;
            statement->sql = read_bytes(file, length);
            statement->length = length;
            continue;
        }
        if (!statement || statement->value_count == MAX_VALUES) die("a value stands where none can");
        Value *value = &statement->values[statement->value_count++];
        if (!strcmp(line, "user\n")) {
            value->kind = USER;
        } else if (!strcmp(line, "subscription\n")) {
            value->kind = SUBSCRIPTION;
        } else if (!strcmp(line, "fresh\n")) {
            value->kind = FRESH;
        } else if (!strcmp(line, "null\n")) {
            value->kind = NOTHING;
        } else if (sscanf(line, "int %lld", &value->number) == 1) {
            value->kind = INT;
        } else if (sscanf(line, "date %u-%u-%u", &value->date.year, &value->date.month, &value->date.day) == 3) {
            value->kind = DATE;
            value->date.time_type = MYSQL_TIMESTAMP_DATE;
        } else if (sscanf(line, "text %lu", &value->length) == 1) {
            value->kind = TEXT;
            value->text = read_bytes(file, value->length);
        } else {
            die("a line of the statements is not understood");
        }
    }
    fclose(file);
    if (!statement_count) die("there are no statements");
}

static bool read_hex(const char *text, unsigned char *bytes) {
    for (int i = 0; i < ID_BYTES; i++) {
        unsigned byte;
        if (sscanf(text + 2 * i, "%2x", &byte) != 1) return false;
        bytes[i] = (unsigned char)byte;
    }
    return true;
}

// The database of the next item: the one of the item before, or a new one.
static void count_item(const char *tenant) {
    if (!database_count || strcmp(databases[database_count - 1].tenant, tenant)) {
        databases = realloc(databases, (size_t)(database_count + 1) * sizeof *databases);
        if (!databases) die("out of memory");
        Database *database = &databases[database_count++];
        memset(database, 0, sizeof *database);
        database->first = item_count;
        snprintf(database->tenant, sizeof database->tenant, "%s", tenant);
        const char *place = strstr(database_pattern, "{tenant}");
        if (place && !*tenant) die("a line of the items has no tenant");
        if (place) {
            snprintf(database->name, sizeof database->name, "%.*s%s%s", (int)(place - database_pattern), database_pattern,
                     tenant, place + strlen("{tenant}"));
        } else {
            snprintf(database->name, sizeof database->name, "%s", database_pattern);
        }
    }
    databases[database_count - 1].count++;
}

static void read_items(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file) die("the items cannot be read");
    char line[512], user[128], subscription[128], tenant[128];
    bool has_tenants = strstr(database_pattern, "{tenant}");
    size_t capacity = 0;
    while (fgets(line, sizeof line, file)) {
        if (item_count == capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            items = realloc(items, capacity * sizeof *items);
            if (!items) die("out of memory");
        }
        Item *item = &items[item_count];
        if (sscanf(line, "%*s %127s %127s %127s", user, subscription, tenant) < (has_tenants ? 3 : 2)
            || !read_hex(user, item->user) || !read_hex(subscription, item->subscription)) {
            die("a line of the items is not understood");
        }
        count_item(has_tenants ? tenant : "");
        item_count++;
    }
    fclose(file);
    if (!item_count) die("there are no items");
}

// xorshift64*
static uint64_t next_random(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545F4914F6CDD1Dull;
}

// The places that a connection's statements on one database are read into; each thread has its own.
typedef struct {
    MYSQL_STMT *handle;
    MYSQL_BIND values[MAX_VALUES], columns[MAX_COLUMNS];
    bool has_rows, has_columns_bound;
} Prepared;

typedef struct {
    // Which databases it serves: this one, and each that comes so many later.
    int first_database, served;
    // All statements on the first of these, then those on the second.
    Prepared *prepared;
    Item item;
    unsigned char fresh[ID_BYTES];
    unsigned long id_length;
    char *cells;
} Context;

static bool run_text(MYSQL *mysql, Statement *statement, char *message, size_t size) {
    if (mysql_real_query(mysql, statement->sql, statement->length)) {
        snprintf(message, size, "%s", mysql_error(mysql));
        return false;
    }
    mysql_free_result(mysql_store_result(mysql));
    return true;
}

// Prepares the statements on the database that is the default one.
static bool prepare(MYSQL *mysql, Context *context, Prepared *all, char *message, size_t size) {
    for (int s = 0; s < statement_count; s++) {
        Statement *statement = &statements[s];
        if (statement->way != PREPARED) continue;
        Prepared *prepared = &all[s];
        MYSQL_STMT *handle = prepared->handle = mysql_stmt_init(mysql);
        if (!handle || mysql_stmt_prepare(handle, statement->sql, statement->length)) {
            snprintf(message, size, "%s", handle ? mysql_stmt_error(handle) : mysql_error(mysql));
            return false;
        }
        if (mysql_stmt_param_count(handle) != (unsigned long)statement->value_count) {
            snprintf(message, size, "a statement has another number of values: %s", statement->sql);
            return false;
        }
        for (int v = 0; v < statement->value_count; v++) {
            Value *value = &statement->values[v];
            MYSQL_BIND *bind = &prepared->values[v];
            switch (value->kind) {
                case USER:
                case SUBSCRIPTION:
                case FRESH:
                    bind->buffer_type = MYSQL_TYPE_BLOB;
                    bind->buffer = value->kind == USER           ? context->item.user
                                   : value->kind == SUBSCRIPTION ? context->item.subscription
                                                                 : context->fresh;
                    bind->length = &context->id_length;
                    break;
                case INT:
                    bind->buffer_type = MYSQL_TYPE_LONGLONG;
                    bind->buffer = &value->number;
                    break;
                case DATE:
                    bind->buffer_type = MYSQL_TYPE_DATE;
                    bind->buffer = &value->date;
                    break;
                case TEXT:
                    bind->buffer_type = MYSQL_TYPE_STRING;
                    bind->buffer = value->text;
                    bind->length = &value->length;
                    break;
                case NOTHING: bind->buffer_type = MYSQL_TYPE_NULL; break;
            }
        }
        if (mysql_stmt_bind_param(handle, prepared->values)) {
            snprintf(message, size, "%s", mysql_stmt_error(handle));
            return false;
        }
    }
    return true;
}

static bool set_up(MYSQL *mysql, Context *context, char *message, size_t size) {
    context->id_length = ID_BYTES;
    context->cells = calloc(MAX_COLUMNS, CELL_BYTES);
    context->prepared = calloc((size_t)(context->served * statement_count), sizeof *context->prepared);
    if (!context->cells || !context->prepared) die("out of memory");
    for (int s = 0; s < statement_count; s++) {
        if (statements[s].way == SETUP && !run_text(mysql, &statements[s], message, size)) return false;
    }
    for (int d = 0; d < context->served; d++) {
        const char *name = databases[context->first_database + d * connections].name;
        if (mysql_select_db(mysql, name)) {
            snprintf(message, size, "%s", mysql_error(mysql));
            return false;
        }
        if (!prepare(mysql, context, &context->prepared[d * statement_count], message, size)) return false;
    }
    return true;
}

// Every column in the type in which it comes: nothing is converted.
static bool bind_columns(Prepared *prepared, char *cells) {
    MYSQL_RES *metadata = mysql_stmt_result_metadata(prepared->handle);
    prepared->has_columns_bound = true;
    prepared->has_rows = metadata != NULL;
    if (!metadata) return true;
    unsigned count = mysql_num_fields(metadata);
    if (count > MAX_COLUMNS) return false;
    for (unsigned c = 0; c < count; c++) {
        MYSQL_BIND *bind = &prepared->columns[c];
        bind->buffer_type = mysql_fetch_field_direct(metadata, c)->type;
        bind->buffer = cells + c * CELL_BYTES;
        bind->buffer_length = CELL_BYTES;
    }
    mysql_free_result(metadata);
    return !mysql_stmt_bind_result(prepared->handle, prepared->columns);
}

static bool run_prepared(Prepared *prepared, char *cells, char *message, size_t size) {
    MYSQL_STMT *handle = prepared->handle;
    if (mysql_stmt_execute(handle)) goto failed;
    if (!prepared->has_columns_bound && !bind_columns(prepared, cells)) goto failed;
    if (!prepared->has_rows) return true;
    int status;
    do status = mysql_stmt_fetch(handle);
    while (!status);
    if (status != MYSQL_NO_DATA) goto failed;
    mysql_stmt_free_result(handle);
    return true;
failed:
    snprintf(message, size, "%s", mysql_stmt_error(handle));
    mysql_stmt_free_result(handle);
    return false;
}

static bool run_request(MYSQL *mysql, Context *context, Worker *worker) {
    int served = (int)(next_random(&worker->random) % (uint64_t)context->served);
    Database *database = &databases[context->first_database + served * connections];
    Prepared *prepared = &context->prepared[served * statement_count];
    context->item = items[database->first + next_random(&worker->random) % database->count];
    for (int i = 0; i < ID_BYTES; i += 8) {
        uint64_t bits = next_random(&worker->random);
        memcpy(context->fresh + i, &bits, 8);
    }
    for (int s = 0; s < statement_count; s++) {
        if (statements[s].way == SETUP) continue;
        bool done = statements[s].way == PREPARED
            ? run_prepared(&prepared[s], context->cells, worker->message, sizeof worker->message)
            : run_text(mysql, &statements[s], worker->message, sizeof worker->message);
        if (!done) {
            mysql_rollback(mysql);
            return false;
        }
    }
    return true;
}

static void *work(void *argument) {
    Worker *worker = argument;
    Context *context = calloc(1, sizeof *context);
    MYSQL *mysql = mysql_init(NULL);
    bool ready = context && mysql;
    if (ready) {
        // Where there are fewer databases than connections, several serve one.
        context->first_database = worker->number % database_count;
        context->served = worker->number < database_count ? (database_count - 1 - worker->number) / connections + 1 : 1;
        mysql_options(mysql, MYSQL_SET_CHARSET_NAME, "utf8mb4");
        ready = mysql_real_connect(mysql, "localhost", "root", NULL, databases[context->first_database].name, 0, socket_path, 0);
        if (!ready) snprintf(worker->message, sizeof worker->message, "%s", mysql_error(mysql));
    }
    ready = ready && set_up(mysql, context, worker->message, sizeof worker->message);
    pthread_barrier_wait(&barrier);
    if (!ready) worker->errors++;
    while (ready && !atomic_load_explicit(&stopping, memory_order_relaxed)) {
        if (run_request(mysql, context, worker)) worker->requests++;
        else worker->errors++;
    }
    if (mysql) mysql_close(mysql);
    return NULL;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int count, char **arguments) {
    if (count != 7) die("usage: floor SOCKET DATABASE STATEMENTS ITEMS CONNECTIONS SECONDS");
    socket_path = arguments[1];
    database_pattern = arguments[2];
    read_statements(arguments[3]);
    read_items(arguments[4]);
    connections = atoi(arguments[5]);
    double seconds = atof(arguments[6]);
    if (connections < 1 || connections > 1000 || seconds <= 0) die("the connections or seconds make no sense");
    if (mysql_library_init(0, NULL, NULL)) die("libmariadb does not start");

    Worker *workers = calloc((size_t)connections, sizeof *workers);
    if (!workers) die("out of memory");
    pthread_barrier_init(&barrier, NULL, (unsigned)connections + 1);
    for (int i = 0; i < connections; i++) {
        workers[i].number = i;
        workers[i].random = (0x9E3779B97F4A7C15ull * (uint64_t)(i + 1)) ^ (uint64_t)time(NULL);
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i])) die("a thread cannot be started");
    }
    pthread_barrier_wait(&barrier);
    double start = now();
    struct timespec pause = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    while (nanosleep(&pause, &pause) && errno == EINTR) {}
    atomic_store(&stopping, true);
    double elapsed = now() - start;

    long requests = 0, errors = 0;
    for (int i = 0; i < connections; i++) {
        pthread_join(workers[i].thread, NULL);
        requests += workers[i].requests;
        errors += workers[i].errors;
        if (workers[i].message[0] && !errors) errors = 1;
    }
    for (int i = 0; i < connections; i++) {
        if (workers[i].message[0]) {
            fprintf(stderr, "floor: %s\n", workers[i].message);
            break;
        }
    }
    printf("%ld %ld %.6f\n", requests, errors, elapsed);
    return requests ? 0 : 1;
}
