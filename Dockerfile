# One static program on nothing. Build it with
#
#	docker build --build-arg VERSION=v1.2.3 --tag aside .
#
# and run it with a token, since other machines can reach it:
#
#	docker run --env ASIDE_TOKEN="$ASIDE_TOKEN" --publish 127.0.0.1:8787:8787 --volume aside:/data aside
#
# docs/operating.md says more.

FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG TARGETOS
ARG TARGETARCH
ARG VERSION
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -buildvcs=false -ldflags "-s -w -X main.version=$VERSION" -o /out/aside ./cmd/aside
RUN mkdir -p /out/data

FROM scratch
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
COPY --from=build /out/aside /aside
COPY --from=build --chown=65532:65532 /out/data /data
COPY packaging/container.yaml /etc/aside/aside.yaml
USER 65532:65532
WORKDIR /data
ENV HOME=/data TMPDIR=/data
VOLUME /data
EXPOSE 8787
# Running turns have 8 seconds to reach their next stage: stop with a time limit above
# that, as in docker stop --time 20.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 CMD ["/aside", "health", "--config", "/etc/aside/aside.yaml"]
ENTRYPOINT ["/aside"]
CMD ["run", "--config", "/etc/aside/aside.yaml"]
