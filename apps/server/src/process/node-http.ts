/**
 * Node's HTTP for the server. `import … from 'node:http'` makes Node look at everything that the module exports, and so
 * load all of `fetch` with it: 14 MB that nobody here uses.
 */
export const { Agent, createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http')
