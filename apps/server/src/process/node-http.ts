/**
 * Node's HTTP for the server. `import … from 'node:http'` makes Node read every export of the module, and so load all
 * of `fetch`: 14 MB that the server never uses.
 */
export const { Agent, createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http')
