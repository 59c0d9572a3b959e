# Built with the toolchain, run without it, as an ordinary user.
FROM swift:6.2-bookworm AS build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends libcurl4-openssl-dev libmariadb-dev libssl-dev pkg-config \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY Package.swift ./
COPY Plugins Plugins
COPY Sources Sources
COPY Tests Tests
COPY sql sql
COPY web web
RUN swift build --configuration release --product subtrackd --static-swift-stdlib -Xswiftc -cross-module-optimization \
        -Xlinker --no-export-dynamic \
 && strip -o /usr/local/bin/subtrackd .build/release/subtrackd

FROM debian:bookworm-slim
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends \
        ca-certificates curl libcurl4 libmariadb3 libssl3 mariadb-client-core msmtp tzdata \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --user-group subtrackit
COPY --from=build /usr/local/bin/subtrackd /usr/local/bin/subtrackd
# What commands leave behind, such as the export of a tenant that is dropped, is to outlive the container.
RUN mkdir /data && chown 10001:10001 /data
USER 10001
WORKDIR /data
VOLUME /data
ENV SUBTRACKIT_HTTP_LISTEN=0.0.0.0:8080 \
    SUBTRACKIT_SOCKET_LISTEN=0.0.0.0:8081 \
    SUBTRACKIT_LOG_FORMAT=json
EXPOSE 8080 8081
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
    CMD ["curl", "--fail", "--silent", "--show-error", "--output", "/dev/null", "http://127.0.0.1:8080/healthz"]
ENTRYPOINT ["subtrackd"]
CMD ["serve"]
