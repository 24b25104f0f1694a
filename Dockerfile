# The sandbox, the gate and every other command: docker build --tag switchyard .
FROM node:24.21.0-alpine@sha256:ebfe2f90462722a7a4de65e91990e97fe0d401c70e0e762c5b53302f905ec1c1 AS build
WORKDIR /source
COPY . .
RUN npm ci && npm pack --pack-destination /packed

FROM node:24.21.0-alpine@sha256:ebfe2f90462722a7a4de65e91990e97fe0d401c70e0e762c5b53302f905ec1c1
COPY --from=build /packed /packed
RUN npm install --global --ignore-scripts /packed/*.tgz && npm cache clean --force
USER node
WORKDIR /work
EXPOSE 4010
# Without a credential the router answers 401: it is up.
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s CMD ["node", "-e", "fetch('http://127.0.0.1:4010/v2/models').then(({ status }) => process.exit(status === 401 ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["switchyard"]
CMD ["sandbox", "--host", "0.0.0.0", "--allow-remote", "--port", "4010"]
