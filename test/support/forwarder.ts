import { connect, createServer, type NetConnectOpts, type Server } from 'node:net'

/** A server whose connections go on to `target`, both ways, each end by itself. */
export const forwarder = (target: NetConnectOpts): Server =>
  createServer({ allowHalfOpen: true }, (client) => {
    const far = connect({ ...target, allowHalfOpen: true })
    client.on('error', () => far.destroy()).pipe(far)
    far.on('error', () => client.destroy()).pipe(client)
  })

/** As a program, for another namespace: `forwarder.ts SOCKET PORT` says when it listens at the socket. */
if (import.meta.main) {
  const [socket, port] = process.argv.slice(2)
  forwarder({ host: '127.0.0.1', port: Number(port) }).listen(socket, () => console.log('listening'))
}
