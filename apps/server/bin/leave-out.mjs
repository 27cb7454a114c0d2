// Loaded before the server (server-command.mjs). Packages load more than is used of them, and what is loaded stays in
// memory for as long as the server lives. Nobody calls the parts that are left out here:
//
// - grpc and protobuf, dockerode's, are for builds by BuildKit;
// - ssh2, docker-modem's, is for a Docker behind ssh, which docker-connection.ts refuses; 16 MB of it are WebAssembly's;
// - zod's sentences in fifty languages: ours are taken from the one file (packages/core/src/settings/config-error.ts).
import { registerHooks } from 'node:module'

const unused = [
  { name: '@grpc/grpc-js', of: '/dockerode/' },
  { name: '@grpc/proto-loader', of: '/dockerode/' },
  { name: 'protobufjs', of: '/dockerode/' },
  { name: 'ssh2', of: '/docker-modem/' },
  { name: '../locales/index.js', of: '/zod/v4/' },
]

const nothing = { url: new URL('nothing.cjs', import.meta.url).href, format: 'commonjs', shortCircuit: true }

registerHooks({
  resolve(specifier, context, next) {
    const isUnused = unused.some(({ name, of }) => specifier === name && context.parentURL?.includes(of))
    return isUnused ? nothing : next(specifier, context)
  },
})
