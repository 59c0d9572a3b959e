# Built with the toolchain, run without it.
FROM swift:6.2-bookworm AS build
RUN apt-get update \
 && apt-get install --yes --no-install-recommends libmariadb-dev libssl-dev pkg-config \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY Package.swift ./
COPY Plugins Plugins
COPY Sources Sources
COPY Tests Tests
COPY sql sql
RUN swift build --configuration release --product subtrackd --static-swift-stdlib \
 && cp .build/release/subtrackd /usr/local/bin/subtrackd

FROM debian:bookworm-slim
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates curl libmariadb3 libssl3 tzdata \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 subtrackit
COPY --from=build /usr/local/bin/subtrackd /usr/local/bin/subtrackd
USER subtrackit
ENV SUBTRACKIT_HTTP_LISTEN=0.0.0.0:8080
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD curl --fail --silent http://127.0.0.1:8080/healthz
ENTRYPOINT ["subtrackd"]
CMD ["serve"]
