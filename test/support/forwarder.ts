import { connect, createServer, type AddressInfo, type NetConnectOpts, type Server } from 'node:net'

/** A server that forwards its connections to `target`, both ways; each direction ends by itself. */
export const forwarder = (target: NetConnectOpts): Server =>
  createServer({ allowHalfOpen: true }, (client) => {
    const far = connect({ ...target, allowHalfOpen: true })
    client.on('error', () => far.destroy()).pipe(far)
    far.on('error', () => client.destroy()).pipe(client)
  })

/** A port of the loopback, or a socket's path. */
const placeOf = (text = ''): { host: string; port: number } | { path: string } =>
  /^\d+$/.test(text) ? { host: '127.0.0.1', port: Number(text) } : { path: text }

/** As a program, for another namespace: `forwarder.ts FROM TO` prints where it listens; 0 is any port. */
if (import.meta.main) {
  const [from, to] = process.argv.slice(2)
  const server = forwarder(placeOf(to))
  server.listen(placeOf(from), () => {
    const address = server.address() as AddressInfo | string
    console.log(typeof address === 'string' ? address : address.port)
  })
}
